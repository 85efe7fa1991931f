import type { Database, Statement } from 'better-sqlite3';

/** Number of ids in a block, as in the index `events_by_block`. */
export const EVENT_BLOCK = 1_024;

export const blockOf = (id: number): number => Math.floor(id / EVENT_BLOCK);

/**
 * Number of ids that one query of a rule's events covers. Its blocks are looked up one by one, including empty ones:
 * about 50 µs.
 */
const SPAN = 128 * EVENT_BLOCK;

/** A range of ids, both included, and its range of blocks. */
export interface EventSpan {
  first: number;
  last: number;
  firstBlock: number;
  lastBlock: number;
}

export const spanOf = (first: number, last: number): EventSpan => ({
  first,
  last,
  firstBlock: blockOf(first),
  lastBlock: blockOf(last),
});

/**
 * The part of a query after FROM events for those of a rule, up to a further condition on the ids: `@ruleId` and the blocks
 * of an `EventSpan` must be bound.
 */
export const EVENTS_OF_RULE = `INDEXED BY events_by_block
  WHERE id / ${EVENT_BLOCK} IN (
    WITH RECURSIVE block (n) AS (SELECT @firstBlock UNION ALL SELECT n + 1 FROM block WHERE n < @lastBlock)
    SELECT n FROM block)
  AND rule_id = @ruleId AND`;

/** The order of the ids in the form of the index: a LIMIT then needs no sorting. */
export const BY_BLOCK = `id / ${EVENT_BLOCK}, id`;
export const BY_BLOCK_NEWEST_FIRST = `id / ${EVENT_BLOCK} DESC, id DESC`;

/** Spans with events of any rule between two ids; empty ones are skipped. */
export class EventSpans {
  readonly #next: Statement<[number], number | null>;
  readonly #previous: Statement<[number], number | null>;

  constructor(database: Database) {
    this.#next = database.prepare<[number], number | null>('SELECT min(id) FROM events WHERE id >= ?').pluck();
    this.#previous = database.prepare<[number], number | null>('SELECT max(id) FROM events WHERE id <= ?').pluck();
  }

  /** Oldest first; both ids included. */
  *upwards(from: number, to: number): Generator<EventSpan> {
    for (let first = this.#next.get(from) ?? null; first !== null && first <= to;) {
      const last = Math.min(to, first + SPAN - 1);
      yield spanOf(first, last);
      first = this.#next.get(last + 1) ?? null;
    }
  }

  /** Newest first; both ids included. */
  *downwards(from: number, to: number): Generator<EventSpan> {
    for (let last = this.#previous.get(from) ?? null; last !== null && last >= to;) {
      const first = Math.max(to, last - SPAN + 1);
      yield spanOf(first, last);
      last = this.#previous.get(first - 1) ?? null;
    }
  }
}

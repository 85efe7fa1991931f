import type { Statement } from 'better-sqlite3';
import Database from 'better-sqlite3';
import type { AggregationEvent } from '#domain/event/event';
import { Turns } from '../../platform/turns.ts';
import type { EventSpan } from './event-blocks.ts';
import { EVENT_BLOCK, EVENTS_OF_RULE, blockOf, spanOf } from './event-blocks.ts';

/** Which events are meant; null where that does not matter. Times in ms since 1970 in UTC: at or after, and before. */
export interface EventChoice {
  active: boolean | null;
  ruleId: number | null;
  from: number | null;
  to: number | null;
}

/** A stretch of ids: `first` and `last` included. */
export interface EventBlock {
  first: number;
  last: number;
  count: number;
}

/** Blocks that one step of the first count looks at. */
const BLOCKS_OF_STEP = 8;
/** Choices whose counts are remembered. */
const KEPT_CHOICES = 4;

interface Meant {
  active: number | null;
  ruleId: number | null;
  from: number | null;
  to: number | null;
}

type Range = Meant & EventSpan;

interface Counts {
  meant: Meant;
  byBlock: Map<number, number>;
  /** Blocks of which an event changed since they were counted. */
  stale: Set<number>;
  /** Settles when every block was counted once. */
  counted: Promise<void>;
  /** Blocks that hold something, in the order of their ids; null when that is to be put together again. */
  blocks: readonly EventBlock[] | null;
}

/**
 * Random access to any place of a list of events, however long: how many events each block of 1,024 ids holds is
 * counted once for a choice, a few ms at a time, and counted again only where an event changed. Reads through a
 * connection of its own, which sees what is committed.
 */
export class EventPlaces {
  readonly #file: string;
  readonly #choices = new Map<string, Counts>();
  #connection: Connection | null = null;
  #closed = false;

  /** @param file the workspace database, in WAL mode */
  constructor(file: string) {
    this.#file = file;
  }

  /** To be called after every commit that made, changed or deleted this event. */
  changed(id: number): void {
    const block = blockOf(id);
    for (const counts of this.#choices.values()) counts.stale.add(block);
  }

  /** `limit` events from place `offset` on of all that are meant, and how many these are. */
  async window(
    choice: EventChoice,
    { newestFirst, offset, limit }: { newestFirst: boolean; offset: number; limit: number },
  ): Promise<{ events: AggregationEvent[]; total: number }> {
    const blocks = await this.blocks(choice);
    const total = totalOf(blocks);
    const from = newestFirst ? Math.max(0, total - offset - limit) : Math.min(offset, total);
    const to = newestFirst ? Math.max(0, total - offset) : Math.min(offset + limit, total);
    const events: AggregationEvent[] = [];
    const turns = new Turns();
    let place = 0;
    for (const block of blocks) {
      const end = place + block.count;
      if (end > from && place < to) {
        const range = { ...meantBy(choice), ...spanOf(block.first, block.last) };
        const rows = this.#open().rows(range).all(range);
        events.push(
          ...rows.slice(Math.max(0, from - place), to - place).map((row) => ({ ...row, Active: row.Active === 1 })),
        );
        const pause = turns.due();
        if (pause) await pause;
      }
      if (end >= to) break;
      place = end;
    }
    return { events: newestFirst ? events.toReversed() : events, total };
  }

  /** How many events are meant. */
  async count(choice: EventChoice): Promise<number> {
    return totalOf(await this.blocks(choice));
  }

  /** The stretches of ids that hold events that are meant, in order, with how many. */
  async blocks(choice: EventChoice): Promise<readonly EventBlock[]> {
    const counts = this.#countsOf(choice);
    await counts.counted;
    const turns = new Turns();
    for (const block of counts.stale) {
      this.#count(counts, block, block);
      // Not before: one that cannot be counted now is counted for the next who asks.
      counts.stale.delete(block);
      const pause = turns.due();
      if (pause) await pause;
    }
    counts.blocks ??= [...counts.byBlock]
      .toSorted(([a], [b]) => a - b)
      .map(([block, count]) => ({ ...stretch(block, block), count }));
    return counts.blocks;
  }

  close(): void {
    this.#closed = true;
    this.#connection?.database.close();
    this.#connection = null;
    this.#choices.clear();
  }

  #countsOf(choice: EventChoice): Counts {
    const meant = meantBy(choice);
    const key = JSON.stringify([meant.active, meant.ruleId, meant.from, meant.to]);
    const known = this.#choices.get(key);
    // Put in again, so that the one that was asked for longest ago is the first.
    this.#choices.delete(key);
    const counts: Counts = known ?? {
      meant,
      byBlock: new Map(),
      stale: new Set(),
      counted: Promise.resolve(),
      blocks: null,
    };
    this.#choices.set(key, counts);
    const [oldest] = this.#choices.keys();
    if (this.#choices.size > KEPT_CHOICES && oldest !== undefined) this.#choices.delete(oldest);
    if (!known) {
      counts.counted = this.#countAll(counts);
      // A count that failed is not remembered: the next one who asks counts anew.
      counts.counted.catch(() => this.#choices.delete(key));
    }
    return counts;
  }

  async #countAll(counts: Counts): Promise<void> {
    const turns = new Turns();
    let after = 0;
    for (;;) {
      // Where ids were deleted, the next one that is there is found at once.
      const next = this.#open().next(counts.meant).get(after);
      if (typeof next !== 'number') return;
      const block = blockOf(next);
      this.#count(counts, block, block + BLOCKS_OF_STEP - 1);
      after = (block + BLOCKS_OF_STEP) * EVENT_BLOCK;
      const pause = turns.due();
      if (pause) await pause;
    }
  }

  #count(counts: Counts, from: number, to: number): void {
    const { first, last } = stretch(from, to);
    const range = { ...counts.meant, ...spanOf(first, last) };
    for (let block = from; block <= to; block += 1) counts.byBlock.delete(block);
    for (const { block, count } of this.#open().counts(range).all(range)) counts.byBlock.set(block, count);
    counts.blocks = null;
  }

  #open(): Connection {
    if (this.#closed) throw new Error('the list of events was closed');
    return (this.#connection ??= connect(this.#file));
  }
}

const totalOf = (blocks: readonly EventBlock[]): number => blocks.reduce((sum, { count }) => sum + count, 0);

/** All ids of some blocks, both included. */
const stretch = (from: number, to: number) => ({ first: from * EVENT_BLOCK, last: (to + 1) * EVENT_BLOCK - 1 });

function meantBy({ active, ruleId, from, to }: EventChoice): Meant {
  return { active: active === null ? null : Number(active), ruleId, from, to };
}

type Connection = ReturnType<typeof connect>;

const EVERY = 'NOT INDEXED WHERE';
const ACTIVE = 'INDEXED BY events_active WHERE active = 1 AND';
const DISABLED = 'INDEXED BY events_disabled WHERE active = 0 AND';

function connect(file: string) {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  // KB: a few blocks and the index over them.
  database.pragma('cache_size = -4000');
  const nextIn = (base: string) =>
    database.prepare<[number], number | null>(`SELECT min(id) FROM events ${base} id >= ?`).pluck();
  const statements = (base: string, next: Statement<[number], number | null>) => {
    const meant = `FROM events ${base} id BETWEEN @first AND @last
      AND (@active IS NULL OR active = @active)
      AND (@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to)`;
    return {
      next,
      counts: database.prepare<[Range], { block: number; count: number }>(
        `SELECT id / ${EVENT_BLOCK} AS block, count(*) AS count ${meant} GROUP BY 1`,
      ),
      rows: database.prepare<[Range], Omit<AggregationEvent, 'Active'> & { Active: number }>(
        `SELECT id AS AggregationEventId, rule_id AS RuleId, event_date_time AS EventDateTime, active AS Active,
           result_table_name AS ResultTableName, result_table_record_id AS ResultTableRecordId ${meant} ORDER BY id`,
      ),
    };
  };
  const bases = {
    all: statements(EVERY, nextIn(EVERY)),
    // Those of all rules are passed over block by block.
    rule: statements(EVENTS_OF_RULE, nextIn(EVERY)),
    active: statements(ACTIVE, nextIn(ACTIVE)),
    disabled: statements(DISABLED, nextIn(DISABLED)),
  };
  const base = ({ ruleId, active }: Meant) =>
    bases[ruleId !== null ? 'rule' : active === null ? 'all' : active === 1 ? 'active' : 'disabled'];
  return {
    database,
    next: (meant: Meant) => base(meant).next,
    counts: (range: Range) => base(range).counts,
    rows: (range: Range) => base(range).rows,
  };
}

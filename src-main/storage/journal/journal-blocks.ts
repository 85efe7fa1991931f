import type { Database } from 'better-sqlite3';
import { itemsOf } from './journal-text.ts';

/** Characters of entries, and bytes with the contents of runs, at which a block ends. */
const BLOCK_TEXT = 65_536;
const BLOCK_BYTES = 1_048_576;
/** Ranges of events that a block lists; more are one range. */
const MOST_RANGES = 200;

/** In a list of data rows: the rule itself, which was changed. */
export const RULE_ITSELF = 0;
/** In a list of runs: all tags, whose values were those of a backup. */
export const ALL_TAGS = 0;

/** What the entries of a block are about. */
class BlockContents {
  readonly tags = new Set<number>();
  readonly runs = new Set<number>();
  readonly rows = new Map<number, [number, number]>();
  events: [number, number][] = [];

  addEvents(ranges: readonly [number, number][]): void {
    for (const [first, last] of ranges) {
      const before = this.events.at(-1);
      if (before && first >= before[0] && first <= before[1] + 1) before[1] = Math.max(before[1], last);
      else this.events.push([first, last]);
    }
    if (this.events.length <= MOST_RANGES) return;
    let [low, high] = [Infinity, 0];
    for (const [first, last] of this.events) [low, high] = [Math.min(low, first), Math.max(high, last)];
    this.events = [[low, high]];
  }

  addRows(ruleId: number, first: number, last: number): void {
    const known = this.rows.get(ruleId);
    if (known) this.rows.set(ruleId, [Math.min(known[0], first), Math.max(known[1], last)]);
    else this.rows.set(ruleId, [first, last]);
  }
}

/**
 * Blocks of rows of the journal, with what their entries are about: found by reading a few KB for each, because an index
 * of every entry takes longer than the writes themselves. The rows after the last block are the open one.
 */
export class JournalBlocks {
  readonly #statements: ReturnType<typeof prepare>;
  #contents: BlockContents | null = null;
  /** The open block; null before its first row. */
  #open: { firstId: number; firstMs: number; lastMs: number; text: number; bytes: number } | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  // A job may be undone: then a block lists too much, never too little.
  addTag(id: number): void {
    this.#now().tags.add(id);
  }

  addRun(id: number): void {
    this.#now().runs.add(id);
  }

  addRows(ruleId: number, first: number, last: number): void {
    this.#now().addRows(ruleId, first, last);
  }

  addEvents(ranges: readonly [number, number][]): void {
    this.#now().addEvents(ranges);
  }

  /** Bytes that belong to the open block, besides its rows. */
  addBytes(bytes: number): void {
    this.#now();
    if (this.#open) this.#open.bytes += bytes;
  }

  /** Inside a job: a row was written. Ends the block when it is full. */
  added(id: number, at: number, length: number): void {
    const contents = this.#now();
    const open = (this.#open ??= { firstId: id, firstMs: at, lastMs: at, text: 0, bytes: 0 });
    open.firstMs = Math.min(open.firstMs, at);
    open.lastMs = Math.max(open.lastMs, at);
    open.text += length;
    open.bytes += length;
    if (open.text < BLOCK_TEXT && open.bytes < BLOCK_BYTES) return;
    this.#statements.add.run({
      firstId: open.firstId,
      lastId: id,
      firstMs: open.firstMs,
      lastMs: open.lastMs,
      bytes: open.bytes,
      rows: JSON.stringify(Object.fromEntries(contents.rows)),
      events: JSON.stringify(contents.events),
      runs: bytesOf(contents.runs),
      tags: bytesOf(contents.tags),
    });
    // If the transaction fails, its rows are read again.
    this.forget();
  }

  /** Bytes of all ended blocks. */
  get bytes(): number {
    return this.#statements.total.get() ?? 0;
  }

  /**
   * Inside a job: deletes the oldest block if it is too old or all are too large; whether it did. Only the oldest one can
   * be too old: a clock that was wrong for a while does not delete newer ones.
   */
  dropOldest({ bytes, before }: { bytes: number; before: number }): boolean {
    const oldest = this.#statements.oldest.get();
    if (!oldest || (oldest.lastMs >= before && this.bytes <= bytes)) return false;
    this.#statements.dropRows.run(oldest.lastId);
    this.#statements.dropRuns.run(oldest.lastId);
    this.#statements.dropBlock.run(oldest.firstId);
    return true;
  }

  /** Inside a job: deletes all entries, and all runs that are not pinned. */
  clear(): void {
    for (const statement of ['clearRows', 'clearBlocks', 'clearRuns'] as const) this.#statements[statement].run();
    this.forget();
  }

  /** The open block is read again from its rows when it is needed. */
  forget(): void {
    this.#contents = null;
    this.#open = null;
  }

  /** The contents of the open block: of its rows, the first time after a start. */
  #now(): BlockContents {
    if (this.#contents) return this.#contents;
    const contents = (this.#contents = new BlockContents());
    for (const { id, at, entries } of this.#statements.tail.all()) {
      this.#open ??= { firstId: id, firstMs: at, lastMs: at, text: 0, bytes: 0 };
      this.#open.firstMs = Math.min(this.#open.firstMs, at);
      this.#open.lastMs = Math.max(this.#open.lastMs, at);
      this.#open.text += entries.length;
      this.#open.bytes += entries.length;
      for (const item of itemsOf(entries)) {
        if (!item) continue;
        if (item.cause.by === 'run') contents.runs.add(item.cause.run);
        if (item.kind === 'write') for (const { tagId } of item.writes) contents.tags.add(tagId);
        else if ('tagIds' in item) for (const tagId of item.tagIds) contents.tags.add(tagId);
        else if (item.kind === 'event') contents.addEvents(item.events);
        else if (item.kind === 'rule') contents.addRows(item.ruleId, RULE_ITSELF, RULE_ITSELF);
        else if (item.kind === 'restore') contents.runs.add(ALL_TAGS);
        else if (item.kind === 'firing') {
          const { ruleId, firstRow, lastRow, firstEvent } = item.firing;
          contents.addRows(ruleId, firstRow, lastRow);
          if (firstEvent !== null) contents.addEvents([[firstEvent, firstEvent + lastRow - firstRow]]);
        }
      }
    }
    return contents;
  }
}

const bytesOf = (ids: Iterable<number>): Buffer => Buffer.from(Uint32Array.from(ids).buffer);

/** A row of `journal_blocks`. */
interface BlockRow {
  firstId: number;
  lastId: number;
  firstMs: number;
  lastMs: number;
  bytes: number;
  rows: string;
  events: string;
  runs: Buffer;
  tags: Buffer;
}

function prepare(database: Database) {
  return {
    tail: database.prepare<[], { id: number; at: number; entries: string }>(
      `SELECT id, at_ms AS at, entries FROM journal
      WHERE id > coalesce((SELECT last_id FROM journal_blocks ORDER BY first_id DESC LIMIT 1), 0) ORDER BY id`,
    ),
    total: database.prepare<[], number | null>('SELECT sum(bytes) FROM journal_blocks').pluck(),
    oldest: database.prepare<[], { firstId: number; lastId: number; lastMs: number }>(
      'SELECT first_id AS firstId, last_id AS lastId, last_ms AS lastMs FROM journal_blocks ORDER BY first_id LIMIT 1',
    ),
    dropRows: database.prepare<[number]>('DELETE FROM journal WHERE id <= ?'),
    dropRuns: database.prepare<[number]>('DELETE FROM journal_runs WHERE id <= ? AND pinned = 0'),
    dropBlock: database.prepare<[number]>('DELETE FROM journal_blocks WHERE first_id = ?'),
    clearRows: database.prepare<[]>('DELETE FROM journal'),
    clearBlocks: database.prepare<[]>('DELETE FROM journal_blocks'),
    clearRuns: database.prepare<[]>('DELETE FROM journal_runs WHERE pinned = 0'),
    add: database.prepare<[BlockRow]>(
      `INSERT INTO journal_blocks (first_id, last_id, first_ms, last_ms, bytes, rows, events, runs, tags)
      VALUES (@firstId, @lastId, @firstMs, @lastMs, @bytes, @rows, @events, @runs, @tags)`,
    ),
  };
}

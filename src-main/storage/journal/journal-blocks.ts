import type { Database } from 'better-sqlite3';
import type { AgeLimit } from './age-limit.ts';
import { itemsOf } from './journal-text.ts';

/** In a list of data rows: the rule itself, which was changed. */
export const RULE_ITSELF = 0;
/** In a list of runs: all tags, whose values were those of a backup. */
export const ALL_TAGS = 0;

/**
 * The name in a list of data rows of a tag or a rule whose runs are counted. Not in the list of tags, because such counts are
 * in most blocks, and the last change of a tag may be in an old one.
 */
export const countedName = ({ tagId, rule }: { tagId: number | null; rule: { id: number } | null }): string =>
  rule ? `condition ${rule.id}` : `tag ${tagId}`;

/** When a block ends. */
export const BLOCK = {
  /** Characters of entries. */
  text: 65_536,
  /** Bytes with the contents of runs. */
  bytes: 1_048_576,
  /** The part of the limit of the journal that a block has at most. */
  part: 1 / 8,
  /** Ranges of events that a block lists; more are one range. */
  ranges: 200,
};

/** About the bytes of a run without its content. */
export const RUN_BYTES = 300;
/** The rows of a block, and what their entries are about. */
export interface JournalBlock {
  /** Null before its first row or run; `firstId` before its first row. */
  span: { firstId: number | null; firstMs: number; lastMs: number } | null;
  /** Bytes of entries with the contents of runs. */
  bytes: number;
  readonly tags: Set<number>;
  readonly runs: Set<number>;
  /** By rule: the first and the last row. */
  readonly rows: Map<number, [number, number]>;
  /** Names of tags and rules whose runs are counted. */
  readonly counted: Set<string>;
  events: [number, number][];
  addRows(ruleId: number, first: number, last: number): void;
  addEvents(ranges: readonly [number, number][]): void;
  addEntries(id: number, at: number, length: number): void;
  addRuns(firstMs: number, lastMs: number, bytes: number): void;
}

/**
 * Blocks of rows of the journal, with what their entries are about: found by reading a few KB for each, because an index
 * of every entry takes longer than the writes themselves. The rows after the last block are the open one.
 */
export class JournalBlocks {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Inside a job: the open block ends with this row. */
  end(block: JournalBlock, lastId: number): void {
    if (!block.span) return;
    this.#statements.add.run({
      ...block.span,
      firstId: block.span.firstId ?? lastId,
      lastId,
      bytes: block.bytes,
      rows: JSON.stringify(Object.fromEntries([...block.rows, ...[...block.counted].map((name) => [name, COUNTED])])),
      events: JSON.stringify(block.events),
      runs: bytesOf(block.runs),
      tags: bytesOf(block.tags),
    });
  }

  /** Bytes of all ended blocks. */
  get bytes(): number {
    return this.#statements.total.get() ?? 0;
  }

  /**
   * Inside a job: deletes the oldest block if it is too old or all are too large; whether it did. Only the oldest one can
   * be too old: a clock that was wrong for a while does not delete newer ones. Runs stay as long as later entries name them.
   * @param open the rows after the last block
   */
  dropOldest({ bytes, before, age }: JournalLimits, open: JournalBlock): boolean {
    const oldest = this.#statements.oldest.get();
    if (!oldest) return false;
    const { firstId, lastId, firstMs, lastMs } = oldest;
    const isTooOld = lastMs < before && (age?.take(lastMs - firstMs) ?? true);
    if (!isTooOld && this.bytes <= bytes) return false;
    this.#statements.dropRows.run(lastId);
    this.#statements.dropBlock.run(firstId);
    this.#statements.dropRuns.run({ named: JSON.stringify(this.#namedRuns(lastId, open)), lastId });
    return true;
  }

  /** Runs up to an id that blocks name: a run may make changes long after it began. */
  #namedRuns(lastId: number, open: JournalBlock): number[] {
    const named = new Set<number>();
    const blocks: number[] = [];
    const add = (runs: Iterable<number>) => {
      for (const run of runs) if (run <= lastId) named.add(run);
    };
    for (const { firstId, first } of this.#statements.firstRuns.iterate()) {
      if (first.readUInt32LE() <= lastId) blocks.push(firstId);
    }
    for (const firstId of blocks) add(idsOf(this.#statements.runsOf.get(firstId) ?? NO_IDS));
    add(open.runs);
    return [...named];
  }

  /** Inside a job: deletes all entries, and all runs that are not pinned. */
  clear(): void {
    for (const statement of ['clearRows', 'clearBlocks', 'clearRuns'] as const) this.#statements[statement].run();
  }

  /** Inside a job: whether a run is pinned. False if there is no such run. */
  pin(run: number, pinned: boolean): boolean {
    return this.#statements.pin.run(pinned ? 1 : 0, run).changes > 0;
  }

  /** Adds the rows and the runs after the last block to the open one. */
  readOpen(block: JournalBlock): void {
    const { count, bytes, firstMs, lastMs } = this.#statements.runs.get() ?? NO_RUNS;
    if (count > 0) block.addRuns(firstMs, lastMs, count * RUN_BYTES + bytes);
    for (const { id, at, entries } of this.#statements.tail.all()) {
      block.addEntries(id, at, entries.length);
      for (const item of itemsOf(entries)) {
        if (!item) continue;
        if (item.cause.by === 'run') block.runs.add(item.cause.run);
        if (item.kind === 'write') for (const { tagId } of item.writes) block.tags.add(tagId);
        else if ('tagIds' in item) for (const tagId of item.tagIds) block.tags.add(tagId);
        else if (item.kind === 'event') block.addEvents(item.events);
        else if (item.kind === 'rule') block.addRows(item.ruleId, RULE_ITSELF, RULE_ITSELF);
        else if (item.kind === 'restore') block.runs.add(ALL_TAGS);
        else if (item.kind === 'count') {
          block.counted.add(countedName(item.count));
          if (item.count.sample !== null) block.runs.add(item.count.sample);
        } else if (item.kind === 'firing') {
          const { ruleId, firstRow, lastRow, firstEvent } = item.firing;
          block.addRows(ruleId, firstRow, lastRow);
          if (firstEvent !== null) block.addEvents([[firstEvent, firstEvent + lastRow - firstRow]]);
        }
      }
    }
  }
}

const NO_RUNS = { count: 0, bytes: 0, firstMs: 0, lastMs: 0 };

/** In place of the first and the last row. */
const COUNTED = [0, 0];

/** The oldest blocks are deleted above so many bytes, and with entries before a time, ms, as far as `age` confirms that. */
export interface JournalLimits {
  bytes: number;
  before: number;
  age?: Pick<AgeLimit, 'take'>;
}

const NO_IDS = Buffer.alloc(0);

/** In ascending order, so that the first one says whether there are ids up to another. */
const bytesOf = (ids: Iterable<number>): Buffer => Buffer.from(Uint32Array.from(ids).toSorted().buffer);

const idsOf = (bytes: Buffer): Uint32Array =>
  // A copy, because it begins at a multiple of 4.
  new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length >> 2);

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

const LAST_OF_BLOCKS = 'coalesce((SELECT last_id FROM journal_blocks ORDER BY first_id DESC LIMIT 1), 0)';

function prepare(database: Database) {
  return {
    tail: database.prepare<[], { id: number; at: number; entries: string }>(
      `SELECT id, at_ms AS at, entries FROM journal
      WHERE id > ${LAST_OF_BLOCKS} ORDER BY id`,
    ),
    runs: database.prepare<[], typeof NO_RUNS>(
      `SELECT count(*) AS count, coalesce(sum(length(content)), 0) AS bytes, min(at_ms) AS firstMs, max(at_ms) AS lastMs
      FROM journal_runs WHERE id > ${LAST_OF_BLOCKS}`,
    ),
    total: database.prepare<[], number | null>('SELECT sum(bytes) FROM journal_blocks').pluck(),
    firstRuns: database.prepare<[], { firstId: number; first: Buffer }>(
      'SELECT first_id AS firstId, substr(runs, 1, 4) AS first FROM journal_blocks WHERE length(runs) >= 4',
    ),
    runsOf: database.prepare<[number], Buffer>('SELECT runs FROM journal_blocks WHERE first_id = ?').pluck(),
    oldest: database.prepare<[], Pick<BlockRow, 'firstId' | 'lastId' | 'firstMs' | 'lastMs'>>(
      'SELECT first_id AS firstId, last_id AS lastId, first_ms AS firstMs, last_ms AS lastMs FROM journal_blocks ORDER BY first_id LIMIT 1',
    ),
    dropRows: database.prepare<[number]>('DELETE FROM journal WHERE id <= ?'),
    // Also runs around others that stay.
    dropRuns: database.prepare<[{ named: string; lastId: number }]>(
      `WITH RECURSIVE kept (id) AS (
        SELECT value FROM json_each(@named)
        UNION SELECT parent FROM journal_runs WHERE parent <= @lastId AND id > @lastId
        UNION SELECT parent FROM journal_runs JOIN kept USING (id) WHERE parent IS NOT NULL
      )
      DELETE FROM journal_runs WHERE id <= @lastId AND pinned = 0 AND id NOT IN kept`,
    ),
    dropBlock: database.prepare<[number]>('DELETE FROM journal_blocks WHERE first_id = ?'),
    pin: database.prepare<[number, number]>('UPDATE journal_runs SET pinned = ? WHERE id = ?'),
    clearRows: database.prepare<[]>('DELETE FROM journal'),
    clearBlocks: database.prepare<[]>('DELETE FROM journal_blocks'),
    clearRuns: database.prepare<[]>('DELETE FROM journal_runs WHERE pinned = 0'),
    add: database.prepare<[BlockRow]>(
      `INSERT INTO journal_blocks (first_id, last_id, first_ms, last_ms, bytes, rows, events, runs, tags)
      VALUES (@firstId, @lastId, @firstMs, @lastMs, @bytes, @rows, @events, @runs, @tags)`,
    ),
  };
}

import type { Database } from 'better-sqlite3';
import type { JournalEntry, JournalRun } from '#domain/run/journal';
import { isJsonObject, type Json, parseJson } from '#domain/text/json';
import { LAST_ID } from './journal-statements.ts';
import { ALL_TAGS, countedName, RULE_ITSELF } from './journal-blocks.ts';
import { type CountRow, isCause, isCounting, isScript, itemsOf, shownTime } from './journal-text.ts';

/** What entries are about. */
export type JournalSubject =
  /** `counts`: also the runs of its scripts that changed nothing. */
  | { kind: 'tag'; tagId: number; counts?: boolean }
  /** Runs that changed nothing, of the script of a tag or of the condition of a rule. */
  | { kind: 'count'; of: string }
  | { kind: 'run'; run: number }
  | { kind: 'event'; id: number }
  | { kind: 'row'; ruleId: number; row: number }
  | { kind: 'rule'; ruleId: number }
  /** All firings of a rule. */
  | { kind: 'firing'; ruleId: number }
  /** The workspace as a whole. */
  | { kind: 'restore' };

/** Rows among which counts are looked for after a start. */
const NEWEST_ROWS = 200;
/** How long after its first writing a row with counts may be written again, ms: they are of one hour. */
const COUNT_MS = 3_600_000;

/** A part of the journal: rows by the ids of their first entries. */
interface EntryRange {
  firstId: number;
  lastId: number;
}

interface RunRow {
  id: number;
  at: number;
  parent: number | null;
  pinned: number;
  details: string;
  isFull: number;
}

/** Reads the journal. Blocks that are not about a thing are skipped by their lists. */
export class JournalReader {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** The entries about a thing, newest first. @param below ids below this one */
  *about(subject: JournalSubject, below = Number.MAX_SAFE_INTEGER): Generator<JournalEntry> {
    for (const stretch of this.#stretches((block) => hasSubject(block, subject), below)) {
      for (const entry of this.#newestFirst(stretch, below)) if (isAbout(entry, subject)) yield entry;
    }
  }

  /** The counts among the newest rows. */
  newestCounts(): CountRow[] {
    return this.#statements.counts.all().flatMap(({ id, entries }) => {
      const items = itemsOf(entries);
      const counts = items.flatMap((item) =>
        item?.kind === 'count' && isCounting(item.cause) ? [{ ...item, cause: item.cause }] : [],
      );
      // Otherwise its entries would change their numbers.
      return counts.length === 0 || counts.length < items.length ? [] : [{ id, counts }];
    });
  }

  /**
   * All entries, newest first. @param below ids below this one
   * @param during may omit entries of other times, ms since 1970
   */
  *newest(below = Number.MAX_SAFE_INTEGER, { from = -Infinity, to = Infinity } = {}): Generator<JournalEntry> {
    const isDuring = ({ firstMs, lastMs }: StoredBlock) => firstMs <= to && lastMs + COUNT_MS >= from;
    for (const stretch of this.#stretches(isDuring, below)) yield* this.#newestFirst(stretch, below);
  }

  /**
   * The entries of rows about tags that have a text within a text of their JSON, newest first; null after each block, so that a
   * search can take turns.
   */
  *naming(text: string): Generator<JournalEntry | null> {
    const wanted = JSON.stringify(text).slice(1);
    for (const { firstId, lastId } of this.#stretches(({ tags }) => tags.length > 0, Number.MAX_SAFE_INTEGER)) {
      for (const row of this.#statements.rowsWith.all(firstId, lastId, wanted)) yield* entriesOf(row).toReversed();
      yield null;
    }
  }

  /** Null if there is none, or no longer. */
  entry(id: number): JournalEntry | null {
    const [row] = this.#statements.rowsBefore.all(id, 1);
    return (row && entriesOf(row).find((entry) => entry.id === id)) ?? null;
  }

  run(id: number): JournalRun | null {
    const row = this.#statements.run.get(id);
    return row ? runOf(row) : null;
  }

  /** Runs whose ids are below one, newest first. */
  runs(below: number, limit: number): JournalRun[] {
    return this.#statements.runs.all(below, limit).map(runOf);
  }

  /** The runs that a run caused, oldest first. */
  nested(run: number, limit: number): JournalRun[] {
    return this.#statements.nested.all(run, limit).map(runOf);
  }

  /** What a run saw and did, compressed; null if that is not stored. */
  content(run: number): Buffer | null {
    return this.#statements.content.get(run) ?? null;
  }

  /** The last entry at a time or before, by the order of ids. */
  lastIdAt(ms: number): number {
    const open = this.#statements.lastBlock.get() ?? 0;
    let last = this.#statements.lastAt.get(open + 1, Number.MAX_SAFE_INTEGER, ms);
    for (let end = open + 1; last === undefined;) {
      const block = this.#statements.blockAt.get(end, ms);
      if (!block) return 0;
      last = this.#statements.lastAt.get(block.firstId, block.lastId, ms);
      end = block.firstId;
    }
    return last;
  }

  /** The path of a tag that exists. */
  pathOf(tagId: number): string {
    return this.#statements.path.get(tagId) ?? `(deleted tag ${tagId})`;
  }

  tagId(path: string): number | null {
    return this.#statements.tagId.get(path) ?? null;
  }

  kindOf(tagId: number): string | null {
    return this.#statements.kind.get(tagId) ?? null;
  }

  /** The scopes in which a storage tag has values, and when those were written, ms since 1970. */
  storedScopes(tagId: number): { diagram: string; location: string; writtenAt: number }[] {
    return this.#statements.scopes
      .all(tagId)
      .map(({ writtenAt, ...scope }) => ({ ...scope, writtenAt: Date.parse(writtenAt) }));
  }

  /** When the data begins, ms since 1970 in UTC; null if there is none. */
  since(): number | null {
    const since = this.#statements.since.get() ?? null;
    return since === null ? null : shownTime(since);
  }

  *#stretches(isWanted: (block: StoredBlock) => boolean, below: number): Generator<EntryRange> {
    const open = this.#statements.lastBlock.get() ?? 0;
    yield { firstId: open + 1, lastId: Number.MAX_SAFE_INTEGER };
    // A page at a time: no other statement can run while rows are read.
    for (let end = below; ;) {
      const blocks = this.#statements.blocks.all(end, BLOCKS);
      for (const block of blocks) if (isWanted(block)) yield block;
      const last = blocks.at(-1);
      if (!last) return;
      end = last.firstId;
    }
  }

  *#newestFirst({ firstId, lastId }: EntryRange, below: number): Generator<JournalEntry> {
    let end = Math.min(lastId, below - 1);
    for (;;) {
      const rows = this.#statements.rows.all(firstId, end, PAGE);
      if (rows.length === 0) return;
      for (const row of rows) {
        for (const entry of entriesOf(row).toReversed()) if (entry.id < below) yield entry;
        end = row.id - 1;
      }
    }
  }
}

/** Rows, and blocks, that are read in one call. */
const PAGE = 20;
const BLOCKS = 200;

interface EntriesRow {
  id: number;
  at: number;
  entries: string;
}

function entriesOf({ id, at, entries }: EntriesRow): JournalEntry[] {
  return itemsOf(entries).flatMap((item, place) => (item ? [{ ...item, id: id + place, at: shownTime(at) }] : []));
}

function runOf({ id, at, parent, pinned, details, isFull }: RunRow): JournalRun {
  const { cause, ...others } = detailsOf(details);
  const [, line] = Array.isArray(cause) ? cause : [];
  const stored = parent === null ? cause : { by: 'run', run: parent, line: line ?? null };
  return { id, at: shownTime(at), ...others, cause: stored, pinned: pinned === 1, isFull: isFull === 1 };
}

/** Details of a run; a damaged row has none. */
function detailsOf(details: string) {
  const unknown = { script: null, tag: '', diagram: '', location: '', access: 'run', end: null };
  const damaged = { ...unknown, cause: { by: 'person', user: null } };
  try {
    const { cause, ...others } = JSON.parse(details);
    if (!Array.isArray(cause) && !isCause(cause)) return damaged;
    const known = { ...unknown, ...others, cause };
    const texts = [known.tag, known.diagram, known.location, known.access];
    if (!texts.every((text) => typeof text === 'string')) return damaged;
    const isEnded = isJsonObject(known.end) && typeof known.end['status'] === 'string';
    return { ...known, script: isScript(known.script) ? known.script : null, end: isEnded ? known.end : null };
  } catch {
    return damaged;
  }
}

function isAbout(entry: JournalEntry, subject: JournalSubject): boolean {
  switch (subject.kind) {
    case 'tag':
      if (entry.kind === 'write') return entry.writes.some(({ tagId }) => tagId === subject.tagId);
      if (entry.kind === 'count') return subject.counts === true && entry.count.tagId === subject.tagId;
      return 'tagIds' in entry && entry.tagIds.includes(subject.tagId);
    case 'count':
      return entry.kind === 'count' && countedName(entry.count) === subject.of;
    case 'run':
      return entry.cause.by === 'run' && entry.cause.run === subject.run;
    case 'restore':
      return entry.kind === 'restore';
    case 'rule':
      return entry.kind === 'rule' && entry.ruleId === subject.ruleId;
    case 'firing':
      return entry.kind === 'firing' && entry.firing.ruleId === subject.ruleId;
    case 'event':
      if (entry.kind === 'event')
        return entry.events.some(([first, last]) => first <= subject.id && subject.id <= last);
      if (entry.kind !== 'firing' || entry.firing.firstEvent === null) return false;
      return isWithin(subject.id - entry.firing.firstEvent, entry.firing.lastRow - entry.firing.firstRow);
    default:
      if (entry.kind !== 'firing' || entry.firing.ruleId !== subject.ruleId) return false;
      return isWithin(subject.row - entry.firing.firstRow, entry.firing.lastRow - entry.firing.firstRow);
  }
}

const isWithin = (place: number, last: number): boolean => place >= 0 && place <= last;

interface StoredBlock extends EntryRange {
  firstMs: number;
  lastMs: number;
  rows: string;
  events: string;
  runs: Buffer;
  tags: Buffer;
}

function hasSubject({ rows, events, runs, tags }: StoredBlock, subject: JournalSubject): boolean {
  if (subject.kind === 'tag' && has(tags, subject.tagId)) return true;
  if (subject.kind === 'tag')
    return subject.counts === true && hasCounts(rows, countedName({ ...subject, rule: null }));
  if (subject.kind === 'count') return hasCounts(rows, subject.of);
  if (subject.kind === 'run') return has(runs, subject.run);
  if (subject.kind === 'restore') return has(runs, ALL_TAGS);
  if (subject.kind === 'event') {
    const ranges = listIn(events);
    return !Array.isArray(ranges) || ranges.some((range) => mayHave(range, subject.id));
  }
  const ofRules = listIn(rows);
  if (!isJsonObject(ofRules)) return true;
  const range = ofRules[subject.ruleId];
  if (range === undefined) return false;
  if (subject.kind === 'firing') return !Array.isArray(range) || range[1] !== RULE_ITSELF;
  return mayHave(range, subject.kind === 'row' ? subject.row : RULE_ITSELF);
}

/** A list of a block; null if it is damaged: then the block is read. */
function listIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Whether a stored range has a number. A damaged one may have it. */
function mayHave(range: Json, id: number): boolean {
  const [first, last] = Array.isArray(range) ? range : [];
  return typeof first !== 'number' || typeof last !== 'number' || (first <= id && id <= last);
}

const hasCounts = (rows: string, name: string): boolean => rows.includes(JSON.stringify(name));

function has(bytes: Buffer, id: number): boolean {
  const wanted = Buffer.from(Uint32Array.of(id).buffer);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1)) if (at % 4 === 0) return true;
  return false;
}

function prepare(database: Database) {
  const row = 'SELECT id, at_ms AS at, entries FROM journal';
  const run = 'SELECT id, at_ms AS at, parent, pinned, details, content IS NOT NULL AS isFull FROM journal_runs';
  return {
    rows: database.prepare<[number, number, number], EntriesRow>(
      `${row} WHERE id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?`,
    ),
    rowsWith: database.prepare<[number, number, string], EntriesRow>(
      `${row} WHERE id BETWEEN ? AND ? AND instr(entries, ?) > 0 ORDER BY id DESC`,
    ),
    rowsBefore: database.prepare<[number, number], EntriesRow>(`${row} WHERE id <= ? ORDER BY id DESC LIMIT ?`),
    lastAt: database
      .prepare<[number, number, number], number>(
        `SELECT ${LAST_ID} FROM journal WHERE id BETWEEN ? AND ? AND at_ms <= ? ORDER BY id DESC LIMIT 1`,
      )
      .pluck(),
    blockAt: database.prepare<[number, number], EntryRange>(
      `SELECT first_id AS firstId, last_id AS lastId FROM journal_blocks
      WHERE first_id < ? AND first_ms <= ? ORDER BY first_id DESC LIMIT 1`,
    ),
    lastBlock: database
      .prepare<[], number>('SELECT last_id FROM journal_blocks ORDER BY first_id DESC LIMIT 1')
      .pluck(),
    blocks: database.prepare<[number, number], StoredBlock>(
      `SELECT first_id AS firstId, last_id AS lastId, first_ms AS firstMs, last_ms AS lastMs, rows, events, runs, tags
      FROM journal_blocks
      WHERE first_id < ? ORDER BY first_id DESC LIMIT ?`,
    ),
    counts: database.prepare<[], { id: number; entries: string }>(
      `SELECT id, entries FROM (SELECT id, entries FROM journal ORDER BY id DESC LIMIT ${NEWEST_ROWS})
      WHERE entries LIKE '[["count",%' ORDER BY id`,
    ),
    run: database.prepare<[number], RunRow>(`${run} WHERE id = ?`),
    runs: database.prepare<[number, number], RunRow>(`${run} WHERE id < ? ORDER BY id DESC LIMIT ?`),
    nested: database.prepare<[number, number], RunRow>(`${run} WHERE parent = ? ORDER BY id LIMIT ?`),
    content: database.prepare<[number], Buffer | null>('SELECT content FROM journal_runs WHERE id = ?').pluck(),
    path: database.prepare<[number], string>('SELECT path FROM tags WHERE id = ?').pluck(),
    tagId: database.prepare<[string], number>('SELECT id FROM tags WHERE path = ?').pluck(),
    kind: database.prepare<[number], string>('SELECT kind FROM tags WHERE id = ?').pluck(),
    scopes: database.prepare<[number], { diagram: string; location: string; writtenAt: string }>(
      'SELECT diagram, location, written_at AS writtenAt FROM storage_values WHERE tag_id = ?',
    ),
    since: database
      .prepare<[], number | null>(
        `SELECT coalesce((SELECT since_ms FROM journal_state), (SELECT at_ms FROM journal ORDER BY id LIMIT 1),
          (SELECT at_ms FROM journal_runs ORDER BY id LIMIT 1))`,
      )
      .pluck(),
  };
}

import type { Database } from 'better-sqlite3';
import type { JournalEntry, JournalRun } from '#domain/run/journal';
import { LAST_ID } from './journal.ts';
import { ALL_TAGS, RULE_ITSELF } from './journal-blocks.ts';
import { itemsOf } from './journal-text.ts';

/** What entries are about. */
export type JournalSubject =
  | { kind: 'tag'; tagId: number }
  | { kind: 'run'; run: number }
  | { kind: 'event'; id: number }
  | { kind: 'row'; ruleId: number; row: number }
  | { kind: 'rule'; ruleId: number }
  /** The workspace as a whole. */
  | { kind: 'restore' };

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
    for (const stretch of this.#stretches(subject, below)) {
      for (const entry of this.#newestFirst(stretch, below)) if (isAbout(entry, subject)) yield entry;
    }
  }

  /** All entries, newest first. */
  *newest(below = Number.MAX_SAFE_INTEGER): Generator<JournalEntry> {
    let end = below - 1;
    for (;;) {
      const rows = this.#statements.rowsBefore.all(end, PAGE);
      if (rows.length === 0) return;
      for (const row of rows) {
        for (const entry of entriesOf(row).toReversed()) if (entry.id < below) yield entry;
        end = row.id - 1;
      }
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
    return this.#statements.lastAt.get(ms) ?? 0;
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
    return this.#statements.since.get() ?? null;
  }

  *#stretches(subject: JournalSubject, below: number): Generator<EntryRange> {
    const open = this.#statements.lastBlock.get() ?? 0;
    yield { firstId: open + 1, lastId: Number.MAX_SAFE_INTEGER };
    // A page at a time: no other statement can run while rows are read.
    for (let end = below; ;) {
      const blocks = this.#statements.blocks.all(end, BLOCKS);
      for (const block of blocks) if (hasSubject(block, subject)) yield block;
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
  return itemsOf(entries).flatMap((item, place) => (item ? [{ ...item, id: id + place, at }] : []));
}

function runOf({ id, at, parent, pinned, details, isFull }: RunRow): JournalRun {
  const { cause, ...others } = detailsOf(details);
  const [, line] = Array.isArray(cause) ? cause : [];
  const stored = parent === null ? cause : { by: 'run', run: parent, line: line ?? null };
  return { id, at, ...others, cause: stored, pinned: pinned === 1, isFull: isFull === 1 };
}

/** Details of a run; a damaged row has none. */
function detailsOf(details: string) {
  try {
    return JSON.parse(details);
  } catch {
    const unknown = { script: null, tag: '', diagram: '', location: '', access: 'run', end: null };
    return { ...unknown, cause: { by: 'person', user: null } };
  }
}

function isAbout(entry: JournalEntry, subject: JournalSubject): boolean {
  switch (subject.kind) {
    case 'tag':
      if (entry.kind === 'write') return entry.writes.some(({ tagId }) => tagId === subject.tagId);
      return 'tagIds' in entry && entry.tagIds.includes(subject.tagId);
    case 'run':
      return entry.cause.by === 'run' && entry.cause.run === subject.run;
    case 'restore':
      return entry.kind === 'restore';
    case 'rule':
      return entry.kind === 'rule' && entry.ruleId === subject.ruleId;
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
  rows: string;
  events: string;
  runs: Buffer;
  tags: Buffer;
}

function hasSubject({ rows, events, runs, tags }: StoredBlock, subject: JournalSubject): boolean {
  if (subject.kind === 'tag') return has(tags, subject.tagId);
  if (subject.kind === 'run') return has(runs, subject.run);
  if (subject.kind === 'restore') return has(runs, ALL_TAGS);
  if (subject.kind === 'event') {
    const ranges: [number, number][] = JSON.parse(events);
    return ranges.some(([first, last]) => first <= subject.id && subject.id <= last);
  }
  const ofRules: Record<string, [number, number]> = JSON.parse(rows);
  const range = ofRules[subject.ruleId];
  const row = subject.kind === 'row' ? subject.row : RULE_ITSELF;
  return range !== undefined && range[0] <= row && row <= range[1];
}

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
    rowsBefore: database.prepare<[number, number], EntriesRow>(`${row} WHERE id <= ? ORDER BY id DESC LIMIT ?`),
    lastAt: database
      .prepare<[number], number>(`SELECT ${LAST_ID} FROM journal WHERE at_ms <= ? ORDER BY id DESC LIMIT 1`)
      .pluck(),
    lastBlock: database
      .prepare<[], number>('SELECT last_id FROM journal_blocks ORDER BY first_id DESC LIMIT 1')
      .pluck(),
    blocks: database.prepare<[number, number], StoredBlock>(
      `SELECT first_id AS firstId, last_id AS lastId, rows, events, runs, tags FROM journal_blocks
      WHERE first_id < ? ORDER BY first_id DESC LIMIT ?`,
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
        'SELECT coalesce((SELECT since_ms FROM journal_state), (SELECT at_ms FROM journal ORDER BY id LIMIT 1))',
      )
      .pluck(),
  };
}

import type { Database, Statement } from 'better-sqlite3';

/** The id of the last entry of a row, which may be damaged. */
export const LAST_ID = 'id + iif(json_valid(entries), json_array_length(entries), 1) - 1';
/** Selects the id of the last entry or run, stored or not. */
export const LAST_ENTRY = `SELECT max(coalesce((SELECT last_id FROM journal_state), 0),
  coalesce((SELECT max(id) FROM journal_runs), 0), coalesce((SELECT ${LAST_ID} FROM journal ORDER BY id DESC LIMIT 1), 0),
  coalesce((SELECT last_id FROM journal_blocks ORDER BY first_id DESC LIMIT 1), 0))`;

export interface JournalStatements {
  lastId: Statement<[], number>;
  add: Statement<[id: number, at: number, entries: string]>;
  addRun: Statement<[id: number, at: number, parent: number | null, details: string, content: Buffer | null]>;
  forgotten: Statement<[lastId: number, since: number | null]>;
  hasEntries: Statement<[], number>;
  replace: Statement<[entries: string, id: number]>;
  kindOf: Statement<[tagId: number], string>;
  hidden: Statement<[], { hash: Buffer; places: string | null }>;
  hide: Statement<[hash: Buffer, places: string | null]>;
  dropHidden: Statement<[most: number]>;
}

/** What the journal writes with, prepared once. */
export function journalStatements(database: Database): JournalStatements {
  return {
    lastId: database.prepare<[], number>(LAST_ENTRY).pluck(),
    add: database.prepare<[number, number, string]>('INSERT INTO journal (id, at_ms, entries) VALUES (?, ?, ?)'),
    addRun: database.prepare<[number, number, number | null, string, Buffer | null]>(
      `INSERT INTO journal_runs (id, at_ms, parent, details, content) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET details = excluded.details, content = coalesce(excluded.content, content)`,
    ),
    forgotten: database.prepare<[number, number | null]>('UPDATE journal_state SET last_id = ?, since_ms = ?'),
    hasEntries: database.prepare<[], number>('SELECT EXISTS (SELECT 1 FROM journal)').pluck(),
    replace: database.prepare<[string, number]>('UPDATE journal SET entries = ? WHERE id = ?'),
    hidden: database.prepare<[], { hash: Buffer; places: string | null }>('SELECT hash, places FROM journal_hidden'),
    hide: database.prepare<[Buffer, string | null]>(
      'INSERT OR IGNORE INTO journal_hidden (hash, places) VALUES (?, ?)',
    ),
    dropHidden: database.prepare<[number]>(
      'DELETE FROM journal_hidden WHERE id <= (SELECT max(id) FROM journal_hidden) - ?',
    ),
    kindOf: database.prepare<[number], string>('SELECT kind FROM tags WHERE id = ?').pluck(),
  };
}

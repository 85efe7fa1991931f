import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { WorkspaceContents } from '#domain/workspace/backup';
import { TagwrightError } from '../../../platform/errors.ts';
import { contentsOf } from '../../backups/backup-contents.ts';
import { checkFormat, checkHeader, checkSideFiles, damaged, DISTRUST } from '../../database-check.ts';
import { MIGRATIONS } from '../../migrations/index.ts';
import { isDamage, storageError } from '../../storage-error.ts';

/** A database to examine. */
export interface ExaminedFile {
  /** Its name in messages. */
  file: string;
  /** The file to open: the file itself, or a copy of it with its log. */
  path: string;
  /**
   * `shared`: while others use it; `unused`: no process uses it and it has no log; `copy`: it belongs to the reader alone.
   */
  way: 'shared' | 'unused' | 'copy';
}

/** The metadata of a workspace. */
export interface WorkspaceFacts {
  /** Its number of migrations, and that of this version. */
  schema: number;
  known: number;
  contents: WorkspaceContents;
  secrets: number;
  /** JSON text by key, of changed settings. */
  settings: [key: string, text: string][];
  /** Decided but unfinished write sets over both databases, and the time of the oldest. */
  intents: number;
  oldestIntent: string | null;
  /** The latest moment of a write or firing in it, RFC 3339 in UTC. */
  newest: string | null;
}

/** The result of checking the pages of a database. */
export interface PagesFound {
  tables: number;
  /** Damage, at most 20 of it. */
  damage: string[];
  /** Rows that refer to missing rows. */
  brokenReferences: number;
  /** Tables that this SQLite cannot check, for example because they need an extension. */
  unchecked: number;
}

const MOST_DAMAGE = 20;
const BUSY_MS = 2_000;

/** Reads the metadata of a workspace. Throws WORKSPACE_NEWER, WORKSPACE_DAMAGED and similar errors, like opening it. */
export function readFacts(examined: ExaminedFile): WorkspaceFacts {
  checkSideFiles(examined.file);
  return reading(examined, (database) => {
    const schema = reader(database);
    const known = MIGRATIONS.length;
    const migrated = new DatabaseSync(':memory:');
    try {
      for (const { sql } of MIGRATIONS.slice(0, numberOf(database, 'PRAGMA user_version'))) migrated.exec(sql);
      const version = checkFormat(examined.file, schema, reader(migrated), known);
      return { schema: version, known, ...contentOf(database) };
    } finally {
      migrated.close();
    }
  });
}

/**
 * Checks the pages of a database table by table, or, if `full`, all at once with every index; then the references
 * between its rows. Throws WORKSPACE_DAMAGED if it cannot be opened, UNAVAILABLE and similar errors if others block it.
 * @param progress called before each table
 */
export function checkPages(
  examined: ExaminedFile,
  full: boolean,
  progress: (done: number, total: number) => void,
): PagesFound {
  return reading(examined, (database) => {
    const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rootpage`).all();
    // The first covers the list of free pages too.
    const names = ['sqlite_schema', ...tables.map(({ name }) => String(name))];
    const found: PagesFound = { tables: tables.length, damage: [], brokenReferences: 0, unchecked: 0 };
    const attempt = (step: () => void) => {
      try {
        step();
      } catch (thrown) {
        const known = sqliteError(thrown);
        if (isDamage(known)) found.damage.push(known.message);
        else if (errorNumber(thrown) === SQLITE_ERROR) found.unchecked += 1;
        else throw known;
      }
    };
    const collect = (pragma: string) => {
      for (const row of database.prepare(pragma).all()) {
        const text = String(Object.values(row)[0]);
        if (text !== 'ok' && found.damage.length < MOST_DAMAGE) found.damage.push(text.replaceAll(/\s+/g, ' '));
      }
    };
    if (full) attempt(() => collect(`PRAGMA integrity_check(${MOST_DAMAGE})`));
    names.forEach((name, at) => {
      progress(at, names.length);
      if (!full) attempt(() => collect(`PRAGMA quick_check("${name.replaceAll('"', '""')}")`));
      if (at > 0 && found.damage.length === 0) {
        attempt(() => {
          const counted = database.prepare('SELECT count(*) AS broken FROM pragma_foreign_key_check(?)').get(name);
          found.brokenReferences += Number(counted?.['broken'] ?? 0);
        });
      }
    });
    return found;
  });
}

function contentOf(database: DatabaseSync): Omit<WorkspaceFacts, 'schema' | 'known'> {
  const tables = new Set(
    database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all()
      .map(({ name }) => name),
  );
  const one = (table: string, expression: string): unknown =>
    tables.has(table) ? database.prepare(`SELECT ${expression} AS one FROM ${table}`).get()?.['one'] : null;
  const moment = (table: string, column: string): string[] => {
    const found = one(table, `max(${column})`);
    if (typeof found === 'number') return [new Date(found).toISOString()];
    return typeof found === 'string' ? [found] : [];
  };
  const newest = [
    ...moment('script_versions', 'saved_at'),
    ...moment('storage_values', 'written_at'),
    ...moment('events', 'at_ms'),
  ];
  const oldest = one('write_intents', 'min(made_at)');
  return {
    contents: contentsOf(reader(database)),
    secrets: Number(one('api_secrets', 'count(*)') ?? 0),
    settings: database
      .prepare('SELECT key, value FROM settings')
      .all()
      .map(({ key, value }) => [String(key), String(value)]),
    intents: Number(one('write_intents', 'count(*)') ?? 0),
    oldestIntent: typeof oldest === 'string' ? oldest : null,
    newest: newest.toSorted().at(-1) ?? null,
  };
}

/** Reads a database without changing it or the files next to it. */
function reading<T>({ file, path, way }: ExaminedFile, read: (database: DatabaseSync) => T): T {
  checkHeader(path);
  try {
    const address = pathToFileURL(path);
    // Otherwise SQLite creates files next to a database in WAL mode, and cannot read it if that is not permitted.
    if (way === 'unused') address.search = '?immutable=1';
    const database = new DatabaseSync(address, { readOnly: way !== 'copy', timeout: BUSY_MS });
    try {
      database.enableDefensive(true);
      database.exec(DISTRUST);
      return read(database);
    } finally {
      database.close();
    }
  } catch (thrown) {
    const known = sqliteError(thrown);
    throw isDamage(known) ? damaged(file, known.message, thrown) : storageError(known, file);
  }
}

const reader = (database: DatabaseSync) => ({
  rows: (sql: string): Record<string, unknown>[] => database.prepare(sql).all(),
});

function numberOf(database: DatabaseSync, sql: string): number {
  return Number(Object.values(database.prepare(sql).get() ?? {})[0] ?? 0);
}

const SQLITE_ERROR = 1;
/** Errors of node:sqlite have a number; errors that storage-error.ts handles get the names that it uses. */
const NAMES: Readonly<Record<number, string>> = {
  3: 'SQLITE_PERM',
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

function errorNumber(thrown: unknown): number {
  return thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 0xff : 0;
}

function sqliteError(thrown: unknown): Error {
  const name = NAMES[errorNumber(thrown)];
  if (!(thrown instanceof Error)) return new Error(String(thrown));
  if (name === undefined || thrown instanceof TagwrightError) return thrown;
  return Object.assign(new Error(thrown.message, { cause: thrown }), { code: name });
}

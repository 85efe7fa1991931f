import { createHash } from 'node:crypto';
import { existsSync, lstatSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import { firstBytesOf } from '../platform/files/plain-file.ts';
import { backupFolderOf, backupsOf } from './backups/backups.ts';
import { MIGRATIONS, type Migration, SCHEMA_HASH } from './migrations/index.ts';
import { isDamage, storageError } from './storage-error.ts';

/** Marks a SQLite file as Tagwright's: "TagW". */
export const APPLICATION_ID = 0x54616757;

/**
 * For a connection to a file that others write, such as plant.db, which may have been crafted to attack its readers.
 * Its schema may call only functions without side effects, and damaged pages are detected when they are read.
 */
export const DISTRUST = 'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON';

/** Files below this size are checked page by page at every open (about 0.1 s at the limit). */
const CHECKED_PAGE_BY_PAGE = 64 * 1024 * 1024;
const MAGIC = 'SQLite format 3\0';
const SIDE_FILES = ['-wal', '-shm'];
const HEADER_BYTES = 100;

/**
 * Checks an existing database file without changing it, and returns its number of migrations. Throws WORKSPACE_NEWER or
 * WORKSPACE_DAMAGED; the file and those next to it are then unchanged.
 */
export function checkDatabaseFile(file: string, migrations: readonly Migration[]): number {
  checkHeader(file);
  checkSideFiles(file);
  return readDatabaseFile(file, (database) => checkContent(file, database, migrations));
}

/** Reads a database file through a separate connection, which changes neither the file nor those next to it. */
export function readDatabaseFile<T>(file: string, read: (database: Database.Database) => T): T {
  const before = new Set(SIDE_FILES.filter((suffix) => existsSync(file + suffix)));
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 });
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (thrown) {
    if (thrown instanceof TagwrightError) throw thrown;
    const known = storageError(thrown, file);
    // Errors that the disk or other programs did not cause come from the file: a flipped bit makes SQLite fail in many
    // ways.
    throw isDamage(thrown) || known === thrown ? damaged(file, messageOf(thrown), thrown) : known;
  } finally {
    // Even reading a database in WAL mode creates these two files; a checkpoint of it does not.
    for (const suffix of SIDE_FILES) if (!before.has(suffix)) rmSync(file + suffix, { force: true });
  }
}

/** Rejects a WAL whose database is missing: SQLite would use it for a new database. */
export function checkNoOrphans(file: string): void {
  for (const suffix of ['-wal', '-journal']) {
    const size = statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0)
      throw damaged(file, `the file is missing, but ${basename(file)}${suffix} with its last changes is there`);
  }
  for (const suffix of [...SIDE_FILES, '-journal']) rmSync(file + suffix, { force: true });
}

const JOURNAL_MODE = 1;
const LOG_HEADER = 32;
const LOG_MAGIC = new Set([0x377f0682, 0x377f0683]);
const LOG_VERSION = 3_007_000;

/**
 * Checks the files next to an existing database before SQLite opens them: it would write a journal into the database,
 * and use any valid log. A program that can create files in the folder, such as a host that runs SQL, can leave both.
 * Throws WORKSPACE_DAMAGED, with the name of the file and what to do with it.
 */
export function checkSideFiles(named: string): void {
  // SQLite looks for them next to the target of a link.
  const file = realpathSync(named);
  const header = headerOf(file);
  for (const suffix of [...SIDE_FILES, '-journal']) {
    const found = lstatSync(file + suffix, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile())
      throw unexpectedFile(file, suffix, 'is a link, a folder or a special file', '');
  }
  // SQLite ignores a journal that begins with 0, and an empty one.
  if ((firstBytesOf(`${file}-journal`, 1)?.[0] ?? 0) !== 0) {
    throw header[18] === JOURNAL_MODE
      ? unexpectedFile(
          file,
          '-journal',
          'was left by another program that was interrupted while it changed the workspace',
          'Open the workspace once with that program, which undoes the change. Without it:',
        )
      : unexpectedFile(
          file,
          '-journal',
          'was not written by Tagwright, and its content would be written into the workspace',
          '',
        );
  }
  const log = firstBytesOf(`${file}-wal`, LOG_HEADER);
  if (log === null || log.length < LOG_HEADER || !LOG_MAGIC.has(log.readUInt32BE(0))) return;
  if (log.readUInt32BE(4) !== LOG_VERSION || log.readUInt32BE(8) !== pageSizeOf(header))
    throw unexpectedFile(file, '-wal', 'is the log of another database', '');
}

function unexpectedFile(file: string, suffix: string, what: string, first: string): TagwrightError {
  const name = basename(file) + suffix;
  return new TagwrightError(
    'WORKSPACE_DAMAGED',
    `"${file}${suffix}" ${what}. Nothing was changed. ${first === '' ? '' : `${first} `}Move ${name} out of the folder ` +
      `"${dirname(file)}" and start again; ${basename(file)} itself stays as it is.`,
    { data: { file, reason: `${name} ${what}`, backups: backupsOf(file).map(({ path }) => path) } },
  );
}

/** The error for a damaged file, which names the newest backup and what to do with it. */
export function damaged(file: string, reason: string, cause?: unknown): TagwrightError {
  const backups = backupsOf(file);
  const name = basename(file);
  const newest = backups[0];
  const next = newest
    ? `The newest backup is from ${new Date(newest.at).toISOString()}. To go back to it: ` +
      `tagwright backups restore ${basename(newest.path)} -w "${dirname(file)}"`
    : `There is no backup in "${backupFolderOf(file)}". Put your own copy in its place, or move ${name}, ` +
      `${name}-wal and ${name}-shm out of the folder to start with an empty workspace.`;
  const log =
    sizeOf(`${file}-wal`) === 0 ? '' : ` If ${name}-wal belongs to another file, move it out of the folder first.`;
  return new TagwrightError(
    'WORKSPACE_DAMAGED',
    `"${file}" cannot be read: ${reason}. Nothing was changed. ${next}${log}`,
    {
      data: { file, reason, backups: backups.map((backup) => backup.path) },
      cause,
    },
  );
}

function headerOf(file: string): Buffer {
  let header: Buffer | null;
  try {
    header = firstBytesOf(file, HEADER_BYTES, { links: true });
  } catch (thrown) {
    throw storageError(thrown, file);
  }
  if (header === null) throw damaged(file, 'it is missing, or not a file');
  if (header.length === 0) throw damaged(file, 'it is empty');
  if (header.length < HEADER_BYTES) throw damaged(file, `it is cut off after ${header.length} bytes`);
  return header;
}

function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16);
  return size === 1 ? 65_536 : size;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Checks the first bytes of a database file. Throws WORKSPACE_DAMAGED. */
export function checkHeader(file: string): void {
  const header = headerOf(file);
  if (header.toString('latin1', 0, 16) !== MAGIC) throw damaged(file, 'it is not a SQLite database');
  // An unknown write version would make SQLite open the file read-only.
  if ([18, 19].some((at) => header[at] !== 1 && header[at] !== 2)) throw damaged(file, 'its header is damaged');
  // SQLite reads missing parts of the last page as zeros. With a WAL, the page is in there.
  const pageSize = pageSizeOf(header);
  const size = statSync(file).size;
  if (size % pageSize !== 0 && sizeOf(`${file}-wal`) === 0) throw damaged(file, `it is cut off after ${size} bytes`);
}

function checkContent(file: string, database: Database.Database, migrations: readonly Migration[]): number {
  const had = Number(database.pragma('user_version', { simple: true }));
  const version = isCurrent(rowsOf(database), migrations)
    ? had
    : checkFormat(file, rowsOf(database), migratedSchema(migrations.slice(0, had)), migrations.length);
  if (statSync(file).size < CHECKED_PAGE_BY_PAGE) {
    const problem = String(database.pragma('quick_check(1)', { simple: true }));
    if (problem !== 'ok') throw damaged(file, problem.replaceAll(/\s+/g, ' '));
  }
  return version;
}

/** Result tables of rules, and their triggers. */
const OF_RULE = /^(?:table|trigger) agg_/;

/** A hash of the schema without the tables of rules. */
export function schemaHash(database: SchemaReader): string {
  const own = [...schemaOf(database)].filter(([name]) => !OF_RULE.test(name)).map((object) => JSON.stringify(object));
  return createHash('sha256').update(own.toSorted().join('\n')).digest('hex');
}

/** Whether a workspace has the schema of this version: found out in 1 ms, where creating that takes 8. */
function isCurrent(database: SchemaReader, migrations: readonly Migration[]): boolean {
  if (migrations !== MIGRATIONS) return false;
  const isOurs = numberOf(database, 'PRAGMA application_id') === APPLICATION_ID;
  const isNewest = numberOf(database, 'PRAGMA user_version') === MIGRATIONS.length;
  return isOurs && isNewest && schemaHash(database) === SCHEMA_HASH;
}

/** The last schema that was needed: creating it takes half of the time of opening a workspace. */
let migratedLast: { migrations: readonly Migration[]; answers: Map<string, Record<string, unknown>[]> } | null = null;

/** Reads the schema that migrations create. */
function migratedSchema(migrations: readonly Migration[]): SchemaReader {
  const isSame = ({ sql }: Migration, index: number): boolean => sql === migratedLast?.migrations[index]?.sql;
  if (migratedLast?.migrations.length !== migrations.length || !migrations.every(isSame)) {
    migratedLast = { migrations, answers: new Map() };
  }
  const { answers } = migratedLast;
  const rows = (sql: string): Record<string, unknown>[] => {
    const known = answers.get(sql);
    if (known !== undefined) return known;
    const migrated = new Database(':memory:');
    try {
      for (const migration of migrations) migrated.exec(migration.sql);
      const found = rowsOf(migrated).rows(sql);
      answers.set(sql, found);
      return found;
    } finally {
      migrated.close();
    }
  };
  return { rows };
}

/** The part of a database that reading its schema needs, independent of the library. */
export interface SchemaReader {
  rows(sql: string): Record<string, unknown>[];
}

export const rowsOf = (database: Database.Database): SchemaReader => ({
  rows: (sql) => database.prepare<[], Record<string, unknown>>(sql).all(),
});

/**
 * Checks that a database is a workspace with at least the schema that the migrations create, and returns its number of
 * migrations. Throws WORKSPACE_NEWER or WORKSPACE_DAMAGED.
 * @param migrated a new database with the migrations that the file claims to have
 * @param known number of migrations of this version
 */
export function checkFormat(file: string, database: SchemaReader, migrated: SchemaReader, known: number): number {
  const version = numberOf(database, 'PRAGMA user_version');
  const application = numberOf(database, 'PRAGMA application_id');
  if (application !== APPLICATION_ID || version < 1) throw damaged(file, 'it is not a Tagwright workspace');
  if (version > known) throw newer(file, version, known);
  const found = schemaOf(database);
  for (const [name, sql] of schemaOf(migrated)) {
    if (found.get(name) !== sql) throw damaged(file, `its ${name} is not as Tagwright made it`);
  }
  return version;
}

const numberOf = (database: SchemaReader, sql: string) => Number(Object.values(database.rows(sql)[0] ?? {})[0]);

function schemaOf(database: SchemaReader): Map<string, unknown> {
  const rows = database.rows(
    `SELECT type || ' ' || name AS what, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`,
  );
  return new Map(rows.map((row) => [String(row['what']), row['sql']]));
}

function newer(file: string, version: number, known: number): TagwrightError {
  return new TagwrightError(
    'WORKSPACE_NEWER',
    `"${file}" was written by a newer version of Tagwright (schema ${version}, this version knows ${known}). ` +
      'Nothing was changed. Update Tagwright, or choose another workspace.',
    { data: { file, schema: version, known } },
  );
}

/** The version of SQLite for the workspace. Throws if the native library cannot be loaded. */
export function sqliteVersionOfStorage(): string {
  const database = new Database(':memory:');
  try {
    return String(database.prepare('SELECT sqlite_version()').pluck().get());
  } finally {
    database.close();
  }
}

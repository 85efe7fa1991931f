import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../platform/clock.ts';
import { systemClock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { copyBeforeMigration } from './backups/backups.ts';
import { makePrivateFile } from '../platform/files/private-files.ts';
import { syncFolder } from './sync-file.ts';
import { APPLICATION_ID, checkDatabaseFile, checkNoOrphans } from './database-check.ts';
import type { Migration } from './migrations/index.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { storageError } from './storage-error.ts';

export interface OpenDatabaseOptions {
  /** All steps that this version knows; missing ones are applied to the file. */
  migrations?: readonly Migration[];
  clock?: Clock;
}

/** How long a statement waits for another program that holds the file, ms; this blocks the event loop. */
const BUSY_MS = 2_000;
/**
 * The WAL is moved into the file when it has this many pages (8 MB). 100 rules that fire write 130 of them, mostly the
 * same ones: with SQLite's default of 1,000, every eighth commit would move them.
 */
const CHECKPOINT_PAGES = 2_000;
/** The WAL grows while a backup or a list reads an older state. Afterwards, it is cut to this size, in bytes. */
const MOST_WAL_BYTES = 64 * 1_048_576;

/**
 * Opens a workspace database for writing, creating a missing one, and migrates its schema in one transaction, after a
 * copy of the file into `backups/`. WAL and `synchronous=FULL`: committed data survives a power cut.
 *
 * Throws WORKSPACE_NEWER, WORKSPACE_DAMAGED, WORKSPACE_READ_ONLY, STORAGE_FULL or UNAVAILABLE, with the file unchanged.
 */
export function openDatabase(file: string, options: OpenDatabaseOptions = {}): Database.Database {
  const { migrations = MIGRATIONS, clock = systemClock } = options;
  try {
    if (!existsSync(file)) create(file, migrations);
    const version = checkDatabaseFile(file, migrations);
    if (version < migrations.length) update(file, version, migrations, clock);
    return connect(file);
  } catch (thrown) {
    throw storageError(thrown, file);
  }
}

/** Creates the file under another name first, so that it exists completely or not at all. */
function create(file: string, migrations: readonly Migration[]): void {
  checkNoOrphans(file);
  const unfinished = `${file}.new`;
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + suffix, { force: true });
  };
  remove();
  try {
    makePrivateFile(unfinished);
    const database = connect(unfinished);
    try {
      database.pragma(`application_id = ${APPLICATION_ID}`);
      migrate(database, 0, migrations);
    } finally {
      database.close();
    }
    renameSync(unfinished, file);
    // Makes the rename durable.
    syncFolder(dirname(file));
  } finally {
    remove();
  }
}

function update(file: string, version: number, migrations: readonly Migration[], clock: Clock): void {
  // Closing the only connection moves leftovers of a crash from the WAL into the file, so that the copy includes them.
  connect(file).close();
  copyBeforeMigration(file, version, clock);
  const database = connect(file);
  try {
    migrate(database, version, migrations);
  } finally {
    database.close();
  }
}

function migrate(database: Database.Database, version: number, migrations: readonly Migration[]): void {
  // References are checked at the end: a step may rebuild a table that others refer to.
  database.pragma('foreign_keys = OFF');
  database
    .transaction(() => {
      for (const migration of migrations.slice(version)) database.exec(migration.sql);
      const broken = database.pragma('foreign_key_check');
      if (Array.isArray(broken) && broken.length > 0) {
        throw new TagwrightError(
          'INTERNAL',
          `"${database.name}" could not be updated to schema ${migrations.length}: ${broken.length} references would ` +
            'break. Nothing was changed. Continue with the version of Tagwright that wrote it, and report this fault.',
        );
      }
      database.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function connect(file: string): Database.Database {
  const database = new Database(file, { timeout: BUSY_MS });
  try {
    const mode = String(database.pragma('journal_mode = WAL', { simple: true }));
    if (mode !== 'wal') {
      throw new TagwrightError(
        'UNAVAILABLE',
        `"${file}" is on a file system that does not support a write-ahead log. Choose a workspace folder on a local disk.`,
        { data: { file, reason: mode } },
      );
    }
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    database.pragma(`journal_size_limit = ${MOST_WAL_BYTES}`);
    database.pragma('foreign_keys = ON');
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

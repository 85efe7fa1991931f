import { constants, copyFileSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf } from '../../platform/errors.ts';
import { firstBytesOf } from '../../platform/files/plain-file.ts';
import type { Log } from '../../platform/log.ts';
import { readDatabaseFile } from '../database-check.ts';
import { backupsOf, replaceBackup } from '../backups/backups.ts';

/** The new JSON of a stored setting; null if it may stay. */
export type RewriteSetting = (key: string, json: string) => string | null;

/** The first schema with sealed settings: newer backups need not be opened. */
const SEALED_SINCE = 13;
/** The offset of the schema number in SQLite's header. */
const USER_VERSION_AT = 60;
/** Larger files are changed in place: rewriting them would delay the start. */
const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Seals settings that an earlier version stored in plain text, in the open database and in its backups. A failure is
 * logged and retried at the next open: it does not block the start.
 */
export function sealSettings(database: Database.Database, rewrite: RewriteSetting, log: Log): void {
  let wasClear = true;
  try {
    const sealed = rewriteSettings(database, rewrite);
    wasClear = sealed > 0;
    if (wasClear)
      log.info('Settings that were stored in plain text have been sealed.', { event: 'settings.sealed', sealed });
  } catch (thrown) {
    const message = 'A key or password in the settings is still stored in plain text. It is sealed at the next start.';
    log.warn(message, { event: 'settings.not-sealed', reason: messageOf(thrown) });
  }
  for (const { path, thrown } of rewriteBackups(database.name, rewrite, wasClear)) {
    const message =
      'A backup may contain a key or password in plain text. Delete it, or change the key and the password.';
    log.warn(message, { event: 'backup.not-sealed', backup: path, reason: messageOf(thrown) });
  }
}

/**
 * Rewrites settings that were stored in plain text, in one transaction, and removes every copy of the former text from
 * the file and its WAL, including earlier values, which SQLite keeps in pages that it no longer uses (files above 64 MB
 * keep those). Returns how many there were. Throws errors of SQLite.
 */
function rewriteSettings(database: Database.Database, rewrite: RewriteSetting): number {
  if (rowsToWrite(database, rewrite).length === 0) return 0;
  // Before the change: if the process ends in between, the next open repeats all of it.
  if (statSync(database.name).size <= MAX_REWRITTEN_BYTES) database.exec('VACUUM');
  return overwrite(database, rewrite);
}

/**
 * Like `rewriteSettings`, for the backups of a file. In those above 64 MB only the value itself is overwritten.
 * Unreadable backups stay unchanged; returns their paths, with the reason.
 * @param all also those of a schema with sealed settings
 */
function rewriteBackups(file: string, rewrite: RewriteSetting, all: boolean): { path: string; thrown: unknown }[] {
  return backupsOf(file).flatMap(({ path }) => {
    try {
      if (all || schemaOf(path) < SEALED_SINCE) rewriteBackup(path, rewrite);
      return [];
    } catch (thrown) {
      return [{ path, thrown }];
    }
  });
}

function rewriteBackup(path: string, rewrite: RewriteSetting): void {
  const clear = readDatabaseFile(path, (database) => rowsToWrite(database, rewrite).length > 0);
  if (!clear) return;
  if (statSync(path).size > MAX_REWRITTEN_BYTES) {
    inFile(path, (database) => overwrite(database, rewrite));
    return;
  }
  replaceBackup(path, (partial) => {
    copyFileSync(path, partial, constants.COPYFILE_FICLONE);
    inFile(partial, (database) => rewriteSettings(database, rewrite));
  });
}

function schemaOf(path: string): number {
  const header = firstBytesOf(path, USER_VERSION_AT + 4);
  if (header === null) throw new Error('it is missing, or not a file');
  return header.readUInt32BE(USER_VERSION_AT);
}

function inFile<T>(path: string, work: (database: Database.Database) => T): T {
  const database = new Database(path, { fileMustExist: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function overwrite(database: Database.Database, rewrite: RewriteSetting): number {
  const before = database.pragma('secure_delete', { simple: true });
  database.pragma('secure_delete = ON');
  try {
    const put = database.prepare<[string, string]>('UPDATE settings SET value = ? WHERE key = ?');
    const changed = database
      .transaction(() => rowsToWrite(database, rewrite).map(([key, json]) => put.run(json, key)).length)
      .immediate();
    // The WAL has the previous pages.
    database.pragma('wal_checkpoint(TRUNCATE)');
    return changed;
  } finally {
    database.pragma(`secure_delete = ${Number(before)}`);
  }
}

function rowsToWrite(database: Database.Database, rewrite: RewriteSetting): [key: string, json: string][] {
  const rows = database.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings').all();
  return rows.flatMap(({ key, value }) => {
    const json = rewrite(key, value);
    return json === null ? [] : [[key, json]];
  });
}

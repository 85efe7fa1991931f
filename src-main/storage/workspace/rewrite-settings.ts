import { closeSync, constants, copyFileSync, openSync, readSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf } from '../../platform/errors.ts';
import type { Log } from '../../platform/log.ts';
import { readDatabaseFile } from '../database-check.ts';
import { backupsOf, replaceBackup } from '../backups/backups.ts';

/** What JSON is to stand in the place of a stored setting; null where it may stay. */
export type RewriteSetting = (key: string, json: string) => string | null;

/** The first schema whose settings are sealed: backups of it need not be opened. */
const SEALED_SINCE = 13;
/** Where SQLite keeps the schema number in its header. */
const USER_VERSION_AT = 60;
/** Larger files are changed in place: to write all of them again would hold up the start for long. */
const MAX_REWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Seals what an earlier version stored in clear, in the open database and in its backups. What fails is logged and tried
 * again at the next open: it keeps nobody from working.
 */
export function sealSettings(database: Database.Database, rewrite: RewriteSetting, log: Log): void {
  let wasClear = true;
  try {
    const sealed = rewriteSettings(database, rewrite);
    wasClear = sealed > 0;
    if (wasClear)
      log.info('Settings that were stored in clear have been sealed.', { event: 'settings.sealed', sealed });
  } catch (thrown) {
    const message = 'A key or password in the settings is still stored in clear. It is sealed at the next start.';
    log.warn(message, { event: 'settings.not-sealed', reason: messageOf(thrown) });
  }
  for (const { path, thrown } of rewriteBackups(database.name, rewrite, wasClear)) {
    const message = 'A backup may hold a key or password in clear. Delete it, or change the key and the password.';
    log.warn(message, { event: 'backup.not-sealed', backup: path, reason: messageOf(thrown) });
  }
}

/**
 * Rewrites settings that were stored in clear, in one transaction, and leaves nothing of the former text in the file or
 * its WAL: not of earlier values either, which SQLite keeps in pages that it no longer uses (files above 64 MB keep
 * those). Returns how many there were. Throws what SQLite throws.
 */
function rewriteSettings(database: Database.Database, rewrite: RewriteSetting): number {
  if (rowsToWrite(database, rewrite).length === 0) return 0;
  // Before the change: where the process ends in between, the next open does all of it again.
  if (statSync(database.name).size <= MAX_REWRITTEN_BYTES) database.exec('VACUUM');
  return overwrite(database, rewrite);
}

/**
 * As `rewriteSettings`, for the backups of a file. In those above 64 MB only the value itself is overwritten. Backups
 * that cannot be read are left as they are; returns their paths, with why.
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
  const header = Buffer.alloc(USER_VERSION_AT + 4);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
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
    // The WAL has the pages as they were before.
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

import { copyFileSync, constants, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { BackupSort } from '#domain/workspace/backup';
import type { Clock } from '../../platform/clock.ts';
import { hideFile, makeOwnFolder, makePrivateFile } from '../../platform/files/private-files.ts';
import { inBackupThread } from './in-backup-thread.ts';
import { syncFile, syncFolder } from '../sync-file.ts';

/** How many regular backups are kept, and how many from before a migration; manual ones stay. */
export const KEPT_BACKUPS = 5;

/** How long a backup waits for a transaction of several turns to end, ms. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 20;

const NAME = /^(?<base>.+)-(?<stamp>\d{8}T\d{9}Z)(?<suffix>-schema-\d+|-manual)?\.db$/;

/** The folder for backups next to a database file. */
export function backupFolderOf(file: string): string {
  return join(dirname(file), 'backups');
}

export interface Backup {
  path: string;
  /** ms since 1970 in UTC, read from the name. */
  at: number;
  sort: BackupSort;
}

/** The finished backups of the file, newest first; empty if the folder cannot be read. */
export function backupsOf(file: string): Backup[] {
  const folder = backupFolderOf(file);
  const base = basename(file, '.db');
  const found: Backup[] = [];
  for (const name of namesIn(folder)) {
    const parts = NAME.exec(name)?.groups;
    if (parts?.['base'] !== base || parts['stamp'] === undefined) continue;
    found.push({
      path: join(folder, name),
      at: timeOf(parts['stamp']),
      sort: parts['suffix'] === undefined ? 'regular' : parts['suffix'] === '-manual' ? 'manual' : 'schema',
    });
  }
  return found.toSorted((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1));
}

/**
 * Copies the closed database file into the backups before a migration changes it. The file must have no connection in
 * this process (closing the copied file would drop SQLite's locks) and no WAL next to it.
 */
export function copyBeforeMigration(file: string, schema: number, clock: Clock): string {
  const target = nameFor(file, clock, `-schema-${schema}`);
  finish(target, (partial) => copyFileSync(file, partial, constants.COPYFILE_FICLONE));
  prune(file);
  return target;
}

/**
 * Copies the open database into the backups while it is in use; resolves with the path of the backup. When the signal
 * aborts, no connection of the copy is left, and it rejects with UNAVAILABLE.
 */
export async function backUp(
  database: Database,
  clock: Clock,
  sort: 'regular' | 'manual' = 'regular',
  signal?: AbortSignal,
): Promise<string> {
  const target = nameFor(database.name, clock, sort === 'manual' ? '-manual' : '');
  const partial = `${target}.partial`;
  makeOwnFolder(dirname(target));
  try {
    makePrivateFile(partial);
    // A copy has committed changes only.
    const until = performance.now() + PATIENCE_MS;
    while (database.inTransaction && performance.now() < until) await delay(LOOK_AGAIN_MS);
    await inBackupThread({ kind: 'copy', from: database.name, to: partial }, signal);
    finish(target, () => undefined);
  } finally {
    rmSync(partial, { force: true });
  }
  prune(database.name);
  return target;
}

/** Replaces a backup with another file, all or nothing. */
export function replaceBackup(path: string, fill: (partial: string) => void): void {
  finish(path, fill);
}

/** A backup gets its name only when it is complete and on the disk. */
function finish(target: string, fill: (partial: string) => void): void {
  const partial = `${target}.partial`;
  makeOwnFolder(dirname(target));
  try {
    fill(partial);
    hideFile(partial);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } finally {
    rmSync(partial, { force: true });
  }
}

/** Removes surplus backups, and unfinished ones of killed processes. */
function prune(file: string): void {
  const folder = backupFolderOf(file);
  for (const name of namesIn(folder)) {
    const [complete, unfinished] = name.split('.partial');
    if (unfinished !== undefined && NAME.exec(complete ?? '')?.groups?.['base'] === basename(file, '.db')) {
      rmSync(join(folder, name), { force: true });
    }
  }
  const all = backupsOf(file);
  for (const sort of ['regular', 'schema']) {
    const same = all.filter((backup) => backup.sort === sort);
    for (const backup of same.slice(KEPT_BACKUPS)) rmSync(backup.path, { force: true });
  }
}

function nameFor(file: string, clock: Clock, suffix: string): string {
  const stamp = clock.iso().replaceAll(/[-:.]/g, '');
  return join(backupFolderOf(file), `${basename(file, '.db')}-${stamp}${suffix}.db`);
}

/** `20260801T101500123Z` to ms. */
function timeOf(stamp: string): number {
  const [, date = '', hour = '', minute = '', second = '', ms = ''] =
    /^(\d{8})T(\d\d)(\d\d)(\d\d)(\d{3})Z$/.exec(stamp) ?? [];
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return Date.parse(`${day}T${hour}:${minute}:${second}.${ms}Z`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

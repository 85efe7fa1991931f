import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../platform/clock.ts';
import { systemClock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { backupFolderOf, backupsOf, copyByHand } from './backups.ts';
import { openDatabase } from './database.ts';
import { checkDatabaseFile } from './database-check.ts';
import { InstanceLock } from './instance-lock.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { storageError } from './storage-error.ts';
import { syncFile } from './sync-file.ts';

const FILES = ['', '-wal', '-shm', '-journal'];

/**
 * Puts a backup in the place of `workspace.db`, while nobody holds the workspace. What is replaced is kept: as a backup
 * made by hand, or, where it cannot be opened, file by file in `backups/replaced-<time>`. The backup stays, too.
 * @param name a file of the folder `backups`
 * @returns where what was replaced is now; null where there was nothing
 *
 * Throws NOT_FOUND, WORKSPACE_LOCKED, WORKSPACE_NEWER or WORKSPACE_DAMAGED (of the backup), or STORAGE_FULL; the
 * workspace is then as it was.
 */
export function restoreBackup(directory: string, name: string, clock: Clock = systemClock): string | null {
  const file = join(directory, 'workspace.db');
  const backup = backupsOf(file).find(({ path }) => basename(path) === name);
  if (!backup) {
    const known = backupsOf(file).map(({ path }) => basename(path));
    const which = known.length === 0 ? 'There is none.' : `There are: ${known.join(', ')}.`;
    throw new TagwrightError('NOT_FOUND', `There is no backup "${name}" in "${backupFolderOf(file)}". ${which}`);
  }
  const lock = InstanceLock.acquire(directory, clock);
  const prepared = `${file}.restored`;
  try {
    checkDatabaseFile(backup.path, MIGRATIONS);
    copyFileSync(backup.path, prepared);
    syncFile(prepared);
    const kept = existsSync(file) ? keep(file, clock) : null;
    // With the WAL moved into the file there is none that could be taken for that of the backup.
    for (const suffix of FILES.slice(1)) rmSync(file + suffix, { force: true });
    renameSync(prepared, file);
    return kept;
  } catch (thrown) {
    throw storageError(thrown, file);
  } finally {
    rmSync(prepared, { force: true });
    lock.release();
  }
}

function keep(file: string, clock: Clock): string {
  try {
    openDatabase(file, { clock }).close();
    return copyByHand(file, clock);
  } catch (thrown) {
    if (thrown instanceof TagwrightError && thrown.code === 'STORAGE_FULL') throw thrown;
    const folder = join(backupFolderOf(file), `replaced-${clock.iso().replaceAll(/[-:.]/g, '')}`);
    mkdirSync(folder, { recursive: true });
    for (const suffix of FILES) {
      if (existsSync(file + suffix)) copyFileSync(file + suffix, join(folder, basename(file) + suffix));
    }
    return folder;
  }
}

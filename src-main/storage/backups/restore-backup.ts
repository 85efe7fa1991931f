import { constants, copyFileSync, existsSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { copyFile, open, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { callerNow } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { hideFile, makeOwnFolder } from '../../platform/files/private-files.ts';
import { backUp, backupFolderOf } from './backups.ts';
import { checkBackup, findBackup } from './backup-contents.ts';
import { recordRestore } from '../journal/restore-entry.ts';
import { openDatabase } from '../database.ts';
import { changeCopy } from './change-copy.ts';
import type { GivenNumbers } from '../events/given-numbers.ts';
import { givenNumbersOf, keepGivenNumbers } from '../events/given-numbers.ts';
import { InstanceLock } from '../workspace/instance-lock.ts';
import { codeOf, storageError } from '../storage-error.ts';
import { syncFile, syncFolder } from '../sync-file.ts';

const SIDE_FILES = ['-wal', '-shm', '-journal'];

/** A checked and copied backup, ready to replace `workspace.db`. */
export interface PreparedRestore {
  /** The name of the backup in the folder `backups`. */
  readonly name: string;
  /**
   * Replaces `workspace.db`, which must have no connection. Resolves with the place of the replaced workspace: a manual
   * backup, or, if it could not be opened, a folder with its files; null if there was nothing. Throws STORAGE_FULL,
   * UNAVAILABLE or WORKSPACE_READ_ONLY, with the workspace unchanged.
   */
  replace(): Promise<string | null>;
  /** After `replace`: restores the replaced workspace, while the file has no connection. */
  undo(): Promise<void>;
  /** Deletes the copy; after `replace` there is none. */
  discard(): void;
}

/** The place of the copy of a backup until it replaces the file. */
const preparedFor = (file: string): string => `${file}.restored`;

/** Deletes the copy of an interrupted restore. */
export function removePrepared(file: string): void {
  for (const suffix of ['', ...SIDE_FILES]) rmSync(preparedFor(file) + suffix, { force: true });
}

/**
 * Checks a backup and copies it next to the workspace, which stays in use. Throws NOT_FOUND, WORKSPACE_NEWER,
 * WORKSPACE_DAMAGED or STORAGE_FULL, also if there is no space for keeping the replaced workspace.
 */
export async function prepareRestore(file: string, name: string, clock: Clock = systemClock): Promise<PreparedRestore> {
  const cause = callerNow();
  const backup = findBackup(file, name);
  checkBackup(file, backup);
  const prepared = preparedFor(file);
  let kept: string | null = null;
  removePrepared(file);
  try {
    await durableCopy(backup.path, prepared);
    await checkRoom(file);
  } catch (thrown) {
    removePrepared(file);
    throw storageError(thrown, file);
  }
  const inOrder = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (thrown) {
      throw storageError(thrown, file);
    }
  };
  return {
    name,
    replace: () =>
      inOrder(async () => {
        const { path, given } = existsSync(file) ? await keep(file, clock) : NOTHING;
        if (given) keepGivenNumbers(prepared, given);
        changeCopy(prepared, (database) => recordRestore(database, { backup: name, at: clock.now(), cause }));
        putInPlace(prepared, file);
        return (kept = path);
      }),
    undo: () => inOrder(() => restoreKept(kept, file)),
    discard: () => removePrepared(file),
  };
}

/**
 * Restores a backup while nothing holds the workspace. The replaced workspace is kept, see `PreparedRestore.replace`;
 * the backup stays, too.
 * @param name a file of the folder `backups`
 * @returns the place of the replaced workspace; null if there was nothing
 *
 * Throws NOT_FOUND, WORKSPACE_LOCKED, WORKSPACE_NEWER or WORKSPACE_DAMAGED (of the backup), or STORAGE_FULL; the
 * workspace is then unchanged.
 */
export async function restoreBackup(
  directory: string,
  name: string,
  clock: Clock = systemClock,
): Promise<string | null> {
  const file = join(directory, 'workspace.db');
  findBackup(file, name);
  const lock = InstanceLock.acquire(directory, clock);
  try {
    const prepared = await prepareRestore(file, name, clock);
    try {
      return await prepared.replace();
    } finally {
      prepared.discard();
    }
  } finally {
    lock.release();
  }
}

interface Kept {
  path: string | null;
  given: GivenNumbers | null;
}
const NOTHING: Kept = { path: null, given: null };

/** Errors that prevent reading a file, and so making a backup of it; all others may be temporary. */
const UNREADABLE = new Set<unknown>(['WORKSPACE_DAMAGED', 'WORKSPACE_NEWER', 'INTERNAL']);

async function keep(file: string, clock: Clock): Promise<Kept> {
  try {
    const database = openDatabase(file, { clock });
    try {
      const given = givenNumbersOf(database);
      const path = await backUp(database, clock, 'manual');
      const [state] = database.prepare<[], { busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)').all();
      if (state?.busy === 0) return { path, given };
      rmSync(path, { force: true });
      throw inUse(file);
    } finally {
      database.close();
    }
  } catch (thrown) {
    const known = storageError(thrown, file);
    if (known instanceof TagwrightError && !UNREADABLE.has(known.code)) throw known;
    const folder = join(backupFolderOf(file), `replaced-${clock.iso().replaceAll(/[-:.]/g, '')}`);
    makeOwnFolder(folder);
    for (const suffix of ['', ...SIDE_FILES]) {
      const to = join(folder, basename(file) + suffix);
      if (suffix === '' || isFile(file + suffix)) await durableCopy(file + suffix, to);
    }
    syncFolder(folder);
    return { path: folder, given: null };
  }
}

/** A link or a pipe next to the file does not belong to the workspace; copying a pipe would wait forever. */
const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Its WAL must not be deleted while another program uses it. */
function inUse(file: string): TagwrightError {
  return new TagwrightError(
    'UNAVAILABLE',
    `Another program reads "${file}" (a database browser, or a copy of the workspace in progress). Close it and try again.`,
    { data: { file } },
  );
}

/** The one step that changes the workspace: before it everything is old, after it everything is new. */
function putInPlace(prepared: string, file: string): void {
  // SQLite would take them for those of the new file. Their contents are in the old file, or were kept with it.
  for (const suffix of SIDE_FILES) rmSync(file + suffix, { force: true });
  renameSync(prepared, file);
  syncFolder(dirname(file));
}

async function restoreKept(kept: string | null, file: string): Promise<void> {
  if (kept === null) return;
  if (!statSync(kept).isDirectory()) return putInPlace(await onTheSameDisk(kept, file), file);
  const first = preparedFor(file);
  copyFileSync(join(kept, basename(file)), first);
  syncFile(first);
  putInPlace(first, file);
  for (const suffix of SIDE_FILES) {
    const from = join(kept, basename(file) + suffix);
    if (existsSync(from)) copyFileSync(from, file + suffix);
  }
}

/** A file to rename to the other one: the file itself, because a full disk has no space for a copy. */
async function onTheSameDisk(kept: string, file: string): Promise<string> {
  const moved = preparedFor(file);
  try {
    renameSync(kept, moved);
  } catch (thrown) {
    if (codeOf(thrown) !== 'EXDEV') throw thrown;
    await durableCopy(kept, moved);
  }
  return moved;
}

/** The copy gets the mode of its source. */
async function durableCopy(from: string, to: string): Promise<void> {
  hideFile(from);
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  const handle = await open(to, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The replaced workspace is copied after the instance has ended: checking the space now avoids ending it for nothing.
 */
async function checkRoom(file: string): Promise<void> {
  const sizes = ['', '-wal'].map((suffix) => statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0);
  const needed = sizes.reduce((sum, size) => sum + size, 0);
  const { bavail, bsize } = await statfs(dirname(file));
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(1);
  throw new TagwrightError(
    'STORAGE_FULL',
    `The replaced workspace is kept, which needs ${megabytes(needed)} MB; the disk of "${file}" has ` +
      `${megabytes(bavail * bsize)} MB. Nothing was changed. Free some space and try again.`,
    { data: { file, needed, free: bavail * bsize } },
  );
}

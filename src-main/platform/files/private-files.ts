import type { Stats } from 'node:fs';
import { chmodSync, closeSync, fchmodSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file or folder of a workspace that others than its owner can read, write or enter. */
export interface ExposedFile {
  path: string;
  /** In the notation of `ls`: 0o644. */
  mode: number;
}

/** The files of a workspace itself; the folder may also contain files of others. */
const OWN_FILES =
  /^(?:(?:workspace|plant)\.db|instance\.(?:lock|json)|secrets\.key|sample\.unfinished|being-made\.tmp)/;
/** Folders whose whole contents belong to the workspace. */
const OWN_FOLDERS = ['backups', 'logs', 'mock-files'];
const OTHERS = 0o077;

/**
 * The files of a workspace, and of the folders that Tagwright creates in it, that others than the owner can read. Links
 * are skipped: their targets are not part of the workspace. Always empty on Windows, where folders pass on their
 * permissions.
 */
export function exposedFiles(workspace: string): ExposedFile[] {
  if (process.platform === 'win32') return [];
  const own = namesIn(workspace).filter((name) => OWN_FILES.test(name));
  const paths = [...own, ...OWN_FOLDERS].map((name) => join(workspace, name));
  const within = OWN_FOLDERS.flatMap((name) => pathsIn(join(workspace, name)));
  return [...paths, ...within].flatMap((path) => {
    const found = statusOf(path);
    const isOurs = found !== null && (found.isFile() || found.isDirectory());
    return isOurs && (found.mode & OTHERS) !== 0 ? [{ path, mode: found.mode & 0o777 }] : [];
  });
}

/**
 * Removes the permissions of others from all of them; returns those for which that failed, such as files of another
 * owner.
 */
export function hideFiles(workspace: string): ExposedFile[] {
  for (const { path, mode } of exposedFiles(workspace)) {
    try {
      chmodSync(path, mode & ~OTHERS);
    } catch {
      // The second search finds it again.
    }
  }
  return exposedFiles(workspace);
}

/**
 * Creates an empty file that only its owner can read, whatever the umask. SQLite gives the files next to a database the
 * mode of the database. An existing file gets that mode without being opened: closing it would release SQLite's locks.
 */
export function makePrivateFile(path: string): void {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    hideFile(path);
    return;
  }
  try {
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
}

/** Removes the permissions of others from a file; has no effect on a link, or on a file of another user. */
export function hideFile(path: string): void {
  const found = statusOf(path);
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & 0o700);
  } catch {
    // `exposedFiles` lists it.
  }
}

/** Creates a folder, with missing parents, that only this user can enter. */
export function makeOwnFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function pathsIn(folder: string): string[] {
  return namesIn(folder).flatMap((name) => {
    const path = join(folder, name);
    return statusOf(path)?.isDirectory() ? [path, ...pathsIn(path)] : [path];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function statusOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

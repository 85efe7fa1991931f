import type { Stats } from 'node:fs';
import { chmodSync, closeSync, fchmodSync, lstatSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A file or folder of a workspace that others than its owner may read, write or enter. */
export interface ExposedFile {
  path: string;
  /** As `ls` counts it: 0o644. */
  mode: number;
}

/** The files of a workspace itself; beside them the folder may hold what somebody else put there. */
const OWN_FILES =
  /^(?:(?:workspace|plant)\.db|instance\.(?:lock|json)|secrets\.key|sample\.unfinished|being-made\.tmp)/;
/** All that is in them is the workspace's. */
const OWN_FOLDERS = ['backups', 'logs', 'mock-files'];
const OTHERS = 0o077;

/**
 * What others than the owner may read of a workspace, with the folders that Tagwright makes in it. Links are left out:
 * what they lead to is not part of the workspace. Always empty on Windows, where folders pass their rights on.
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

/** Takes the rights of others away from all of them; returns those where that failed, as with files of another owner. */
export function hideFiles(workspace: string): ExposedFile[] {
  for (const { path, mode } of exposedFiles(workspace)) {
    try {
      chmodSync(path, mode & ~OTHERS);
    } catch {
      // It is found again below.
    }
  }
  return exposedFiles(workspace);
}

/**
 * Makes an empty file that only its owner may read, whatever the umask. SQLite gives the files beside a database the
 * mode of the database. One that is there gets that mode and is not opened: closing it would drop SQLite's locks.
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

/** Takes the rights of others away from a file; nothing where it is a link, or belongs to somebody else. */
export function hideFile(path: string): void {
  const found = statusOf(path);
  if (!found?.isFile() || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & 0o700);
  } catch {
    // `exposedFiles` lists it.
  }
}

/** Makes a folder, with those above it that are missing, which nobody but this user may enter. */
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

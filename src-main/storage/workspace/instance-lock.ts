import { chmodSync, closeSync, constants, ftruncateSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { openPlain, readPlain } from '../../platform/files/plain-file.ts';
import { makePrivateFile } from '../../platform/files/private-files.ts';
import { codeOf, isDamage, storageError } from '../storage-error.ts';

const details = z.object({
  pid: z.int().positive(),
  /** The address of the RPC server; null if it does not listen (yet). */
  url: z.string().nullable(),
  /** The token that the RPC server requires of its clients; null if there is no server. */
  token: z.string().nullable(),
  startedAt: z.string(),
});

/** The running instance that holds a workspace, according to `instance.json`. */
export type InstanceDetails = z.infer<typeof details>;

/** How long a starting instance waits for a client that is only checking the lock, ms. */
const PATIENCE_MS = 250;

/**
 * One running instance per workspace. The lock is the operating system's on `instance.lock`, held through SQLite: it
 * ends with the process, for whatever reason, on every system. `instance.json`, which only its owner can read, names
 * the holder and, once published, how to connect to it.
 */
export class InstanceLock {
  readonly #database: Database.Database;
  readonly #file: string;
  readonly #startedAt: string;
  #written = false;
  /** The previous holder if its process ended without releasing the workspace; otherwise null. */
  readonly interrupted: Pick<InstanceDetails, 'pid' | 'startedAt'> | null;

  private constructor(database: Database.Database, file: string, startedAt: string) {
    this.#database = database;
    this.#file = file;
    this.#startedAt = startedAt;
    // A holder deletes its details when it ends.
    const left = readDetails(file);
    this.interrupted = left && { pid: left.pid, startedAt: left.startedAt };
  }

  /** Acquires the lock of the workspace folder, or throws WORKSPACE_LOCKED with `data.pid`. */
  static acquire(directory: string, clock: Clock): InstanceLock {
    const lockFile = join(directory, 'instance.lock');
    let database: Database.Database | undefined;
    try {
      makePrivateFile(lockFile);
      database = new Database(lockFile, { timeout: PATIENCE_MS });
      // No journal file that a killed process could leave behind.
      database.pragma('journal_mode = MEMORY');
      database.exec('BEGIN EXCLUSIVE');
      const lock = new InstanceLock(database, join(directory, 'instance.json'), clock.iso());
      lock.publish({ url: null, token: null });
      return lock;
    } catch (thrown) {
      database?.close();
      if (codeOf(thrown) === 'SQLITE_BUSY') throw lockedBy(directory);
      if (isDamage(thrown)) throw foreignLockFile(lockFile, thrown);
      throw storageError(thrown, lockFile);
    }
  }

  /** Publishes how clients can connect to this instance. */
  publish(how: Pick<InstanceDetails, 'url' | 'token'>): void {
    const content: InstanceDetails = { pid: process.pid, ...how, startedAt: this.#startedAt };
    if (this.#written && overwrite(this.#file, `${JSON.stringify(content)}\n`)) return;
    const unfinished = `${this.#file}.new`;
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(unfinished, 0o600);
    renameSync(unfinished, this.#file);
    this.#written = true;
  }

  /** Releases the workspace. */
  release(): void {
    if (!this.#database.open) return;
    rmSync(this.#file, { force: true });
    this.#database.close();
  }
}

/**
 * The instance that holds the workspace now, or null if none does. Leftovers of a killed process in `instance.json` are
 * not mistaken for a running instance. The details of one that is just starting may lack `url` and `token`.
 */
export function readInstance(directory: string): InstanceDetails | null {
  // The lock is acquired before the details are written; until then, those of a previous holder may exist.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    if (!isLocked(directory)) return null;
    const found = readDetails(join(directory, 'instance.json'));
    if (found && isAlive(found.pid)) return found;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  return null;
}

/** The lock of a workspace as seen from outside. */
export interface LockState {
  held: boolean;
  /** The contents of `instance.json`, even if left by a process that has ended; null if it has none. */
  details: Pick<InstanceDetails, 'pid' | 'url' | 'startedAt'> | null;
  /** Whether a process with that pid runs. */
  alive: boolean;
  /** Whether `instance.lock` is not a lock file, which prevents every instance from starting. */
  foreign: boolean;
}

/** Checks the lock of a workspace without acquiring it. */
export function lockState(directory: string): LockState {
  const found = fileLockState(directory);
  const left = readDetails(join(directory, 'instance.json'));
  return {
    held: found === 'held',
    details: left,
    alive: left !== null && isAlive(left.pid),
    foreign: found === 'foreign',
  };
}

/**
 * Writes into the existing file: in the sandbox of a plant host that file is hidden, and a new one in its place would
 * not be. A reader at that moment reads it again.
 */
function overwrite(file: string, text: string): boolean {
  try {
    const descriptor = openPlain(file, constants.O_RDWR);
    try {
      ftruncateSync(descriptor, writeSync(descriptor, text, 0));
    } finally {
      closeSync(descriptor);
    }
    return true;
  } catch {
    return false;
  }
}

function lockedBy(directory: string): TagwrightError {
  const holder = readInstance(directory);
  const who = holder ? `the running instance with pid ${holder.pid}` : 'another running instance';
  return new TagwrightError(
    'WORKSPACE_LOCKED',
    `The workspace "${directory}" is held by ${who}. Use that instance, stop it, or choose another workspace.`,
    { data: { directory, pid: holder?.pid ?? null } },
  );
}

function foreignLockFile(file: string, cause: unknown): TagwrightError {
  return new TagwrightError('WORKSPACE_DAMAGED', `"${file}" is not a lock file. Delete it and restart Tagwright.`, {
    data: { file, reason: 'not a lock file', backups: [] },
    cause,
  });
}

const isLocked = (directory: string): boolean => fileLockState(directory) === 'held';

/** Reads through SQLite: opening and closing the file otherwise would release a lock of this process. */
function fileLockState(directory: string): 'free' | 'held' | 'foreign' {
  let database: Database.Database | undefined;
  try {
    database = new Database(join(directory, 'instance.lock'), { readonly: true, fileMustExist: true, timeout: 0 });
    database.pragma('schema_version');
    return 'free';
  } catch (thrown) {
    if (codeOf(thrown).startsWith('SQLITE_BUSY')) return 'held';
    return isDamage(thrown) ? 'foreign' : 'free';
  } finally {
    database?.close();
  }
}

function readDetails(file: string): InstanceDetails | null {
  try {
    return details.safeParse(JSON.parse(readPlain(file))).data ?? null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return codeOf(thrown) === 'EPERM';
  }
}

import { open, realpath, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { TagwrightError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { CommitQueue } from './commit-queue.ts';
import type { PlantDatabase } from './plant/plant-database.ts';
import type { FileIdentity } from './workspace/file-identity.ts';
import { identityOf } from './workspace/file-identity.ts';

/** Why nothing can be stored in the workspace at present, or by DB tags (`plant-…`). */
export interface StorageProblem {
  code: keyof typeof PROBLEMS;
  message: string;
}

type Code = StorageProblem['code'];

const PROBLEMS = {
  'storage-full': 'The disk of the workspace is full. Free some space; writes work again then.',
  'read-only': 'The workspace cannot be written. Give the user of Tagwright write permission for it.',
  'database-lost': 'The file workspace.db was deleted or replaced while in use. Restore it, or restart Tagwright.',
  'database-damaged': 'The database of the workspace is damaged. Restart Tagwright: it lists the backups.',
  'storage-error': 'The disk of the workspace reports errors, or another program holds the database.',
  'plant-full': 'The disk of plant.db is full, so DB tags cannot be written. Free some space.',
  'plant-read-only':
    'The file plant.db cannot be opened or written. Give the user of Tagwright write permission for it and its folder.',
  'plant-lost': 'There is no plant.db, so DB tags have no values. Restore it; a restart creates an empty one.',
  'plant-damaged': 'The file plant.db is damaged, or not a database. Replace it with an intact copy.',
  'plant-error': 'The disk of plant.db reports errors.',
} as const;

const CODES: Readonly<Record<string, Code>> = {
  STORAGE_FULL: 'storage-full',
  WORKSPACE_READ_ONLY: 'read-only',
  WORKSPACE_DAMAGED: 'database-damaged',
  UNAVAILABLE: 'storage-error',
};

/** Primary result codes of SQLite that the processes for plant.db report. */
const PLANT_CODES: Readonly<Record<number, Code>> = {
  3: 'plant-read-only', // PERM
  8: 'plant-read-only', // READONLY
  10: 'plant-error', // IOERR
  11: 'plant-damaged', // CORRUPT
  13: 'plant-full', // FULL
  14: 'plant-read-only', // CANTOPEN
  26: 'plant-damaged', // NOTADB
};
/** IOERR_SHMSIZE: on a full disk, SQLite cannot extend its shared memory either. */
const NO_SHARED_MEMORY = 4_874;
/** CORRUPT_VTAB: statements can cause it in a file that is whole. */
const MISUSED_TABLE = 267;

/** How often the files are checked, and a write is tried while writes fail, ms. */
const LOOK_MS = 5_000;
/** A disk with less space is full: a commit takes some pages, a busy workspace many. */
const LEAST_BYTES = 2 ** 20;
/** Higher than the limit, so that the status does not alternate. */
const TRIED_BYTES = 2 * LEAST_BYTES;
const TRIAL_FILE = 'storage-trial.tmp';

export interface StorageHealthParts {
  database: Database;
  commits: CommitQueue;
  plant?: Pick<PlantDatabase, 'path' | 'onFileFault' | 'tryOut'>;
  log: Log;
  lookMs?: number;
  /** The free space on the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

/**
 * Whether the workspace and plant.db can store data. A problem begins with the first failed access to the disk, or with
 * almost no space left, and ends when writes work again, which is checked every few seconds. Both are logged.
 */
export class StorageHealth {
  readonly #parts: StorageHealthParts;
  readonly #identity: string | null;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: (() => void)[] = [];
  readonly #workspace: Failing;
  readonly #plant: Failing;
  #looking: Promise<void> | null = null;

  constructor(parts: StorageHealthParts) {
    const { database, commits, plant, log, lookMs = LOOK_MS } = parts;
    this.#parts = parts;
    this.#workspace = new Failing(log);
    this.#plant = new Failing(log);
    this.#identity = identityOf(database.name);
    // Left by a process that was ended during the check.
    void rm(join(dirname(database.name), TRIAL_FILE), { force: true }).catch(() => undefined);
    this.#unsubscribe.push(commits.onRefused((thrown) => this.#refusedWith(thrown)));
    if (plant) this.#unsubscribe.push(plant.onFileFault((sqlite) => this.#plantFailed(sqlite, plant.path)));
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
      });
    }, lookMs).unref();
  }

  /** [] while writes work. */
  problems(): StorageProblem[] {
    this.#findLost();
    return [this.#workspace, this.#plant].flatMap(({ code }) =>
      code === null ? [] : [{ code, message: PROBLEMS[code] }],
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    await this.#looking;
  }

  async #look(): Promise<void> {
    this.#findLost();
    await this.#checkWorkspace();
    await this.#checkPlant();
  }

  async #checkWorkspace(): Promise<void> {
    const { database, freeBytes = freeBytesOf } = this.#parts;
    const folder = dirname(database.name);
    if (this.#workspace.code === null) {
      if ((await freeBytes(folder)) < LEAST_BYTES) this.#workspace.fail('storage-full');
    } else if (this.#workspace.code !== 'database-lost' && (await hasRoom(folder))) await this.#tryWrite();
  }

  async #checkPlant(): Promise<void> {
    const { plant } = this.#parts;
    const { code, file } = this.#plant;
    if (!plant || code === null || code === 'plant-lost') return;
    // Most of a damaged file can be read, so that reading proves nothing.
    if (code === 'plant-damaged' && identityOf(plant.path) === file) return;
    try {
      // SQLite begins to write even if there is no space.
      if (code === 'plant-full' && !(await hasRoom(dirname(await realpath(plant.path))))) return;
      await plant.tryOut();
      this.#plant.recover();
    } catch {
      // It stays as it is.
    }
  }

  /** SQLite continues to write into a deleted file, and nothing of that exists at the next start. */
  #findLost(): void {
    const { database, plant } = this.#parts;
    const isThere = identityOf(database.name) === this.#identity;
    if (!isThere) this.#workspace.fail('database-lost');
    else if (this.#workspace.code === 'database-lost') this.#workspace.recover();
    if (!plant) return;
    if (identityOf(plant.path) === null) this.#plant.fail('plant-lost');
    else if (this.#plant.code === 'plant-lost') this.#plant.recover();
  }

  #refusedWith(thrown: unknown): void {
    if (!(thrown instanceof TagwrightError)) return;
    const code = CODES[thrown.code];
    // A missing file is not a failure of the disk.
    if (code === undefined || typeof thrown.data['file'] !== 'string') return;
    this.#workspace.refused += 1;
    this.#workspace.fail(code);
  }

  #plantFailed(sqlite: number, path: string): void {
    const code = sqlite === NO_SHARED_MEMORY ? 'plant-full' : PLANT_CODES[sqlite & 0xff];
    if (code === undefined || sqlite === MISUSED_TABLE) return;
    this.#plant.refused += 1;
    this.#plant.fail(code, identityOf(path));
  }

  /** Setting the same number writes one page. */
  async #tryWrite(): Promise<void> {
    const { database, commits } = this.#parts;
    try {
      await commits.run(() => {
        database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true }))}`);
      });
      this.#workspace.recover();
    } catch {
      // The queue has reported it.
    }
  }
}

/** The problem of a file, from its beginning to its end. */
class Failing {
  readonly #log: Log;
  code: Code | null = null;
  /** Which file it was. */
  file: FileIdentity | null = null;
  /** Number of failed accesses since the beginning. */
  refused = 0;
  #since = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  fail(code: Code, file: FileIdentity | null = null): void {
    this.file = file;
    if (this.code === code) return;
    if (this.code === null) this.#since = performance.now();
    this.code = code;
    this.#log.error(PROBLEMS[code], undefined, { event: 'storage.failing', reason: code });
  }

  recover(): void {
    const [reason, refused] = [this.code, this.refused];
    if (reason === null) return;
    this.code = null;
    this.refused = 0;
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    const message = reason.startsWith('plant-') ? 'The file plant.db works again.' : 'Writes work again.';
    this.#log.warn(message, { event: 'storage.recovered', reason, seconds, refused });
  }
}

/** Infinity if the system does not report it. */
async function freeBytesOf(folder: string): Promise<number> {
  try {
    const { bavail, bsize, blocks } = await statfs(folder);
    return blocks > 0 ? bavail * bsize : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Writes a file: a single page fits on an almost full disk, and a quota is only detected by writing. */
async function hasRoom(folder: string): Promise<boolean> {
  const path = join(folder, TRIAL_FILE);
  try {
    await rm(path, { force: true });
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(Buffer.alloc(TRIED_BYTES, 1));
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

import type { Database } from 'better-sqlite3';
import { TagwrightError } from '../platform/errors.ts';
import type { Log } from '../platform/log.ts';
import type { CommitQueue } from './commit-queue.ts';
import { identityOf } from './workspace/file-identity.ts';

/** Why the workspace keeps nothing at present. */
export interface StorageProblem {
  code: 'storage-full' | 'read-only' | 'database-lost' | 'database-damaged' | 'storage-error';
  message: string;
}

const PROBLEMS: Readonly<Record<StorageProblem['code'], string>> = {
  'storage-full': 'The disk of the workspace is full. Free some space; writes work again then.',
  'read-only': 'The workspace cannot be written. Give the user of Tagwright the right to write it.',
  'database-lost': 'The file workspace.db was deleted or replaced while in use. Put it back, or restart Tagwright.',
  'database-damaged': 'The database of the workspace is damaged. Restart Tagwright: it names the backups.',
  'storage-error': 'The disk of the workspace reports errors, or another program holds the database.',
};
const CODES: Readonly<Record<string, StorageProblem['code']>> = {
  STORAGE_FULL: 'storage-full',
  WORKSPACE_READ_ONLY: 'read-only',
  WORKSPACE_DAMAGED: 'database-damaged',
  UNAVAILABLE: 'storage-error',
};
/** How often the file is looked at, and a write is tried while writes fail, ms. */
const LOOK_MS = 5_000;

export interface StorageHealthParts {
  database: Database;
  commits: CommitQueue;
  log: Log;
  lookMs?: number;
}

/**
 * Whether the workspace keeps what it is given. From the first write that the disk refuses there is a problem, until a
 * write works again: while there is one, a small write is tried every few seconds. Both ends are logged.
 */
export class StorageHealth {
  readonly #parts: StorageHealthParts;
  readonly #identity: string | null;
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #problem: StorageProblem['code'] | null = null;
  #since = 0;
  #refused = 0;
  #trying = false;

  constructor(parts: StorageHealthParts) {
    const { database, commits, lookMs = LOOK_MS } = parts;
    this.#parts = parts;
    this.#identity = identityOf(database.name);
    this.#unsubscribe = commits.onRefused((thrown) => this.#refusedWith(thrown));
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  /** [] while writes work. */
  problems(): StorageProblem[] {
    this.#findLost();
    return this.#problem === null ? [] : [{ code: this.#problem, message: PROBLEMS[this.#problem] }];
  }

  close(): void {
    clearInterval(this.#timer);
    this.#unsubscribe();
  }

  #look(): void {
    this.#findLost();
    if (this.#problem !== null && this.#problem !== 'database-lost') void this.#tryWrite();
  }

  /** SQLite goes on writing into a file that has no name any more, and nothing of that is there at the next start. */
  #findLost(): void {
    const isThere = identityOf(this.#parts.database.name) === this.#identity;
    if (!isThere) this.#fail('database-lost');
    else if (this.#problem === 'database-lost') this.#recover();
  }

  #refusedWith(thrown: unknown): void {
    if (!(thrown instanceof TagwrightError)) return;
    const code = CODES[thrown.code];
    // Without the file it is no failure of the disk.
    if (code === undefined || typeof thrown.data['file'] !== 'string') return;
    this.#refused += 1;
    this.#fail(code);
  }

  /** Setting the same number is a write of one page. */
  async #tryWrite(): Promise<void> {
    if (this.#trying) return;
    this.#trying = true;
    const { database, commits } = this.#parts;
    try {
      await commits.run(() => {
        database.pragma(`user_version = ${Number(database.pragma('user_version', { simple: true }))}`);
      });
      this.#recover();
    } catch {
      // The queue has reported it.
    } finally {
      this.#trying = false;
    }
  }

  #fail(code: StorageProblem['code']): void {
    if (this.#problem === code) return;
    if (this.#problem === null) this.#since = performance.now();
    this.#problem = code;
    this.#parts.log.error(PROBLEMS[code], undefined, { event: 'storage.failing', reason: code });
  }

  #recover(): void {
    const [reason, refused] = [this.#problem, this.#refused];
    if (reason === null) return;
    this.#problem = null;
    this.#refused = 0;
    const seconds = Math.round((performance.now() - this.#since) / 1_000);
    this.#parts.log.warn('Writes work again.', { event: 'storage.recovered', reason, seconds, refused });
  }
}

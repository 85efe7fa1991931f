import type { BigIntStats } from 'node:fs';
import { rmSync, statSync } from 'node:fs';

/** Tells one file from another that has taken its place, whatever it is called. */
export type FileIdentity = string;

/** The file that the user may replace: which one it is now. */
export class PlantFile {
  readonly path: string;
  #known: FileIdentity | null = null;
  #knownWal: FileIdentity | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Looks at the file: `same` as at the last look, `other`, or `missing`. To be called before every use. Opening and
   * closing it here would take the locks of SQLite away, if there were a connection in this process: there is none.
   */
  look(): 'same' | 'other' | 'missing' {
    const found = identityOf(this.path);
    if (found === null) return 'missing';
    const before = this.#known;
    this.#known = found;
    if (before !== null && before !== found) return 'other';
    this.noteLog();
    return 'same';
  }

  /** To be called after every use: the log that is there now is that of the file that is known. */
  noteLog(): void {
    if (identityOf(this.path) === this.#known) this.#knownWal = identityOf(`${this.path}-wal`);
  }

  get identity(): FileIdentity | null {
    return this.#known;
  }

  /**
   * Removes the write-ahead log of the file that was there before: SQLite would take it for that of the new one. No
   * connection may be open. One that came with the new file stays.
   */
  dropFormerLog(): void {
    const wal = identityOf(`${this.path}-wal`);
    if (wal === null || wal !== this.#knownWal) return;
    for (const suffix of ['-wal', '-shm']) rmSync(this.path + suffix, { force: true });
  }
}

export function identityOf(path: string): FileIdentity | null {
  const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`;
}

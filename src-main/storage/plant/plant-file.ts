import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hideFile } from '../../platform/files/private-files.ts';
import type { FileIdentity } from '../workspace/file-identity.ts';
import { identityOf } from '../workspace/file-identity.ts';
import { LogNote } from './log-note.ts';

/** Detects whether the user has replaced the file. */
export class PlantFile {
  readonly path: string;
  readonly #note: LogNote;
  #known: FileIdentity | null = null;
  #knownWal: FileIdentity | null = null;
  #isWorkspace = false;

  constructor(path: string) {
    this.path = path;
    this.#note = new LogNote(path);
  }

  /** Removes a log that a crash has left for another file. Must be called before the file is used. */
  dropLogLeftBehind(): void {
    if (this.#note.isOfFormerFile()) this.#dropLog();
  }

  /**
   * Checks the file: `same` as at the last check, `other`, or `missing`. Must be called before every use. Opening and
   * closing the file here would release the locks of SQLite if there were a connection in this process: there is none.
   */
  look(): 'same' | 'other' | 'missing' {
    const found = identityOf(this.path);
    if (found === null) return 'missing';
    const before = this.#known;
    this.#known = found;
    if (before !== found) {
      hideFile(this.path);
      this.#isWorkspace = found === identityOf(join(dirname(this.path), 'workspace.db'));
    }
    if (before !== null && before !== found) return 'other';
    this.noteLog();
    return 'same';
  }

  /** Must be called after every use: the current log belongs to the known file. */
  noteLog(): void {
    if (identityOf(this.path) !== this.#known) return;
    const wal = identityOf(`${this.path}-wal`);
    if (wal === this.#knownWal) return;
    this.#knownWal = wal;
    this.#note.update();
  }

  /**
   * Whether it is workspace.db itself under another name, through a link: no statement may run on it, and reading its
   * bytes would release the locks of this process.
   */
  get isWorkspace(): boolean {
    return this.#isWorkspace;
  }

  /** Whether the log is not empty. */
  get hasLog(): boolean {
    return (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  }

  get identity(): FileIdentity | null {
    return this.#known;
  }

  /**
   * Removes the write-ahead log of the previous file: SQLite would take it for that of the new one. No connection may
   * be open. A log that came with the new file stays.
   */
  dropFormerLog(): void {
    const wal = identityOf(`${this.path}-wal`);
    if (wal !== null && wal === this.#knownWal) this.#dropLog();
  }

  #dropLog(): void {
    for (const suffix of ['-wal', '-shm']) rmSync(this.path + suffix, { force: true });
  }
}

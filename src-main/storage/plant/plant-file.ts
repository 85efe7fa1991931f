import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hideFile } from '../../platform/files/private-files.ts';
import type { FileIdentity } from '../workspace/file-identity.ts';
import { identityOf } from '../workspace/file-identity.ts';
import { LogNote } from './log-note.ts';

/** The file that the user may replace: which one it is now. */
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

  /** Removes the log of another file that a crash has left here. To be called before the file is used. */
  dropLogLeftBehind(): void {
    if (this.#note.isOfFormerFile()) this.#dropLog();
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
    if (before !== found) {
      hideFile(this.path);
      this.#isWorkspace = found === identityOf(join(dirname(this.path), 'workspace.db'));
    }
    if (before !== null && before !== found) return 'other';
    this.noteLog();
    return 'same';
  }

  /** To be called after every use: the log that is there now is that of the file that is known. */
  noteLog(): void {
    if (identityOf(this.path) !== this.#known) return;
    const wal = identityOf(`${this.path}-wal`);
    if (wal === this.#knownWal) return;
    this.#knownWal = wal;
    this.#note.update();
  }

  /**
   * Whether it is workspace.db itself under another name, as a link: no statement may run on it, and looking at its bytes
   * would take away the locks of this process.
   */
  get isWorkspace(): boolean {
    return this.#isWorkspace;
  }

  /** Whether there is anything in the log. */
  get hasLog(): boolean {
    return (statSync(`${this.path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
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
    if (wal !== null && wal === this.#knownWal) this.#dropLog();
  }

  #dropLog(): void {
    for (const suffix of ['-wal', '-shm']) rmSync(this.path + suffix, { force: true });
  }
}

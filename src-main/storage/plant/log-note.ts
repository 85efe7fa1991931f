import type { BigIntStats } from 'node:fs';
import { rmSync, statSync } from 'node:fs';
import { z } from 'zod';
import { NotAFile, readPlain, writePlain } from '../../platform/files/plain-file.ts';

/** Which log belongs to which file. */
const noteShape = z.object({ file: z.string(), log: z.string() });

/**
 * Records which plant.db a write-ahead log belongs to: a crash leaves the log behind, and if the file has been replaced
 * at the next start, SQLite would write the log into the wrong file.
 */
export class LogNote {
  readonly #path: string;
  readonly #note: string;

  /** @param path plant.db */
  constructor(path: string) {
    this.#path = path;
    this.#note = `${path}-log.json`;
  }

  /** Records that the current log belongs to the current file; or that there is none. */
  update(): void {
    const [file, log] = [exactIdentityOf(this.#path), exactIdentityOf(`${this.#path}-wal`)];
    if (file === null || log === null) rmSync(this.#note, { force: true });
    else this.#write(JSON.stringify({ file, log }));
  }

  /**
   * Whether the current log belongs to a file that no longer exists. A log that came with the current file differs from
   * the recorded one.
   */
  isOfFormerFile(): boolean {
    const note = this.#read();
    if (!note) return false;
    return note.log === exactIdentityOf(`${this.#path}-wal`) && note.file !== exactIdentityOf(this.#path);
  }

  /** A compromised host may have replaced it. */
  #write(text: string): void {
    try {
      writePlain(this.#note, text);
    } catch (thrown) {
      if (!(thrown instanceof NotAFile)) throw thrown;
      rmSync(this.#note);
      writePlain(this.#note, text);
    }
  }

  #read(): z.infer<typeof noteShape> | null {
    try {
      return noteShape.parse(JSON.parse(readPlain(this.#note)));
    } catch {
      return null;
    }
  }
}

/** Includes the creation time of the file, because numbers of deleted files are reused. */
function exactIdentityOf(path: string): string | null {
  try {
    const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
  } catch {
    return null;
  }
}

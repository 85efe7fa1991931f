import type { BigIntStats } from 'node:fs';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Which log belongs to which file. */
const noteShape = z.object({ file: z.string(), log: z.string() });

/**
 * Beside a plant.db with a write-ahead log it is noted whose log that is: a crash leaves the log there, and when another
 * file stands in the place of the one it belongs to at the next start, SQLite would write it over that file.
 */
export class LogNote {
  readonly #path: string;
  readonly #note: string;

  /** @param path plant.db */
  constructor(path: string) {
    this.#path = path;
    this.#note = `${path}-log.json`;
  }

  /** The log that is there now belongs to the file that is there now; or there is none. */
  update(): void {
    const [file, log] = [exactIdentityOf(this.#path), exactIdentityOf(`${this.#path}-wal`)];
    if (file === null || log === null) rmSync(this.#note, { force: true });
    else writeFileSync(this.#note, JSON.stringify({ file, log }), { mode: 0o600 });
  }

  /**
   * Whether the log that is there belongs to a file that is no longer there. A log that came with the file of now is
   * another one than was noted.
   */
  isOfFormerFile(): boolean {
    const note = this.#read();
    if (!note) return false;
    return note.log === exactIdentityOf(`${this.#path}-wal`) && note.file !== exactIdentityOf(this.#path);
  }

  #read(): z.infer<typeof noteShape> | null {
    try {
      return noteShape.parse(JSON.parse(readFileSync(this.#note, 'utf8')));
    } catch {
      return null;
    }
  }
}

/** With the time at which the file was made, since numbers of files that are gone are used again. */
function exactIdentityOf(path: string): string | null {
  try {
    const stats: BigIntStats | undefined = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? null : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
  } catch {
    return null;
  }
}

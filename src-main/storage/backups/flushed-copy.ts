import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { Database } from 'better-sqlite3';

/** SQLite copies so many pages in one turn of the event loop. */
const PAGES_A_TURN = 100;
/** So many pages wait for the disk at most before it is asked to take them. */
const FLUSH_AFTER_PAGES = 2_000;

/**
 * Copies an open database to a file, in many turns. What is written goes to the disk meanwhile, beside the event loop:
 * SQLite ends the copy with an fsync within one turn, which would else have the whole file to wait for.
 */
export async function flushedCopy(database: Database, target: string): Promise<void> {
  const files: FileHandle[] = [];
  let flushed = Promise.resolve();
  let flushing = false;
  let pages = 0;
  const flush = async () => {
    if (files.length === 0) files.push(await open(target, 'r+'));
    await files[0]?.datasync();
  };
  const progress = () => {
    pages += PAGES_A_TURN;
    if (pages >= FLUSH_AFTER_PAGES && !flushing) {
      pages = 0;
      flushing = true;
      // A disk that takes nothing is told by the fsync that ends the copy.
      flushed = flush()
        .catch(() => {})
        .finally(() => (flushing = false));
    }
    return PAGES_A_TURN;
  };
  try {
    await database.backup(target, { progress });
  } finally {
    await flushed;
    for (const file of files) await file.close();
  }
}

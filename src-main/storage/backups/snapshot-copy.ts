import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';

/** Number of pages that SQLite copies before the thread looks whether the copy is still wanted: 1 MB. */
const PAGES_AT_ONCE = 256;
/**
 * Maximum number of written pages before the disk is flushed. With more, commits of the workspace to the same disk would
 * wait for all of them at once.
 */
const FLUSH_AFTER_PAGES = 2_000;

/**
 * Copies a database that other connections use to an existing file. The copy has the state of the database at the
 * beginning, whatever is written in the meantime. Ends early, with an incomplete file, when the copy is no longer wanted.
 * No connection stays open. Throws errors of SQLite and of the file system.
 */
export async function snapshotCopy(from: string, to: string, isWanted: () => boolean): Promise<void> {
  const database = new Database(from, { readonly: true, fileMustExist: true });
  try {
    const target = openSync(to, 'r+');
    try {
      // The transaction shows the moment of its first read. Without it, SQLite would begin again after each commit.
      database.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
      let pages = 0;
      const progress = () => {
        if (!isWanted()) throw new Unwanted();
        pages += PAGES_AT_ONCE;
        if (pages >= FLUSH_AFTER_PAGES) {
          pages = 0;
          fdatasyncSync(target);
        }
        return PAGES_AT_ONCE;
      };
      await database.backup(to, { progress });
    } finally {
      closeSync(target);
    }
  } catch (thrown) {
    if (!(thrown instanceof Unwanted)) throw thrown;
  } finally {
    database.close();
  }
}

class Unwanted extends Error {}

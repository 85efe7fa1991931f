import Database from 'better-sqlite3';

/**
 * Changes the copy of a workspace, which must have no connection, in one transaction. Only the file is renamed later:
 * nothing stays in a WAL. The file gets the mode of a workspace here, because the first connection would otherwise
 * write a journal next to `workspace.db` for it, and a kill at that moment would leave that journal.
 */
export function changeCopy(file: string, work: (database: Database.Database) => void): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = FULL');
    database.transaction(() => work(database)).immediate();
    database.pragma('journal_mode = WAL');
  } finally {
    database.close();
  }
}

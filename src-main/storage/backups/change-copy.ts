import Database from 'better-sqlite3';

/**
 * Changes the copy of a workspace, which must have no connection, in one transaction. Only the file is renamed later:
 * nothing stays in a WAL.
 */
export function changeCopy(file: string, work: (database: Database.Database) => void): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    // The next connection creates a WAL again.
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = FULL');
    database.transaction(() => work(database)).immediate();
  } finally {
    database.close();
  }
}

import Database from 'better-sqlite3';

/** Numbers of a workspace that programs outside of it may know, and that are therefore never given again. */
export interface GivenNumbers {
  /** The highest id of an event. */
  event: number;
  /** The stretch from which the versions of the event list were taken last. */
  epoch: number;
}

/** Of a workspace of the newest schema. */
export function givenNumbersOf(database: Database.Database): GivenNumbers {
  const one = (sql: string) => database.prepare<[], number>(sql).pluck().get() ?? 0;
  return {
    event: one(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`),
    epoch: one('SELECT epoch FROM event_epoch'),
  };
}

/**
 * Makes a workspace file, which no connection holds, go on above numbers that were given: an older copy would give the
 * ids of events and the versions of their list once more, and a client of the events API would take the new ones for
 * those that it knows. A copy from before there were events has no place for them and stays as it is.
 */
export function keepGivenNumbers(file: string, { event, epoch }: GivenNumbers): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    const there = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'event_epoch'`).get();
    if (there === undefined) return;
    // The file is renamed alone: nothing of it may stay in a WAL. Whoever opens it makes one again.
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = FULL');
    database
      .transaction(() => {
        const raised = database
          .prepare(`UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'events'`)
          .run(event);
        if (raised.changes === 0)
          database.prepare(`INSERT INTO sqlite_sequence (name, seq) VALUES ('events', ?)`).run(event);
        database.prepare('UPDATE event_epoch SET epoch = max(epoch, ?)').run(epoch);
      })
      .immediate();
  } finally {
    database.close();
  }
}

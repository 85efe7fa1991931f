import Database from 'better-sqlite3';

/** Numbers of a workspace that programs outside of it may know, and that are therefore never given again. */
export interface GivenNumbers {
  /** The highest id that each table gave, those of data rows included. */
  ids: ReadonlyMap<string, number>;
  /** The stretch from which the versions of the event list were taken last. */
  epoch: number;
}

type Named = [table: string, id: number];

/** Of a workspace of the newest schema. */
export function givenNumbersOf(database: Database.Database): GivenNumbers {
  const ids = new Map(database.prepare<[], Named>('SELECT name, seq FROM sqlite_sequence').raw().all());
  const raise = ([table, id]: Named) => ids.set(table, Math.max(id, ids.get(table) ?? 0));
  const tables = database
    .prepare<[], string>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name IN (SELECT result_table FROM rules)`,
    )
    .pluck();
  for (const table of tables.all()) {
    const last = database.prepare<[], number | null>(`SELECT max(id) FROM "${table.replaceAll('"', '""')}"`).pluck();
    raise([table, last.get() ?? 0]);
  }
  for (const gone of database.prepare<[], Named>('SELECT result_table, last_id FROM last_result_ids').raw().all()) {
    raise(gone);
  }
  return { ids, epoch: database.prepare<[], number>('SELECT epoch FROM event_epoch').pluck().get() ?? 0 };
}

/**
 * Makes a workspace file, which no connection holds, go on above numbers that were given: an older copy would give the
 * ids of events and rows and the versions of the list of events once more, and a client of the events API would take the
 * new ones for those that it knows. Tables that the copy does not have yet have no place for them.
 */
export function keepGivenNumbers(file: string, { ids, epoch }: GivenNumbers): void {
  const database = new Database(file, { fileMustExist: true });
  try {
    // The file is renamed alone: nothing of it may stay in a WAL. Whoever opens it makes one again.
    database.pragma('journal_mode = DELETE');
    database.pragma('synchronous = FULL');
    const tables = new Map(
      database.prepare<[], [string, string]>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).raw().all(),
    );
    database
      .transaction(() => {
        for (const [table, id] of ids) {
          const sql = tables.get(table);
          if (sql?.includes('AUTOINCREMENT')) raiseSequence(database, table, id);
          else if (sql !== undefined && tables.has('last_result_ids')) raiseLastRow(database, table, id);
        }
        if (tables.has('event_epoch')) database.prepare('UPDATE event_epoch SET epoch = max(epoch, ?)').run(epoch);
      })
      .immediate();
  } finally {
    database.close();
  }
}

function raiseSequence(database: Database.Database, table: string, id: number): void {
  const raised = database.prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?').run(id, table);
  if (raised.changes === 0) database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, id);
}

function raiseLastRow(database: Database.Database, table: string, id: number): void {
  database
    .prepare(
      `INSERT INTO last_result_ids (result_table, last_id) VALUES (?, ?)
        ON CONFLICT DO UPDATE SET last_id = max(last_id, excluded.last_id)`,
    )
    .run(table, id);
}

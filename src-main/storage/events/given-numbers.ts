import type Database from 'better-sqlite3';
import { changeCopy } from '../backups/change-copy.ts';
import { lastChangeOf } from './event-repository.ts';

/** Numbers of a workspace that outside programs may know, and that are therefore never reused. */
export interface GivenNumbers {
  /** The highest id that each table assigned, including those of data rows. */
  ids: ReadonlyMap<string, number>;
  /** The number of the last change of an event. */
  change: number;
}

type Named = [table: string, id: number];

/** For a workspace of the newest schema. */
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
  return { ids, change: lastChangeOf(database) };
}

/**
 * Makes a workspace file, which must have no connection, continue above the given numbers: an older copy would assign
 * the ids of events and rows and the numbers of changes of events again, and a client of the events API would mistake
 * the new ones for events that it knows. Tables that the copy does not have yet are skipped.
 */
export function keepGivenNumbers(file: string, { ids, change }: GivenNumbers): void {
  changeCopy(file, (database) => {
    const tables = new Map(
      database.prepare<[], [string, string]>(`SELECT name, sql FROM sqlite_schema WHERE type = 'table'`).raw().all(),
    );
    for (const [table, id] of ids) {
      const sql = tables.get(table);
      if (sql?.includes('AUTOINCREMENT')) raiseSequence(database, table, id);
      else if (sql !== undefined && tables.has('last_result_ids')) raiseLastRow(database, table, id);
    }
    if (tables.has('event_feed')) restartFeed(database, change);
    // A database of an earlier version: the change feed will start after this number.
    else if (tables.has('event_epoch')) {
      database.prepare('UPDATE event_epoch SET epoch = max(epoch, ?)').run(change + 1);
    }
  });
}

/**
 * Continues above the number of the last change, without the earlier changes: they do not lead from what a client knows
 * to the events of the copy. The skipped number is no place in the feed, so that a client which has all changes of the
 * replaced workspace starts again too.
 */
function restartFeed(database: Database.Database, change: number): void {
  const last = Math.max(change, lastChangeOf(database));
  database.exec('DELETE FROM event_changes');
  database.prepare('UPDATE event_feed SET before = ?').run(last + 1);
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

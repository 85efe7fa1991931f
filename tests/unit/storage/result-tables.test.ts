import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { ResultTables } from '../../../src-main/storage/events/result-tables.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const TABLE = 'agg_1_it\'s_"quoted"';
const QUOTED = '"agg_1_it\'s_""quoted"""';
const AT = '2026-01-02T03:04:05.000+01:00';

/** A workspace, and another program that uses the same file. */
function openTables(file = join(temporaryFolder(), 'workspace.db')) {
  const database = openDatabase(file);
  const other = new Database(file);
  const tables = new ResultTables(database);
  const ensure = (table = TABLE) => tables.ensure(table, [{ name: 'value', type: 'REAL' }]);
  ensure();
  const fire = (times: number, table = TABLE): number[] =>
    Array.from({ length: times }, () =>
      tables.insert(table, ['value'], {
        firedAt: AT,
        firedBy: 'hand',
        windowStart: AT,
        windowEnd: AT,
        samples: 1,
        badSamples: 0,
        values: [1.5],
      }),
    );
  const close = () => {
    database.close();
    other.close();
  };
  onTestFinished(close);
  return { file, database, other, tables, ensure, fire, close };
}

test('an id is never reused after the newest rows were deleted, or a restart', () => {
  let world = openTables();
  expect(world.fire(3)).toEqual([1, 2, 3]);
  world.other.exec(`DELETE FROM ${QUOTED} WHERE id = 3`);
  expect(world.fire(2)).toEqual([4, 5]);
  world.other.exec(`DELETE FROM ${QUOTED} WHERE id IN (5, 4, 2)`);
  world.close();
  world = openTables(world.file);
  expect(world.fire(1)).toEqual([6]);
  world.other.exec(`DELETE FROM ${QUOTED}`);
  world.close();
  world = openTables(world.file);
  expect(world.fire(2)).toEqual([7, 8]);
  expect(world.tables.count(TABLE)).toBe(2);
});

test('a new table has all columns at once; later ones are added', () => {
  const { database, tables } = openTables();
  const changes = () => Number(database.pragma('schema_version', { simple: true }));
  const columns = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `c${n}`, type: 'REAL' as const }));
  const before = changes();
  tables.ensure('agg_2', columns(5));
  // The table and its trigger: after each added column, SQLite would read the schema of all tables again.
  expect(changes() - before).toBe(2);
  expect(tables.columns('agg_2').slice(-5)).toEqual(columns(5));
  tables.ensure('agg_2', columns(6));
  expect(tables.columns('agg_2').slice(-6)).toEqual(columns(6));
});

test('an id is never reused after the table was recreated, or emptied before that', () => {
  const { tables, ensure, fire } = openTables();
  fire(4);
  expect(tables.dropSome(TABLE, 4)).toBe(false);
  expect(fire(1)).toEqual([5]);
  expect(tables.dropSome(TABLE, 4)).toBe(true);
  ensure();
  expect(fire(2)).toEqual([6, 7]);
});

test('a row that was undone releases its id', () => {
  const { database, fire } = openTables();
  fire(1);
  database.exec('BEGIN');
  expect(fire(2)).toEqual([2, 3]);
  database.exec('ROLLBACK');
  expect(fire(1)).toEqual([2]);
});

test('a table of a version with another schema continues to work', () => {
  const { database, other, fire } = openTables();
  database.exec(`CREATE TABLE agg_2_old (id INTEGER PRIMARY KEY AUTOINCREMENT, fired_at TEXT NOT NULL, fired_by TEXT NOT NULL,
    window_start TEXT NOT NULL, window_end TEXT NOT NULL, samples INTEGER NOT NULL, bad_samples INTEGER NOT NULL, value REAL) STRICT`);
  expect(fire(3, 'agg_2_old')).toEqual([1, 2, 3]);
  fire(1);
  other.exec(`DELETE FROM agg_2_old WHERE id = 3; DELETE FROM ${QUOTED}`);
  expect(fire(1, 'agg_2_old')).toEqual([4]);
  expect(fire(1)).toEqual([2]);
});

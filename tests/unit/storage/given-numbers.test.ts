import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src-main/storage/database.ts';
import { givenNumbersOf, keepGivenNumbers } from '../../../src-main/storage/events/given-numbers.ts';
import { ResultTables } from '../../../src-main/storage/events/result-tables.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const TABLE = 'agg_1_it\'s_"quoted"';
const QUOTED = '"agg_1_it\'s_""quoted"""';
const AT = '2026-01-02T03:04:05.000+01:00';
const OWN = { firedAt: AT, firedBy: 'hand', windowStart: AT, windowEnd: AT, samples: 1, badSamples: 0 } as const;

function open(file = join(temporaryFolder(), 'workspace.db')) {
  const database = openDatabase(file);
  onTestFinished(() => void database.close());
  const tables = new ResultTables(database);
  const addRule = (name: string, table: string) =>
    database
      .prepare(
        `INSERT INTO rules (name, name_key, enabled, triggers_events, definition, result_table, saved_at)
          VALUES (@name, @name, 1, 1, '{}', @table, '${AT}')`,
      )
      .run({ name, table }).lastInsertRowid;
  const fire = () => tables.insert(TABLE, ['value'], { ...OWN, values: [1.5] });
  return { file, database, tables, addRule, fire };
}

/** A workspace whose rule has fired this often and kept some of the rows. */
function workspace({
  firings,
  kept = firings,
  earlier = false,
}: {
  firings: number;
  kept?: number;
  earlier?: boolean;
}) {
  const { file, database, tables, addRule, fire } = open();
  addRule('first', TABLE);
  if (earlier) {
    database.exec(`CREATE TABLE ${QUOTED} (id INTEGER PRIMARY KEY AUTOINCREMENT, fired_at TEXT, fired_by TEXT,
      window_start TEXT, window_end TEXT, samples INTEGER, bad_samples INTEGER)`);
  }
  tables.ensure(TABLE, [{ name: 'value', type: 'REAL' }]);
  for (let firing = 0; firing < firings; firing += 1) fire();
  database.prepare(`DELETE FROM ${QUOTED} WHERE id > ?`).run(kept);
  const given = givenNumbersOf(database);
  database.close();
  return { file, given };
}

test.each([
  ['as they are made now', false],
  ['of an earlier version', true],
])('ids of rows in result tables %s, and of rules, continue above deleted ones', (_, earlier) => {
  for (const kept of [7, 5, 0]) {
    const { given } = workspace({ firings: 7, kept, earlier });
    const copy = workspace({ firings: 2, earlier });
    keepGivenNumbers(copy.file, { ...given, ids: new Map([...given.ids, ['rules', 5], ['not there', 3]]) });
    const restored = open(copy.file);
    expect([restored.fire(), restored.fire()]).toEqual([8, 9]);
    expect(restored.addRule('next', 'agg_next')).toBe(6);
  }
});

test('higher ids that the copy itself has assigned stay used', () => {
  const { given } = workspace({ firings: 1 });
  const copy = workspace({ firings: 4, kept: 0 });
  keepGivenNumbers(copy.file, { ...given, change: given.change + 9 });
  const file = new Database(copy.file);
  expect(file.pragma('journal_mode', { simple: true })).toBe('wal');
  file.close();
  const restored = open(copy.file);
  expect(restored.fire()).toBe(5);
  expect(givenNumbersOf(restored.database).change).toBe(given.change + 10);
});

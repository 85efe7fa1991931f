import Database from 'better-sqlite3';
import { onTestFinished, test, expect } from 'vitest';
import type { JournalFiring } from '#domain/run/journal';
import { JournalWindows } from '../../../../src-main/storage/journal/journal-windows.ts';

const START = Date.parse('2026-01-02T03:04:05.000Z');
const END = START + 1_000;

/** A data row whose window counted so many samples; the rule has stored a batch of samples of one tag. */
function valuesOf(
  kind: string,
  counted: number,
  batch: readonly [after: number, value: number | null][],
  current?: number[],
): unknown[] {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  database.exec(`CREATE TABLE rules (id INTEGER PRIMARY KEY, definition TEXT, result_table TEXT, deleted_at TEXT);
    CREATE TABLE window_samples (id INTEGER PRIMARY KEY, rule_id, from_ms, to_ms, count, samples TEXT, covered);
    CREATE TABLE agg_1 (id INTEGER PRIMARY KEY, fired_at, fired_by, window_start, window_end, samples, bad_samples)`);
  const definition = JSON.stringify({ tags: ['A.B.C'], window: { kind } });
  database.prepare(`INSERT INTO rules VALUES (1, ?, 'agg_1', NULL)`).run(definition);
  const iso = (ms: number) => new Date(ms).toISOString();
  database
    .prepare(`INSERT INTO agg_1 VALUES (1, ?, 'window', ?, ?, ?, 0)`)
    .run(iso(END), iso(START), iso(END), counted);
  const samples = JSON.stringify(batch.map(([after, value]) => [after, 0, value]));
  const to = START + (batch.at(-1)?.[0] ?? 0);
  database.prepare('INSERT INTO window_samples VALUES (1, 1, ?, ?, ?, ?, 1)').run(START, to, batch.length, samples);
  const firing: JournalFiring = {
    ruleId: 1,
    rule: 'R',
    savedAt: iso(START),
    condition: '',
    table: 'agg_1',
    firstRow: 1,
    lastRow: 1,
    firstEvent: null,
    ...(current && { current: current.map((value) => ({ tag: 'A.B.C', value })) }),
  };
  const { list } = new JournalWindows(database).of(firing, 1) ?? { list: [] };
  return list.map((sample) => (sample.current ? `current ${sample.value}` : sample.value));
}

test.each<[kind: string, counted: number, own: number[], batch: [number, number][]]>([
  [
    'tumbling',
    2,
    [1, 2],
    [
      [0, 1],
      [400, 2],
      [1_000, 3],
    ],
  ],
  [
    'tumbling',
    1,
    [2],
    [
      [400, 2],
      [1_000, 3],
      [1_000, 4],
    ],
  ],
  // The sample that closed the previous window, and one of another tag in the ms in which this window closed.
  [
    'count',
    2,
    [2, 3],
    [
      [0, 1],
      [400, 2],
      [1_000, 3],
    ],
  ],
  [
    'count',
    2,
    [2, 3],
    [
      [0, 1],
      [400, 2],
      [1_000, 3],
      [1_000, 4],
    ],
  ],
  [
    'count',
    2,
    [1, 2],
    [
      [0, 1],
      [1_000, 2],
    ],
  ],
  [
    'manual',
    1,
    [2],
    [
      [0, 1],
      [400, 2],
    ],
  ],
  [
    'while',
    2,
    [1, 2],
    [
      [0, 1],
      [400, 2],
      [1_400, 3],
    ],
  ],
])('a window (%s) of %j samples lists %j', (kind, counted, own, batch) => {
  expect(valuesOf(kind, counted, batch)).toEqual(own);
});

test.each<[kind: string, batch: [number, number][]]>([
  ['tumbling', [[400, 2]]],
  // Of a manual window, the values of the previous firing and its own are stored as well, unless the rule is disabled.
  [
    'manual',
    [
      [0, 1],
      [400, 2],
      [1_000, 3],
    ],
  ],
  ['manual', [[400, 2]]],
])('a window (%s) that is fired by hand has its samples %j and the current value', (kind, batch) => {
  expect(valuesOf(kind, 2, batch, [3])).toEqual([2, 'current 3']);
});

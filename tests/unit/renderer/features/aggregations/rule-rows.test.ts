import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { REDUCERS, type ReducerName } from '#domain/rule/rule';
import type { Json } from '#domain/text/json';
import { outputFormats } from '../../../../../src-renderer/client/tag-formats.ts';
import { RowFeed } from '../../../../../src-renderer/features/aggregations/model/row-feed.ts';
import { fileName, fileParts, rowsText } from '../../../../../src-renderer/features/aggregations/model/row-text.ts';
import { rowChart } from '../../../../../src-renderer/features/aggregations/model/series.ts';

const COLUMNS = ['id', 'fired_at', 'state'];
const AWKWARD = ['"quoted", and\r\nbroken', '=1+1', ' spaces ', 'שלום 🧪', '', "O'Brien; x\ty"];
const ROWS: Json[][] = AWKWARD.map((text, place) => [place + 1, '2026-01-01T00:00:00.000+00:00', text]);

describe('rows as a file', () => {
  test('CSV reads back unchanged, whatever the texts, in several parts', () => {
    const parts = [rowsText('csv', COLUMNS, ROWS.slice(0, 2)), rowsText('csv', COLUMNS, ROWS.slice(2))];
    const read: string[][] = parse(fileParts('csv', COLUMNS, parts).join(''));
    expect(read).toEqual([COLUMNS, ...ROWS.map((row) => row.map(String))]);
  });

  test('JSON reads back unchanged; columns with awkward names stay separate', () => {
    const columns = ['id', 'a "b"', 'a,b'];
    const parts = ROWS.map((row) => rowsText('json', columns, [row]));
    const read: unknown = JSON.parse(fileParts('json', columns, parts).join(''));
    expect(read).toEqual(ROWS.map(([id, first, second]) => ({ id, 'a "b"': first, 'a,b': second })));
    expect(JSON.parse(fileParts('json', columns, []).join(''))).toEqual([]);
  });

  test('the file is named after the rule, without characters that a system rejects', () => {
    expect(fileName('Fill: "a/b" <c>?', 'csv')).toBe('Fill_ _a_b_ _c_.csv');
    expect(fileName('...', 'json')).toBe('rows.json');
    expect(fileName('שלום 🧪', 'csv')).toBe('שלום 🧪.csv');
  });
});

/** A table with the given number of rows, paged like rules.rows. */
function tableOf(count: number) {
  const table = { count, requests: [] as (number | undefined)[] };
  const rows = (input: { before?: number | undefined; limit?: number | undefined }) => {
    table.requests.push(input.before);
    const from = Math.min(table.count, (input.before ?? table.count + 1) - 1);
    const ids = Array.from({ length: Math.min(input.limit ?? 100, from) }, (_, place) => from - place);
    return Promise.resolve({
      table: 'agg_1',
      columns: [
        { name: 'id', type: 'INTEGER' as const, output: null, unit: '' },
        { name: 'value', type: 'REAL' as const, output: 'value', unit: '' },
      ],
      rows: ids.map((id): Json[] => [id, id / 2]),
      total: table.count,
    });
  };
  return { table, rows };
}

describe('the feed of rows', () => {
  const { signal } = new AbortController();
  const ids = (feed: RowFeed) => feed.store.get().rows.map(([id]) => id);

  test('fetches pages on request, and adds new rows', async () => {
    const { table, rows } = tableOf(1_200);
    const feed = new RowFeed({ rows }, 1);
    await feed.refresh(signal);
    await Promise.all([feed.more(signal), feed.more(signal), feed.more(signal)]);
    expect(ids(feed)).toEqual(Array.from({ length: 1_200 }, (_, place) => 1_200 - place));
    table.count += 3;
    await feed.refresh(signal);
    expect(ids(feed).slice(0, 4)).toEqual([1_203, 1_202, 1_201, 1_200]);
    expect(feed.store.get()).toMatchObject({ total: 1_203, problem: null });
    expect(ids(feed)).toHaveLength(1_203);
    table.count += 10_000;
    await feed.refresh(signal);
    expect(ids(feed)[0]).toBe(11_203);
    expect(ids(feed)).toHaveLength(500);
  });

  test('exports all rows, oldest first, with progress, and stops on request', async () => {
    const { rows } = tableOf(12_345);
    const feed = new RowFeed({ rows }, 1);
    const progress: [number, number][] = [];
    const text = (await feed.export('csv', (done, total) => progress.push([done, total]), signal)).join('');
    const lines = text.trimEnd().split('\r\n');
    expect(lines.slice(0, 3)).toEqual(['id,value', '1,0.5', '2,1']);
    expect(lines).toHaveLength(12_346);
    expect(progress).toEqual([
      [5_000, 12_345],
      [10_000, 12_345],
      [12_345, 12_345],
    ]);
    const end = new AbortController();
    await expect(feed.export('json', () => end.abort(), end.signal)).rejects.toThrow('aborted');
  });

  test('reports why rows could not be read, and recovers', async () => {
    const { rows } = tableOf(2);
    let fails = true;
    const feed = new RowFeed({ rows: (input) => (fails ? Promise.reject(new Error('no disk')) : rows(input)) }, 1);
    await feed.refresh(signal);
    expect(feed.store.get().problem?.message).toBe('no disk');
    fails = false;
    await feed.refresh(signal);
    expect(feed.store.get()).toMatchObject({ problem: null, total: 2 });
  });
});

test('a chart has the numbers of outputs over time, oldest first, with gaps', () => {
  const columns = [
    { name: 'id', type: 'INTEGER' as const, output: null, unit: '' },
    { name: 'fired_at', type: 'TEXT' as const, output: null, unit: '' },
    { name: 'a', type: 'REAL' as const, output: 'a', unit: '' },
    { name: 'text', type: 'TEXT' as const, output: 'text', unit: '' },
    { name: 'unused', type: 'REAL' as const, output: null, unit: '' },
  ];
  const at = (second: number) => `2026-01-01T00:00:0${second}.000+00:00`;
  const rows: Json[][] = [
    [3, at(3), 30, 'x', 1],
    [2, at(2), null, 'x', 1],
    [1, at(1), 10, 'x', 1],
  ];
  const chart = rowChart(columns, rows, new Map([['a', '0.0']]));
  expect(chart?.series).toEqual([{ name: 'a', unit: '', format: '0.0', values: [10, null, 30] }]);
  expect(chart?.times).toEqual([1, 2, 3].map((second) => Date.parse(at(second))));
  expect(rowChart(columns, [], new Map())).toBeNull();
});

test('outputs in the unit of their tag have its format, others have none', () => {
  const output = (reducer: ReducerName, tag = 'A.B.Value') => ({ name: reducer, reducer, tag });
  const outputs = [
    ...REDUCERS.map((reducer) => output(reducer)),
    { ...output('avg', 'A.C.Value'), name: 'of another' },
  ];
  const formats = outputFormats(outputs, new Map([['A.B.Value', '0.00']]));
  const own = new Set(['count', 'timeInState']);
  expect([...formats.keys()]).toEqual(REDUCERS.filter((reducer) => !own.has(reducer)));
  expect(new Set(formats.values())).toEqual(new Set(['0.00']));
});

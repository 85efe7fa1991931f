import { expect, test } from 'vitest';
import type { ApiCallEntry, ReadEntry, WriteEntry } from '#domain/run/run';
import { lineValues } from '../../../../../src-renderer/features/scripts/model/line-values.ts';

const place = { call: 1, at: 0, diagram: '', location: '' };
const SPEED = 'Plant.Line1.Filler.Speed.Value';
const LIMIT = 'Plant.Line1.Filler.Speed.Max';

function read(seq: number, line: number | null, path: string, value: ReadEntry['value']): ReadEntry {
  return { seq, ...place, line, path, value, quality: 'Good', type: 'Double' };
}
function write(seq: number, line: number, path: string, before: number, value: number): WriteEntry {
  return { seq, ...place, line, path, before, value, type: 'Double' };
}
const acts = (reads: ReadEntry[], writes: WriteEntry[] = [], apiCalls: ApiCallEntry[] = []) => ({
  reads,
  writes,
  apiCalls,
});

test('numbers of a tag with a format are shown in it', () => {
  const formats = new Map([[SPEED, '#,##0.0']]);
  const values = lineValues(
    acts([read(1, 1, SPEED, 1_234.56), read(2, 2, LIMIT, 1_234.56)], [write(3, 3, SPEED, 1_000, 2_000)]),
    formats,
  );
  expect(values.map(({ text }) => text)).toEqual(['1,234.6', '1234.56', '1,000.0 → 2,000.0']);
});

test('a single value has no name; several in a line are named, in order', () => {
  const values = lineValues(
    acts([read(1, 4, SPEED, 412.5), read(2, 7, SPEED, 1), read(3, 7, LIMIT, true)], [write(4, 2, SPEED, 1, 2)]),
  );
  expect(values).toEqual([
    { line: 2, text: '1 → 2' },
    { line: 4, text: '412.5' },
    { line: 7, text: 'Speed 1, Speed.Max true' },
  ]);
});

test('a value that was not read before the write is no null', () => {
  const written: WriteEntry = { ...write(1, 1, SPEED, 0, 2), before: null, notRead: true };
  expect(lineValues(acts([], [written]))).toEqual([{ line: 1, text: 'not read → 2' }]);
});

test('tags of one line have the shortest names that distinguish them', () => {
  const paths = ['Plant.Line1.Filler.Speed.Value', 'Plant.Line1.Capper.Speed.Value', 'Plant.Line1.Filler.Level.Value'];
  expect(lineValues(acts(paths.map((path, index) => read(index + 1, 1, path, index))))).toEqual([
    { line: 1, text: 'Filler.Speed 0, Capper.Speed 1, Level 2' },
  ]);
  const nested = ['Speed.Value', 'Line1.Speed.Value', 'Line1.Speed', 'Speed'];
  expect(lineValues(acts(nested.map((path, index) => read(index + 1, 1, path, index))))[0]?.text).toBe(
    'Speed 0, Line1.Speed 1, Line1.Speed 2 and 1 more',
  );
});

test('a loop is summarized: the last value and the count', () => {
  const reads = Array.from({ length: 100 }, (_, index) => read(index + 1, 3, SPEED, index));
  expect(lineValues(acts(reads))).toEqual([{ line: 3, text: '99 ×100' }]);
});

test('a Get of many tags shows the first three', () => {
  const reads = Array.from({ length: 12 }, (_, index) => read(index + 1, 1, `Plant.Line1.Valve${index}.Value`, index));
  expect(lineValues(acts(reads))).toEqual([{ line: 1, text: 'Valve0 0, Valve1 1, Valve2 2 and 9 more' }]);
});

test('a Get of many tags shows those of bad quality first', () => {
  const reads = Array.from({ length: 5 }, (_, index) => read(index + 1, 1, `Plant.Line1.Valve${index}.Value`, index));
  const bad: ReadEntry = { ...read(6, 1, 'Plant.Line1.Glue.Value', null), quality: 'BadSensorFailure' };
  expect(lineValues(acts([...reads, bad]))[0]?.text).toBe('Glue null BadSensorFailure, Valve0 0, Valve1 1 and 3 more');
  // In their order, if all of them fit.
  expect(lineValues(acts([...reads.slice(0, 2), bad]))[0]?.text).toBe('Valve0 0, Valve1 1, Glue null BadSensorFailure');
});

test('long values are cut, and a quality other than good is shown', () => {
  const long = read(1, 1, SPEED, 'x'.repeat(1_000));
  const bad: ReadEntry = { ...read(2, 2, 'Plant.No.Such.Tag', null), quality: 'BadNodeIdUnknown', type: 'Unknown' };
  const [first, second] = lineValues(acts([long, bad]));
  expect(first?.text).toBe(`${'x'.repeat(40)}…`);
  expect(second?.text).toBe('null BadNodeIdUnknown');
});

test('API calls show their status and source; entries without a line are omitted', () => {
  const call: ApiCallEntry = {
    seq: 1,
    call: 1,
    at: 0,
    line: 5,
    operation: 'Fetch',
    method: 'GET',
    url: 'https://erp.example/a',
    statusCode: '200',
    ms: 1,
    source: 'mock',
    mock: 'A',
    error: null,
    request: { headers: [], body: null, bytes: 0 },
    response: null,
  };
  expect(lineValues(acts([read(2, null, SPEED, 1)], [], [call]))).toEqual([{ line: 5, text: 'GET 200 from a mock' }]);
  const failed: ApiCallEntry = { ...call, source: 'none', statusCode: '0', error: 'NoMock' };
  expect(lineValues(acts([], [], [failed]))).toEqual([{ line: 5, text: 'GET NoMock' }]);
});

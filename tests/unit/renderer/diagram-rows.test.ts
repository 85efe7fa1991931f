import { expect, test } from 'vitest';
import type { DiagramPart, DiagramText } from '#domain/diagram';
import type { WriteEntry } from '#domain/run';
import { diagramRows, sharedTags } from '../../../src-renderer/features/scripts/model/diagram-rows.ts';

const part = (id: string, tag: string, y: number, kind: DiagramPart['kind'] = 'value'): DiagramPart => ({
  id,
  kind,
  x: 0,
  y,
  width: 80,
  height: 24,
  label: kind === 'text' ? 'A text' : `part ${id}`,
  tag,
  value: null,
});
const page: DiagramText = {
  name: 'Overview',
  width: 400,
  height: 400,
  parts: [part('b', 'A.b.c', 40), part('a', 'A.b.d', 8), part('t', '', 0, 'text'), part('n', 'A.b.e', 80)],
};

const write = (seq: number, diagram: string, location: string, value: number): WriteEntry => ({
  seq,
  call: seq,
  at: 0,
  line: 1,
  path: 'A.b.c',
  before: 0,
  value,
  type: 'Int',
  diagram,
  location,
});

test('bound parts from the top, with what the run wrote for that Diagram and location', () => {
  const item = (entry: WriteEntry) => ({ depth: 0, what: 'write' as const, ...entry });
  const { quality, type } = { quality: 'Good' as const, type: 'Int' as const };
  const values = [{ path: 'A.b.d', value: 5, quality, type }];
  const trace = [item(write(1, '', 'W1', 7)), item(write(2, 'Another', 'W1', 8)), item(write(3, '', 'W2', 9))];
  expect(diagramRows(page, 'W1', values, trace)).toEqual([
    { id: 'a', label: 'part a', tag: 'A.b.d', value: values[0], run: null, written: null },
    { id: 'b', label: 'part b', tag: 'A.b.c', value: undefined, run: 'written', written: { value: 7 } },
    { id: 'n', label: 'part n', tag: 'A.b.e', value: undefined, run: null, written: null },
  ]);
  expect(diagramRows(page, 'W3', [], trace)[1]).toMatchObject({ run: 'written', written: null });
});

test('a Diagram is the better the more tags of the run it shows', () => {
  expect(sharedTags(page, null)).toBe(0);
  expect(sharedTags(page, { reads: [], writes: [write(1, '', '', 1), write(2, '', '', 2)] })).toBe(1);
});

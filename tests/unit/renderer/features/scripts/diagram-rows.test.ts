import { expect, test } from 'vitest';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import type { WriteEntry } from '#domain/run/run';
import { diagramRows, sharedTags } from '../../../../../src-renderer/features/scripts/preview/panes/diagram-rows.ts';
import { leftByRun } from '../../../../../src-renderer/features/scripts/model/left-by-run.ts';

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

test('bound parts are listed from the top, with the reads and writes of the run', () => {
  expect(diagramRows(page, [{ depth: 0, what: 'write', ...write(1, '', 'W1', 7) }])).toEqual([
    { id: 'a', label: 'part a', tag: 'A.b.d', run: null },
    { id: 'b', label: 'part b', tag: 'A.b.c', run: 'written' },
    { id: 'n', label: 'part n', tag: 'A.b.e', run: null },
  ]);
});

test('a Diagram ranks higher the more tags of the run it shows', () => {
  expect(sharedTags(page, null)).toBe(0);
  expect(sharedTags(page, { reads: [], writes: [write(1, '', '', 1), write(2, '', '', 2)] })).toBe(1);
});

test('a Diagram shows the value of a tag that a dry run wrote', () => {
  const at = (location: string) => ({ diagram: 'Overview', location });
  const storage = { path: 'A.b.c', kind: 'storage' as const, stored: [] };
  const writes = [write(1, '', '', 1), write(2, '', 'W1', 7), write(3, 'Another', 'W1', 8), write(4, '', '', 2)];
  expect(leftByRun(storage, writes, at('W1'))).toMatchObject({ value: 7, quality: 'Good', type: 'Int' });
  expect(leftByRun(storage, writes, at('W2'))).toMatchObject({ value: 2 });
  expect(leftByRun({ ...storage, stored: [at('')] }, writes, at('W1'))).toBe('hidden');
  expect(leftByRun({ ...storage, stored: [{ diagram: '', location: '' }] }, writes, at(''))).toMatchObject({
    value: 2,
  });
  expect(leftByRun(storage, [write(1, 'Another', '', 5)], at(''))).toBe('hidden');
  expect(leftByRun({ ...storage, kind: 'machine' }, writes, at('W9'))).toMatchObject({ value: 2 });
  expect(leftByRun({ ...storage, kind: 'script' }, writes, at('W1'))).toBe('unknown');
});

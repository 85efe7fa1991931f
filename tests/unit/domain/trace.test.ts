import { expect, test } from 'vitest';
import type { NestedRun, ReadEntry, WriteEntry } from '#domain/run/run';
import { isFailed, traceItems } from '#domain/run/trace';

const scope = { diagram: '', location: '' };
const read = (seq: number, call: number, path: string): ReadEntry => ({
  seq,
  call,
  at: seq,
  line: call,
  path,
  value: 1,
  quality: 'Good',
  type: 'Int',
  ...scope,
});
const write = (seq: number, call: number, path: string): WriteEntry => ({
  seq,
  call,
  at: seq,
  line: call,
  path,
  before: 0,
  value: 1,
  type: 'Int',
  ...scope,
});
const run = (tag: string, parent: number | null, call: number, acts: Partial<NestedRun> = {}): NestedRun => ({
  tag,
  parent,
  call,
  line: call,
  at: 0,
  through: [],
  access: 'read',
  status: 'ok',
  error: null,
  console: [],
  timing: { startedAt: '', queuedMs: 0, scriptMs: 0, hostCallMs: 0, totalMs: 1 },
  dropped: { console: 0, reads: 0, writes: 0 },
  reads: [],
  writes: [],
  apiCalls: [],
  ...acts,
});

test('puts entries of nested runs below their cause, and rejected calls at the call', () => {
  const inner = run('Inner', 1, 1, { writes: [write(1, 1, 'deep')] });
  const items = traceItems({
    reads: [read(1, 1, 'a'), read(2, 1, 'b'), read(4, 4, 'd')],
    writes: [write(3, 2, 'c')],
    apiCalls: [],
    nested: [
      run('OfB', 2, 1, { reads: [read(1, 1, 'e')], nested: [inner] }),
      run('Refused', null, 3),
      run('Last', null, 5),
      run('OfB2', 2, 1),
    ],
  });
  const shown = items.map((item) => [item.depth, item.what === 'run' ? item.run.tag : 'path' in item ? item.path : '']);
  expect(shown).toEqual([
    [0, 'a'],
    [0, 'b'],
    [0, 'OfB'],
    [1, 'e'],
    [1, 'Inner'],
    [2, 'deep'],
    [0, 'OfB2'],
    [0, 'c'],
    [0, 'Refused'],
    [0, 'd'],
    [0, 'Last'],
  ]);
});

test('rejected calls, failed reads, calls and nested runs are failures, in order', () => {
  const items = traceItems({
    reads: [read(1, 1, 'a'), { ...read(2, 1, 'bad'), quality: 'BadTimeout' }],
    writes: [write(5, 4, 'c')],
    apiCalls: [],
    rejected: [{ seq: 3, call: 2, at: 1, line: 2, access: 'write', path: 'r', reason: 'no', ...scope }],
    nested: [run('Failed', null, 2, { status: 'error' })],
  });
  expect(items.map((item) => ('path' in item ? item.path : 'run'))).toEqual(['a', 'bad', 'r', 'run', 'c']);
  expect(items.map(isFailed)).toEqual([false, true, true, true, false]);
});

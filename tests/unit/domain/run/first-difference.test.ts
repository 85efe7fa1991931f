import { expect, test } from 'vitest';
import { firstDifference } from '#domain/run/first-difference';
import type { RunReport } from '#domain/run/run';
import { compareRuns } from '#domain/run/run-comparison';
import { reportOf } from '../../scripting/capsules/capsule-of.ts';

const read = (call: number, path: string, line: number): RunReport['reads'][number] => ({
  seq: call,
  call,
  at: 0,
  line,
  path,
  value: 1,
  quality: 'Good',
  type: 'Int',
  diagram: '',
  location: '',
});
const said = (text: string) => [{ level: 'log' as const, text, at: 0, line: 7 }];
const of = (before: Partial<RunReport>, after: Partial<RunReport>) =>
  firstDifference(compareRuns(reportOf(before), reportOf(after)));

test('equal runs have none', () => {
  expect(of({ result: 1, console: said('a') }, { result: 1, console: said('a') })).toBeNull();
});

test('calls come before the console, the result and the end', () => {
  const found = of(
    { reads: [read(1, 'A.B.C', 1), read(2, 'A.B.D', 2)], result: 1, console: said('a') },
    { reads: [read(1, 'A.B.C', 1), read(2, 'A.B.E', 3)], result: 2, console: said('b') },
  );
  expect(found).toEqual({
    part: 'calls',
    before: { text: 'read A.B.D = 1 Good', line: 2 },
    after: { text: 'read A.B.E = 1 Good', line: 3 },
  });
});

test('a call of one run has one side, even if a later one differs', () => {
  const found = of(
    { reads: [read(1, 'A.B.C', 1), read(2, 'A.B.D', 2), read(3, 'A.B.E', 3)] },
    { reads: [read(1, 'A.B.D', 2), read(2, 'A.B.F', 3)] },
  );
  expect(found).toMatchObject({ part: 'calls', before: { text: 'read A.B.C = 1 Good' }, after: null });
});

test('the console comes before the result, and the result before the end', () => {
  expect(of({ result: 1, console: said('a') }, { result: 2, console: said('b') })).toEqual({
    part: 'console',
    before: { text: 'log: a', line: 7 },
    after: { text: 'log: b', line: 7 },
  });
  expect(of({ result: { a: 1 } }, { result: {}, status: 'timeout' })).toEqual({
    part: 'result',
    before: { text: 'result.a: 1', line: null },
    after: null,
  });
  expect(of({}, { status: 'timeout' })).toMatchObject({ part: 'end', after: { text: 'status: timeout' } });
});

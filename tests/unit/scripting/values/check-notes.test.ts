import { expect, test } from 'vitest';
import { STEP_LIMITS } from '#domain/run/replays/run-steps';
import { VALUES_LIMITS } from '#domain/run/shown-values';
import { ProtocolError } from '../../../../src-main/platform/host-pipe/checks.ts';
import { checkNotes } from '../../../../src-main/scripting/values/check-notes.ts';

const SIZE = { variables: 2, points: 3 };
const NOTES = { values: [[1, 5, '1', '2']], points: [[2, 7]], executed: 7 };
const LONG = 'x'.repeat(VALUES_LIMITS.text + 2);

test('a report of a host of ours is accepted', () => {
  expect(checkNotes(NOTES, SIZE)).toEqual({
    values: [{ variable: 1, count: 5, first: '1', last: '2' }],
    points: [{ point: 2, count: 7 }],
    executed: 7,
    stoppedAt: null,
    steps: [],
    changes: [],
    calls: [],
  });
  expect(checkNotes({ ...NOTES, steps: [0, 2], changes: [[1, 0, '5']], calls: [[0, 3]] }, SIZE)).toMatchObject({
    steps: [0, 2],
    changes: [{ step: 1, variable: 0, value: '5' }],
    calls: [{ step: 0, calls: 3 }],
  });
  expect(checkNotes({ values: [], points: [], executed: 0, stoppedAt: 2 }, SIZE)).toMatchObject({ stoppedAt: 2 });
});

test.each<[string, unknown]>([
  ['nothing', null],
  ['a list', []],
  ['no members', {}],
  ['a variable that does not exist', { ...NOTES, values: [[2, 1, '', '']] }],
  ['a negative variable', { ...NOTES, values: [[-1, 1, '', '']] }],
  ['a fraction', { ...NOTES, values: [[0.5, 1, '', '']] }],
  ['more values than variables', { ...NOTES, values: Array.from({ length: 3 }, () => [0, 1, '', '']) }],
  ['a count that is too large', { ...NOTES, values: [[0, 2 ** 60, '', '']] }],
  ['a count of zero', { ...NOTES, values: [[0, 0, '', '']] }],
  ['a text that is too long', { ...NOTES, values: [[0, 1, '', LONG]] }],
  ['a first text that is too long', { ...NOTES, values: [[0, 1, LONG, '']] }],
  ['a text that is none', { ...NOTES, values: [[0, 1, {}, '']] }],
  ['a longer row', { ...NOTES, values: [[0, 1, '', '', 1]] }],
  ['a point that does not exist', { ...NOTES, points: [[3, 1]] }],
  ['a count of a point that is none', { ...NOTES, points: [[0, '1']] }],
  ['more points than exist', { ...NOTES, points: Array.from({ length: 4 }, () => [0, 1]) }],
  ['a stop at a point that does not exist', { ...NOTES, stoppedAt: 3 }],
  ['a step at a point that does not exist', { ...NOTES, steps: [3] }],
  ['a step that is none', { ...NOTES, steps: ['0'] }],
  ['more steps than are kept', { ...NOTES, steps: Array.from({ length: STEP_LIMITS.steps + 1 }, () => 0) }],
  ['a change of a variable that does not exist', { ...NOTES, changes: [[0, 2, '']] }],
  ['a change with a text that is too long', { ...NOTES, changes: [[0, 0, LONG]] }],
  ['a change after all steps', { ...NOTES, changes: [[STEP_LIMITS.steps, 0, '']] }],
  ['a negative number of calls', { ...NOTES, calls: [[0, -1]] }],
  ['no number of executed statements', { values: [], points: [] }],
])('a host that sends %s is rejected', (_name, message) => {
  expect(() => checkNotes(message, SIZE)).toThrow(ProtocolError);
});

import { describe, expect, test } from 'vitest';
import {
  actsAtStep,
  droppedStepsText,
  partOfStep,
  steppedRun,
  stepInLine,
  stepText,
  valuesAtStep,
} from '#domain/run/replays/run-steps';
import type { ReadEntry } from '#domain/run/run';

const part = (line: number) => ({ line, column: 1, endLine: line, endColumn: 9, count: 1 });
const SHOWN = {
  values: [],
  parts: [part(1), part(2), part(3)],
  executed: 5,
  stopped: false,
  steps: {
    parts: [0, 1, 2, 1, 2],
    variables: [
      { line: 1, name: 'n' },
      { line: 3, name: 'n' },
    ],
    changes: [
      [0, 0, '0'],
      [2, 1, '1'],
      [4, 1, '2'],
    ] as [number, number, string][],
    calls: [
      [1, 1],
      [3, 3],
    ] as [number, number][],
  },
};
const RUN = steppedRun(SHOWN);
if (!RUN) throw new Error('no steps');

const readIn = (call: number): ReadEntry => ({
  seq: call,
  call,
  at: 0,
  line: 2,
  path: `A.B.C${call}`,
  value: 1,
  quality: 'Good',
  type: 'Int',
  diagram: '',
  location: '',
});

describe('steps of a run', () => {
  test('a run without steps has none', () => {
    const { steps: _, ...others } = SHOWN;
    expect(steppedRun(others)).toBeNull();
    expect(steppedRun({ ...SHOWN, steps: { ...SHOWN.steps, parts: [] } })).toBeNull();
  });

  test('the values are those at the end of the step', () => {
    const texts = (step: number) => valuesAtStep(RUN, step).map(({ line, last, count }) => [line, last, count]);
    expect(texts(0)).toEqual([[1, '0', 1]]);
    expect(texts(1)).toEqual([[1, '0', 1]]);
    expect(texts(3)).toEqual([
      [1, '0', 1],
      [3, '1', 1],
    ]);
    expect(texts(4)).toEqual([
      [1, '0', 1],
      [3, '2', 1],
    ]);
  });

  test('the calls are those that were made by the end of the step', () => {
    const acts = { reads: [1, 2, 3, 4].map(readIn), writes: [], apiCalls: [] };
    const made = (step: number) => actsAtStep(RUN, step, acts).reads.map(({ call }) => call);
    expect([0, 1, 2, 3].map(made)).toEqual([[], [1], [1], [1, 2, 3]]);
  });

  test('the line of the cursor leads to the steps in it', () => {
    expect([0, 1, 3].map((from) => stepInLine(RUN, 2, from, 1))).toEqual([1, 3, null]);
    expect([4, 3, 1].map((from) => stepInLine(RUN, 2, from, -1))).toEqual([3, 1, null]);
    expect(partOfStep(RUN, 5)).toBeNull();
  });

  test('texts name the step, its line, and how many are kept', () => {
    expect(stepText(RUN, 4)).toBe('Step 5 of 5, line 3');
    expect(droppedStepsText(RUN)).toBeNull();
    expect(droppedStepsText({ ...RUN, executed: 12_000 })).toBe('Only the first 5 of 12,000 steps are kept.');
  });
});

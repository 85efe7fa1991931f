import { describe, expect, test } from 'vitest';
import type { ConditionRunner } from '../../../../src-main/events/rules/conditions/condition.ts';
import { evaluateCondition, ConditionEvaluator } from '../../../../src-main/events/rules/conditions/condition.ts';

const RULE = { name: 'Fill', condition: 'x', outputs: [] };
const windowsOf = (...values: number[]) => values.map((value) => [value]);

type End = Awaited<ReturnType<ConditionRunner['run']>>;

/**
 * Runs a condition over the first outputs; records the sizes of its runs. If it returns null, the run ends as given.
 */
function runnerOf(response: (value: unknown) => boolean | null, end: Partial<End> = { status: 'timeout' }) {
  const sizes: number[] = [];
  const runner: ConditionRunner = {
    run: async ({ context }) => {
      const windows = Array.isArray(context.tagValue) ? context.tagValue : [];
      sizes.push(windows.length);
      const result = windows.map((outputs) => response(Array.isArray(outputs) ? outputs[0] : null));
      const failed: End = {
        status: 'timeout',
        result: null,
        error: { name: 'TimeoutError', message: 'too long', line: null, column: null, stack: [] },
        ...end,
      };
      return result.includes(null) ? failed : { status: 'ok', result, error: null };
    },
  };
  return { runner, sizes };
}

describe('evaluating a condition', () => {
  test('is one run for all windows', async () => {
    const { runner, sizes } = runnerOf((value) => value === 2);
    const verdicts = await evaluateCondition(RULE, windowsOf(1, 2, 3), runner);
    expect(verdicts.map(({ kind }) => kind)).toEqual(['no', 'fires', 'no']);
    expect(sizes).toEqual([3]);
  });

  test('finds the window that fails the others, and continues after it', async () => {
    const { runner, sizes } = runnerOf((value) => (value === 0 ? null : true));
    const verdicts = await evaluateCondition(RULE, windowsOf(0, ...Array<number>(9).fill(1)), runner);
    expect(verdicts).toEqual([
      { kind: 'error', message: 'too long' },
      ...windowsOf(1, 2, 3, 4, 5, 6, 7, 8, 9).map(() => ({ kind: 'fires' })),
    ]);
    expect(sizes).toEqual([10, 1, 1, 2, 4, 2]);
  });

  test('ends early if it always times out', async () => {
    const { runner, sizes } = runnerOf(() => null);
    const verdicts = await evaluateCondition(RULE, windowsOf(...Array<number>(200).fill(1)), runner);
    expect(sizes).toEqual([200, 1, 1, 1]);
    expect(verdicts).toHaveLength(200);
    expect(verdicts[2]).toEqual({ kind: 'error', message: 'too long' });
    expect(verdicts[199]).toEqual({
      kind: 'error',
      message: 'not evaluated, because it exceeded its limits in 3 earlier windows',
    });
  });

  test('gives no verdict without a script host, or during shutdown', async () => {
    const none = runnerOf(() => null, { status: 'error', unavailable: true }).runner;
    expect(await evaluateCondition(RULE, windowsOf(1, 2), none)).toEqual([{ kind: 'later' }, { kind: 'later' }]);
    expect(await new ConditionEvaluator().next(RULE, windowsOf(1), none)).toEqual({
      verdicts: [],
      broke: false,
      later: 'too long',
    });
    const ending = runnerOf(() => null, { status: 'cancelled' }).runner;
    expect(await new ConditionEvaluator().next(RULE, windowsOf(1), ending)).toEqual({
      verdicts: [],
      broke: false,
      later: null,
    });
  });
});

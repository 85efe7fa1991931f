import { describe, expect, test } from 'vitest';
import { prepared, preparedNow } from '../../../../src-main/scripting/instrument/prepared.ts';

const LINE = 'total = sum([total, 1], (one) => ({ one, twice: one * 2 }));\n';
const LONG = `let total = 0;\n${LINE.repeat(1_600)}`;

describe('a body that is instrumented', () => {
  test.each(['debug', 'values', 'coverage'] as const)('is the same from a thread, for %s', async (form) => {
    const made = await prepared(form, LONG);
    const here = preparedNow(form, LONG);
    // Each has a token of its own.
    expect(made?.body.length).toBe(here?.body.length);
    expect(made?.inserted).toEqual(here?.inserted);
  });

  test('does not parse', async () => {
    expect(await prepared('debug', 'let = ;')).toBeNull();
    expect(await prepared('debug', `${LONG} let = ;`)).toBeNull();
  });

  test('does not block main if it is long', async () => {
    let [turns, isMade] = [0, false];
    const count = () => {
      turns += 1;
      if (!isMade) setImmediate(count);
    };
    setImmediate(count);
    await prepared('debug', LONG);
    isMade = true;
    expect(turns).toBeGreaterThan(10);
  });
});

import { describe, expect, test } from 'vitest';
import { prepared, preparedNow, whyNotPrepared } from '../../../../src-main/scripting/instrument/prepared.ts';

const LINE = 'total = sum([total, 1], (one) => ({ one, twice: one * 2 }));\n';
const LONG = `let total = 0;\n${LINE.repeat(1_600)}`;

describe('a body that is instrumented', () => {
  test.each(['debug', 'values', 'coverage'] as const)('is the same from a thread, for %s', async (form) => {
    const made = await prepared(form, LONG);
    const here = preparedNow(form, LONG);
    if (typeof made === 'string' || typeof here === 'string') throw new Error('It was not prepared.');
    // Each has a token of its own.
    expect(made.body.length).toBe(here.body.length);
    expect(made.inserted).toEqual(here.inserted);
  });

  test('does not parse', async () => {
    expect(await prepared('debug', 'let = ;')).toBe('syntax');
    expect(await prepared('debug', `${LONG} let = ;`)).toBe('syntax');
  });

  test.each(['debug', 'values'] as const)('has too many statements for %s', async (form) => {
    expect(await prepared(form, 'a=1;'.repeat(250_000), 100_000)).toBe('length');
  });

  test('takes too long', async () => {
    expect(await prepared('debug', LONG, 1)).toBe('effort');
  });

  test('has the reason in its message', () => {
    expect(whyNotPrepared('syntax', 'debugged')).toMatch(/does not parse, so it cannot be debugged/);
    expect(whyNotPrepared('length', 'debugged')).toMatch(/too many statements to be debugged: .* more than 8 MB/);
    expect(whyNotPrepared('effort', 'debugged')).toMatch(/more than 20 s or 512 MB to prepare/);
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

import { expect, test } from 'vitest';
import { TimeLimitError, withinMs } from '../../../src-main/platform/time-limit.ts';

test('returns the result of the work, even undefined, and throws its exception', () => {
  expect(withinMs(1_000, () => 42)).toBe(42);
  expect(withinMs(1_000, () => undefined)).toBe(undefined);
  const fault = new TypeError('no');
  expect(() =>
    withinMs(1_000, () => {
      throw fault;
    }),
  ).toThrow(fault);
});

test('ends endless work, even if it catches everything, and works again after that', () => {
  const never = () => {
    for (;;) {
      try {
        JSON.parse('[]');
      } catch {
        // Continues.
      }
    }
  };
  expect(() => withinMs(50, never)).toThrow(TimeLimitError);
  expect(() => withinMs(50, () => /^(a+)+$/.test(`${'a'.repeat(100)}!`))).toThrow('it took longer than 50 ms');
  expect(withinMs(1_000, () => 'well')).toBe('well');
});

test('counts only processor time: on a busy machine, work is restarted', () => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let starts = 0;
  const slowAtFirst = () => {
    starts += 1;
    // Time passes, but the work uses no processor time.
    if (starts < 3) Atomics.wait(nothing, 0, 0, 60_000);
    return 'well';
  };
  expect(withinMs(50, slowAtFirst)).toBe('well');
  expect(starts).toBe(3);
});

test('finally fails if it gets no processor time', () => {
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  expect(() => withinMs(2, () => Atomics.wait(nothing, 0, 0, 60_000))).toThrow('it took longer than 2 ms');
});

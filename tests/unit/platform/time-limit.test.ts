import { expect, test } from 'vitest';
import { TookTooLong, withinMs } from '../../../src-main/platform/time-limit.ts';

test('gives what the work gives, undefined too, and throws what it throws', () => {
  expect(withinMs(1_000, () => 42)).toBe(42);
  expect(withinMs(1_000, () => undefined)).toBe(undefined);
  const fault = new TypeError('no');
  expect(() =>
    withinMs(1_000, () => {
      throw fault;
    }),
  ).toThrow(fault);
});

test('ends endless work, even where it catches everything, and works again after that', () => {
  const never = () => {
    for (;;) {
      try {
        JSON.parse('[]');
      } catch {
        // Goes on.
      }
    }
  };
  expect(() => withinMs(50, never)).toThrow(TookTooLong);
  expect(() => withinMs(50, () => /^(a+)+$/.test(`${'a'.repeat(100)}!`))).toThrow('it took longer than 50 ms');
  expect(withinMs(1_000, () => 'well')).toBe('well');
});

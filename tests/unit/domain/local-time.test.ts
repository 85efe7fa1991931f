import { expect, test } from 'vitest';
import { localTimeText } from '#domain/text/local-time';

const HOUR_MS = 3_600_000;

/** The parts of the text, calculated separately for every time. */
function expected(at: number, offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const zone = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return `${new Date(at + offset).toISOString().slice(0, -1)}${offset < 0 ? '-' : '+'}${zone}`;
}

test('a time is local time with its offset and ms', () => {
  const at = Date.parse('2026-01-31T05:00:00.007Z');
  expect(localTimeText(at, () => HOUR_MS)).toBe('2026-01-31T06:00:00.007+01:00');
  expect(localTimeText(at, () => -3.5 * HOUR_MS)).toBe('2026-01-31T01:30:00.007-03:30');
  expect(localTimeText(at, () => 0)).toBe('2026-01-31T05:00:00.007+00:00');
});

test('times in any order, near ends of units, before 1970, at another offset', () => {
  const moments = [
    '2025-12-31T22:59:59.999Z',
    '2026-03-29T01:00:00Z',
    '1969-12-31T23:59:59.001Z',
    '1601-01-01T00:00:00Z',
  ];
  const offsets = [0, HOUR_MS, 2 * HOUR_MS, -5 * HOUR_MS, 5.75 * HOUR_MS];
  for (const moment of moments.map((text) => Date.parse(text))) {
    for (const step of [0, 1, 999, 1_000, 59_999, 60_000, -1, -60_000]) {
      for (const offset of offsets) {
        expect(localTimeText(moment + step, () => offset)).toBe(expected(moment + step, offset));
      }
    }
  }
});

test('an invalid time is rejected, and the next one is correct again', () => {
  expect(() => localTimeText(Number.NaN, () => 0)).toThrow(RangeError);
  expect(localTimeText(0, () => 0)).toBe('1970-01-01T00:00:00.000+00:00');
});

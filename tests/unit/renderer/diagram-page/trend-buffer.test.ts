import { expect, test } from 'vitest';
import { TREND_STEPS, TrendBuffer, trendNumber } from '../../../../src-renderer/diagram-page/trend-buffer.ts';

const SPAN = TREND_STEPS * 1_000;
const NOW = 1_000_000_000;
const valuesOf = (buffer: TrendBuffer, now = NOW) => buffer.lines(['a'], now).values.get('a') ?? [];

test('a value lasts until the next one, and bad ones are gaps', () => {
  const buffer = new TrendBuffer(SPAN);
  buffer.add('a', { at: NOW - 5_000, value: 1 });
  buffer.add('a', { at: NOW - 3_000, value: null });
  buffer.add('a', { at: NOW - 1_000, value: 2 });
  expect(valuesOf(buffer).slice(-7)).toEqual([null, 1, 1, null, null, 2, 2]);
  const { times } = buffer.lines(['a'], NOW);
  expect(times).toHaveLength(TREND_STEPS + 1);
  expect(times.at(-1)).toBe(NOW);
  expect(times[0]).toBe(NOW - SPAN);
});

test('the past is added where nothing was observed', () => {
  const buffer = new TrendBuffer(SPAN);
  buffer.add('a', { at: NOW - 1_000, value: 7 });
  buffer.fill('a', [
    { at: NOW - 2_000, value: 1 },
    { at: NOW - 1_000, value: 3 },
  ]);
  expect(valuesOf(buffer).slice(-3)).toEqual([1, 7, 7]);
});

test('an interruption is a gap until the next value', () => {
  const buffer = new TrendBuffer(SPAN);
  buffer.add('a', { at: NOW - 4_000, value: 1 });
  buffer.interrupt(NOW - 3_000);
  buffer.add('a', { at: NOW, value: 2 });
  expect(valuesOf(buffer).slice(-5)).toEqual([1, 1, null, null, 2]);
});

test('old values are dropped, but the last one before the span still holds', () => {
  const buffer = new TrendBuffer(SPAN);
  for (let step = 0; step < 3 * TREND_STEPS; step += 1) buffer.add('a', { at: NOW + step * 1_000, value: step });
  expect(valuesOf(buffer, NOW + 10 * SPAN)).toEqual(Array.from({ length: TREND_STEPS + 1 }, () => 3 * TREND_STEPS - 1));
});

test('Booleans are 1 and 0; texts and bad values are none', () => {
  expect(trendNumber({ value: true, quality: 'Good' })).toBe(1);
  expect(trendNumber({ value: 2.5, quality: 'UncertainLastUsableValue' })).toBe(2.5);
  expect(trendNumber({ value: 2.5, quality: 'BadTimeout' })).toBeNull();
  expect(trendNumber({ value: 'text', quality: 'Good' })).toBeNull();
});

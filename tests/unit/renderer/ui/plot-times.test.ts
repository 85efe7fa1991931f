import { expect, test } from 'vitest';
import { fullMoment, moment } from '../../../../src-renderer/support/moment.ts';
import { windowSpan } from '../../../../src-renderer/support/moment.ts';
import { timeRange, timeTicks } from '../../../../src-renderer/ui/plot/plot-times.ts';

const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime() / 1_000;

test('a time is shown to the second, in local time', () => {
  expect(moment(new Date(2026, 0, 5, 7, 8, 9))).toBe('2026-01-05 07:08:09');
});

test('ticks show seconds only if they are closer than a minute', () => {
  const moments = [at(2026, 0, 5, 13, 0, 0), at(2026, 0, 5, 13, 0, 30)];
  expect(timeTicks(moments, 30)).toEqual(['13:00:00', '13:00:30']);
  expect(timeTicks(moments, 60)).toEqual(['13:00', '13:00']);
  expect(timeTicks([moments[0] ?? 0, (moments[0] ?? 0) + 0.5], 0.5)).toEqual(['13:00:00.0', '13:00:00.5']);
});

test('the first tick of a day has its date below; ticks of whole days are dates', () => {
  const moments = [at(2026, 0, 5, 22, 0, 0), at(2026, 0, 6, 0, 0, 0), at(2026, 0, 6, 2, 0, 0)];
  expect(timeTicks(moments, 7_200)).toEqual(['22:00', '00:00\n01-06', '02:00']);
  expect(timeTicks([at(2026, 0, 5, 0, 0, 0)], 86_400)).toEqual(['01-05']);
});

test('a tooltip has the ms of a time and the time zone', () => {
  const time = new Date(2026, 0, 31, 14, 5, 9, 50);
  expect(fullMoment(time)).toMatch(/^2026-01-31 14:05:09\.050 [+-]\d\d:\d\d$/);
  expect(new Date(fullMoment(time).replace(' ', 'T').replace(' ', '')).getTime()).toBe(time.getTime());
});

test('a window has one date, or two if it ends on another day', () => {
  const ms = (...parts: [number, number, number, number, number, number, number]) => new Date(...parts).getTime();
  const start = ms(2026, 0, 31, 23, 59, 0, 0);
  expect(windowSpan({ start, end: ms(2026, 0, 31, 23, 59, 0, 250) })).toBe('2026-01-31 23:59:00 – 23:59:00.250');
  expect(windowSpan({ start, end: ms(2026, 1, 1, 0, 0, 0, 0) })).toBe('2026-01-31 23:59:00 – 2026-02-01 00:00:00');
  expect(windowSpan({ start, end: null })).toBe('2026-01-31 23:59:00 – open end');
});

test('a single time is shown with some minutes around it', () => {
  expect(timeRange([1_000, 1_000], 1_000, 1_000)).toEqual([940, 1_060]);
  // For a single time, uPlot suggests a day.
  expect(timeRange([1_000], 1_000, 87_400)).toEqual([940, 1_060]);
  expect(timeRange([1_000, 2_000], 1_000, 2_000)).toEqual([1_000, 2_000]);
  expect(timeRange([], null, null)).toEqual([null, null]);
});

import { expect, test } from 'vitest';
import { signalCurve } from '#domain/tag/signal-curve';
import type { MachineSettings, Signal } from '#domain/tag/signal';
import { sampleAt } from '#domain/tag/signal-value';

const now = 1_000_000;
const settingsOf = (signal: Signal, updateMs = 1_000): MachineSettings => ({ signal, noise: 0, updateMs });
const curveOf = (signal: Signal, updateMs?: number) =>
  signalCurve(settingsOf(signal, updateMs), 'Double', { seed: 7, now });

test('two periods of a periodic signal, of the values that readers will see', () => {
  const signal: Signal = { kind: 'ramp', min: 10, max: 20, periodMs: 60_000 };
  const { points, min, max, periodMs } = curveOf(signal);
  expect(points).toHaveLength(121);
  expect(points[0]?.at).toBe(now);
  expect(points.at(-1)?.at).toBe(now + 120_000);
  for (const { at, value } of points) expect(value).toBe(sampleAt(settingsOf(signal), 'Double', at, 7).value);
  expect({ min, periodMs }).toEqual({ min: 10, periodMs: 60_000 });
  expect(max).toBeCloseTo(19.83, 1);
});

test('at most 601 points, of a period of a day too', () => {
  expect(curveOf({ kind: 'sine', min: 0, max: 1, periodMs: 86_400_000 }).points).toHaveLength(601);
});

test('a counter that restarts has a period, and another one none', () => {
  const counter: Signal = { kind: 'counter', start: 0, increment: 2, everyMs: 5_000 };
  expect(curveOf({ ...counter, wrapAt: 10 })).toMatchObject({ periodMs: 25_000, min: 0, max: 8 });
  const open = curveOf(counter);
  expect(open.periodMs).toBeNull();
  expect(open.points.at(-1)?.at).toBe(now + 100_000);
});

test('a recording: all rows count for its range; played once, it begins at its start', () => {
  const rows = [
    { at: 0, value: 1 },
    { at: 3_600_000, value: 500 },
    { at: 3_600_001, value: 2 },
    { at: 7_200_000, value: 3 },
  ];
  expect(curveOf({ kind: 'csv', rows, loop: true }, 60_000)).toMatchObject({ min: 1, max: 500 });
  const once = curveOf({ kind: 'csv', rows, loop: false, startAt: '2026-08-01T06:00:00Z' }, 60_000);
  expect(once).toMatchObject({ periodMs: null });
  expect(once.points[0]).toEqual({ at: Date.parse('2026-08-01T06:00:00Z'), value: 1 });
});

test('texts and constants have points without a range, or with one value', () => {
  expect(signalCurve(settingsOf({ kind: 'constant', value: 'on' }), 'String', { seed: 7, now })).toMatchObject({
    min: null,
    max: null,
    periodMs: null,
  });
  expect(curveOf({ kind: 'constant', value: 4 })).toMatchObject({ min: 4, max: 4 });
});

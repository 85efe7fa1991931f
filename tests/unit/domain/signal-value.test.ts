import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { walkAt } from '#domain/tag/signal-noise';
import type { MachineSettings, Signal } from '#domain/tag/signal';
import { sampleAt, sampleBegan, valueAt } from '#domain/tag/signal-value';
import { cpuMsOf } from '../../support/cpu-time.ts';

const T0 = Date.UTC(2026, 0, 1);
const options = { updateMs: 100, seed: 7 };
const at = (signal: Signal, t: number) => valueAt(signal, t, options).value;
const settings = (signal: Signal, more: Partial<MachineSettings> = {}): MachineSettings => ({
  signal,
  noise: 0,
  updateMs: 100,
  ...more,
});

function numberAt(machine: MachineSettings, t: number, type: 'Double' | 'Int' = 'Double'): number {
  const { value } = sampleAt(machine, type, t, 3);
  if (typeof value !== 'number') throw new Error('a number was expected');
  return value;
}

const bounds = fc
  .tuple(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 0, max: 1e6, noNaN: true }))
  .map(([min, range]) => ({ min, max: min + range }));
const times = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) });

describe('signals', () => {
  test('constant, sine, ramp and square', () => {
    expect(at({ kind: 'constant', value: 'Running' }, T0)).toBe('Running');
    const sine: Signal = { kind: 'sine', min: 10, max: 20, periodMs: 4_000 };
    expect([0, 1_000, 2_000, 3_000].map((ms) => at(sine, T0 + ms))).toEqual([15, 20, expect.closeTo(15), 10]);
    expect(at({ ...sine, phase: 0.25 }, T0)).toBe(20);
    const ramp: Signal = { kind: 'ramp', min: 0, max: 100, periodMs: 1_000 };
    expect([0, 250, 999, 1_000].map((ms) => at(ramp, T0 + ms))).toEqual([0, 25, expect.closeTo(99.9), 0]);
    const square: Signal = { kind: 'square', low: false, high: true, periodMs: 1_000, duty: 0.2 };
    expect([0, 199, 200, 999, 1_000].map((ms) => at(square, T0 + ms))).toEqual([true, true, false, false, true]);
  });

  test('counter counts, and wraps before it reaches the limit', () => {
    expect(at({ kind: 'counter', start: 5, increment: 2, everyMs: 10 }, 39)).toBe(11);
    const wrapping: Signal = { kind: 'counter', start: 0, increment: 40, everyMs: 10, wrapAt: 100 };
    expect([0, 10, 20, 30, 40].map((ms) => at(wrapping, ms))).toEqual([0, 40, 80, 0, 40]);
    const down: Signal = { kind: 'counter', start: 3, increment: -1, everyMs: 10, wrapAt: 0 };
    expect([0, 10, 20, 30].map((ms) => at(down, ms))).toEqual([3, 2, 1, 3]);
  });

  test('counter with fractions wraps after the exact number of counts', () => {
    const minutes: Signal = { kind: 'counter', start: 0, increment: 0.93, everyMs: 60_000, wrapAt: 446.4 };
    expect(at(minutes, 479 * 60_000)).toBeCloseTo(445.47);
    expect(at(minutes, 480 * 60_000)).toBe(0);
  });

  test('repeats a recording, each row until the next', () => {
    const rows = [
      { at: 0, value: 1 },
      { at: 100, value: 2 },
      { at: 400, value: 3 },
    ];
    const loop: Signal = { kind: 'csv', rows, loop: true, startAt: '2026-01-01T00:00:00Z' };
    expect([0, 99, 100, 399, 400, 699, 700, -1].map((ms) => at(loop, T0 + ms))).toEqual([1, 1, 2, 2, 3, 3, 1, 3]);
    expect(at({ kind: 'csv', rows: [{ at: 0, value: 9 }], loop: true }, T0 + 12_345)).toBe(9);
  });

  test('plays a recording once: no data before, the last value after', () => {
    const rows = [
      { at: 0, value: 'a' },
      { at: 100, value: 'b' },
    ];
    const once: Signal = { kind: 'csv', rows, loop: false, startAt: '2026-01-01T00:00:00Z' };
    expect(valueAt(once, T0 - 1, options)).toEqual({ value: null, quality: 'BadNoData' });
    expect(valueAt(once, T0 + 50, options)).toEqual({ value: 'a', quality: 'Good' });
    expect(valueAt(once, T0 + 100, options)).toEqual({ value: 'b', quality: 'Good' });
    expect(valueAt(once, T0 + 101, options)).toEqual({ value: 'b', quality: 'UncertainLastUsableValue' });
  });

  test('changes only with its updates', () => {
    const noisy = settings({ kind: 'sine', min: 0, max: 10, periodMs: 5_000 }, { noise: 1, updateMs: 500 });
    expect(sampleAt(noisy, 'Double', T0 + 499, 1)).toEqual(sampleAt(noisy, 'Double', T0, 1));
    expect(sampleAt(noisy, 'Double', T0 + 500, 1)).not.toEqual(sampleAt(noisy, 'Double', T0, 1));
  });

  test('stays within its limits plus the noise, at any time', () => {
    const signals = bounds.chain((range) =>
      fc
        .oneof(
          fc
            .record({ periodMs: fc.integer({ min: 1, max: 1e9 }), phase: fc.double({ min: 0, max: 1, noNaN: true }) })
            .map((rest): Signal => Object.assign({ kind: 'sine' as const }, range, rest)),
          fc
            .integer({ min: 1, max: 1e9 })
            .map((periodMs): Signal => ({ kind: 'ramp', min: range.min, max: range.max, periodMs })),
          fc
            .record({ step: fc.double({ min: 1e-3, max: 1e6, noNaN: true }), seed: fc.integer() })
            .map((rest): Signal => Object.assign({ kind: 'randomWalk' as const }, range, rest)),
        )
        .map((signal) => ({ signal, range })),
    );
    fc.assert(
      fc.property(signals, times, fc.double({ min: 0, max: 100, noNaN: true }), ({ signal, range }, t, noise) => {
        const value = numberAt(settings(signal, { updateMs: 1 }), t);
        expect(value).toBeGreaterThanOrEqual(range.min);
        expect(value).toBeLessThanOrEqual(range.max);
        const noisy = numberAt(settings(signal, { noise }), t);
        const still = numberAt(settings(signal), t);
        expect(Math.abs(noisy - still)).toBeLessThanOrEqual(noise + 1e-6);
      }),
      { numRuns: 1_000 },
    );
  });

  test('walks randomly by at most a step per update, reproducibly', () => {
    fc.assert(
      fc.property(fc.integer(), times, fc.double({ min: 1e-9, max: 2, noNaN: true }), (seed, index, step) => {
        const here = walkAt(seed, index, step);
        expect(Math.abs(walkAt(seed, index + 1, step) - here)).toBeLessThanOrEqual(step + 1e-12);
        expect(walkAt(seed, index, step)).toBe(here);
      }),
      { numRuns: 2_000 },
    );
    const walk = Array.from({ length: 20_000 }, (_, index) => walkAt(1, index, 0.02));
    expect(Math.max(...walk) - Math.min(...walk)).toBeGreaterThan(0.4);
    expect(walk.slice(0, 100)).not.toEqual(Array.from({ length: 100 }, (_, index) => walkAt(2, index, 0.02)));
  });

  test('spreads its noise evenly around the signal', () => {
    const noisy = settings({ kind: 'constant', value: 50 }, { noise: 2, updateMs: 1 });
    const values = Array.from({ length: 20_000 }, (_, ms) => numberAt(noisy, T0 + ms));
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean).toBeGreaterThan(49.95);
    expect(mean).toBeLessThan(50.05);
    expect(new Set(values).size).toBeGreaterThan(19_900);
  });

  test('returns whole numbers for an Int tag', () => {
    const noisy = settings({ kind: 'sine', min: 0, max: 10, periodMs: 997 }, { noise: 0.7 });
    for (let ms = 0; ms < 5_000; ms += 50) {
      const value = numberAt(noisy, T0 + ms, 'Int');
      expect(Number.isInteger(value) && !Object.is(value, -0)).toBe(true);
    }
  });

  test('finds the value in a long walk or recording at once', async () => {
    const rows = Array.from({ length: 100_000 }, (_, index) => ({ at: index * 1_000, value: index }));
    const replay: Signal = { kind: 'csv', rows, loop: true };
    const walk: Signal = { kind: 'randomWalk', min: 0, max: 1e9, step: 1 };
    const look = () => {
      for (let index = 0; index < 10_000; index++) {
        at(replay, T0 + index * 7_919);
        at(walk, T0 + index * 7_919);
      }
    };
    expect(await cpuMsOf(look)).toBeLessThan(1_000);
  });
});

describe('when a sample began', () => {
  const began = (signal: Signal, t: number, more: Partial<MachineSettings> = {}, type: 'Double' | 'Int' = 'Double') => {
    const found = sampleBegan(settings(signal, more), type, T0 + t, 3);
    return found === null ? null : found - T0;
  };

  test('is the last update that changed it', () => {
    const ramp: Signal = { kind: 'ramp', min: 0, max: 10, periodMs: 10_000 };
    expect(began(ramp, 1_250)).toBe(1_200);
    expect(began(ramp, 1_250, {}, 'Int')).toBe(500);
    expect(began(ramp, 1_250, { noise: 1 })).toBe(1_200);
    const square: Signal = { kind: 'square', low: 0, high: 1, periodMs: 10_000, duty: 0.25 };
    expect([1_000, 2_499, 2_500, 9_999, 10_000].map((t) => began(square, t))).toEqual([0, 0, 2_500, 2_500, 10_000]);
    expect(began(square, 9_999, { updateMs: 300 })).toBe(2_700);
    expect(began({ kind: 'counter', start: 0, increment: 1, everyMs: 1_000 }, 5_999)).toBe(5_000);
    const rows = [0, 1_000, 4_000].map((ms, index) => ({ at: ms, value: index }));
    const startAt = new Date(T0).toISOString();
    const csv = (loop: boolean): Signal => ({ kind: 'csv', rows, loop, startAt });
    expect([500, 3_900, 5_000, 7_500].map((t) => began(csv(true), t))).toEqual([0, 1_000, 4_000, 7_000]);
    expect([-1, 500, 3_900, 4_000, 9_000].map((t) => began(csv(false), t))).toEqual([null, 0, 1_000, 4_000, 4_100]);
  });

  test('is not known for what does not change', () => {
    expect(began({ kind: 'constant', value: 1 }, 5_000)).toBe(null);
    expect(began({ kind: 'square', low: 1, high: 1, periodMs: 1_000 }, 5_000)).toBe(null);
    expect(began({ kind: 'counter', start: 0, increment: 0, everyMs: 1_000 }, 5_000)).toBe(null);
  });

  test('has another sample before it, and the same one since', () => {
    const signals = fc.oneof(
      fc.record({
        kind: fc.constant('square' as const),
        low: fc.constant(0),
        high: fc.constant(1),
        periodMs: fc.integer({ min: 50, max: 5_000 }),
        duty: fc.constantFrom(0.1, 0.3, 0.5),
      }),
      fc.record({
        kind: fc.constant('counter' as const),
        start: fc.constant(0),
        increment: fc.constant(1),
        everyMs: fc.integer({ min: 10, max: 5_000 }),
      }),
      fc.record({
        kind: fc.constant('sine' as const),
        min: fc.constant(0),
        max: fc.constant(5),
        periodMs: fc.integer({ min: 1_000, max: 20_000 }),
      }),
    );
    fc.assert(
      fc.property(
        signals,
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 1, max: 700 }),
        (signal, t, updateMs) => {
          const made = settings(signal, { updateMs });
          const start = sampleBegan(made, 'Int', T0 + t, 3);
          if (start === null) return;
          const current = sampleAt(made, 'Int', T0 + t, 3).value;
          expect(start).toBeLessThanOrEqual(T0 + t);
          expect(sampleAt(made, 'Int', start - 1, 3).value).not.toBe(current);
          for (let later = start; later <= T0 + t; later += 50)
            expect(sampleAt(made, 'Int', later, 3).value).toBe(current);
        },
      ),
    );
  });
});

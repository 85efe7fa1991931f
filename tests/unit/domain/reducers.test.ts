import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { type Sample, reducerOf } from '#domain/rule/reducers';
import type { ReducerName, SampleValue } from '#domain/rule/rule';
import { REDUCERS } from '#domain/rule/rule';

const stateOf = (name: ReducerName, samples: readonly Sample[], state?: SampleValue): unknown => {
  const reducer = reducerOf({ reducer: name, ...(state !== undefined && { state }) });
  return samples.reduce((so, sample) => reducer.add(so, sample), reducer.empty);
};
const resultOf = (name: ReducerName, samples: readonly Sample[], end = 1_000, state?: SampleValue) =>
  reducerOf({ reducer: name, ...(state !== undefined && { state }) }).result(stateOf(name, samples, state), end);
const at = (moment: number, value: SampleValue | null): Sample => ({ at: moment, value });

const anyValue = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0),
  fc.boolean(),
  fc.constantFrom('Running', 'Fault'),
  fc.constant(null),
);
/** Samples in chronological order, including bad ones and texts. */
const anySamples = fc.array(fc.tuple(fc.integer({ min: 0, max: 500 }), anyValue), { maxLength: 40 }).map((steps) => {
  let now = 0;
  return steps.map(([step, value]) => at((now += step), value));
});

/** A number rounded to six places, anything else unchanged. */
const about = (value: SampleValue | null): unknown => (typeof value === 'number' ? expect.closeTo(value, 6) : value);

describe.each(REDUCERS)('%s', (name) => {
  test('merged states of any parts give the result of all samples, in any order', () => {
    fc.assert(
      fc.property(anySamples, fc.nat(40), fc.nat(40), (samples, one, two) => {
        const [i, j] = [Math.min(one, two), Math.max(one, two)];
        const { merge, result, empty } = reducerOf({ reducer: name, state: 'Running' });
        const part = (from: number, to?: number) => stateOf(name, samples.slice(from, to), 'Running');
        const end = (samples.at(-1)?.at ?? 0) + 250;
        const whole = result(part(0), end);
        expect(result(merge(merge(part(0, i), part(i, j)), part(j)), end)).toEqual(about(whole));
        expect(result(merge(part(0, i), merge(part(i, j), part(j))), end)).toEqual(about(whole));
        expect(result(merge(empty, merge(part(0), empty)), end)).toEqual(about(whole));
      }),
      { numRuns: 300 },
    );
  });

  test('a state survives being stored as JSON', () => {
    fc.assert(
      fc.property(anySamples, fc.nat(40), (samples, cut) => {
        const { add, result } = reducerOf({ reducer: name });
        const stored: unknown = JSON.parse(JSON.stringify(stateOf(name, samples.slice(0, cut))));
        const end = (samples.at(-1)?.at ?? 0) + 10;
        expect(
          result(
            samples.slice(cut).reduce((so, sample) => add(so, sample), stored),
            end,
          ),
        ).toEqual(resultOf(name, samples, end));
      }),
      { numRuns: 100 },
    );
  });

  test('without good samples, there is no value', () => {
    const none = name === 'count' ? 0 : null;
    expect(resultOf(name, [])).toBe(none);
    expect(resultOf(name, [at(10, null), at(20, null)])).toBe(none);
  });

  test('bad samples do not affect reducers without time weights', () => {
    if (name === 'timeWeightedAvg' || name === 'timeInState') return;
    fc.assert(
      fc.property(anySamples, (samples) => {
        expect(resultOf(name, samples)).toEqual(
          resultOf(
            name,
            samples.filter(({ value }) => value !== null),
          ),
        );
      }),
    );
  });
});

test('the order of samples matters only to reducers that use it', () => {
  const unordered: ReducerName[] = ['avg', 'min', 'max', 'sum', 'count', 'range', 'stdDev'];
  fc.assert(
    fc.property(
      anySamples.chain((samples) =>
        fc.tuple(fc.constant(samples), fc.shuffledSubarray(samples, { minLength: samples.length })),
      ),
      ([samples, shuffled]) => {
        for (const name of unordered) expect(resultOf(name, shuffled)).toEqual(about(resultOf(name, samples)));
      },
    ),
  );
});

test('the values match textbook formulas', () => {
  const samples = [2, 4, 4, 4, 5, 5, 7, 9].map((value, n) => at(n * 100, value));
  const values = Object.fromEntries(REDUCERS.map((name) => [name, resultOf(name, samples, 800, 4)]));
  expect(values).toEqual({
    avg: 5,
    min: 2,
    max: 9,
    sum: 40,
    count: 8,
    first: 2,
    last: 9,
    range: 7,
    stdDev: expect.closeTo(Math.sqrt(32 / 7), 12),
    delta: 7,
    timeWeightedAvg: 5,
    timeInState: 0.3,
  });
  const one = Object.fromEntries(REDUCERS.map((name) => [name, resultOf(name, [at(100, 3)], 400, 3)]));
  expect(one).toEqual({
    avg: 3,
    min: 3,
    max: 3,
    sum: 3,
    count: 1,
    first: 3,
    last: 3,
    range: 0,
    stdDev: 0,
    delta: 0,
    timeWeightedAvg: 3,
    timeInState: 0.3,
  });
  expect(resultOf('avg', [at(0, true), at(1, false)])).toBe(0.5);
  expect(resultOf('last', [at(0, 'Running'), at(1, 'Fault'), at(2, null)])).toBe('Fault');
  expect(resultOf('avg', [at(0, 'Running')])).toBeNull();
});

test('sums and deviations keep digits that rounding would lose', () => {
  const tenths = Array.from({ length: 1_000_000 }, (_, n) => at(n, 0.1));
  expect(resultOf('sum', tenths)).toBe(100_000);
  expect(resultOf('sum', [at(0, 1e16), at(1, 1), at(2, -1e16)])).toBe(1);
  const offset = [1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16].map((value, n) => at(n, value));
  expect(resultOf('stdDev', offset)).toBeCloseTo(Math.sqrt(30), 6);
  expect(resultOf('sum', [at(0, 1.7e308), at(1, 1.7e308)])).toBeNull();
  expect(resultOf('range', [at(0, 1.7e308), at(1, -1.7e308)])).toBeNull();
});

describe('reducers with time weights', () => {
  test('a value lasts until the next sample or the end of the window', () => {
    expect(resultOf('timeWeightedAvg', [at(0, 10), at(900, 110)], 1_000)).toBe(20);
    expect(resultOf('timeInState', [at(0, 'Running'), at(250, 'Fault'), at(400, 'Running')], 1_000, 'Running')).toBe(
      0.85,
    );
    expect(resultOf('timeInState', [at(0, true), at(300, false)], 1_000)).toBe(0.3);
    // A sample at the very end has no duration.
    expect(resultOf('timeWeightedAvg', [at(0, 10), at(1_000, 500)], 1_000)).toBe(10);
    expect(resultOf('timeWeightedAvg', [at(1_000, 500)], 1_000)).toBe(500);
  });

  test('time with bad quality is not counted', () => {
    expect(resultOf('timeWeightedAvg', [at(0, 10), at(100, null), at(800, 20)], 900)).toBe(15);
    expect(resultOf('timeInState', [at(0, 'Running'), at(100, null), at(800, 'Running')], 900, 'Running')).toBe(0.2);
    expect(resultOf('timeInState', [at(0, 'Fault')], 900, 'Running')).toBe(0);
  });

  test('a clock that was set back causes no negative time', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.double({ min: 1, max: 2, noNaN: true })), {
          minLength: 1,
        }),
        fc.nat(10_000),
        (steps, end) => {
          const samples = steps.map(([moment, value]) => at(moment, value));
          const value = resultOf('timeWeightedAvg', samples, end);
          expect(value).toBeGreaterThanOrEqual(1);
          expect(value).toBeLessThanOrEqual(2);
          expect(resultOf('timeInState', samples, end, 1)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });

  test('a time-weighted average is between the least and the greatest value', () => {
    fc.assert(
      fc.property(anySamples, (samples) => {
        const average = resultOf('timeWeightedAvg', samples, (samples.at(-1)?.at ?? 0) + 1);
        if (average === null) return;
        expect(average).toBeGreaterThanOrEqual(Number(resultOf('min', samples)) - 1e-6);
        expect(average).toBeLessThanOrEqual(Number(resultOf('max', samples)) + 1e-6);
      }),
    );
  });
});

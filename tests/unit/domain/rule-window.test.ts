import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { ClosedWindow, WindowInput, WindowRule } from '#domain/rule/rule-window';
import { windowsOf } from '#domain/rule/rule-window';
import type { ReducerName, RuleWindow, SampleValue } from '#domain/rule/rule';

const TAG = 'A.B.C';
const UTC = () => 0;
const MINUTE = 60_000;

function rule(window: RuleWindow, ...reducers: ReducerName[]): WindowRule {
  return {
    tags: [TAG],
    window,
    outputs: reducers.map((reducer) => ({ name: reducer, reducer, tag: TAG, state: true })),
  };
}

/** Runs a rule over a sequence of events from a time on. Returns the closed windows. */
function run(of: WindowRule, begin: number, inputs: readonly WindowInput[]): ClosedWindow[] {
  const windows = windowsOf(of, UTC);
  const closed: ClosedWindow[] = [];
  let progress = windows.begin(begin);
  for (const input of inputs) {
    // Stored and reloaded at every step, as after a crash.
    const step = windows.step(JSON.parse(JSON.stringify(progress)), input);
    progress = step.progress;
    if (step.closed) closed.push(step.closed);
  }
  return closed;
}

const sample = (at: number, value: SampleValue | null, tag = 0): WindowInput => ({ kind: 'sample', at, tag, value });
const time = (at: number): WindowInput => ({ kind: 'time', at });
const gate = (at: number, open: boolean): WindowInput => ({ kind: 'gate', at, open });
const tumbling: RuleWindow = { kind: 'tumbling', everyMs: MINUTE };

describe('tumbling windows', () => {
  test('close once at their end; a sample at the end belongs to the next', () => {
    const closed = run(rule(tumbling, 'avg', 'count'), 30_000, [
      sample(31_000, 10),
      sample(59_999, 20),
      sample(60_000, 99),
      time(60_001),
      time(119_999),
      time(120_000),
    ]);
    expect(closed).toEqual([
      { start: 0, end: 60_000, samples: 2, bad: 0, outputs: [15, 2], empty: false },
      { start: 60_000, end: 120_000, samples: 1, bad: 0, outputs: [99, 1], empty: false },
    ]);
  });

  test('a value that spans windows weighs in both and fills an empty one', () => {
    const closed = run(rule(tumbling, 'timeWeightedAvg', 'timeInState', 'count'), 0, [
      sample(0, 0),
      sample(45_000, true),
      time(60_000),
      sample(90_000, 0),
      time(120_000),
      time(180_000),
    ]);
    expect(closed.map(({ outputs }) => outputs)).toEqual([
      [0.25, 15, 1 + 1],
      [0.5, 30, 1],
      [0, 0, 0],
    ]);
    expect(closed.map(({ empty }) => empty)).toEqual([false, false, false]);
  });

  test('are empty without usable samples, whatever the number of bad ones', () => {
    const closed = run(rule(tumbling, 'avg', 'count'), 0, [
      sample(1_000, null),
      sample(2_000, Number.NaN),
      sample(3_000, 'text'),
      time(60_000),
    ]);
    // A text is a sample to count, but not to average.
    expect(closed).toMatchObject([{ samples: 1, bad: 2, outputs: [null, 1] }]);
    expect(run(rule(tumbling, 'avg'), 0, [sample(1_000, null), sample(3_000, 'text'), time(60_000)])).toMatchObject([
      { samples: 0, bad: 2, outputs: [null], empty: true },
    ]);
    expect(run(rule(tumbling, 'count'), 0, [time(60_000)])).toMatchObject([{ outputs: [0], empty: true }]);
  });

  test('a clock set forward closes the window once, at its end, without more windows', () => {
    const closed = run(rule(tumbling, 'timeWeightedAvg', 'count'), 0, [
      sample(0, 1),
      sample(30_000, 3),
      sample(7_200_500, 5),
      time(7_260_000),
    ]);
    expect(closed).toMatchObject([
      { start: 0, end: 60_000, outputs: [2, 2] },
      { start: 7_200_000, end: 7_260_000, outputs: [5, 1] },
    ]);
  });

  test('a clock that was set back closes the window; a corrected one does not', () => {
    const base = 3_600_000;
    const closed = run(rule(tumbling, 'count', 'timeWeightedAvg'), base, [
      sample(base + 100, 1),
      sample(base - 50, 2),
      sample(base + 30_000, 3),
      sample(base - 1_800_000, 4),
      time(base - 1_740_000),
    ]);
    expect(closed.map(({ start, end, outputs: [count] }) => [start, end, count])).toEqual([
      [base, base + 30_000, 3],
      [base - 1_800_000, base - 1_740_000, 1],
    ]);
  });
});

test('count windows close with their last sample; bad ones do not count', () => {
  const closed = run(rule({ kind: 'count', samples: 3 }, 'sum', 'timeWeightedAvg'), 0, [
    sample(10, 1),
    sample(20, null),
    sample(30, 2),
    sample(40, 3),
    sample(50, 4),
    sample(60, 5),
    sample(70, 6),
  ]);
  expect(closed.map(({ start, end, samples, bad, outputs: [sum] }) => [start, end, samples, bad, sum])).toEqual([
    [0, 40, 3, 1, 6],
    [40, 70, 3, 0, 15],
  ]);
  // 3 lasts from 40 to 50, then 4 and 5.
  expect(closed[1]?.outputs[1]).toBe(4);
});

test('windows of a Boolean tag last as long as it is true', () => {
  const closed = run(rule({ kind: 'while', tag: 'A.B.Batch' }, 'avg', 'timeInState'), 0, [
    sample(5, true),
    gate(10, true),
    sample(20, 1),
    gate(25, true),
    sample(30, 3),
    gate(40, false),
    sample(50, 100),
    gate(60, true),
    gate(70, false),
  ]);
  expect(closed).toEqual([
    { start: 10, end: 40, samples: 2, bad: 0, outputs: [2, 0.01], empty: false },
    // No new sample, but the earlier value lasts.
    { start: 60, end: 70, samples: 0, bad: 0, outputs: [null, 0], empty: false },
  ]);
});

test('manual windows last from one firing to the next', () => {
  const windows = windowsOf(rule({ kind: 'manual' }, 'delta', 'timeWeightedAvg'), UTC);
  let { progress } = windows.step(windows.begin(0), sample(100, 5));
  progress = windows.step(progress, sample(200, 9)).progress;
  expect(windows.closedAt(progress, 300)).toMatchObject({ start: 0, end: 300, outputs: [4, 7], samples: 2 });
  const first = windows.close(progress, 300);
  expect(first.closed).toMatchObject({ start: 0, end: 300, outputs: [4, 7] });
  expect(windows.close(first.progress, 400).closed).toMatchObject({
    start: 300,
    end: 400,
    outputs: [null, 9],
    samples: 0,
  });
});

test('each sample counts in exactly one window; times in state add up to known time', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 40_000 }), fc.option(fc.boolean())), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(steps, fc.constantFrom(1_000, 10_000, MINUTE), (given, everyMs) => {
      let now = 0;
      const samples = given.map(([step, value]) => sample((now += step), value));
      const last = Math.ceil((now + 1) / everyMs) * everyMs;
      // Time passes at every end, as in a program without delays.
      const ends = Array.from({ length: last / everyMs }, (_, n) => time((n + 1) * everyMs));
      const inputs = [...samples, ...ends].toSorted((a, b) => a.at - b.at || (a.kind === 'time' ? -1 : 1));
      const closed = run(rule({ kind: 'tumbling', everyMs }, 'count', 'timeInState'), 0, inputs);
      const total = (of: (window: ClosedWindow) => number) => closed.reduce((sum, window) => sum + of(window), 0);
      expect(closed.length).toBe(last / everyMs);
      expect(total(({ samples: good }) => good)).toBe(given.filter(([, value]) => value !== null).length);
      expect(total(({ bad }) => bad)).toBe(given.filter(([, value]) => value === null).length);
      const moments = [...samples, time(last)];
      const inState = given.reduce(
        (sum, [, value], n) => sum + (value === true ? (moments[n + 1]?.at ?? 0) - (moments[n]?.at ?? 0) : 0),
        0,
      );
      expect(total(({ outputs }) => Number(outputs[1] ?? 0))).toBeCloseTo(inState / 1_000, 6);
    }),
    { numRuns: 200 },
  );
});

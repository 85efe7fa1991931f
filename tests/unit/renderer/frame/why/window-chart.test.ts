import { describe, expect, test } from 'vitest';
import type { WhySample } from '#domain/run/why';
import { chartOf } from '../../../../../src-renderer/frame/why/window-chart.ts';

const START = Date.parse('2026-01-02T03:04:00.000Z');
const at = (ms: number) => new Date(START + ms).toISOString();
const sample = (ms: number, value: WhySample['value'], more: Partial<WhySample> = {}): WhySample => ({
  at: at(ms),
  tag: 'A.B.C',
  value,
  ...more,
});

/** The chart of a window of 10 s. */
function chart(list: WhySample[], counted = list.length) {
  const badSamples = list.filter(({ value }) => value === null).length;
  const found = chartOf({ start: at(0), end: at(10_000), samples: counted - badSamples, badSamples, list });
  return (
    found && { ...found, times: found.times.map((ms) => ms - START), crosses: found.crosses.map((ms) => ms - START) }
  );
}

describe('the chart of a window', () => {
  test('one sample is a point whose value is valid until the end of the window', () => {
    expect(chart([sample(4_000, 33)])).toEqual({
      times: [0, 4_000, 10_000],
      series: [{ name: 'A.B.C', values: [null, 33, 33], points: [1] }],
      crosses: [],
    });
  });

  test('an excluded sample is a gap with a cross', () => {
    const found = chart([sample(0, 1), sample(2_000, null, { quality: 'BadSensorFailure' }), sample(5_000, 3)]);
    expect(found).toEqual({
      times: [0, 2_000, 5_000, 10_000],
      series: [{ name: 'A.B.C', values: [1, null, 3, 3], points: [0, 2] }],
      crosses: [2_000],
    });
  });

  test('each tag has its own points, and keeps its value at the samples of others', () => {
    const found = chart([sample(1_000, 1), sample(2_000, true, { tag: 'D.E.F' }), sample(10_000, 2)]);
    expect(found?.times).toEqual([0, 1_000, 2_000, 10_000]);
    expect(found?.series).toEqual([
      { name: 'A.B.C', values: [null, 1, 1, 2], points: [1, 3] },
      { name: 'D.E.F', values: [null, null, 1, 1], points: [2] },
    ]);
  });

  test('samples are in the order of their times after the clock was corrected', () => {
    expect(chart([sample(3_000, 1), sample(2_000, 2)])?.series[0]?.values).toEqual([null, 2, 1, 1]);
  });

  test('nothing is drawn after the last listed sample if there are more', () => {
    expect(chart([sample(1_000, 1), sample(2_000, 2)], 3)?.series[0]?.values).toEqual([null, 1, 2, null]);
  });

  test('texts and excluded samples alone have no chart', () => {
    expect(chart([sample(0, 'Running'), sample(1_000, null)])).toBeNull();
  });
});

import { expect, test } from 'vitest';
import { AgeLimit } from '../../../../src-main/storage/journal/age-limit.ts';

const [SECOND, HOUR, DAY] = [1_000, 3_600_000, 86_400_000];

function limited(keptDays = 30) {
  const time = { now: 0, passed: 0 };
  const limit = new AgeLimit({ now: () => time.now }, () => time.passed);
  const look = (days: number) => limit.look(days);
  look(keptDays);
  /** Tagwright runs for so long, and looks every 30 s. */
  const runs = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 30 * SECOND) {
      time.now += 30 * SECOND;
      time.passed += 30 * SECOND;
      look(keptDays);
    }
  };
  return { time, limit, look, runs };
}

test('an hour of running time confirms the age of a day of entries, never of more', () => {
  const { limit, runs } = limited();
  expect(limit.take(1)).toBe(false);
  runs(HOUR / 2);
  expect([limit.take(DAY / 2 + 1), limit.take(DAY / 4), limit.take(DAY / 4), limit.take(1)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
  runs(100 * HOUR);
  expect([limit.take(DAY), limit.take(1)]).toEqual([true, false]);
  // A block that has entries of many days.
  runs(HOUR);
  expect(limit.take(60 * DAY)).toBe(true);
});

test('a clock that is set confirms nothing, and a correction of seconds is none', () => {
  const { time, limit, look, runs } = limited();
  runs(HOUR);
  time.now += 2 * SECOND;
  runs(30 * SECOND);
  expect(limit.take(1)).toBe(true);
  for (const jump of [400 * DAY, -400 * DAY]) {
    runs(HOUR);
    time.now += jump;
    look(30);
    expect(limit.take(1)).toBe(false);
    runs(60 * SECOND);
    expect([limit.take(DAY / 24), limit.take(60 * 24 * SECOND)]).toEqual([false, true]);
  }
});

test('a person who keeps entries for a shorter time deletes all older ones at once', () => {
  const { limit, look } = limited(Infinity);
  look(Infinity);
  expect(limit.take(1)).toBe(false);
  look(30);
  expect([limit.take(DAY), limit.take(DAY), limit.take(DAY)]).toEqual([true, true, true]);
  look(30);
  expect([limit.take(DAY), limit.take(DAY)]).toEqual([true, false]);
});

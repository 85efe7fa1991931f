import { fc } from '../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { OffsetAt } from '#domain/text/local-time';
import { localTimeText } from '#domain/text/local-time';
import { problemOfTumbling, tumblingWindow } from '#domain/rule/rule-window';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const zones = new Map<string, Intl.DateTimeFormat>();
/** The offset of a zone of the tz database. */
const zone =
  (timeZone: string): OffsetAt =>
  (at) => {
    let format = zones.get(timeZone);
    if (!format)
      zones.set(timeZone, (format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })));
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(text) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  };

const berlin = zone('Europe/Berlin');

/** A window as two local times. */
function shown(at: string, everyMs: number, offsetAt = berlin): string[] {
  const { start, end } = tumblingWindow(Date.parse(at), everyMs, offsetAt);
  return [localTimeText(start, offsetAt), localTimeText(end, offsetAt)];
}

describe('windows on days when the clock is changed', () => {
  test('a day has 23 hours in March and 25 in October', () => {
    expect(shown('2026-03-29T12:00:00+02:00', DAY)).toEqual([
      '2026-03-29T00:00:00.000+01:00',
      '2026-03-30T00:00:00.000+02:00',
    ]);
    expect(shown('2026-03-29T00:30:00+01:00', DAY)).toEqual([
      '2026-03-29T00:00:00.000+01:00',
      '2026-03-30T00:00:00.000+02:00',
    ]);
    expect(shown('2026-10-25T01:00:00+02:00', DAY)).toEqual([
      '2026-10-25T00:00:00.000+02:00',
      '2026-10-26T00:00:00.000+01:00',
    ]);
    expect(shown('2026-10-25T23:59:59.999+01:00', DAY)).toEqual([
      '2026-10-25T00:00:00.000+02:00',
      '2026-10-26T00:00:00.000+01:00',
    ]);
  });

  test('a shift of 8 hours stays clock-aligned', () => {
    expect(shown('2026-10-25T01:00:00+02:00', 8 * HOUR)).toEqual([
      '2026-10-25T00:00:00.000+02:00',
      '2026-10-25T08:00:00.000+01:00',
    ]);
    expect(shown('2026-03-29T07:59:00+02:00', 8 * HOUR)).toEqual([
      '2026-03-29T00:00:00.000+01:00',
      '2026-03-29T08:00:00.000+02:00',
    ]);
    // At 03:00 in summer time the clock goes back to 02:00, and the window continues.
    expect(shown('2026-10-25T02:30:00+02:00', 3 * HOUR)).toEqual([
      '2026-10-25T00:00:00.000+02:00',
      '2026-10-25T03:00:00.000+01:00',
    ]);
    expect(shown('2026-10-25T02:30:00+01:00', 3 * HOUR)).toEqual([
      '2026-10-25T00:00:00.000+02:00',
      '2026-10-25T03:00:00.000+01:00',
    ]);
  });

  test('a repeated hour has two windows; a skipped one has none', () => {
    expect(shown('2026-10-25T02:30:00+02:00', HOUR)).toEqual([
      '2026-10-25T02:00:00.000+02:00',
      '2026-10-25T02:00:00.000+01:00',
    ]);
    expect(shown('2026-10-25T02:30:00+01:00', HOUR)).toEqual([
      '2026-10-25T02:00:00.000+01:00',
      '2026-10-25T03:00:00.000+01:00',
    ]);
    expect(shown('2026-03-29T01:30:00+01:00', HOUR)).toEqual([
      '2026-03-29T01:00:00.000+01:00',
      '2026-03-29T03:00:00.000+02:00',
    ]);
  });

  test('weeks start on Mondays', () => {
    expect(shown('2026-10-25T12:00:00+01:00', 7 * DAY)).toEqual([
      '2026-10-19T00:00:00.000+02:00',
      '2026-10-26T00:00:00.000+01:00',
    ]);
  });
});

const aligned = fc.constantFrom(
  100,
  1_000,
  10_000,
  MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  3 * HOUR,
  6 * HOUR,
  8 * HOUR,
  12 * HOUR,
  DAY,
  7 * DAY,
);
const anyZone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Havana',
  'Pacific/Apia',
);
const anyMoment = fc.oneof(
  fc.integer({ min: Date.parse('2011-01-01'), max: Date.parse('2030-01-01') }),
  // Around changes of the clock.
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00:00Z',
        '2026-10-25T01:00:00Z',
        '2026-11-01T06:00:00Z',
        '2026-04-04T15:00:00Z',
        '2026-10-03T15:30:00Z',
        '2026-11-01T05:00:00Z',
        '2011-12-30T10:00:00Z',
      ),
      fc.integer({ min: -9 * HOUR, max: 9 * HOUR }),
    )
    .map(([change, distance]) => Date.parse(change) + distance),
);

test('every time has one constant window, and windows have no gaps', () => {
  fc.assert(
    fc.property(
      anyMoment,
      aligned,
      anyZone,
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      (at, everyMs, name, share) => {
        const offsetAt = zone(name);
        const window = tumblingWindow(at, everyMs, offsetAt);
        expect(window.start).toBeLessThanOrEqual(at);
        expect(window.end).toBeGreaterThan(at);
        const inside = Math.min(Math.floor(window.start + share * (window.end - window.start)), window.end - 1);
        expect(tumblingWindow(inside, everyMs, offsetAt)).toEqual(window);
        expect(tumblingWindow(window.end, everyMs, offsetAt).start).toBe(window.end);
        expect(tumblingWindow(window.start - 1, everyMs, offsetAt).end).toBe(window.start);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('lengths that cannot be aligned are rejected with a suggestion', () => {
  expect([100, 1_000, 90 * MINUTE, HOUR, DAY, 3 * DAY].map(problemOfTumbling)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(problemOfTumbling(7_000)).toMatch(/^windows of 7 s .* such as 6 s$/);
  expect(problemOfTumbling(7 * MINUTE)).toContain('such as 6 min');
  expect(problemOfTumbling(5 * HOUR)).toContain('such as 4 h');
  expect(problemOfTumbling(7)).toContain('such as 6 ms');
});

test('local time has its offset and ms', () => {
  expect(localTimeText(Date.parse('2026-01-31T05:00:00.007Z'), berlin)).toBe('2026-01-31T06:00:00.007+01:00');
  expect(localTimeText(0, zone('America/New_York'))).toBe('1969-12-31T19:00:00.000-05:00');
  expect(localTimeText(0, zone('Asia/Kolkata'))).toBe('1970-01-01T05:30:00.000+05:30');
  const now = Date.now();
  expect(Date.parse(localTimeText(now))).toBe(now);
});

import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClockReadings, ClockStep } from '#domain/run/clock-readings';
import type { RecordedRun } from '../../../../src-main/scripting/sandbox/script-run.ts';
import type { ScriptHostPoolOptions } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { realPool, runScript, type JobChanges } from '../../../support/scripting/script-runs.ts';

/** The machine may be busy. */
const PATIENT = { scriptMs: 20_000, totalMs: 60_000 };
const SEED = 'ab'.repeat(32);

/** The recording of one run in a host of its own. */
async function recorded(
  body: string,
  changes: JobChanges = {},
  options: Partial<ScriptHostPoolOptions> = {},
  everyLine = true,
) {
  const pool = realPool(options);
  onTestFinished(() => pool.close());
  const steps: ClockStep[] = [];
  const places: { locale: string; timeZone: string }[] = [];
  const recording: RecordedRun = {
    start: { seed: SEED, everyLine },
    place: (place) => void places.push(place),
    clock: (more) => void steps.push(...more),
    nextReading: () => null,
  };
  const outcome = await runScript(pool, body, { limits: PATIENT, ...changes, recorded: recording });
  return { outcome, places, readings: { start: 0, steps } };
}

async function replayed(body: string, readings: ClockReadings, next: () => number | null = () => null) {
  const pool = realPool();
  onTestFinished(() => pool.close());
  const recording: RecordedRun = {
    start: { seed: SEED, readings },
    place: () => undefined,
    clock: () => expect.unreachable(),
    nextReading: next,
  };
  return runScript(pool, body, { limits: PATIENT, recorded: recording });
}

const EVERY_CLOCK = `
  const formatter = new Intl.DateTimeFormat('en', { timeStyle: 'long', dateStyle: 'short', fractionalSecondDigits: undefined });
  const seen = [];
  for (let round = 0; round < 100; round += 1) {
    seen.push(Date.now(), new Date().getTime(), Date(), formatter.format(), JSON.stringify(formatter.formatToParts()));
    seen.push(new (class extends Date {})().toISOString(), Reflect.construct(Date, []).toJSON());
    seen.push(String(Temporal.Now.instant()), String(Temporal.Now.plainDateTimeISO()), String(Temporal.Now.plainDateISO()));
    seen.push(String(Temporal.Now.plainTimeISO('Asia/Tokyo')), String(Temporal.Now.zonedDateTimeISO('Europe/Paris')));
  }
  return seen;`;

describe('a recorded run', () => {
  test('every way to read the clock is repeated', async () => {
    const { outcome, readings } = await recorded(EVERY_CLOCK);
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(readings.steps.length).toBeGreaterThan(0);
    expect(readings.steps.reduce((sum, [times]) => sum + times, 0)).toBe(1_200);
    const again = await replayed(EVERY_CLOCK, readings);
    expect(again.result).toEqual(outcome.result);
  });

  test('random numbers follow from the seed, the same in every run', async () => {
    const body = `
      const bytes = crypto.getRandomValues(new Uint8Array(40)).toHex();
      const key = await crypto.subtle.exportKey('raw', await crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, true, ['sign']));
      return [Math.random(), Math.random(), crypto.randomUUID(), bytes, new Uint8Array(key).toHex()];`;
    const { outcome } = await recorded(body);
    const again = await replayed(body, { start: 0, steps: [] });
    expect(outcome).toMatchObject({ status: 'ok' });
    expect(again.result).toEqual(outcome.result);
    expect(new Set(JSON.stringify(outcome.result).match(/\w{30,}/g)).size).toBe(2);
  });

  test('a seed leads to the same random numbers in every version, also late', async () => {
    const expected = [0.7715854543069192, 0.6164688164910297];
    const id = '9e30b125-2f9f-4ba9-964f-0f2a74c9aa16';
    const numbers = '[Math.random(), Math.random()]';
    const first = await recorded(
      `const numbers = ${numbers}; return [...numbers, crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(4)).toHex()]`,
    );
    const last = await recorded(`
      const id = crypto.randomUUID(), bytes = crypto.getRandomValues(new Uint8Array(4)).toHex();
      Array.prototype[Symbol.iterator] = JSON.parse = () => { throw new Error('changed') };
      const numbers = ${numbers};
      return [numbers[0], numbers[1], id, bytes]`);
    expect(first.outcome.result).toEqual([...expected, id, 'e84891fc']);
    expect(last.outcome.result).toEqual([...expected, id, 'e84891fc']);
  });

  test('random numbers are spread evenly from 0 to 1', async () => {
    const { outcome } = await recorded(`
      const counts = Array(10).fill(0);
      for (let index = 0; index < 100_000; index += 1) counts[Math.floor(Math.random() * 10)] += 1;
      return counts`);
    for (const count of outcome.result as number[]) expect(Math.abs(count - 10_000)).toBeLessThan(600);
  });

  test('reports its locale and time zone, which a host can be given', async () => {
    const place = { timeZone: 'Asia/Tokyo', locale: 'de-DE' };
    const body = 'return [new Date(0).toString(), (1234.5).toLocaleString(), new Date(0).toLocaleDateString()]';
    const { outcome, places } = await recorded(body, {}, { place });
    expect(places).toEqual([place]);
    expect(outcome.result).toEqual([
      'Thu Jan 01 1970 09:00:00 GMT+0900 (Japanische Normalzeit)',
      '1.234,5',
      '1.1.1970',
    ]);
  });

  test.each([
    ['UTC', 'en-US'],
    ['Etc/UTC', 'en-GB'],
    ['GMT', 'de-CH'],
    ['Asia/Calcutta', 'pt-BR'],
    ['America/Argentina/Buenos_Aires', 'zh-Hant-TW'],
    ['US/Eastern', 'he-IL'],
  ])('the place is what scripts see, in %s with %s', async (timeZone, locale) => {
    const body =
      'const { timeZone, locale } = new Intl.DateTimeFormat().resolvedOptions(); return { timeZone, locale };';
    const { outcome, places } = await recorded(body, {}, { place: { timeZone, locale } });
    expect(places).toEqual([outcome.status === 'ok' && outcome.result]);
  });

  test('an offset is a time zone, too', async () => {
    const body = 'return new Date(0).toString()';
    const { outcome, places } = await recorded(body, {}, { place: { timeZone: '+02:00', locale: 'en-US' } });
    expect(places).toEqual([{ timeZone: '+02:00', locale: 'en-US' }]);
    // The engine reports the sign of TZ=GMT+2, whose times are those of POSIX.
    expect(outcome.result).toMatch(/^Wed Dec 31 1969 22:00:00 GMT-0200/);
  });

  test('its Date behaves like that of other runs', async () => {
    const body = `
      class Shift extends Date { next() { return new Shift(this.getTime() + 1) } }
      const shift = new Shift(5).next();
      return [
        Date.name, Date.length, typeof Date(), new Date(2020, 1, 2, 3).getHours(), Date.UTC(2020, 1), Date.parse('2020-01-01'),
        new Date() instanceof Date, shift instanceof Shift, shift instanceof Date, shift.getTime(), new Date(7).constructor === Date,
        Object.prototype.toString.call(new Date()), structuredClone(new Date(3)).getTime(), [...Object.keys(Date)], new Date(undefined).getTime(),
        new Intl.DateTimeFormat('en').format(new Date(0)), { at: new Date(1) }, Object.getOwnPropertyNames(Date).sort(),
        Object.keys(globalThis).includes('Date'), new Intl.DateTimeFormat('en').formatToParts(0).length,
      ]`;
    const pool = realPool();
    onTestFinished(() => pool.close());
    const plain = await runScript(pool, body, { limits: PATIENT });
    const { outcome } = await recorded(body);
    expect(plain.status).toBe('ok');
    expect(outcome.result).toEqual(plain.result);
  });

  test('a run that exceeds its time has its readings up to then', async () => {
    const { outcome, readings } = await recorded('for (;;) Date.now()', { limits: { scriptMs: 1_000 } });
    expect(outcome.status).toBe('timeout');
    expect(readings.steps.length).toBeGreaterThan(0);
  });

  test('every call has its line, also after 500', async () => {
    const lines: (number | null)[] = [];
    const calls = {
      get: (_: string[], __: unknown, line: number | null) => {
        lines.push(line);
        return { values: [1], qualities: ['Good' as const], types: ['Int' as const] };
      },
      set: () => expect.unreachable(),
    };
    await recorded('for (let n = 0; n < 600; n += 1)\n  TagValueManager.Get(["a.b.c"])', { calls });
    expect(new Set(lines)).toEqual(new Set([2]));
    expect(lines).toHaveLength(600);
  });

  test('on request, the lines of later Gets are not found, those of Sets are', async () => {
    const lines: Record<'get' | 'set', (number | null)[]> = { get: [], set: [] };
    const answer = (kind: 'get' | 'set') => (_: unknown, __: unknown, line: number | null) => {
      lines[kind].push(line);
      return { values: [1], qualities: ['Good' as const], types: ['Int' as const] };
    };
    const body = `for (let n = 0; n < 300; n += 1) {
      TagValueManager.Get(["a.b.c"]);
      TagValueManager.Set([{ tag: "a.b.c", value: n }]);
    }`;
    await recorded(body, { calls: { get: answer('get'), set: answer('set') } }, {}, false);
    expect(new Set(lines.get.slice(0, 250))).toEqual(new Set([2]));
    expect(new Set(lines.get.slice(250))).toEqual(new Set([null]));
    expect(new Set(lines.set)).toEqual(new Set([3]));
    expect(lines.set).toHaveLength(300);
  });

  test('its Temporal is like that of other runs', async () => {
    const body = `
      const shapeOf = (object) => Reflect.ownKeys(object).map((key) => {
        const { value, ...how } = Object.getOwnPropertyDescriptor(object, key);
        const members = typeof value === 'function' ? [value.name, value.length, Reflect.ownKeys(value).map(String)] : String(value);
        return [String(key), how, members];
      });
      const found = 'Temporal' in globalThis;
      const { Now } = Temporal;
      const own = Object.getOwnPropertyDescriptor(globalThis, 'Temporal');
      const zoned = Now.zonedDateTimeISO('Asia/Tokyo');
      const same = [
        Temporal === globalThis.Temporal, own.value === Temporal, Temporal.Now === Now, own.writable, own.enumerable, own.configurable,
        Now.instant() instanceof Temporal.Instant, zoned instanceof Temporal.ZonedDateTime, new Date(0).toTemporalInstant() instanceof Temporal.Instant,
        Now.plainDateISO() instanceof Temporal.PlainDate, Now.plainTimeISO() instanceof Temporal.PlainTime,
        Temporal.Duration.from({ hours: 2 }) instanceof Temporal.Duration,
      ];
      return [
        found, same, shapeOf(Temporal), shapeOf(Now), Now.timeZoneId(), zoned.timeZoneId, String(Temporal), String(Now), Object.keys(globalThis).includes('Temporal'),
        String(Temporal.PlainDate.from('2026-02-28').add({ days: 1 })), String(Temporal.PlainYearMonth.from('2026-02')),
        String(Temporal.PlainMonthDay.from('02-28')),
      ];`;
    const pool = realPool();
    onTestFinished(() => pool.close());
    const plain = await runScript(pool, body, { limits: PATIENT });
    const { outcome } = await recorded(body);
    expect(plain).toMatchObject({ status: 'ok', error: null });
    expect(outcome.result).toEqual(plain.result);
    const [, same] = plain.result as [boolean, boolean[]];
    // Only one of them is not so: it is not enumerable.
    expect(same.filter((one) => !one)).toHaveLength(1);
  });

  test('a script can replace Temporal before it is read', async () => {
    const { outcome } = await recorded(`
      globalThis.Temporal = 7;
      const { value, enumerable } = Object.getOwnPropertyDescriptor(globalThis, 'Temporal');
      return [Temporal, value, enumerable, delete globalThis.Temporal, typeof Temporal];`);
    expect(outcome.result).toEqual([7, 7, false, true, 'undefined']);
  });

  test('a replayed clock continues after a call where the recorded one did', async () => {
    const readings: ClockReadings = {
      start: 1_000,
      steps: [
        [2, 0],
        [2, 5],
        [1, 9],
      ],
    };
    const places = [3, 1, 99];
    const outcome = await replayed(
      `const seen = [Date.now()];
       for (let n = 0; n < 3; n += 1) { TagValueManager.Get(['a.b.c']); seen.push(Date.now(), Date.now()); }
       return seen`,
      readings,
      () => places.shift() ?? null,
    );
    expect(outcome.result).toEqual([1_000, 1_005, 1_009, 1_009, 1_009, 1_009, 1_009]);
  });

  test('a clock that was never read shows the start', async () => {
    const outcome = await replayed('return [Date.now(), Date.now()]', { start: 7, steps: [] });
    expect(outcome.result).toEqual([7, 7]);
  });
});

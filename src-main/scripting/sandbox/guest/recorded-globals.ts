import { GUEST_REQUEST, type Host } from './bridge.ts';
import { findEveryLine } from './errors.ts';
import {
  apply,
  DatePrototype,
  dateTextOf,
  getOwnPropertyDescriptor,
  putAccessorHidden,
  putHidden,
} from './primordials.ts';

/** The part of Temporal that reads the clock. */
interface Temporals {
  Now: object;
  Instant: { fromEpochMilliseconds(ms: number): Instant; prototype: Instant };
  ZonedDateTime: { prototype: Zoned };
}
interface Instant {
  toZonedDateTimeISO(zone: unknown): Zoned;
}
interface Zoned {
  toPlainDate(): object;
  toPlainTime(): object;
  toPlainDateTime(): object;
}

/**
 * Makes the clock and the random numbers of the realm those of the recording: `Date`, `Temporal.Now`, formatters without a
 * date and `Math.random`. The host seeds random bytes. Only recorded and replayed runs call this, before
 * their body runs; everything is looked up here, so that other realms cost no more.
 */
export function recordGlobals(host: Host, random: readonly number[]): void {
  // A primitive text: no method of a prototype is called.
  const now = (): number => +host(GUEST_REQUEST.clock, '');
  recordDate(now);
  recordFormatters(now);
  recordTemporal(now);
  putHidden(Math, 'random', randomFrom(random));
  findEveryLine();
}

function recordDate(now: () => number): void {
  const EngineDate = Date;
  const { construct } = Reflect;
  const traps = {
    __proto__: null,
    apply: () => dateTextOf(new EngineDate(now())),
    construct: (target: DateConstructor, args: unknown[], newTarget: DateConstructor): object =>
      construct(target, args.length === 0 ? [now()] : args, newTarget),
  };
  const recorded = new Proxy(EngineDate, traps);
  putHidden(EngineDate, 'now', { now: () => now() }.now);
  putHidden(DatePrototype, 'constructor', recorded);
  putHidden(globalThis, 'Date', recorded);
}

/** A formatter without a date formats the current one. */
function recordFormatters(now: () => number): void {
  const { prototype } = Intl.DateTimeFormat;
  const { get: getMethod, set: setMethod } = WeakMap.prototype;
  const { formatToParts } = prototype;
  const { get: format } = getOwnPropertyDescriptor(prototype, 'format') as { get(): (date: unknown) => string };
  const known = new WeakMap<object, unknown>();
  const formatOf = function (this: unknown): unknown {
    const engine = apply<unknown, [], (date: unknown) => string>(format, this, []);
    let own = apply<unknown, [object], unknown>(getMethod as (key: object) => unknown, known, [engine]);
    if (own === undefined) {
      own = (date?: unknown) => engine(date === undefined ? now() : date);
      apply(setMethod as (key: object, value: unknown) => unknown, known, [engine, own]);
    }
    return own;
  };
  putAccessorHidden(prototype, 'format', formatOf);
  putHidden(
    prototype,
    'formatToParts',
    {
      formatToParts(this: Intl.DateTimeFormat, date?: unknown) {
        return apply(formatToParts, this, [(date === undefined ? now() : date) as Date]);
      },
    }.formatToParts,
  );
}

function recordTemporal(now: () => number): void {
  const { Now, Instant: Instants, ZonedDateTime } = (globalThis as unknown as { Temporal: Temporals }).Temporal;
  const { fromEpochMilliseconds } = Instants;
  const { toZonedDateTimeISO } = Instants.prototype;
  const { toPlainDate, toPlainTime, toPlainDateTime } = ZonedDateTime.prototype;
  const { timeZoneId } = Now as { timeZoneId(): string };
  const instant = () => fromEpochMilliseconds(now());
  const zoned = (zone: unknown) => apply(toZonedDateTimeISO, instant(), [zone === undefined ? timeZoneId() : zone]);
  const functions = {
    instant: () => instant(),
    zonedDateTimeISO: (zone?: unknown) => zoned(zone),
    plainDateISO: (zone?: unknown) => apply(toPlainDate, zoned(zone), []),
    plainTimeISO: (zone?: unknown) => apply(toPlainTime, zoned(zone), []),
    plainDateTimeISO: (zone?: unknown) => apply(toPlainDateTime, zoned(zone), []),
  };
  putHidden(Now, 'instant', functions.instant);
  putHidden(Now, 'zonedDateTimeISO', functions.zonedDateTimeISO);
  putHidden(Now, 'plainDateISO', functions.plainDateISO);
  putHidden(Now, 'plainTimeISO', functions.plainTimeISO);
  putHidden(Now, 'plainDateTimeISO', functions.plainDateTimeISO);
}

/** Numbers from 0 to 1 with 53 random bits: the generator sfc32. */
function randomFrom(seed: readonly number[]): () => number {
  let [a = 0, b = 0, c = 0, count = 0] = seed;
  const next = (): number => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  return { random: () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992 }.random;
}

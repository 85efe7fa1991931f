import { GUEST_REQUEST, type Host } from './bridge.ts';
import { findEveryLine } from './host-call.ts';
import {
  apply,
  DatePrototype,
  dateTextOf,
  getOwnPropertyDescriptor,
  keys,
  parse,
  putAccessorHidden,
  putConstant,
  putHidden,
} from './primordials.ts';

/** The part of Temporal that leads to its classes. */
interface Dated {
  toTemporalInstant(): Instant;
}
interface Instant {
  constructor: { fromEpochMilliseconds(ms: number): Instant };
  toZonedDateTimeISO(zone: unknown): Zoned;
  until(other: Instant): object;
}
interface Zoned {
  toPlainDate(): { toPlainYearMonth(): object; toPlainMonthDay(): object };
  toPlainTime(): object;
  toPlainDateTime(): object;
}

/**
 * Makes the clock and the random numbers of the realm those of the recording: `Date`, `Temporal.Now`, formatters without a
 * date and `Math.random`. The host has the random bytes. Only recorded and replayed runs call this, before
 * their body runs; everything is looked up here, so that other realms cost no more.
 */
export function recordGlobals(host: Host, everyLine: boolean): void {
  // A primitive text: no method of a prototype is called.
  const now = (): number => +host(GUEST_REQUEST.clock, '');
  recordDate(now);
  recordFormatters(now);
  recordTemporal(now);
  putHidden(Math, 'random', randomFrom(host));
  findEveryLine(everyLine);
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

/**
 * To read `Temporal` takes the engine as long as a short run: its own is removed unread, and a script that reads it gets
 * another one with the engine's classes.
 */
function recordTemporal(now: () => number): void {
  const realm = globalThis as { Temporal?: unknown };
  const { DateTimeFormat } = Intl;
  const { resolvedOptions } = DateTimeFormat.prototype;
  const EngineDate = Date;
  let temporal: object | undefined;
  delete realm.Temporal;
  const get = (): unknown => {
    if (temporal === undefined) {
      const zoneOfRealm = () => apply(resolvedOptions, new DateTimeFormat(), []).timeZone;
      temporal = temporalOf(new EngineDate(0) as unknown as Dated, now, zoneOfRealm);
      putHidden(realm, 'Temporal', temporal);
    }
    return temporal;
  };
  putAccessorHidden(realm, 'Temporal', get, (value) => putHidden(realm, 'Temporal', value));
}

function temporalOf(date: Dated, now: () => number, zoneOfRealm: () => string): object {
  const epoch = date.toTemporalInstant();
  const zonedEpoch = epoch.toZonedDateTimeISO('UTC');
  const day = zonedEpoch.toPlainDate();
  const time = zonedEpoch.toPlainTime();
  const { fromEpochMilliseconds } = epoch.constructor;
  const { toZonedDateTimeISO } = epoch;
  const { toPlainDate, toPlainTime, toPlainDateTime } = zonedEpoch;
  const instant = () => fromEpochMilliseconds(now());
  const zoned = (given: unknown[]) => {
    const zone = given[0];
    return apply(toZonedDateTimeISO, instant(), [zone === undefined ? zoneOfRealm() : zone]);
  };
  // Without a prototype, and with a length of 0, like those of the engine.
  const functions = {
    instant: () => instant(),
    timeZoneId: () => zoneOfRealm(),
    plainDateTimeISO: (...zone: unknown[]) => apply(toPlainDateTime, zoned(zone), []),
    zonedDateTimeISO: (...zone: unknown[]) => zoned(zone),
    plainDateISO: (...zone: unknown[]) => apply(toPlainDate, zoned(zone), []),
    plainTimeISO: (...zone: unknown[]) => apply(toPlainTime, zoned(zone), []),
  };
  return tagged('Temporal', {
    Now: tagged('Temporal.Now', functions),
    PlainDate: day.constructor,
    PlainTime: time.constructor,
    PlainDateTime: zonedEpoch.toPlainDateTime().constructor,
    ZonedDateTime: zonedEpoch.constructor,
    Duration: epoch.until(epoch).constructor,
    Instant: epoch.constructor,
    PlainYearMonth: day.toPlainYearMonth().constructor,
    PlainMonthDay: day.toPlainMonthDay().constructor,
  });
}

/** A namespace like those of the engine. */
function tagged(name: string, members: object): object {
  const names = keys(members);
  for (let index = 0; index < names.length; index += 1) {
    const member = names[index] as keyof typeof members;
    putHidden(members, member, members[member]);
  }
  putConstant(members, Symbol.toStringTag, name);
  return members;
}

/** Numbers from 0 to 1 with 53 random bits: the generator sfc32. Few scripts need them, so the seed comes with the first. */
function randomFrom(host: Host): () => number {
  let isSeeded = false;
  let a = 0;
  let b = 0;
  let c = 0;
  let count = 0;
  const seed = (): void => {
    const text = host(GUEST_REQUEST.seed, '');
    if (text === '') return;
    // By their places: the script may have changed how arrays are iterated.
    const numbers = parse(text) as [number, number, number, number];
    a = numbers[0];
    b = numbers[1];
    c = numbers[2];
    count = numbers[3];
    isSeeded = true;
  };
  const next = (): number => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  const random = (): number => {
    if (!isSeeded) seed();
    return ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992;
  };
  return { random: () => random() }.random;
}

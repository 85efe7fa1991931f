const MINUTE_MS = 60_000;

/** The offset of local time from UTC at a given time, ms: positive east of Greenwich. */
export type OffsetAt = (at: number) => number;

/** The offset of the host's own time zone. */
export const hostOffset: OffsetAt = (at) => -new Date(at).getTimezoneOffset() * MINUTE_MS;

/** A time as RFC 3339 local time with offset and ms: `2026-01-31T06:00:00.000+01:00`. @param at ms since 1970 in UTC */
export function localTimeText(at: number, offsetAt: OffsetAt = hostOffset): string {
  const offset = offsetAt(at);
  const minute = Math.floor((at + offset) / MINUTE_MS);
  if (minute !== last.minute || offset !== last.offset) last = minuteOf(at, offset);
  const ms = String(FIVE_DIGITS + Math.trunc(at + offset - minute * MINUTE_MS));
  return `${last.before}${ms.slice(1, 3)}.${ms.slice(3)}${last.zone}`;
}

/** The texts within one minute differ only in their seconds: the rest is cached, because it takes most of the time. */
interface Minute {
  minute: number;
  offset: number;
  before: string;
  zone: string;
}

const FIVE_DIGITS = 100_000;
const SECONDS_LENGTH = '00.000Z'.length;

function minuteOf(at: number, offset: number): Minute {
  const minutes = Math.abs(Math.round(offset / MINUTE_MS));
  return {
    minute: Math.floor((at + offset) / MINUTE_MS),
    offset,
    before: new Date(at + offset).toISOString().slice(0, -SECONDS_LENGTH),
    zone: `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
  };
}

const two = (number: number) => String(number).padStart(2, '0');

let last = minuteOf(0, 0);

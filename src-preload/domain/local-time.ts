const MINUTE_MS = 60_000;

/** The offset of local time from UTC at a moment, ms: positive east of Greenwich. */
export type OffsetAt = (at: number) => number;

/** The offset of the host's own time zone. */
export const hostOffset: OffsetAt = (at) => -new Date(at).getTimezoneOffset() * MINUTE_MS;

/**
 * A moment as RFC 3339 local time with offset and ms: `2026-01-31T06:00:00.000+01:00` (decision 7).
 * @param at ms since 1970 in UTC
 */
export function localTimeText(at: number, offsetAt: OffsetAt = hostOffset): string {
  const offset = offsetAt(at);
  const minutes = Math.abs(Math.round(offset / MINUTE_MS));
  const zone = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  return `${new Date(at + offset).toISOString().slice(0, -1)}${offset < 0 ? '-' : '+'}${zone}`;
}

const two = (number: number) => String(number).padStart(2, '0');

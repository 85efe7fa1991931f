import { clock, day, fraction } from '../../../support/moment.ts';

/** The local time of day: `14:05:09`, with ms where they matter: `14:05:09.250`. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  return date.getMilliseconds() === 0 ? clock(date) : `${clock(date)}${fraction(date)}`;
}

/** A window: `2026-01-31 14:05:00 – 14:06:00`, with the date of its end if that is another day. */
export function windowSpan({ start, end }: { start: number; end: number | null }): string {
  const from = `${day(new Date(start))} ${clockText(start)}`;
  if (end === null) return `${from} – open end`;
  const isSameDay = new Date(start).toDateString() === new Date(end).toDateString();
  return `${from} – ${isSameDay ? '' : `${day(new Date(end))} `}${clockText(end)}`;
}

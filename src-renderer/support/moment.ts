const two = (number: number): string => String(number).padStart(2, '0');

/** The local time of day to the second: `14:05:09`. */
export function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The local date: `2026-01-31`. */
export function day(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** A local time to the second in the format of tables: `2026-01-31 14:05:09`. */
export function moment(at: Date): string {
  return `${day(at)} ${clock(at)}`;
}

/** `.250`: the ms of a time, after its seconds. */
export function fraction(at: Date): string {
  return `.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** A local time with all that is known of it, for tooltips: `2026-01-31 14:05:09.250 +01:00`. */
export function fullMoment(at: Date): string {
  const minutes = -at.getTimezoneOffset();
  const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${moment(at)}${fraction(at)} ${zone}`;
}

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

/** An age in one unit, for narrow places: `12 s`, `3 min`, `5 h`, `40 d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

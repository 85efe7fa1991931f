const two = (number: number): string => String(number).padStart(2, '0');

/** The local time of day to the second: `14:05:09`. */
export function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A local time to the second in the format of tables: `2026-01-31 14:05:09`. */
export function moment(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(at)}`;
}

/** A time for narrow places: `14:05:09` if it is of the same day as `now`, otherwise `2026-01-31`. */
export function shortMoment(at: Date, now = new Date()): string {
  return at.toDateString() === now.toDateString() ? clock(at) : moment(at).slice(0, 10);
}

/** An age in one unit, for narrow places: `12 s`, `3 min`, `5 h`, `40 d`. */
export function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** The local time of day to the second: `14:05:09`. */
export function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A local time to the second in the format of tables: `2026-01-31 14:05:09`. */
export function moment(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(at)}`;
}

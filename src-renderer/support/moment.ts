const two = (number: number): string => String(number).padStart(2, '0');

/** The time of day on this computer, to the second: `14:05:09`. */
export function clock(at: Date): string {
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** A moment of local time to the second, as the tables write it: `2026-01-31 14:05:09`. */
export function moment(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clock(at)}`;
}

const two = (number: number, digits = 2): string => String(number).padStart(digits, '0');

/** The time of day on this computer: `14:05:09`, with ms where they count: `14:05:09.250`. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  const text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return date.getMilliseconds() === 0 ? text : `${text}.${two(date.getMilliseconds(), 3)}`;
}

/** The time of day, and the day before it where that is not the day of `now`. */
export function momentText(ms: number, now: number): string {
  const date = new Date(ms);
  const today = date.toDateString() === new Date(now).toDateString();
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return today ? clockText(ms) : `${day} ${clockText(ms)}`;
}

const two = (number: number, digits = 2): string => String(number).padStart(digits, '0');

/** The local time of day: `14:05:09`, with ms where they matter: `14:05:09.250`. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  const text = `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
  return date.getMilliseconds() === 0 ? text : `${text}.${two(date.getMilliseconds(), 3)}`;
}

/** The time of day, with the date if it is not the date of `now`. */
export function momentText(ms: number, now: number): string {
  const date = new Date(ms);
  const today = date.toDateString() === new Date(now).toDateString();
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return today ? clockText(ms) : `${day} ${clockText(ms)}`;
}

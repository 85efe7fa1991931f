const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2})))?$/;
const WITHOUT_OFFSET = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?$/;

export type DateTimeResult = { ok: true; text: string; ms: number } | { ok: false; reason: string };

const refuse = (reason: string): DateTimeResult => ({ ok: false, reason });

/**
 * Parses ISO 8601 text as one time and returns it as RFC 3339 text in UTC with milliseconds
 * (`2026-01-31T06:00:00.000Z`). Accepts `YYYY-MM-DD` (midnight UTC) and `YYYY-MM-DDTHH:MM` with optional seconds and
 * fraction, followed by `Z` or an offset. Rejects lossy or ambiguous texts: a time without an offset, digits beyond the
 * millisecond, days that do not exist.
 */
export function parseDateTime(text: string): DateTimeResult {
  const match = DATE_TIME.exec(text);
  if (!match) {
    return WITHOUT_OFFSET.test(text)
      ? refuse('the time has no offset; end it with Z or an offset such as +02:00')
      : refuse('use ISO text such as 2026-01-31T06:00:00Z');
  }
  const part = (group: number): number => Number(match[group] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const fraction = match[7] ?? '';
  const offsetHours = part(10);
  const offsetMinutes = part(11);
  if (year === 0) return refuse('years range from 0001 to 9999');
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return refuse('this day does not exist');
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) {
    return refuse('this time of day does not exist');
  }
  if (/[1-9]/.test(fraction.slice(3))) return refuse('a DateTime keeps milliseconds; round the text to three decimals');

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[9] === '-' ? -1 : 1);
  const utc = new Date(date.getTime() - offset);
  if (utc.getUTCFullYear() < 1 || utc.getUTCFullYear() > 9_999) return refuse('years range from 0001 to 9999 in UTC');
  return { ok: true, text: utc.toISOString(), ms: utc.getTime() };
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

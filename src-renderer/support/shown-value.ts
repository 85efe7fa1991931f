import type { Json } from '#domain/text/json';

/** A value in one line, as a list shows it; long ones are cut. */
export function shownValue(value: Json, limit = 200): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return shownNumber(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.slice(0, limit + 1).replaceAll(/\s+/g, ' ');
  return text.length > limit ? `${line.slice(0, limit)}…` : line;
}

/**
 * A value that changes while it is looked at: fractions to six digits, and one place after the point at least. Whole
 * digits are never rounded away. An empty text is seen by its quotes.
 */
export function shownLive(value: Json, limit = 120): string {
  if (value === '') return '""';
  if (typeof value !== 'number' || Number.isInteger(value)) return shownValue(value, limit);
  const wholeDigits = Math.trunc(Math.abs(value)).toFixed(0).length;
  return String(Number(value.toPrecision(Math.min(15, Math.max(6, wholeDigits + 1)))));
}

/** A number as it is, but for the noise of binary fractions past twelve digits. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
}

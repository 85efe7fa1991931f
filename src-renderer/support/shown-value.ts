import type { Json } from '#domain/text/json';

/** A value on one line, as in a list; long ones are cut off. */
export function shownValue(value: Json, limit = 200): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return shownNumber(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.slice(0, limit + 1).replaceAll(/\s+/g, ' ');
  return text.length > limit ? `${line.slice(0, limit)}…` : line;
}

/**
 * A live value: fractions to six digits, with at least one decimal place. Integer digits are never rounded. Quotes make
 * an empty text visible.
 */
export function shownLive(value: Json, limit = 120): string {
  if (value === '') return '""';
  if (typeof value !== 'number' || Number.isInteger(value)) return shownValue(value, limit);
  const wholeDigits = Math.trunc(Math.abs(value)).toFixed(0).length;
  return String(Number(value.toPrecision(Math.min(15, Math.max(6, wholeDigits + 1)))));
}

/** A number without the noise of binary fractions beyond twelve digits. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
}

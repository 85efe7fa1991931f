import type { Json } from '#domain/text/json';
import { formatted } from '#domain/tag/number-format';

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

/** A number in the format of its tag; null for other values, without a format, and if the format cannot show it. */
export function inFormat(value: Json, format: string | undefined): string | null {
  return typeof value === 'number' && format !== undefined ? formatted(value, format) : null;
}

/** A live value in the number format of its tag, if it has one. */
export function shownAs(value: Json, format: string | undefined, limit?: number): string {
  return inFormat(value, format) ?? shownLive(value, limit);
}

/** The full value, as it is copied: all digits, and all lines of a text. '' for null. */
export function wholeValue(value: Json): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A number without the noise of binary fractions beyond twelve digits. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
}

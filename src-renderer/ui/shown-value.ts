import type { Json } from '#domain/json';

/** A value in one line, as a list shows it; long ones are cut. */
export function shownValue(value: Json, limit = 200): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return shownNumber(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.slice(0, limit + 1).replaceAll(/\s+/g, ' ');
  return text.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** A number as it is, but for the noise of binary fractions past twelve digits. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(12)));
}

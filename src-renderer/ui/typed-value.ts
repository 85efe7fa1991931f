import { convert } from '#domain/convert';
import type { Json } from '#domain/json';
import type { TagType } from '#domain/tag';

export type WriteValue = { ok: true; value: Json } | { ok: false; reason: string };

/** The value that was typed for a tag of this type, or why it is none. Empty text is no value (null), but for texts. */
export function typedValue(text: string, type: TagType): WriteValue {
  if (type === 'String') return { ok: true, value: text };
  if (text.trim() === '') return { ok: true, value: null };
  if (type === 'Json') {
    try {
      const value: Json = JSON.parse(text);
      return convert(value, type);
    } catch (error) {
      return { ok: false, reason: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  const converted = convert(text, type);
  const problem = type === 'Int' || type === 'Double' ? decimalPointProblem(text) : null;
  return converted.ok || problem === null ? converted : { ok: false, reason: problem };
}

/**
 * What to say to a number as many countries write it, or null: `1,5` is not taken for 1.5, since elsewhere `1,500` is
 * one and a half thousand.
 */
export function decimalPointProblem(text: string): string | null {
  const number = text.trim();
  if (/^[-+]?\d*,\d+$/.test(number)) {
    return `"${number}" has a comma: write a point before the decimals, ${number.replace(',', '.')}`;
  }
  return /^[-+]?\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+(?:[.,]\d+)?$/.test(number) && !Number.isFinite(Number(number))
    ? `"${number}" has marks between its digits: write the digits alone, with a point before the decimals`
    : null;
}

/** A value as the form shows it for editing. */
export function editedText(value: Json, type: TagType): string {
  if (value === null) return '';
  if (type === 'Json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

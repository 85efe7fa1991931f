import { convert } from '#domain/tag/convert';
import type { Json } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';
import { plainNumber } from '#domain/text/typed-number';

export type WriteValue = { ok: true; value: Json } | { ok: false; reason: string };

/** The value that was typed for a tag of this type, or its problem. Empty text is no value (null), except for texts. */
export function typedValue(text: string, type: TagType): WriteValue {
  if (type === 'String') return { ok: true, value: text };
  if (text.trim() === '') return { ok: true, value: null };
  if (type === 'Json') {
    try {
      const value: Json = JSON.parse(text);
      return convert(value, type);
    } catch (error) {
      return { ok: false, reason: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
    }
  }
  if (type !== 'Int' && type !== 'Double') return convert(text, type);
  const number = plainNumber(text);
  return number.ok ? convert(number.text, type) : number;
}

/** A value in the edit format of the form. */
export function editedText(value: Json, type: TagType): string {
  if (value === null) return '';
  if (type === 'Json') return JSON.stringify(value, null, 2);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { convert } from '#domain/tag/convert';
import type { Json } from '#domain/text/json';
import type { TagType } from '#domain/tag/tag';

/** Maximum length of one value in characters of JSON: room for a 32 MB document as Base64. */
export const MAX_VALUE_LENGTH = 48 * 1_048_576;

export type StorableValue =
  | { ok: true; value: Json; /** The value as JSON text. */ text: string }
  | { ok: false; reason: string };

/** A value converted to the type of its tag and to its stored text, or why that is not possible. */
export function storableValue(given: Json, type: TagType): StorableValue {
  const converted = convert(given, type);
  if (!converted.ok) return converted;
  const text = JSON.stringify(converted.value);
  return text.length <= MAX_VALUE_LENGTH
    ? { ok: true, value: converted.value, text }
    : {
        ok: false,
        reason: `a value has at most ${MAX_VALUE_LENGTH} characters of JSON, but this one has ${text.length}`,
      };
}

import { lengthOfJson } from '#domain/text/json';
import type { TagValue } from '#domain/tag/tag';
import { grouped } from '#domain/text/grouped';
import { TagwrightError } from './errors.ts';

/** Maximum number of characters in the values of one Get: more would block all others, or exceed the size of a text. */
export const MAX_GET_TEXT = 64 * 1_048_576;
/** A watch sends larger amounts in several batches. */
const MAX_BATCH_TEXT = 8 * 1_048_576;

/**
 * Returns the values unchanged. Throws BAD_REQUEST if they have too many characters for the response to one Get or Set.
 */
export function withinResponse<T extends readonly TagValue[]>(values: T, call: 'Get' | 'Set' = 'Get'): T {
  let left = MAX_GET_TEXT;
  for (const { value } of values) {
    if (typeof value === 'number') continue;
    left -= lengthOfJson(value, left);
    if (left < 0) throw tooMuch(values.length, call);
  }
  return values;
}

function tooMuch(count: number, call: 'Get' | 'Set'): TagwrightError {
  const message = `The values of these ${count} tags have more than ${grouped(MAX_GET_TEXT)} characters in total: ${call === 'Get' ? 'read' : 'write'} fewer of them in one ${call}.`;
  return new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['paths'], message }] } });
}

/** Values in parts that are sent one after another; usually one. */
export function* inBatches(values: TagValue[]): Generator<TagValue[], void, undefined> {
  let begun = 0;
  let length = 0;
  for (const [place, { value }] of values.entries()) {
    if (typeof value === 'number') continue;
    length += lengthOfJson(value, MAX_BATCH_TEXT);
    if (length <= MAX_BATCH_TEXT || place === begun) continue;
    yield values.slice(begun, place);
    begun = place;
    length = lengthOfJson(value, MAX_BATCH_TEXT);
  }
  yield begun === 0 ? values : values.slice(begun);
}

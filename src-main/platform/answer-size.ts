import { lengthOfJson } from '#domain/text/json';
import type { TagValue } from '#domain/tag/tag';
import { TagwrightError } from './errors.ts';

/** The most characters that the values of one Get may have together: what is larger holds up all others, or fits no text. */
export const MAX_GET_TEXT = 64 * 1_048_576;
/** A watch sends what is more in several batches. */
const MAX_BATCH_TEXT = 8 * 1_048_576;

/** The values themselves. Throws BAD_REQUEST where they are too many characters for the answer to one Get or Set. */
export function withinAnswer<T extends readonly TagValue[]>(values: T, call: 'Get' | 'Set' = 'Get'): T {
  let left = MAX_GET_TEXT;
  for (const { value } of values) {
    if (typeof value === 'number') continue;
    left -= lengthOfJson(value, left);
    if (left < 0) throw tooMuch(values.length, call);
  }
  return values;
}

function tooMuch(count: number, call: 'Get' | 'Set'): TagwrightError {
  const message = `The values of these ${count} tags have more than ${MAX_GET_TEXT.toLocaleString('en')} characters together: ${call === 'Get' ? 'read' : 'write'} fewer of them in one ${call}.`;
  return new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['paths'], message }] } });
}

/** Values in parts that are sent one after another; mostly one. */
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

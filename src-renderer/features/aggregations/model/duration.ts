import type { TypedNumber } from '#domain/text/typed-number';
import { typedDuration } from '#domain/text/typed-number';

/** The message for a text that is not a duration. */
const HINT = 'Enter a number and a unit: 500 ms, 5 s, 15 min, 8 h or 1 d.';

/** Parses `5 s` or `1,5 min` as whole ms, or returns a hint. */
export function durationOf(text: string): TypedNumber {
  const read = typedDuration(text, HINT, true);
  return !read.ok || Number.isInteger(read.value)
    ? read
    : { ok: false, reason: 'Enter a duration of whole milliseconds.' };
}

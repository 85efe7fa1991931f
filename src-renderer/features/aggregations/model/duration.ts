import type { TypedNumber } from '../../../support/typed-number.ts';
import { typedDuration } from '../../../support/typed-number.ts';

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
  { name: 'ms', ms: 1 },
] as const;

/** What is said of a text that is no duration. */
const HINT = 'Write a number and its unit: 500 ms, 5 s, 15 min, 8 h or 1 d.';

/** A duration in ms as people write it, in the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  const unit = UNITS.find((one) => ms !== 0 && ms % one.ms === 0);
  return unit ? `${ms / unit.ms} ${unit.name}` : `${ms} ms`;
}

/** Reads `5 s` or `1,5 min` as whole ms, or says what to write instead. */
export function durationOf(text: string): TypedNumber {
  const read = typedDuration(text, HINT, true);
  return !read.ok || Number.isInteger(read.value) ? read : { ok: false, reason: 'Write a time of whole milliseconds.' };
}

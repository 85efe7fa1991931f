import type { TypedNumber } from '../../../support/typed-number.ts';
import { typedDuration } from '../../../support/typed-number.ts';

const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'min', ms: 60_000 },
  { name: 's', ms: 1_000 },
  { name: 'ms', ms: 1 },
] as const;

/** The message for a text that is not a duration. */
const HINT = 'Enter a number and a unit: 500 ms, 5 s, 15 min, 8 h or 1 d.';

/** A duration in ms for people, in the largest unit that divides it. */
export function durationText(ms: number): string {
  const unit = UNITS.find((one) => ms !== 0 && ms % one.ms === 0);
  return unit ? `${ms / unit.ms} ${unit.name}` : `${ms} ms`;
}

/** Parses `5 s` or `1,5 min` as whole ms, or returns a hint. */
export function durationOf(text: string): TypedNumber {
  const read = typedDuration(text, HINT, true);
  return !read.ok || Number.isInteger(read.value)
    ? read
    : { ok: false, reason: 'Enter a duration of whole milliseconds.' };
}

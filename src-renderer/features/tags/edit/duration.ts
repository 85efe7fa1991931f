import type { TypedNumber } from '#domain/text/typed-number';
import { typedDuration } from '#domain/text/typed-number';

/** Parses `90 s`, `1.5 min`, `250 ms` as ms, or returns a hint; a number alone is ms. */
export const parseDuration = (text: string): TypedNumber =>
  typedDuration(text, 'enter a duration, such as 500 ms, 1.5 s or 2 min', false);

/** The shortest exact form of a duration: `60000` is `1 min`, `1500` is `1.5 s`. */
export function durationText(ms: number): string {
  if (ms >= 3_600_000 && ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms >= 60_000 && ms % 60_000 === 0) return `${ms / 60_000} min`;
  return ms >= 1_000 && ms % 10 === 0 ? `${ms / 1_000} s` : `${ms} ms`;
}

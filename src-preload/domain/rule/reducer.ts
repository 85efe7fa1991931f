import type { SampleValue } from './rule.ts';

/** A sample of one tag; `value` is null where the quality is bad or the value is none that can be used. */
export interface Sample {
  /** ms since 1970 in UTC. */
  at: number;
  value: SampleValue | null;
}

/**
 * How samples become a value. All functions are pure; a state is plain JSON. Samples come in the order in which they
 * were taken. `merge(a, b)` is the state of all samples of `a` followed by all of `b`.
 */
export interface Reducer<State> {
  empty: State;
  add(this: void, state: State, sample: Sample): State;
  merge(this: void, a: State, b: State): State;
  /**
   * The value at the end of the window; null where the samples give none.
   * @param end ms since 1970 in UTC
   */
  result(this: void, state: State, end: number): SampleValue | null;
}

/** The number that a sample stands for: true is 1, negative zero is zero; null for texts. */
export function numberOf(value: SampleValue | null): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

/** A result that can be stored: null where the numbers have outgrown 64 bits. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

import type { SampleValue } from './rule.ts';

/** A sample of one tag; `value` is null if the quality is bad or the value is not usable. */
export interface Sample {
  /** ms since 1970 in UTC. */
  at: number;
  value: SampleValue | null;
}

/**
 * How samples become a value. All functions are pure; a state is plain JSON. Samples are in time order. `merge(a, b)`
 * is the state of all samples of `a` followed by all of `b`.
 */
export interface Reducer<State> {
  empty: State;
  add(this: void, state: State, sample: Sample): State;
  merge(this: void, a: State, b: State): State;
  /** The value at the end of the window; null if the samples have none. @param end ms since 1970 in UTC */
  result(this: void, state: State, end: number): SampleValue | null;
}

/** The number of a sample: true is 1, negative zero is zero; null for texts. */
export function numberOf(value: SampleValue | null): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value + 0 : null;
}

/** A storable result: null if the numbers exceed 64 bits. */
export const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

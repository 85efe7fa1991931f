import type { RuleOutput, SampleValue } from './rule.ts';

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
interface Reducer<State> {
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
const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/**
 * A value lasts from its sample to the next one, or to the end of the window. A bad sample ends it: until the next good
 * one, there is no value, and that time is not counted. A clock that is set back adds no negative time.
 */
interface Held<Value> {
  /** Times of the first and the last sample; null before the first. */
  from: number | null;
  at: number | null;
  /** The value since `at`; null if unknown. */
  held: Value | null;
  /** The time with known values, in ms, and the accumulated result. */
  known: number;
  gathered: number;
}

function ofTime<Value extends SampleValue>(parts: {
  valueOf(value: SampleValue | null): Value | null;
  /** The contribution of each ms while the value lasts. */
  weight(value: Value): number;
  result(state: Held<Value>): SampleValue | null;
}): Reducer<Held<Value>> {
  function upTo(state: Held<Value>, at: number): Held<Value> {
    if (state.at === null || state.held === null) return state;
    const ms = Math.max(0, at - state.at);
    return { ...state, known: state.known + ms, gathered: state.gathered + ms * parts.weight(state.held) };
  }
  return {
    empty: { from: null, at: null, held: null, known: 0, gathered: 0 },
    add(state: Held<Value>, { at, value }: Sample) {
      return { ...upTo(state, at), from: state.from ?? at, at, held: parts.valueOf(value) };
    },
    merge(a, b) {
      if (b.from === null) return a;
      const bridged = upTo(a, b.from);
      return {
        from: a.from ?? b.from,
        at: b.at,
        held: b.held,
        known: bridged.known + b.known,
        gathered: bridged.gathered + b.gathered,
      };
    },
    result: (state, end) => parts.result(upTo(state, end)),
  };
}

/** The average weighted by time. If no time has passed, the current value. */
const timeWeightedAvg = ofTime<number>({
  valueOf: numberOf,
  weight: (value) => value,
  result: ({ known, gathered, held }) => (known > 0 ? finite(gathered / known) : held),
});

/** The seconds with the given value; null if there was never a known value. */
const timeInState = (wanted: SampleValue) =>
  ofTime<SampleValue>({
    valueOf: (value) => value,
    weight: (value) => (value === wanted ? 1 : 0),
    result: ({ known, gathered, held }) => (known === 0 && held === null ? null : gathered / 1_000),
  });

/** Reducers of numbers; other values are ignored. */
function ofNumbers<State>(reducer: {
  empty: State;
  one(this: void, value: number): State;
  merge(this: void, a: State, b: State): State;
  result(this: void, state: State): SampleValue | null;
}): Reducer<State> {
  return {
    empty: reducer.empty,
    merge: reducer.merge,
    result: reducer.result,
    add(state, { value }) {
      const number = numberOf(value);
      return number === null ? state : reducer.merge(state, reducer.one(number));
    },
  };
}

/** A sum with compensation of rounding errors (Neumaier). */
interface Sum {
  n: number;
  sum: number;
  lost: number;
}

const sum = ofNumbers<Sum>({
  empty: { n: 0, sum: 0, lost: 0 },
  one: (value) => ({ n: 1, sum: value, lost: 0 }),
  merge(a, b) {
    const total = a.sum + b.sum;
    const lost = Math.abs(a.sum) >= Math.abs(b.sum) ? a.sum - total + b.sum : b.sum - total + a.sum;
    return { n: a.n + b.n, sum: total, lost: a.lost + b.lost + lost };
  },
  result: ({ n, sum: total, lost }) => (n === 0 ? null : finite(total + lost)),
});

/** Mean and sum of squared deviations (Welford, Chan). */
interface Moments {
  n: number;
  mean: number;
  squares: number;
}

function mergeMoments(a: Moments, b: Moments): Moments {
  if (a.n === 0) return b;
  if (b.n === 0) return a;
  const n = a.n + b.n;
  const distance = b.mean - a.mean;
  return {
    n,
    mean: a.mean + (distance * b.n) / n,
    squares: a.squares + b.squares + ((distance * a.n) / n) * distance * b.n,
  };
}

const moments = {
  empty: { n: 0, mean: 0, squares: 0 },
  one: (value: number): Moments => ({ n: 1, mean: value, squares: 0 }),
  merge: mergeMoments,
};

const avg = ofNumbers<Moments>({ ...moments, result: ({ n, mean }) => (n === 0 ? null : finite(mean)) });

/** Standard deviation of a sample (n - 1); 0 for a single value. */
const stdDev = ofNumbers<Moments>({
  ...moments,
  result: ({ n, squares }) => (n === 0 ? null : n === 1 ? 0 : finite(Math.sqrt(squares / (n - 1)))),
});

interface Extremes {
  min: number | null;
  max: number | null;
}

const pick = (of: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : of(a, b);

const extremes = {
  empty: { min: null, max: null },
  one: (value: number): Extremes => ({ min: value, max: value }),
  merge: (a: Extremes, b: Extremes): Extremes => ({
    min: pick(Math.min, a.min, b.min),
    max: pick(Math.max, a.max, b.max),
  }),
};

const min = ofNumbers<Extremes>({ ...extremes, result: (state) => state.min });
const max = ofNumbers<Extremes>({ ...extremes, result: (state) => state.max });
const range = ofNumbers<Extremes>({
  ...extremes,
  result: (state) => (state.max === null || state.min === null ? null : finite(state.max - state.min)),
});

interface Ends<Value> {
  first: Value | null;
  last: Value | null;
}

const mergeEnds = <Value>(a: Ends<Value>, b: Ends<Value>): Ends<Value> => ({
  first: a.first ?? b.first,
  last: b.last ?? a.last,
});

const delta = ofNumbers<Ends<number>>({
  empty: { first: null, last: null },
  one: (value) => ({ first: value, last: value }),
  merge: mergeEnds,
  result: ({ first, last }) => (first === null || last === null ? null : finite(last - first)),
});

const ends: Omit<Reducer<Ends<SampleValue>>, 'result'> = {
  empty: { first: null, last: null },
  add: (state, { value }) => (value === null ? state : mergeEnds(state, { first: value, last: value })),
  merge: mergeEnds,
};
const first: Reducer<Ends<SampleValue>> = { ...ends, result: (state) => state.first };
const last: Reducer<Ends<SampleValue>> = { ...ends, result: (state) => state.last };

const count: Reducer<number> = {
  empty: 0,
  add: (state, { value }) => (value === null ? state : state + 1),
  merge: (a, b) => a + b,
  result: (state) => state,
};

const SIMPLE = { avg, min, max, sum, count, first, last, range, stdDev, delta, timeWeightedAvg };

/** A reducer with a private state. */
export type AnyReducer = Reducer<unknown>;

/** The reducer of an output. */
export function reducerOf({ reducer, state = true }: Pick<RuleOutput, 'reducer' | 'state'>): AnyReducer {
  return reducer === 'timeInState' ? timeInState(state) : SIMPLE[reducer];
}

/** Whether a reducer has a value from before the window, without its own samples. */
export function usesHeldValue({ reducer }: Pick<RuleOutput, 'reducer'>): boolean {
  return reducer === 'timeWeightedAvg' || reducer === 'timeInState';
}

/** Whether the reducer accepts texts; for the others, a text is an unusable sample. */
export function takesTexts({ reducer }: Pick<RuleOutput, 'reducer'>): boolean {
  return reducer === 'first' || reducer === 'last' || reducer === 'count' || reducer === 'timeInState';
}

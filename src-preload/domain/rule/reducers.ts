import type { Reducer } from './reducer.ts';
import { finite, numberOf } from './reducer.ts';
import { timeInState, timeWeightedAvg } from './reducers-of-time.ts';
import type { RuleOutput, SampleValue } from './rule.ts';

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

/** Of a sample (n - 1); 0 for a single value. */
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

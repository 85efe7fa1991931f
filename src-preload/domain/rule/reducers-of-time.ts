import type { Reducer, Sample } from './reducer.ts';
import { finite, numberOf } from './reducer.ts';
import type { SampleValue } from './rule.ts';

/**
 * A value holds from its sample to the next one, or to the end of the window. A bad sample ends it: until the next good
 * one, there is no value, and that time counts for nothing. A clock that is set back adds no negative time.
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
  /** The contribution of each ms while the value holds. */
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
export const timeWeightedAvg = ofTime<number>({
  valueOf: numberOf,
  weight: (value) => value,
  result: ({ known, gathered, held }) => (known > 0 ? finite(gathered / known) : held),
});

/** The seconds with the given value; null if there was never a known value. */
export const timeInState = (wanted: SampleValue) =>
  ofTime<SampleValue>({
    valueOf: (value) => value,
    weight: (value) => (value === wanted ? 1 : 0),
    result: ({ known, gathered, held }) => (known === 0 && held === null ? null : gathered / 1_000),
  });

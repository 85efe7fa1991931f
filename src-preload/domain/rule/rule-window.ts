import { durationText, unitOf } from '../text/duration.ts';
import { type OffsetAt, hostOffset } from '../text/local-time.ts';
import { numberOf, reducerOf, takesTexts, usesHeldValue } from './reducers.ts';
import type { Quality } from '../tag/quality.ts';
import { CORRECTION_MS, type RuleOutput, type RuleText, type SampleValue } from './rule.ts';

/** An input of a rule: a sample of one of its tags, the tag that opens its window, or the passage of time. */
export type WindowInput =
  | {
      kind: 'sample';
      at: number;
      tag: number;
      value: SampleValue | null;
      /** Why it has no usable value. */ quality?: Quality;
    }
  | { kind: 'gate'; at: number; open: boolean }
  | { kind: 'time'; at: number };

/** Inputs that are stored: samples, and changes of the tag that opens a window. */
export type StoredInput = Exclude<WindowInput, { kind: 'time' }>;

/** An open window. Plain JSON: it is stored as it is. */
export interface WindowState {
  start: number;
  /** Its end by the clock; null if unknown. */
  end: number | null;
  samples: number;
  bad: number;
  /** Number of usable samples of the first tag. */
  counted: number;
  /** States of the reducers, by output. */
  outputs: unknown[];
}

/** The complete state of a rule's samples. Plain JSON. */
export interface RuleProgress {
  window: WindowState | null;
  /** The last value of every tag; null if it is not usable or unknown. */
  held: (SampleValue | null)[];
  /** The last time that was processed. */
  at: number;
}

/** A closed window. */
export interface ClosedWindow {
  start: number;
  end: number;
  samples: number;
  bad: number;
  /** Values of the outputs, null without a value. */
  outputs: (SampleValue | null)[];
  /** Whether there is no known value in its time: such a window does not fire. */
  empty: boolean;
}

export interface Step {
  progress: RuleProgress;
  closed: ClosedWindow | null;
}

/** The part of a rule that defines its windows. */
export type WindowRule = Pick<RuleText, 'tags' | 'window'> & { outputs: readonly RuleOutput[] };

/** The windows of a rule as pure functions of the inputs, one step at a time. */
export interface RuleWindows {
  begin(at: number): RuleProgress;
  step(progress: RuleProgress, input: WindowInput): Step;
  /** The open window as if it closed at a given time; null if none is open. */
  closedAt(progress: RuleProgress, at: number): ClosedWindow | null;
  /** Closes the open window manually, and restarts it. */
  close(progress: RuleProgress, at: number): Step;
}

export function windowsOf(rule: WindowRule, offsetAt: OffsetAt = hostOffset): RuleWindows {
  const reducers = rule.outputs.map(reducerOf);
  const heldBy = rule.outputs.map(usesHeldValue);
  const texts = rule.outputs.map(takesTexts);
  const sources = rule.outputs.map(({ tag }) => rule.tags.indexOf(tag));
  const ofTag = rule.tags.map((_, tag) => sources.flatMap((source, output) => (source === tag ? [output] : [])));
  /** Tags with a reducer that accepts only numbers. */
  const needsNumbers = ofTag.map((outputs) => outputs.length > 0 && outputs.every((output) => !texts[output]));
  const { window } = rule;

  function open(at: number, held: RuleProgress['held']): WindowState {
    const { start, end } =
      window.kind === 'tumbling' ? tumblingWindow(at, window.everyMs, offsetAt) : { start: at, end: null };
    // A value from before the window counts from the time when it became known, even if the clock puts the start
    // earlier.
    const from = Math.max(start, Math.min(at, end ?? at));
    const outputs = reducers.map((reducer, output) => {
      const value = held[sources[output] ?? -1] ?? null;
      return heldBy[output] && value !== null ? reducer.add(reducer.empty, { at: from, value }) : reducer.empty;
    });
    return { start, end, samples: 0, bad: 0, counted: 0, outputs };
  }

  function closedOf(state: WindowState, end: number): ClosedWindow {
    const outputs = reducers.map((reducer, output) => reducer.result(state.outputs[output], end));
    const known = outputs.some((value, output) => value !== null && (heldBy[output] || state.samples > 0));
    return {
      start: state.start,
      end,
      samples: state.samples,
      bad: state.bad,
      outputs,
      empty: !known,
    };
  }

  function begin(at: number): RuleProgress {
    const held = rule.tags.map(() => null);
    return { window: window.kind === 'while' ? null : open(at, held), held, at };
  }

  /** Processes time: closes a window that has ended, or that the clock has left backwards. */
  function pass(progress: RuleProgress, at: number): Step {
    const { window: state, held } = progress;
    if (state === null || window.kind !== 'tumbling' || state.end === null) {
      return { progress: { ...progress, at }, closed: null };
    }
    if (at >= state.end) {
      // The value at the end is also the value at the start of the next window.
      const next = open(at, held);
      const adjoining = next.start === state.end ? open(next.start, held) : next;
      return { progress: { window: adjoining, held, at }, closed: closedOf(state, state.end) };
    }
    if (at < state.start - CORRECTION_MS && at < progress.at - CORRECTION_MS) {
      return {
        progress: { window: open(at, held), held, at },
        closed: closedOf(state, Math.max(progress.at, state.start)),
      };
    }
    return { progress: { ...progress, at }, closed: null };
  }

  function take(progress: RuleProgress, { at, tag, value: given }: WindowInput & { kind: 'sample' }): Step {
    const value = needsNumbers[tag] ? numberOf(given) : usable(given);
    const held = progress.held.with(tag, value);
    const { window: state } = progress;
    if (state === null) return { progress: { ...progress, held }, closed: null };
    const outputs = [...state.outputs];
    for (const output of ofTag[tag] ?? []) {
      outputs[output] = reducers[output]?.add(outputs[output], { at, value });
    }
    const good = value !== null;
    const next: WindowState = {
      ...state,
      outputs,
      samples: state.samples + (good ? 1 : 0),
      bad: state.bad + (good ? 0 : 1),
      counted: state.counted + (good && tag === 0 ? 1 : 0),
    };
    if (window.kind === 'count' && next.counted >= window.samples) {
      return { progress: { window: open(at, held), held, at }, closed: closedOf(next, at) };
    }
    return { progress: { window: next, held, at: progress.at }, closed: null };
  }

  function gate(progress: RuleProgress, at: number, isOpen: boolean): Step {
    const { window: state, held } = progress;
    if (window.kind !== 'while' || isOpen === (state !== null)) return { progress, closed: null };
    if (state === null) return { progress: { window: open(at, held), held, at }, closed: null };
    return { progress: { window: null, held, at }, closed: closedOf(state, Math.max(at, state.start)) };
  }

  return {
    begin,
    step(progress, input) {
      const passed = pass(progress, input.at);
      if (input.kind === 'time') return passed;
      const next = input.kind === 'sample' ? take(passed.progress, input) : gate(passed.progress, input.at, input.open);
      // Only tumbling windows close by time, and only the others by inputs: at most one closes.
      return { progress: next.progress, closed: passed.closed ?? next.closed };
    },
    closedAt: ({ window: state }, at) =>
      state && closedOf(state, Math.max(state.start, state.end === null ? at : Math.min(at, state.end))),
    close(progress, at) {
      const { window: state, held } = progress;
      return {
        progress: { window: state && open(at, held), held, at },
        closed: state && closedOf(state, Math.max(at, state.start)),
      };
    },
  };
}

const usable = (value: SampleValue | null): SampleValue | null =>
  typeof value === 'number' && !Number.isFinite(value) ? null : value;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 5 January 1970: windows of weeks begin on Mondays. */
const MONDAY_MS = 4 * DAY_MS;

/** An interval in ms since 1970 in UTC; its end is exclusive. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Why windows of this length can't be aligned to the clock, or null if they can: whole days, or lengths that divide a
 * day evenly.
 */
export function problemOfTumbling(everyMs: number): string | null {
  if (everyMs % DAY_MS === 0 || DAY_MS % everyMs === 0) return null;
  const shorter = longestDividing(everyMs);
  return `windows of ${durationText(everyMs)} cannot be aligned to the clock: use whole days, or a length that divides a day evenly, such as ${durationText(shorter)}`;
}

/** In the same unit: 6 s for 7 s, although 6912 ms divide a day, too. */
function longestDividing(everyMs: number): number {
  const unitMs = unitOf(everyMs).ms;
  const bound = Math.max(1, Math.min(everyMs, DAY_MS));
  for (let parts = Math.ceil(DAY_MS / bound); parts < DAY_MS / unitMs; parts += 1) {
    if (DAY_MS % parts === 0 && (DAY_MS / parts) % unitMs === 0) return DAY_MS / parts;
  }
  return unitMs;
}

/**
 * The window, aligned to the local clock, at a given time. Windows of a day start at local midnight and have 23 or 25
 * hours when daylight saving time changes; windows of several hours start at their clock hour and are shorter or longer
 * on such a day; those of an hour and less are never longer.
 */
export function tumblingWindow(at: number, everyMs: number, offsetAt: OffsetAt = hostOffset): Stretch {
  const anchor = everyMs % DAY_MS === 0 ? MONDAY_MS : 0;
  const numberAt = (moment: number, offset: number) => Math.floor((moment + offset - anchor) / everyMs);
  const offset = offsetAt(at);
  const number = numberAt(at, offset);
  let start = number * everyMs + anchor - offset;
  let end = start + everyMs;
  if (offsetAt(start) !== offset) {
    // The clock has changed since: the window started then, unless its number was the same before the change.
    const change = changeBetween(start, at, offsetAt);
    const before = offsetAt(change - 1);
    start = everyMs > HOUR_MS && numberAt(change - 1, before) === number ? number * everyMs + anchor - before : change;
  }
  if (offsetAt(end) !== offset) {
    const change = changeBetween(at, end, offsetAt);
    const after = offsetAt(change);
    // The clock goes back into a window of hours: the window continues until its end on the changed clock.
    const continues = everyMs > HOUR_MS && numberAt(change, after) === number;
    end = continues ? (number + 1) * everyMs + anchor - after : change;
  }
  return everyMs > HOUR_MS ? { start: reachBack(start), end } : { start, end };

  /** If the clock went back right at the start, an earlier hour may have had the same number. */
  function reachBack(found: number): number {
    const before = offsetAt(found - 1);
    if (before === offsetAt(found) || numberAt(found - 1, before) !== number) return found;
    return number * everyMs + anchor - before;
  }
}

/** The time between two at which the offset changes to that of the second. */
function changeBetween(from: number, to: number, offsetAt: OffsetAt): number {
  const offset = offsetAt(to);
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle) === offset) high = middle;
    else low = middle;
  }
  return high;
}

import type { AggregationEvent, EventFilter } from '#domain/event/event';
import type { EventBlock } from '../../storage/events/event-places.ts';
import type { ChangedEvents } from './event-undo.ts';

/** An action on many events at once. */
export type BulkAct = 'disable' | 'activate' | 'delete';

export const KIND_OF_ACT = { activate: 'reactivated', disable: 'disabled', delete: 'deleted' } as const;

/** The events that an action changes, as they are after it. */
export function changedBy(act: BulkAct, events: readonly AggregationEvent[]): readonly AggregationEvent[] {
  if (act === 'delete') return events;
  const Active = act === 'activate';
  return events.filter((event) => event.Active !== Active).map((event) => ({ ...event, Active }));
}

/** Selects events: matches between two ids (inclusive) with exceptions, plus others by id. */
export interface BulkEvents extends EventFilter {
  range: { first: number; last: number; except: readonly number[] } | null;
  ids: readonly number[];
}

/** The progress: events that were read, and how many of them were changed. */
export interface BulkProgress {
  done: number;
  changed: number;
  finished: boolean;
}

/** The progress of undoing an action: of the events that it changed, how many were handled, and restored. */
export interface UndoProgress extends BulkProgress {
  of: number;
}

/** The parts of the event store that this uses; each call is one transaction. */
export interface BulkStore {
  blocks(filter: EventFilter): Promise<readonly EventBlock[]>;
  /** Acts on at most `limit` matching events between two ids; resolves with the number found and the last id. */
  actOnRange(act: BulkAct, range: RangeStep): Promise<StepDone & { lastId: number | null }>;
  actOnIds(act: BulkAct, ids: readonly number[]): Promise<StepDone>;
}

export interface RangeStep extends EventFilter {
  first: number;
  last: number;
  except: ReadonlySet<number>;
  limit: number;
}

export interface StepDone {
  met: number;
  changed: readonly AggregationEvent[];
  /** How long the transaction blocked this process, ms. */
  ms: number;
}

/** Maximum length of one transaction, ms: others wait for it. */
const STEP_MS = 8;
const FEWEST = 20;
const MOST = 1_000;
const REPORT_EVERY_MS = 100;

/**
 * Disables, re-activates or deletes any number of events in small transactions, and reports progress ten times a
 * second. When it is stopped, finished work stays. The data rows always stay.
 */
export async function* actOnEvents(
  store: BulkStore,
  act: BulkAct,
  { range, ids, ...filter }: BulkEvents,
  signal: AbortSignal,
): AsyncGenerator<BulkProgress> {
  let done = 0;
  let changed = 0;
  const pace = new Pace();
  const count = (step: StepDone): void => {
    done += step.met;
    changed += step.changed.length;
    pace.adapt(step.ms);
  };

  for (let at = 0; at < ids.length && !signal.aborted;) {
    const some = ids.slice(at, at + pace.limit);
    at += some.length;
    count(await store.actOnIds(act, some));
    if (pace.isDue()) yield { done, changed, finished: false };
  }
  const blocks = range ? await store.blocks(filter) : [];
  const except = new Set(range?.except);
  for (const block of blocks) {
    let first = Math.max(block.first, range?.first ?? 0);
    const last = Math.min(block.last, range?.last ?? 0);
    while (first <= last && !signal.aborted) {
      const step = await store.actOnRange(act, { ...filter, first, last, except, limit: pace.limit });
      count(step);
      if (pace.isDue()) yield { done, changed, finished: false };
      if (step.lastId === null) break;
      first = step.lastId + 1;
    }
  }
  if (!signal.aborted) yield { done, changed, finished: true };
}

/**
 * Restores the events that an action changed, unless they were changed since, in small transactions like the
 * action. When it is stopped, the rest can be restored later.
 * @param restore acts on some of the remaining events, at most `limit`
 */
export async function* undoAction(
  action: ChangedEvents,
  restore: (limit: number) => Promise<StepDone>,
  signal: AbortSignal,
): AsyncGenerator<UndoProgress> {
  const pace = new Pace();
  const progress = (finished: boolean): UndoProgress => {
    const { made, left, restored } = action;
    return { done: made - left, changed: restored, of: made, finished };
  };
  do {
    if (signal.aborted) return;
    // Also waits for the last step of an action that was stopped.
    const step = await restore(pace.limit);
    action.restored += step.changed.length;
    pace.adapt(step.ms);
    if (pace.isDue()) yield progress(false);
  } while (action.left > 0);
  yield progress(true);
}

/** How many events a step takes, and when progress is reported. */
class Pace {
  limit = FEWEST * 5;
  #reportedAt = performance.now();

  adapt(ms: number): void {
    const aimed = ms > STEP_MS ? this.limit / 2 : ms < STEP_MS / 3 ? this.limit * 2 : this.limit;
    this.limit = Math.round(Math.min(MOST, Math.max(FEWEST, aimed)));
  }

  isDue(): boolean {
    if (performance.now() - this.#reportedAt < REPORT_EVERY_MS) return false;
    this.#reportedAt = performance.now();
    return true;
  }
}

import type { AggregationEvent, EventFilter } from '#domain/event/event';
import type { EventBlock } from '../../storage/events/event-places.ts';

/** An action on many events at once. */
export type BulkAct = 'disable' | 'activate' | 'delete';

/** Selects events: those that match between two ids (inclusive) with exceptions, plus others by id. */
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
  changed: AggregationEvent[];
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
  let limit = FEWEST * 5;
  let reportedAt = performance.now();
  const count = (step: StepDone): void => {
    done += step.met;
    changed += step.changed.length;
    const aimed = step.ms > STEP_MS ? limit / 2 : step.ms < STEP_MS / 3 ? limit * 2 : limit;
    limit = Math.round(Math.min(MOST, Math.max(FEWEST, aimed)));
  };
  const isDue = (): boolean => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS) return false;
    reportedAt = performance.now();
    return true;
  };

  for (let at = 0; at < ids.length && !signal.aborted;) {
    const some = ids.slice(at, at + limit);
    at += some.length;
    count(await store.actOnIds(act, some));
    if (isDue()) yield { done, changed, finished: false };
  }
  const blocks = range ? await store.blocks(filter) : [];
  const except = new Set(range?.except);
  for (const block of blocks) {
    let first = Math.max(block.first, range?.first ?? 0);
    const last = Math.min(block.last, range?.last ?? 0);
    while (first <= last && !signal.aborted) {
      const step = await store.actOnRange(act, { ...filter, first, last, except, limit });
      count(step);
      if (isDue()) yield { done, changed, finished: false };
      if (step.lastId === null) break;
      first = step.lastId + 1;
    }
  }
  if (!signal.aborted) yield { done, changed, finished: true };
}

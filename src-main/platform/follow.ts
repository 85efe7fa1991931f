import type { Listeners } from './events.ts';
import { pause } from './pause.ts';

/** A log in memory that keeps its newest entries, numbered from 1. */
export interface FollowedLog<T> {
  /** The number of the newest entry that there ever was. */
  newest(): number;
  /** Those after the entry of that number that are still kept, oldest first. */
  list(after: number): T[];
  readonly added: Listeners<void>;
}

/** A follower gets at most so many batches a second. */
const BATCH_MS = 100;

/**
 * What is kept at once, then new entries in batches, until the signal aborts. A reader that is slow misses those that
 * are no longer kept: the numbers then have a gap.
 */
export async function* follow<T>(log: FollowedLog<T>, signal: AbortSignal): AsyncGenerator<T[]> {
  let wake = Promise.withResolvers<void>();
  const nudge = () => wake.resolve();
  const unsubscribe = log.added.add(nudge);
  signal.addEventListener('abort', nudge, { once: true });
  let last = 0;
  try {
    for (let first = true; !signal.aborted; first = false) {
      const batch = log.list(last);
      last = log.newest();
      if (first || batch.length > 0) yield batch;
      await pause(BATCH_MS, signal);
      if (log.newest() === last && !signal.aborted) await wake.promise;
      wake = Promise.withResolvers();
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', nudge);
  }
}

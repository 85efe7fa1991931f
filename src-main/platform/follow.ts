import type { Listeners } from './events.ts';
import { pause } from './pause.ts';

/** A log in memory that keeps its newest entries, numbered from 1. */
export interface FollowedLog<T> {
  /** The number of the newest entry so far. */
  newest(): number;
  /** The stored entries after that number, oldest first. */
  list(after: number): T[];
  readonly added: Listeners<void>;
}

/** Maximum number of batches for a follower per second. */
const BATCH_MS = 100;

/**
 * The stored entries at once, then new ones in batches, until the signal aborts. A slow reader misses entries that are
 * no longer stored: the numbers then have a gap.
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

import type { ApiRequest } from '#domain/api-request';
import { Listeners } from '../platform/events.ts';

const KEPT = 1_000;
/** A follower gets at most so many batches a second. */
const BATCH_MS = 100;

/** The newest requests, in memory: what external tools asked and what they got (decision 7). */
export class RequestLog {
  readonly #kept: ApiRequest[] = [];
  readonly #added = new Listeners<void>();
  #seq = 0;

  add(request: Omit<ApiRequest, 'seq'>): void {
    this.#seq += 1;
    this.#kept.push({ seq: this.#seq, ...request });
    // In steps: taking one off the front at every request would move all of them every time.
    if (this.#kept.length >= KEPT * 2) this.#kept.splice(0, this.#kept.length - KEPT);
    this.#added.emit();
  }

  /** Those after the request of that number that are still kept, oldest first; at most 1,000. */
  list(after = 0): ApiRequest[] {
    return this.#kept.slice(-KEPT).filter(({ seq }) => seq > after);
  }

  /**
   * What is kept at once, then new ones in batches, until the signal aborts. A reader that is slow misses those that
   * are no longer kept: the numbers then have a gap.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    let wake = Promise.withResolvers<void>();
    const nudge = () => wake.resolve();
    const unsubscribe = this.#added.add(nudge);
    signal.addEventListener('abort', nudge, { once: true });
    let last = 0;
    try {
      for (let first = true; !signal.aborted; first = false) {
        const batch = this.list(last);
        last = batch.at(-1)?.seq ?? last;
        if (first || batch.length > 0) yield batch;
        await pause(BATCH_MS, signal);
        if (this.#seq === last) await wake.promise;
        wake = Promise.withResolvers();
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', nudge);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done, { once: true });
  });
}

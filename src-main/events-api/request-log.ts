import type { ApiRequest } from '#domain/api-request';
import { Listeners } from '../platform/events.ts';
import { follow } from '../platform/follow.ts';

const KEPT = 1_000;

/** The newest requests, in memory: what external tools asked and what they got. */
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
  follow(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    return follow({ newest: () => this.#seq, list: (after) => this.list(after), added: this.#added }, signal);
  }
}

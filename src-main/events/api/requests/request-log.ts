import type { ApiRequest } from '#domain/mock/api-request';
import { Listeners } from '../../../platform/events.ts';
import type { StoredRequests } from './stored-requests.ts';
import { follow } from '../../../platform/follow.ts';

const KEPT = 1_000;

/** The newest requests of external tools, with their results. They are also stored if there is a file for them. */
export class RequestLog {
  readonly #stored: StoredRequests | null;
  readonly #kept: ApiRequest[] = [];
  readonly #added = new Listeners<void>();
  #seq = 0;

  constructor(stored: StoredRequests | null = null) {
    this.#stored = stored;
  }

  /** Loads those of earlier instances; called before the first request. */
  async restore(): Promise<void> {
    const before = (await this.#stored?.load(KEPT)) ?? [];
    this.#kept.unshift(...before);
    this.#seq = Math.max(this.#seq, ...before.map(({ seq }) => seq));
  }

  add(request: Omit<ApiRequest, 'seq'>): void {
    this.#seq += 1;
    const numbered = { seq: this.#seq, ...request };
    this.#kept.push(numbered);
    this.#stored?.add(numbered);
    // In steps: removing one from the front at every request would move all of them every time.
    if (this.#kept.length >= KEPT * 2) this.#kept.splice(0, this.#kept.length - KEPT);
    this.#added.emit();
  }

  /** The stored requests after that number, oldest first; at most 1,000. */
  list(after = 0): ApiRequest[] {
    return this.#kept.slice(-KEPT).filter(({ seq }) => seq > after);
  }

  /**
   * The stored requests at once, then new ones in batches, until the signal aborts. A slow reader misses requests that
   * are no longer stored: the numbers then have a gap.
   */
  follow(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    return follow({ newest: () => this.#seq, list: (after) => this.list(after), added: this.#added }, signal);
  }
}

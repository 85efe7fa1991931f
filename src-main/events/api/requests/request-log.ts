import type { ApiMessages, ApiRequest } from '#domain/mock/api-request';
import { Listeners } from '../../../platform/events.ts';
import type { StoredRequests } from './stored-requests.ts';
import { follow } from '../../../platform/follow.ts';

const KEPT = 1_000;
/** Number of requests whose headers and bodies are kept, in memory only. */
const KEPT_MESSAGES = 300;

/** The newest requests of external tools, with their results. They are also stored if there is a file for them. */
export class RequestLog {
  readonly #stored: StoredRequests | null;
  readonly #kept: ApiRequest[] = [];
  /** By the number of the request, oldest first. */
  readonly #messages = new Map<number, ApiMessages>();
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

  /** @param messages null if it was no HTTP */
  add(request: Omit<ApiRequest, 'seq'>, messages: ApiMessages | null): void {
    this.#seq += 1;
    const numbered = { seq: this.#seq, ...request };
    this.#kept.push(numbered);
    this.#stored?.add(numbered);
    if (messages) this.#messages.set(this.#seq, messages);
    for (const seq of this.#messages.keys()) {
      if (this.#messages.size <= KEPT_MESSAGES) break;
      this.#messages.delete(seq);
    }
    // In steps: removing one from the front at every request would move all of them every time.
    if (this.#kept.length >= KEPT * 2) this.#kept.splice(0, this.#kept.length - KEPT);
    this.#added.emit();
  }

  /** The stored requests after that number, oldest first; at most 1,000. */
  list(after = 0): ApiRequest[] {
    return this.#kept.slice(-KEPT).filter(({ seq }) => seq > after);
  }

  /** Headers and bodies; null for older requests, and those of an earlier start. */
  messages(seq: number): ApiMessages | null {
    return this.#messages.get(seq) ?? null;
  }

  /**
   * The stored requests at once, then new ones in batches, until the signal aborts. A slow reader misses requests that
   * are no longer stored: the numbers then have a gap.
   */
  follow(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    return follow({ newest: () => this.#seq, list: (after) => this.list(after), added: this.#added }, signal);
  }
}

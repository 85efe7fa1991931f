import type { ApiMessages, ApiRequest } from '#domain/mock/api-request';
import { type Captured, messagesOf } from './captured-messages.ts';
import { Listeners } from '../../../platform/events.ts';
import { requestOf, type StoredRequests } from './stored-requests.ts';
import { follow } from '../../../platform/follow.ts';

const KEPT = 1_000;
/** Number of stored lines that are loaded, because damaged ones are dropped. */
const LOADED = 1_100;
/** Number of requests whose headers and bodies are kept, in memory only. */
const KEPT_MESSAGES = 300;

/** The newest requests of external tools, with their results. They are also stored if there is a file for them. */
export class RequestLog {
  readonly #stored: StoredRequests | null;
  /** Lines of earlier instances, until they are first listed. */
  #before: readonly string[] = [];
  readonly #kept: ApiRequest[] = [];
  /** By the number of the request. */
  readonly #messages = new Map<number, Captured>();
  readonly #added = new Listeners<void>();
  #seq = 0;
  #restored: Promise<void> | null = null;

  constructor(stored: StoredRequests | null = null) {
    this.#stored = stored;
  }

  /**
   * Loads those of earlier instances, once; called before the first request. Only the last line is parsed: a start is
   * short.
   */
  restore(): Promise<void> {
    return (this.#restored ??= this.#restore());
  }

  async #restore(): Promise<void> {
    this.#before = (await this.#stored?.load(LOADED)) ?? [];
    for (const line of this.#before.toReversed()) {
      const newest = requestOf(line);
      if (!newest) continue;
      this.#seq = newest.seq;
      break;
    }
  }

  /** @param messages null if it was no HTTP */
  add(request: Omit<ApiRequest, 'seq'>, messages: Captured | null): void {
    this.#seq += 1;
    const numbered = { seq: this.#seq, ...request };
    this.#kept.push(numbered);
    this.#stored?.add(numbered);
    if (messages) this.#messages.set(this.#seq, messages);
    this.#messages.delete(this.#seq - KEPT_MESSAGES);
    // In steps: removing one from the front at every request would move all of them every time.
    if (this.#kept.length >= KEPT * 2) this.#kept.splice(0, this.#kept.length - KEPT);
    this.#added.emit();
  }

  /** The stored requests after that number, oldest first; at most 1,000. */
  list(after = 0): ApiRequest[] {
    if (this.#before.length > 0) this.#kept.unshift(...this.#before.flatMap((line) => requestOf(line) ?? []));
    this.#before = [];
    return this.#kept.slice(-KEPT).filter(({ seq }) => seq > after);
  }

  /** Null if it is no longer stored. */
  get(seq: number): ApiRequest | null {
    return this.list(seq - 1).find((request) => request.seq === seq) ?? null;
  }

  /** Headers and bodies; null for older requests, and those of an earlier start. */
  messages(seq: number): ApiMessages | null {
    const captured = this.#messages.get(seq);
    return captured ? messagesOf(captured) : null;
  }

  /**
   * The stored requests at once, then new ones in batches, until the signal aborts. A slow reader misses requests that
   * are no longer stored: the numbers then have a gap.
   */
  follow(signal: AbortSignal): AsyncGenerator<ApiRequest[]> {
    return follow({ newest: () => this.#seq, list: (after) => this.list(after), added: this.#added }, signal);
  }
}

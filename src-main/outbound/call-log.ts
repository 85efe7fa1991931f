import type { LoggedCall } from '#domain/mock/api-call';
import { Listeners } from '../platform/events.ts';
import { follow } from '../platform/follow.ts';

const KEPT = 1_000;
/** Maximum length of all stored bodies in characters: the oldest calls are dropped. */
const KEPT_LENGTH = 16 * 1_048_576;

/** The newest API calls of the instance, in memory, already masked. */
export class CallLog {
  readonly #changed = new Listeners<void>();
  #kept: LoggedCall[] = [];
  #length = 0;
  #seq = 0;

  /** Returns its number. */
  add(call: Omit<LoggedCall, 'seq'>): number {
    this.#seq += 1;
    this.#kept.push({ seq: this.#seq, ...call });
    this.#length += lengthOf(call);
    if (this.#kept.length > 2 * KEPT || this.#length > KEPT_LENGTH) this.#shrink();
    this.#changed.emit();
    return this.#seq;
  }

  /** The stored calls after that number, oldest first. */
  list(after = 0, limit = KEPT): LoggedCall[] {
    const newest = this.#kept.slice(-KEPT).filter(({ seq }) => seq > after);
    return after === 0 ? newest.slice(-limit) : newest.slice(0, limit);
  }

  /** Null if it is no longer stored. */
  get(seq: number): LoggedCall | null {
    return this.#kept.find((call) => call.seq === seq) ?? null;
  }

  clear(): number {
    const count = Math.min(this.#kept.length, KEPT);
    this.#kept = [];
    this.#length = 0;
    return count;
  }

  /** The stored calls at once, then new ones in batches, until the signal aborts. */
  watch(signal: AbortSignal): AsyncGenerator<LoggedCall[]> {
    return follow({ newest: () => this.#seq, list: (after) => this.list(after), added: this.#changed }, signal);
  }

  #shrink(): void {
    let from = Math.max(0, this.#kept.length - KEPT);
    let length = this.#kept.slice(from).reduce((sum, call) => sum + lengthOf(call), 0);
    // Down to half, so that not every call reads all of them.
    while (length > KEPT_LENGTH / 2 && from < this.#kept.length - 1) {
      const gone = this.#kept[from];
      length -= gone === undefined ? 0 : lengthOf(gone);
      from += 1;
    }
    this.#kept = this.#kept.slice(from);
    this.#length = length;
  }
}

function lengthOf({ url, request, response }: Omit<LoggedCall, 'seq'>): number {
  let length = 200 + url.length + (request.body?.length ?? 0) + (response?.body?.length ?? 0);
  for (const [name, value] of request.headers) length += name.length + value.length;
  for (const [name, value] of response?.headers ?? []) length += name.length + value.length;
  return length;
}

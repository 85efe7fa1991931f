import type { Problem } from './errors.ts';
import { ConnectionLostError, isAbort, problemOf } from './errors.ts';

/** Opens a stream that notifies of changes. */
export type OpenChanges<Change = unknown> = (signal: AbortSignal) => Promise<AsyncIterable<Change>>;

interface Subject<Change> {
  /** Streams of kind `changes` that cover everything `read` shows. */
  changes: readonly OpenChanges<Change>[];
  /** Reads everything and shows it; rejects when that fails. */
  read: (signal: AbortSignal) => Promise<void>;
  /** Shows one change without reading; false when only reading helps. Without it, every change reads. */
  apply?: (change: Change) => boolean;
  /** Called when reading or following fails, before each retry. */
  failed?: (problem: Problem) => void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 10_000;

/**
 * Keeps a picture of something in main current until `signal` aborts: follows its changes, reads it, and reads it again
 * after a change and on every new connection. No change is missed, because main listens before it is read. Reads never
 * overlap, and many changes in a row cost one more read. Failures are retried after 1 to 10 s, a read also on the next
 * change.
 *
 * @returns when the first read has succeeded or failed
 */
export async function stayCurrent<Change>(subject: Subject<Change>, signal: AbortSignal): Promise<void> {
  const reader = new Reader(subject.read, (error) => subject.failed?.(problemOf(error)), signal);
  let following = 0;
  const follow = async (open: OpenChanges<Change>): Promise<void> => {
    for (let retryMs = FIRST_RETRY_MS; !signal.aborted;) {
      let isOpen = false;
      try {
        const changes = await open(signal);
        isOpen = true;
        following += 1;
        retryMs = FIRST_RETRY_MS;
        if (following === subject.changes.length) reader.refresh();
        for await (const change of changes) {
          if (signal.aborted) return;
          if (reader.isReading || !subject.apply?.(change)) reader.refresh();
        }
      } catch (error) {
        if (signal.aborted || isAbort(error)) return;
        if (error instanceof ConnectionLostError) continue;
        subject.failed?.(problemOf(error));
        // Without notifications, a read is better than nothing.
        if (!isOpen) reader.refresh();
      } finally {
        if (isOpen) following -= 1;
      }
      await pause(retryMs, signal);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  };
  for (const open of subject.changes) void follow(open);
  await reader.first;
}

/** Reads one at a time, again while something has changed since the last read began. */
class Reader {
  readonly #read: (signal: AbortSignal) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  readonly #signal: AbortSignal;
  readonly #first = Promise.withResolvers<void>();
  #stale = false;
  #reading = false;
  #wake: (() => void) | null = null;

  constructor(read: (signal: AbortSignal) => Promise<void>, failed: (error: unknown) => void, signal: AbortSignal) {
    this.#read = read;
    this.#failed = failed;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#first.resolve(), { once: true });
  }

  get first(): Promise<void> {
    return this.#first.promise;
  }

  get isReading(): boolean {
    return this.#reading;
  }

  refresh(): void {
    this.#stale = true;
    this.#wake?.();
    if (!this.#reading) void this.#run();
  }

  async #run(): Promise<void> {
    this.#reading = true;
    let retryMs = FIRST_RETRY_MS;
    while (this.#stale && !this.#signal.aborted) {
      this.#stale = false;
      try {
        await this.#read(this.#signal);
        retryMs = FIRST_RETRY_MS;
      } catch (error) {
        if (this.#signal.aborted || isAbort(error)) break;
        this.#failed(error);
        this.#first.resolve();
        await this.#nextChange(retryMs);
        this.#stale = true;
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      }
    }
    this.#reading = false;
    this.#first.resolve();
  }

  /** Ends at the next `refresh`, after `ms` at the latest. */
  #nextChange(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#signal.removeEventListener('abort', end);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = end;
      this.#signal.addEventListener('abort', end, { once: true });
    });
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

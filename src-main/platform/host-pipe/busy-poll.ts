import { availableParallelism } from 'node:os';
import { Crowding } from './crowding.ts';

/** How long the event loop polls for a frame, ms. A Get follows another one within 0.02 to 0.2 ms. */
const LIMIT_MS = 0.25;
/** Number of calls whose median is compared, of each way. */
const MEASURED = 32;
/** Number of calls in the faster way, until both are measured again: 0.1 s or more. */
const USED = 2_048;
/** What polling must reach to be worth a busy processor: this part of the time of sleeping. */
const WORTH = 0.9;

/** Whether polling can be of use now. With one processor, the host could not run during a poll. */
function usefulness(): (now: number) => boolean {
  if (availableParallelism() === 1) return () => false;
  const crowding = new Crowding();
  return (now) => !crowding.isCrowded(now);
}

/** For all hosts of this process. */
let shared: ReturnType<typeof usefulness> | null = null;

/**
 * Polls for the next call of a host instead of sleeping until it comes, if calls are answered sooner that way. To be
 * woken can take main as long as all its work for a Get. On other machines, main and host take turns on one processor
 * when main sleeps, which is faster. So both are measured again every 2,000 calls. Everything else in this process gets
 * its turn during a poll.
 *
 * Nothing is polled for while other work needs the processors, because the host could wait for the very processor that
 * polls.
 */
export class BusyPoll {
  readonly #isUseful: (now: number) => boolean;
  readonly #now: () => number;
  /** When the poll ends, ms of a monotonic clock; 0 if nothing is expected. */
  #until = 0;
  #isPolling = false;
  /** When the last frame came, and whether the next one may follow its response; ms of a monotonic clock. */
  #arrivedAt = 0;
  #isExpected = false;
  #polls = false;
  #times: number[] = [];
  /** The median time from a call to the next one if main sleeps, ms. */
  #asleep = 0;
  /** Number of calls until both ways are measured again; 0 while they are. */
  #left = 0;
  readonly #poll = (): void => {
    if (this.#until > 0 && this.#now() < this.#until) {
      setImmediate(this.#poll);
      return;
    }
    this.#isPolling = false;
    this.#until = 0;
  };

  /**
   * @param isUseful whether polling can be of use now
   * @param now ms of a monotonic clock
   */
  constructor(isUseful = (shared ??= usefulness()), now = () => performance.now()) {
    this.#isUseful = isUseful;
    this.#now = now;
  }

  /** Whether the event loop does not sleep now. */
  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** The host was sent what it waits for: its next call may come soon. */
  expect(): void {
    const now = this.#now();
    this.#isExpected = this.#isUseful(now);
    if (!this.#isExpected || !this.#polls) return;
    this.#until = now + LIMIT_MS;
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(this.#poll);
  }

  /** The host has sent something. */
  arrived(): void {
    this.#until = 0;
    const now = this.#now();
    if (this.#isExpected) this.#took(now - this.#arrivedAt);
    this.#isExpected = false;
    this.#arrivedAt = now;
  }

  /** @param ms from one call to the next */
  #took(ms: number): void {
    if (this.#left > 0) {
      this.#left -= 1;
      if (this.#left === 0) this.#polls = false;
      return;
    }
    this.#times.push(ms);
    if (this.#times.length < MEASURED) return;
    const median = this.#times.toSorted((a, b) => a - b)[MEASURED / 2] ?? 0;
    this.#times = [];
    if (this.#polls) {
      this.#polls = median < WORTH * this.#asleep;
      this.#left = USED;
    } else {
      this.#asleep = median;
      this.#polls = true;
    }
  }
}

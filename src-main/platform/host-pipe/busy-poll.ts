import { Processors } from './processors.ts';

/** How long the event loop polls, ms. A Get follows another one within 0.02 to 0.2 ms. */
const LIMIT_MS = 0.25;
/** Number of answers whose median time is compared, of each way. */
const MEASURED = 32;
/** Number of answers in the faster way, until both are measured again: 0.1 s or more. */
const USED = 2_048;
/** What polling must reach to be worth a busy processor: this part of the time of sleeping. */
const WORTH = 0.9;

/** For all hosts of this process. */
let shared: Processors | null = null;

/**
 * Polls instead of sleeping until a host sends something, or until something arrives for which the host waits, such as a
 * response from the network, if the host can continue sooner that way. To be woken can take main as long as all its work
 * for a Get. On other machines, main and host take turns on one processor when main sleeps, which is faster. So both are
 * measured again every 2,000 times. Everything else in this process gets its turn during a poll.
 *
 * Nothing is polled for while other work needs the processors, because the host could wait for the very processor that
 * polls.
 */
export class BusyPoll {
  readonly #processors: Processors;
  readonly #now: () => number;
  /** When the poll ends, ms of a monotonic clock; 0 if nothing is expected. */
  #until = 0;
  #isPolling = false;
  /** Whether the host computes, as far as main knows. */
  #isComputing = false;
  /** Whether a processor was free for a poll when it began. */
  #isExpected = false;
  /** When the host sent something before, or began its run; ms of a monotonic clock. */
  #before = 0;
  #polls = false;
  #times: number[] = [];
  /** The median time if main sleeps, ms. */
  #asleep = 0;
  /** Number of answers until both ways are measured again; 0 while they are. */
  #left = 0;
  readonly #poll = (): void => {
    const now = this.#now();
    if (now < this.#until && this.#processors.hasFree(now)) {
      setImmediate(this.#poll);
      return;
    }
    this.#isPolling = false;
    this.#until = 0;
  };

  /** @param now ms of a monotonic clock */
  constructor(processors = (shared ??= new Processors()), now = () => performance.now()) {
    this.#processors = processors;
    this.#now = now;
  }

  /** Whether the event loop does not sleep now. */
  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** The host was given a run: it sends something soon. */
  began(): void {
    this.#before = this.#now();
    this.responded();
  }

  /** The host was sent what it waits for: its next call may come soon. */
  responded(): void {
    if (!this.#isComputing) this.#processors.take();
    this.#isComputing = true;
    this.#isExpected = this.#extended();
  }

  /** The host has sent something, and may compute on. */
  arrived(): void {
    this.#until = 0;
    const now = this.#now();
    if (this.#isExpected) this.#took(now - this.#before);
    this.#isExpected = false;
    this.#before = now;
  }

  /** The host waits for something that main cannot send at once. */
  waits(): void {
    this.#release();
    this.#extended();
  }

  /** Its run, or its process, has ended. */
  ended(): void {
    this.#until = 0;
    this.#isExpected = false;
    this.#release();
  }

  #release(): void {
    if (this.#isComputing) this.#processors.release();
    this.#isComputing = false;
  }

  /** Polls from now on, if that is faster; returns whether a processor is free. */
  #extended(): boolean {
    const now = this.#now();
    if (!this.#processors.hasFree(now)) return false;
    if (!this.#polls) return true;
    this.#until = now + LIMIT_MS;
    if (!this.#isPolling) setImmediate(this.#poll);
    this.#isPolling = true;
    return true;
  }

  /** @param ms from one answer of the host to the next one */
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

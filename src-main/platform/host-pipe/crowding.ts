import { readFileSync } from 'node:fs';

/** How often it is measured, ms. */
const INTERVAL_MS = 20;
/** The part of the time for which this thread may be ready without a processor: 0 on a quiet machine. */
const MOST_WAITING = 0.1;

/** How long this thread was ready without a processor so far, ms. Only Linux reports it: 0 elsewhere. */
function waitedForProcessor(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ', 2)[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Whether other work needs the processors of this machine, measured every 20 ms, which takes 0.01 ms. */
export class Crowding {
  readonly #waited: () => number;
  #at: number;
  #before: number;
  #isCrowded = false;

  constructor(waited = waitedForProcessor, now = performance.now()) {
    this.#waited = waited;
    this.#at = now;
    this.#before = waited();
  }

  /** @param now ms of a monotonic clock */
  isCrowded(now: number): boolean {
    const ms = now - this.#at;
    if (ms < INTERVAL_MS) return this.#isCrowded;
    const waited = this.#waited();
    this.#isCrowded = waited - this.#before > ms * MOST_WAITING;
    this.#at = now;
    this.#before = waited;
    return this.#isCrowded;
  }
}

import { availableParallelism } from 'node:os';
import { Crowding } from './crowding.ts';

/** How long the event loop polls for a frame, ms. A Get follows another one within 0.02 to 0.2 ms. */
const LIMIT_MS = 0.25;
/** The most frames that are not polled for, after many polls in vain. */
const MOST_SKIPPED = 128;
/** How much of a poll in vain a frame that comes in time makes up for. */
const MADE_UP = 0.25;

/** Whether polling is of use now. With one processor, the host could not run during a poll. */
function usefulness(): (now: number) => boolean {
  if (availableParallelism() === 1) return () => false;
  const crowding = new Crowding();
  return (now) => !crowding.isCrowded(now);
}

/** For all hosts of this process. */
let shared: ReturnType<typeof usefulness> | null = null;

/**
 * Polls for the next frame of a host instead of sleeping until it comes. To be woken takes main as long as all its work
 * for a Get, and the host has to wake it. Everything else in this process gets its turn in the meantime.
 *
 * Polls in vain become rare: those for scripts that compute for longer between their calls. Nothing is polled for while
 * other work needs the processors, because the host could wait for the very processor that polls.
 */
export class BusyPoll {
  readonly #isUseful: (now: number) => boolean;
  /** When the poll ends, ms of a monotonic clock; 0 if nothing is expected. */
  #until = 0;
  #isPolling = false;
  #vain = 0;
  #skip = 0;
  readonly #poll = (): void => {
    if (this.#until > 0 && performance.now() < this.#until) {
      setImmediate(this.#poll);
      return;
    }
    this.#isPolling = false;
    if (this.#until === 0) return;
    this.#until = 0;
    this.#vain += 1;
    this.#skip = Math.min(2 ** this.#vain, MOST_SKIPPED);
  };

  /** @param isUseful whether polling is of use now */
  constructor(isUseful = (shared ??= usefulness())) {
    this.#isUseful = isUseful;
  }

  /** Whether the event loop does not sleep now. */
  get isPolling(): boolean {
    return this.#isPolling;
  }

  /** The host was sent what it waits for: its next frame probably comes soon. */
  expect(): void {
    if (this.#skip > 0) {
      this.#skip -= 1;
      return;
    }
    const now = performance.now();
    if (!this.#isUseful(now)) return;
    this.#until = now + LIMIT_MS;
    if (this.#isPolling) return;
    this.#isPolling = true;
    setImmediate(this.#poll);
  }

  /** The host has sent something. */
  arrived(): void {
    if (this.#until === 0) return;
    this.#until = 0;
    this.#vain = Math.max(0, this.#vain - MADE_UP);
  }
}

import { setImmediate } from 'node:timers';

/** How long a long computation runs before others get their turn, ms. */
const SLICE_MS = 5;

/** Long computations that wait to continue. */
const waiting: (() => void)[] = [];

/** One of them in each turn of the event loop: all of them together would make it as many times as long. */
function continueOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(continueOne);
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(continueOne);
  });
}

/**
 * Lets a long computation take turns with everything else in this process: `const pause = turns.due(); if (pause) await
 * pause;` after every step. Short work never waits.
 */
export class Turns {
  #began = performance.now();

  /** A promise to await if the slice is used up, else null. */
  due(): Promise<void> | null {
    return performance.now() - this.#began < SLICE_MS ? null : this.#pause();
  }

  async #pause(): Promise<void> {
    await nextTurn();
    this.#began = performance.now();
  }
}

/** A long computation that yields after each step of a few milliseconds at most. */
export type Steps<T> = Generator<void, T, void>;

/** Does all steps at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Does the steps in turns with everything else in this process. Once the signal aborts, it rejects with the reason of that. */
export async function inTurns<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    const pause = turns.due();
    if (!pause) continue;
    await pause;
    signal?.throwIfAborted();
  }
}

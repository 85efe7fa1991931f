import { setImmediate as turn } from 'node:timers/promises';

/** How long a long computation runs before others get their turn, ms. */
const SLICE_MS = 8;

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
    await turn();
    this.#began = performance.now();
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import type { EventSource } from './event-source.ts';

/** Responses that continue in one turn of the event loop: about 1 ms of work. */
const AT_ONCE = 32;

/** A change that a response waits for. */
export interface Wake {
  /** Whether it comes in time, ms. False also when the response is closed. */
  within(ms: number, response: ServerResponse): Promise<boolean>;
}

/** Continues waiting responses after a change, a few in each turn, so that many of them do not delay other requests. */
export class Wakes {
  #version = 0;
  readonly #waiting = new Set<() => void>();
  /** Waiting responses that a change has not reached yet, in order. */
  readonly #due = new Set<() => void>();
  #isWaking = false;

  /** @param closing ends the listener at the source */
  constructor(source: Pick<EventSource, 'onFeed'>, closing: DisposableStack) {
    closing.defer(
      source.onFeed(() => {
        this.#version += 1;
        for (const wake of this.#waiting) this.#due.add(wake);
        this.#waiting.clear();
        void this.#wake();
      }),
    );
  }

  /** The next change from now on. */
  next(): Wake {
    const seen = this.#version;
    return {
      within: (ms, response) =>
        new Promise((resolve) => {
          const settle = (isWoken: boolean) => {
            clearTimeout(late);
            this.#waiting.delete(wake);
            this.#due.delete(wake);
            response.off('close', closed);
            resolve(isWoken);
          };
          const wake = () => settle(true);
          const closed = () => settle(false);
          const late = setTimeout(() => settle(false), ms);
          response.on('close', closed);
          if (response.closed) closed();
          else if (seen === this.#version) this.#waiting.add(wake);
          else {
            this.#due.add(wake);
            void this.#wake();
          }
        }),
    };
  }

  async #wake(): Promise<void> {
    if (this.#isWaking) return;
    this.#isWaking = true;
    while (this.#due.size > 0) {
      // Others first: the commit that woke them may have been one of many.
      await turn();
      for (const wake of [...this.#due].slice(0, AT_ONCE)) wake();
    }
    this.#isWaking = false;
  }
}

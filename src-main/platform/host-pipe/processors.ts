import { availableParallelism } from 'node:os';
import { Crowding } from './crowding.ts';

/** Whether one of the processors is free for a poll of main: the hosts need the others. */
export class Processors {
  readonly #count: number;
  readonly #crowding: Pick<Crowding, 'isCrowded'>;
  /** Number of hosts that compute. */
  #used = 0;

  constructor(count = availableParallelism(), crowding: Pick<Crowding, 'isCrowded'> = new Crowding()) {
    this.#count = count;
    this.#crowding = crowding;
  }

  /** A host begins to compute. */
  take(): void {
    this.#used += 1;
  }

  /** It ends, or waits. */
  release(): void {
    this.#used -= 1;
  }

  /** @param now ms of a monotonic clock */
  hasFree(now: number): boolean {
    return this.#used < this.#count && this.#count > 1 && !this.#crowding.isCrowded(now);
  }
}

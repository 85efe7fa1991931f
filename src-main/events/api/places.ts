/** A bounded number of places for answers that clients take. A place that is held too long goes to the next client. */
export class Places {
  readonly #most: number;
  readonly #graceMs: number;
  /** What ends the answer, and since when it has its place (ms); the oldest first. */
  readonly #held = new Map<() => void, number>();

  constructor({ most, graceMs }: { most: number; graceMs: number }) {
    this.#most = most;
    this.#graceMs = graceMs;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes a place for an answer; when all are taken, ends the oldest answer if it has had its place for longer than
   * the grace.
   * @param end cuts the answer
   * @returns gives the place free; null when there is none
   */
  take(end: () => void): (() => void) | null {
    const [oldest] = this.#held;
    if (this.#held.size >= this.#most && oldest) {
      const [endOldest, since] = oldest;
      if (performance.now() - since <= this.#graceMs) return null;
      this.#held.delete(endOldest);
      endOldest();
    }
    this.#held.set(end, performance.now());
    return () => void this.#held.delete(end);
  }
}

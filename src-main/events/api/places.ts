/** A limited number of places for responses in progress. A place that is held too long goes to the next client. */
export class Places {
  readonly #most: number;
  readonly #graceMs: number;
  /** The functions that end the responses, with the start of each (ms); oldest first. */
  readonly #held = new Map<() => void, number>();

  constructor({ most, graceMs }: { most: number; graceMs: number }) {
    this.#most = most;
    this.#graceMs = graceMs;
  }

  get size(): number {
    return this.#held.size;
  }

  /**
   * Takes a place for a response; if all are taken, ends the oldest response if it has had its place for longer than
   * the grace period.
   * @param end cuts the response off
   * @returns releases the place; null if there is none
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

  /** For responses that stay open: none makes room for another. */
  static ofOpen(most: number): Places {
    return new Places({ most, graceMs: Number.POSITIVE_INFINITY });
  }

  /** Cuts all responses off. */
  endAll(): void {
    const ends = [...this.#held.keys()];
    this.#held.clear();
    for (const end of ends) end();
  }
}

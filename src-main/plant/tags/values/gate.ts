/** Lets work of one sort run side by side, and work of another sort only alone. */
export class Gate {
  #alone: Promise<void> | null = null;
  readonly #together = new Set<Promise<unknown>>();

  /** Runs the work when nothing else runs; what comes meanwhile waits. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#alone = promise;
    await before;
    await Promise.allSettled(this.#together);
    try {
      return await work();
    } finally {
      if (this.#alone === promise) this.#alone = null;
      resolve();
    }
  }

  /** Runs the work beside others of its sort, at once unless something runs alone. */
  async together<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    const running = work();
    this.#together.add(running);
    try {
      return await running;
    } finally {
      this.#together.delete(running);
    }
  }
}

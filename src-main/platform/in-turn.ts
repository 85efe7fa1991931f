/** Does work in the order of the calls, a limited number at a time. */
export class InTurn {
  readonly #limit: number;
  readonly #waiting: (() => void)[] = [];
  readonly #inProgress = new Set<Promise<unknown>>();
  #running = 0;

  /** @param limit how many are done at a time */
  constructor(limit = 1) {
    this.#limit = limit;
  }

  /** Does the work when it is its turn, however the work before it ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#run(work);
    const ended: Promise<unknown> = turn.then(
      () => this.#inProgress.delete(ended),
      () => this.#inProgress.delete(ended),
    );
    this.#inProgress.add(ended);
    return turn;
  }

  /** Resolves when nothing is in progress and nothing waits. */
  async settled(): Promise<void> {
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#limit) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** Does one work after another, in the order in which they were asked for. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all that was asked for before is done, however that ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when all that was asked for until now is done. */
  async settled(): Promise<void> {
    await this.#last;
  }
}

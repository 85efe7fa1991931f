/** A pause that ends earlier when something happens. */
export class WakefulPause {
  #wake: ((isForced: boolean) => void) | null = null;
  #isPending = false;
  #isForced = false;

  /** Something happened; `isForced` also ends pauses that don't depend on changes. */
  wake(isForced = false): void {
    this.#isPending = true;
    this.#isForced ||= isForced;
    this.#wake?.(isForced);
  }

  /** Until something happens, and `gatherMs` longer, at most `ms`. */
  async next(ms: number, gatherMs: number): Promise<void> {
    if (!this.#isPending) await this.#pause(ms, () => true);
    if (this.#isPending && !this.#isForced) await this.#pause(gatherMs, (isForced) => isForced);
    this.#isPending = false;
    this.#isForced = false;
  }

  /** Until something forced happens, at most `ms`. */
  async forced(ms: number): Promise<void> {
    if (!this.#isForced) await this.#pause(ms, (isForced) => isForced);
    this.#isForced = false;
  }

  #pause(ms: number, ends: (isForced: boolean) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#wake = (isForced) => {
        if (ends(isForced)) end();
      };
    });
  }
}

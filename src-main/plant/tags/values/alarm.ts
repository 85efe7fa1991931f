/** Wakes one sleeper: when its time is up, or when somebody rings. A ring that finds nobody asleep wakes the next. */
export class Alarm {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves after `ms` at the latest, at once where it was rung meanwhile. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, Math.max(1, ms));
      });
      clearTimeout(timer);
      this.#wake = null;
    }
    this.#rung = false;
  }

  /** Resolves after `ms` however often it was rung, or when the signal aborts. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    const until = performance.now() + ms;
    for (let left = ms; left > 0 && !signal.aborted; left = until - performance.now()) await this.wait(left);
  }
}

import { CORRECTION_MS } from '#domain/rule/rule';

/** Detects that the clock was set back: timers planned earlier would stall until the clock catches up. */
export class ClockWatch {
  #seen = Number.NEGATIVE_INFINITY;

  /**
   * Must be called at every check of the clock. Returns the time before the clock was set back, by more than a
   * correction, else null.
   * @param now ms since 1970
   */
  setBack(now: number): number | null {
    const seen = this.#seen;
    this.#seen = now;
    return now < seen - CORRECTION_MS ? seen : null;
  }
}

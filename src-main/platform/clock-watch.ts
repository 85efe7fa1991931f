import { CORRECTION_MS } from '#domain/rule/clock-correction';

/** Notices that the clock was put back: what was planned by it before would be waited for until it is that late again. */
export class ClockWatch {
  #seen = Number.NEGATIVE_INFINITY;

  /**
   * To be asked with every look at the clock. What it showed before it was put back, by more than a correction, else null.
   * @param now ms since 1970
   */
  putBack(now: number): number | null {
    const seen = this.#seen;
    this.#seen = now;
    return now < seen - CORRECTION_MS ? seen : null;
  }
}

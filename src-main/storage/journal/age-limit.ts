import type { Clock } from '../../platform/clock.ts';

const HOUR_MS = 3_600_000;
/** An hour in which Tagwright runs confirms the age of a day of entries. */
const FASTER = 24;
/** The most that is confirmed in advance, and that a block needs, ms of entries. */
const MOST_MS = FASTER * HOUR_MS;
/** A clock that differs more from the time that has passed was set, ms. */
const JUMP_MS = 60_000;

/**
 * How much may be deleted for its age. A clock that is wrong makes all entries old, and looks like the right one.
 * So age only counts as far as it is confirmed by time that passes while Tagwright runs: since its start, or since the clock
 * was last set.
 */
export class AgeLimit {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #elapsed: () => number;
  #last: { at: number; passed: number };
  #confirmedMs = 0;
  #keptDays: number | null = null;

  /** @param elapsed ms that have passed since some moment, whatever the clock shows */
  constructor(clock: Pick<Clock, 'now'>, elapsed: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#elapsed = elapsed;
    this.#last = this.#now();
  }

  /**
   * Must be called before each deletion, and at least once a minute.
   * @param keptDays how long entries are kept; if that was just shortened, all older ones may be deleted at once
   */
  look(keptDays: number): void {
    const { at, passed } = this.#last;
    this.#last = this.#now();
    const ms = this.#last.passed - passed;
    if (Math.abs(this.#last.at - at - ms) > JUMP_MS) this.#confirmedMs = 0;
    else this.#confirmedMs = Math.min(MOST_MS, this.#confirmedMs + FASTER * ms);
    if (this.#keptDays !== null && keptDays < this.#keptDays) this.#confirmedMs = Infinity;
    this.#keptDays = keptDays;
  }

  /** Whether a block with entries of so much time may be deleted; then it is no longer available for others. */
  take(ms: number): boolean {
    const needed = Math.min(MOST_MS, Math.max(0, ms));
    if (needed > this.#confirmedMs) return false;
    this.#confirmedMs -= needed;
    return true;
  }

  #now(): { at: number; passed: number } {
    return { at: this.#clock.now(), passed: this.#elapsed() };
  }
}

import { type ClockReadings, MAX_CLOCK_STEPS } from '#domain/run/clock-readings';

/** A frame is sent after this many steps, so that it stays within its limit. */
const STEPS_OF_FRAME = 500;
/** Interval in ms. With it, main has most readings of a run that is killed. */
const SEND_EVERY_MS = 25;

/** The clock of a run that is recorded or replayed. Times are ms since 1970. */
export interface RunClock {
  read(): number;
  /** Readings until this place are over. */
  skipTo(reading: number): void;
  /** Sends what main does not have yet. */
  flush(): void;
}

/** Where a recorded clock sends its steps. */
export interface StepsPipe {
  /** Sends at once. */
  write(text: string): void;
  /** Sends together with the next frame. */
  hold(text: string): void;
}

/** Reads the clock of the system, and sends what it showed: steps of the same time are counted. */
export class RecordedClock implements RunClock {
  readonly #pipe: StepsPipe;
  readonly #system: () => number;
  #sentAt: number | null = null;
  #steps = 0;
  #last = Number.NaN;
  #times = 0;
  #pending: string[] = [];

  constructor(pipe: StepsPipe, system: () => number = Date.now) {
    this.#pipe = pipe;
    this.#system = system;
  }

  read(): number {
    const now = this.#steps < MAX_CLOCK_STEPS ? this.#system() : this.#last;
    if (now !== this.#last) {
      this.#end();
      this.#steps += 1;
      this.#last = now;
      this.#sentAt ??= now;
      const isDue = now < this.#sentAt || now - this.#sentAt >= SEND_EVERY_MS;
      if (this.#pending.length >= (isDue ? 1 : STEPS_OF_FRAME)) {
        this.#sentAt = now;
        this.#pipe.write(this.#takePending());
      }
    }
    this.#times += 1;
    return now;
  }

  skipTo(): void {
    // Only a replay has places.
  }

  flush(): void {
    this.#end();
    if (this.#pending.length > 0) this.#pipe.hold(this.#takePending());
  }

  #end(): void {
    if (this.#times > 0) this.#pending.push(`${this.#times},${this.#last}`);
    this.#times = 0;
  }

  #takePending(): string {
    const text = this.#pending.join(';');
    this.#pending = [];
    return text;
  }
}

/**
 * Repeats recorded readings. After the last one it stops, because unrecorded times are not invented; or it
 * ticks, so that a script that waits for a time does not wait forever.
 */
export class ReplayedClock implements RunClock {
  readonly #readings: ClockReadings;
  #place = 0;
  #step = 0;
  /** The place after the current step. */
  #stepEnd: number;
  #last: number;

  constructor(readings: ClockReadings) {
    this.#readings = readings;
    this.#last = readings.start;
    this.#stepEnd = readings.steps[0]?.[0] ?? 0;
  }

  read(): number {
    this.#show();
    this.#place += 1;
    return this.#last;
  }

  /** Never goes back: an edited body may have read the clock more often. */
  skipTo(reading: number): void {
    if (reading <= this.#place) return;
    this.#place = reading - 1;
    this.#show();
    this.#place = reading;
  }

  flush(): void {
    // Main has all of it.
  }

  /** Goes to the step of the current place. */
  #show(): void {
    const { start, steps, ticks } = this.#readings;
    while (this.#place >= this.#stepEnd && this.#step < steps.length) {
      this.#step += 1;
      this.#stepEnd += steps[this.#step]?.[0] ?? 0;
    }
    const isAfter = this.#step >= steps.length;
    const step = steps[isAfter ? steps.length - 1 : this.#step];
    if (isAfter && ticks) this.#last += 1;
    else if (step) this.#last = start + step[1];
  }
}

import { MAX_CLOCK_STEPS } from '#domain/run/clock-readings';
import { ProtocolError } from '../../../platform/host-pipe/checks.ts';
import { FROM_HOST } from '../protocol/messages.ts';
import type { RecordedRun } from '../script-run.ts';
import { checkClock, checkPlace } from './check-message.ts';

/** The frames that only a recorded or replayed run sends: what it saw of the clock, and where its realm is. */
export class RecordedFrames {
  readonly #recorded: RecordedRun | undefined;
  #isPlaced = false;
  #steps = 0;
  #ms = Number.NaN;

  constructor(recorded: RecordedRun | undefined) {
    this.#recorded = recorded;
  }

  /** Throws ProtocolError if no host of ours sends the frame in this run. */
  note(type: number, text: string): void {
    if (this.#recorded === undefined) throw new ProtocolError(`a frame of type ${type} in a run that is not recorded`);
    if (type === FROM_HOST.clock) this.#clock(this.#recorded, text);
    else this.#place(this.#recorded, text);
  }

  #place(recorded: RecordedRun, text: string): void {
    if (this.#isPlaced) throw new ProtocolError('a second place of a realm');
    this.#isPlaced = true;
    recorded.place(checkPlace(text));
  }

  #clock(recorded: RecordedRun, text: string): void {
    const steps = checkClock(text);
    // A call divides a step.
    for (const [, ms] of steps) {
      if (ms !== this.#ms) this.#steps += 1;
      this.#ms = ms;
    }
    if (recorded.start.readings !== undefined || this.#steps > MAX_CLOCK_STEPS)
      throw new ProtocolError('too many readings of the clock');
    recorded.clock(steps);
  }
}

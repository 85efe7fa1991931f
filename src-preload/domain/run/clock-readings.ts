/** How often in a row the clock showed a time: ms since the start. */
export type ClockStep = [times: number, ms: number];

/** What a script saw when it read the clock, in order. */
export interface ClockReadings {
  /** ms since 1970: what a script sees that reads the clock although the recorded run never did. */
  start: number;
  steps: ClockStep[];
  /**
   * After the last step, the clock moves by 1 ms for each further reading; otherwise it stands still. Only after a failure
   * was tried.
   */
  ticks?: true;
}

/**
 * The maximum number of steps of a run: then its clock stands still, in the recorded run and in a replay. A script that
 * reads the clock all the time has 1,000 for each second.
 */
export const MAX_CLOCK_STEPS = 200_000;

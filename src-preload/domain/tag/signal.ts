/** The value of a signal. */
export type SignalValue = number | boolean | string;

/**
 * The simulated signals of machine tags, each a pure function of time. Times are in ms, numbers in the tag's
 * engineering unit. By default, time counts from 1970-01-01T00:00:00Z, so that a period of a day starts at midnight
 * UTC.
 */
export type Signal =
  | { kind: 'constant'; value: SignalValue }
  /** A sine wave between min and max; `phase` shifts it by a fraction of the period, 0 to 1. */
  | { kind: 'sine'; min: number; max: number; periodMs: number; phase?: number }
  /** Rises linearly from min to max and restarts. */
  | { kind: 'ramp'; min: number; max: number; periodMs: number }
  /** `high` for the first `duty` of every period (a fraction, 0.5 by default), then `low`. */
  | { kind: 'square'; low: SignalValue; high: SignalValue; periodMs: number; duty?: number }
  /** Moves randomly between min and max, by at most `step` per update. */
  | { kind: 'randomWalk'; min: number; max: number; step: number; seed?: number }
  /** Adds `increment` every `everyMs`, and restarts before it reaches `wrapAt`. */
  | { kind: 'counter'; start: number; increment: number; everyMs: number; wrapAt?: number }
  /** Plays a recording: repeatedly, or once from `startAt` (RFC 3339). */
  | { kind: 'csv'; rows: ReplayRow[]; loop: boolean; startAt?: string };

/** One sample of a recorded CSV: `at` ms from the first row. */
export interface ReplayRow {
  at: number;
  value: SignalValue;
}

export const SIGNAL_KINDS = ['constant', 'sine', 'ramp', 'square', 'randomWalk', 'counter', 'csv'] as const;

/** The settings of a machine tag, complete. */
export interface MachineSettings {
  signal: Signal;
  /** Maximum deviation from the signal, evenly distributed. */
  noise: number;
  /** Minimum time between changes. */
  updateMs: number;
}

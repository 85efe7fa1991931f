/** What a signal shows. */
export type SignalValue = number | boolean | string;

/**
 * The simulated signals of machine tags, each a pure function of time. Times are in ms, numbers in the
 * tag's engineering unit. Without another origin, time counts from 1970-01-01T00:00:00Z, so that a period of a day
 * begins at midnight UTC.
 */
export type Signal =
  | { kind: 'constant'; value: SignalValue }
  /** Swings between min and max; `phase` shifts it by a fraction of the period, 0 to 1. */
  | { kind: 'sine'; min: number; max: number; periodMs: number; phase?: number }
  /** Rises evenly from min to max and starts again. */
  | { kind: 'ramp'; min: number; max: number; periodMs: number }
  /** `high` for the first `duty` of every period (a fraction, 0.5 unless given), then `low`. */
  | { kind: 'square'; low: SignalValue; high: SignalValue; periodMs: number; duty?: number }
  /** Wanders between min and max, by at most `step` from one update to the next. */
  | { kind: 'randomWalk'; min: number; max: number; step: number; seed?: number }
  /** Adds `increment` every `everyMs`, and starts again before it would reach `wrapAt`. */
  | { kind: 'counter'; start: number; increment: number; everyMs: number; wrapAt?: number }
  /** Plays a recording: over and over, or once from `startAt` (RFC 3339). */
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
  /** The signal's numbers are off by at most this much, evenly spread. */
  noise: number;
  /** The value changes at most this often. */
  updateMs: number;
}

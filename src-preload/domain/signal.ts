/** The simulated signals of machine tags (decision 2). Periods in ms. Numbers are in the tag's engineering unit. */
export type Signal =
  | { kind: 'constant'; value: number | boolean | string }
  | { kind: 'sine'; min: number; max: number; periodMs: number; phase?: number }
  | { kind: 'ramp'; min: number; max: number; periodMs: number }
  | { kind: 'square'; low: number | boolean; high: number | boolean; periodMs: number; duty?: number }
  | { kind: 'randomWalk'; min: number; max: number; step: number; seed?: number }
  | { kind: 'counter'; start: number; increment: number; everyMs: number; wrapAt?: number }
  | { kind: 'csv'; rows: ReplayRow[]; loop: boolean };

/** One sample of a recorded CSV: `at` ms from the first row. */
export interface ReplayRow {
  at: number;
  value: number | boolean | string;
}

export const SIGNAL_KINDS = ['constant', 'sine', 'ramp', 'square', 'randomWalk', 'counter', 'csv'] as const;

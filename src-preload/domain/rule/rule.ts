import type { Json } from '../text/json.ts';

/** When a rule takes samples of its tags: whenever a value or quality changes, or all tags at a fixed interval. */
export type Sampling = { kind: 'onChange' } | { kind: 'interval'; everyMs: number };

/**
 * The window of a rule: aligned to the local clock; a number of usable samples of its first tag; as long as a Boolean
 * tag is true; or from one manual firing to the next.
 */
export type RuleWindow =
  | { kind: 'tumbling'; everyMs: number }
  | { kind: 'count'; samples: number }
  | { kind: 'while'; tag: string }
  | { kind: 'manual' };

export const REDUCERS = [
  'avg',
  'min',
  'max',
  'sum',
  'count',
  'first',
  'last',
  'range',
  'stdDev',
  'delta',
  'timeWeightedAvg',
  'timeInState',
] as const;
export type ReducerName = (typeof REDUCERS)[number];

/** The value of a usable sample. */
export type SampleValue = number | boolean | string;

/** One number (or text) that a rule computes from the samples of one of its tags. */
export interface RuleOutput {
  name: string;
  reducer: ReducerName;
  /** One of the rule's tags. */
  tag: string;
  /** For `timeInState`: the value whose duration is measured, in seconds. */
  state?: SampleValue;
}

export const COLUMN_TYPES = ['INTEGER', 'REAL', 'TEXT'] as const;
/** The type of a column of a result table. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A rule as written by the user. */
export interface RuleText {
  name: string;
  description: string;
  enabled: boolean;
  /** Whether a firing also creates an event. */
  triggersEvents: boolean;
  /** The source tags. */
  tags: string[];
  sampling: Sampling;
  window: RuleWindow;
  outputs: RuleOutput[];
  /** A JavaScript expression over the outputs that must be true for the rule to fire; with '', it always fires. */
  condition: string;
}

/** An output and its column in the result table. */
export interface StoredOutput extends RuleOutput {
  column: string;
  columnType: ColumnType;
}

/** A saved rule. */
export interface Rule extends Omit<RuleText, 'outputs'> {
  id: number;
  outputs: StoredOutput[];
  /** Its result table, which keeps its name when the rule is renamed. */
  resultTable: string;
  /** RFC 3339 in UTC. */
  savedAt: string;
}

/** The status of a rule. */
export interface RuleState {
  id: number;
  /** Its open window; null if it has none. Times are ms since 1970 in UTC. */
  window: OpenWindow | null;
  /** The number of firings since the start of the instance. */
  firings: number;
  /** RFC 3339 local time with offset; null if it has not fired since the start. */
  lastFiredAt: string | null;
  /** The problem that keeps it from working, for people; null without a problem. */
  problem: string | null;
}

export interface OpenWindow {
  start: number;
  /** Its end; null if unknown. */
  end: number | null;
  samples: number;
  badSamples: number;
  /** The current values of the outputs, in the order of the rule's outputs. */
  outputs: Json[];
}

/** The windows that a rule would have had for a series of samples. */
export interface PreviewedWindow {
  start: number;
  end: number;
  samples: number;
  badSamples: number;
  outputs: Json[];
  /** `fires`, or the reason why not. */
  outcome: 'fires' | 'empty' | 'condition' | 'error';
  /** For `error`: the error of the condition. */
  message: string | null;
}

export const RULE_LIMITS = {
  name: 100,
  description: 4_000,
  tags: 1_000,
  outputs: 200,
  condition: 10_000,
  intervalMs: { min: 20, max: 86_400_000 },
  tumblingMs: { min: 100, max: 366 * 86_400_000 },
  windowSamples: 10_000_000,
  firings: 100_000,
} as const;

/** A clock that is set back by at most this, ms, counts as corrected, without consequences. */
export const CORRECTION_MS = 2_000;

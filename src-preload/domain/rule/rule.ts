import type { Json } from '../text/json.ts';

/** How a rule takes samples of its tags: whenever a value or quality changes, or all tags every so often. */
export type Sampling = { kind: 'onChange' } | { kind: 'interval'; everyMs: number };

/**
 * What a rule aggregates over: stretches aligned to the local clock; so many usable samples of its first
 * tag; as long as a Boolean tag is true; or from one firing by hand to the next.
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

/** The value of a sample that can be used. */
export type SampleValue = number | boolean | string;

/** One number (or text) that a rule makes of the samples of one of its tags. */
export interface RuleOutput {
  name: string;
  reducer: ReducerName;
  /** One of the rule's tags. */
  tag: string;
  /** For `timeInState`: the value whose time is measured, in seconds. */
  state?: SampleValue;
}

export const COLUMN_TYPES = ['INTEGER', 'REAL', 'TEXT'] as const;
/** The type of a column of a result table. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** A rule as somebody writes it. */
export interface RuleText {
  name: string;
  description: string;
  enabled: boolean;
  /** Whether a firing creates an event beside its data row. */
  triggersEvents: boolean;
  /** The tags that are sampled. */
  tags: string[];
  sampling: Sampling;
  window: RuleWindow;
  outputs: RuleOutput[];
  /** A JavaScript expression over the outputs that must be true for the rule to fire; '' fires always. */
  condition: string;
}

/** An output and the column of the result table that it goes to. */
export interface StoredOutput extends RuleOutput {
  column: string;
  columnType: ColumnType;
}

/** A rule of the workspace. */
export interface Rule extends Omit<RuleText, 'outputs'> {
  id: number;
  outputs: StoredOutput[];
  /** Its table of data rows; it keeps its name when the rule is renamed. */
  resultTable: string;
  /** RFC 3339 in UTC. */
  savedAt: string;
}

/** How a rule fares. */
export interface RuleState {
  id: number;
  /** Its open window; null where it has none. Times are ms since 1970 in UTC. */
  window: OpenWindow | null;
  /** Firings since the start of the instance. */
  firings: number;
  /** RFC 3339 local time with offset; null when it has not fired since the start. */
  lastFiredAt: string | null;
  /** Why it does not do what it should, for people; null when all is well. */
  problem: string | null;
}

export interface OpenWindow {
  start: number;
  /** When it closes; null where that is not known. */
  end: number | null;
  samples: number;
  badSamples: number;
  /** What the outputs would be now, in the order of the rule's outputs. */
  outputs: Json[];
}

/** What a rule would have made of a stretch of samples. */
export interface PreviewedWindow {
  start: number;
  end: number;
  samples: number;
  badSamples: number;
  outputs: Json[];
  /** `fires`; or why not. */
  outcome: 'fires' | 'empty' | 'condition' | 'error';
  /** For `error`: what the condition said. */
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

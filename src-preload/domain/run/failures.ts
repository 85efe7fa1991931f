/** What can go wrong with a read, a write or an API call. The names are stable: reports of build servers contain them. */
export const FAILURES = [
  'missing-tag',
  'bad-quality',
  'uncertain-quality',
  'wrong-type',
  'empty-array',
  'stale-value',
  'set-rejected',
  'nested-set-failed',
  'http-401',
  'http-403',
  'http-404',
  'http-429',
  'http-500',
  'connection-refused',
  'timeout',
  'truncated-body',
  'html-body',
  'empty-body',
  'malformed-token',
] as const;
export type FailureKind = (typeof FAILURES)[number];

/** For people. */
export const FAILURE_TITLES: Readonly<Record<FailureKind, string>> = {
  'missing-tag': 'Tag missing',
  'bad-quality': 'Bad quality',
  'uncertain-quality': 'Uncertain quality',
  'wrong-type': 'Wrong type',
  'empty-array': 'Empty array',
  'stale-value': 'Stale value',
  'set-rejected': 'Set rejected',
  'nested-set-failed': 'Nested Set failed',
  'http-401': 'Status 401',
  'http-403': 'Status 403',
  'http-404': 'Status 404',
  'http-429': 'Status 429',
  'http-500': 'Status 500',
  'connection-refused': 'Connection refused',
  timeout: 'Timeout',
  'truncated-body': 'Truncated body',
  'html-body': 'HTML body',
  'empty-body': 'Empty body',
  'malformed-token': 'Malformed token',
};

/**
 * What a script did after a failure, the riskiest first. `writes`: it wrote, or sent data to an API. `hangs`: it exceeded
 * its time or memory. `unknown`: it made a call that the recorded run did not make, so the response is unknown.
 */
export const OUTCOMES = ['writes', 'hangs', 'unknown', 'returns', 'throws'] as const;
export type FailureOutcome = (typeof OUTCOMES)[number];

/** A call of the recorded run: a tag of a Get, a Set, or an API call. */
export interface CallSite {
  /** The number of the call in the run, from 1. */
  call: number;
  /** The line in the body; null if unknown. */
  line: number | null;
  /** Which of the calls at this line it is, from 1. */
  nth: number;
  access: 'read' | 'write' | 'call';
  /** The tag, or the method of the API call. */
  name: string;
  /** Such as `Get "Plant.Line.Tag.Value"`. */
  text: string;
}

/** A replay with one failure. */
export interface FailureCell {
  /** The index of its call site. */
  site: number;
  failure: FailureKind;
  outcome: FailureOutcome;
  /** Whether the writes after the failure, or without any the result, are those of the run without it. */
  unchanged: boolean;
  /** What happened, in one sentence. */
  problem: string;
}

/** What a script does when its calls fail. */
export interface FailureMatrix {
  /** `Group/Name`; null for an unsaved script. */
  script: string | null;
  sites: CallSite[];
  /** Calls that were not tried. */
  notTried: number;
  /** The number of groups of calls that are alike, with at most three tried calls each; absent if every call was tried. */
  groups?: number;
  /** The riskiest first. */
  cells: FailureCell[];
  warnings: string[];
}

/** The replays so far, and how long the others probably take, ms. */
export interface FailureProgress {
  done: number;
  of: number;
  leftMs: number;
}

/** The maximum number of call sites of a matrix. */
export const MAX_SITES = 1_000;

/** The riskiest first, then in the order of the calls. */
export function byRisk(a: FailureCell, b: FailureCell): number {
  const outcomes = OUTCOMES.indexOf(a.outcome) - OUTCOMES.indexOf(b.outcome);
  if (outcomes !== 0) return outcomes;
  if (a.unchanged !== b.unchanged) return a.unchanged ? 1 : -1;
  return a.site - b.site || FAILURES.indexOf(a.failure) - FAILURES.indexOf(b.failure);
}

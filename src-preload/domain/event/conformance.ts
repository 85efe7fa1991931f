/** What a consumer did wrong: it never acknowledged events, acknowledged some again without need, did not wait, or sent nothing. */
export type FindingKind = 'lost' | 'twice' | 'hammered' | 'absent';

/** Something that a consumer did wrong in a situation. */
export interface ConformanceFinding {
  kind: FindingKind;
  /** The number of events or requests. */
  count: number;
  /** What happened, with figures. */
  message: string;
}

/**
 * `unmet`: the consumer did nothing that meets the situation, such as asking for a second page; `skipped`: the run ended
 * before it.
 */
export type SituationState = 'passed' | 'failed' | 'unmet' | 'skipped';

/** How a consumer coped with one situation. */
export interface SituationReport {
  name: string;
  title: string;
  /** What a consumer should do in it. */
  expected: string;
  state: SituationState;
  ms: number;
  /** Test events of the situation. */
  events: number;
  /** Events that the consumer disabled or deleted. */
  acknowledged: number;
  /** Requests of the consumer. */
  requests: number;
  /** Responses that were changed, delayed or withheld. */
  faults: number;
  findings: ConformanceFinding[];
  /** Observations that are no faults. */
  notes: string[];
}

/** The outcome of a conformance run of a consumer of the events API. */
export interface ConformanceReport {
  format: 1;
  /** `cancelled`: ended early by the user; the situations so far are reported. */
  state: 'passed' | 'failed' | 'cancelled';
  /** The name to which requests were matched; null: all requests. */
  client: string | null;
  /** Its names, as in the list of consumers. */
  consumers: string[];
  /** Other programs that sent requests. */
  others: string[];
  seed: number;
  /** RFC 3339 in UTC. */
  startedAt: string;
  ms: number;
  version: string;
  /** Test events that were created. */
  events: number;
  lost: number;
  twice: number;
  hammered: number;
  situations: SituationReport[];
}

/** Number of situations in a state. */
export const situationCount = ({ situations }: ConformanceReport, state: SituationState): number =>
  situations.filter((situation) => situation.state === state).length;

/** What a conformance run that the window shows reports while it works. The last step is `done`. */
export type ConformanceStep =
  /** Requests are accepted. `apiKey` is null if none is needed. */
  | { kind: 'ready'; url: string; apiKey: string | null; situations: { name: string; title: string }[] }
  /** The consumer has sent its first request, or the time for it is over: the situation of this name begins. */
  | { kind: 'begun'; name: string }
  | { kind: 'situation'; situation: SituationReport }
  /** With the report as JUnit XML and as an HTML page. */
  | { kind: 'done'; report: ConformanceReport; junit: string; page: string };

/** The limits of a run. */
export const CONFORMANCE_LIMITS = {
  name: 400,
  seconds: 600,
  waitSeconds: 3_600,
  ruleId: 2 ** 31 - 1,
  seed: 2 ** 31 - 1,
} as const;

/** What a consumer can be confronted with instead of a normal response. */
export const FAULT_KINDS = [
  'latency',
  'jitter',
  '429',
  '500',
  '503',
  'cut',
  'duplicates',
  'reordering',
  'restart',
  'slow',
  'key',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Faults to inject into the responses for one consumer. They end by themselves. */
export interface FaultPlan {
  /** The faults to choose from, at random. */
  faults: readonly FaultKind[];
  /** The part of its requests that get one, above 0 and up to 1. */
  share: number;
  /** The delay of latency, and the maximum delay of jitter. */
  latencyMs: number;
  /** Decides which requests get which fault. */
  seed: number;
  /** Ends after this many injected faults; null: no such limit. */
  requests: number | null;
  /** Ends after this many seconds. */
  seconds: number;
}

export const FAULT_LIMITS = { latencyMs: 30_000, requests: 100_000, seconds: 3_600 } as const;

export interface InjectedFaults extends FaultPlan {
  /** Number of injected faults so far. */
  injected: number;
  /** RFC 3339 in UTC. */
  endsAt: string;
}

/** A consumer of the events API, since the start of the instance. Times are RFC 3339 in UTC. */
export interface Consumer {
  /** Identifies it: its program and address. */
  name: string;
  /** Its User-Agent; '' if it sends none. */
  program: string;
  /** Without the port, which changes with every connection. */
  address: string;
  firstAt: string;
  lastAt: string;
  requests: number;
  /** Requests for the list, without those for further pages. */
  polls: number;
  lastPollAt: string | null;
  /** The usual time between two polls: the median of the last 16, ms. */
  intervalMs: number | null;
  /** Open event streams. */
  streams: number;
  /** Successful requests that disabled or deleted an event. */
  acknowledged: number;
  /**
   * Active events that it has been sent; null if it has been sent none that can be counted. `count` is at most 1,000;
   * `sentAt` is when it was first sent the oldest of them.
   */
  unacknowledged: { count: number; oldestId: number; sentAt: string } | null;
  /** Responses with a status of 400 and above, and connections that it ended before the response. */
  errors: number;
  lastError: { at: string; method: string; path: string; status: number } | null;
  /** Requests that tried to change other fields than `Active`. */
  readOnlyAttempts: number;
  lastReadOnlyAttempt: { at: string; eventId: number; fields: readonly string[] } | null;
  /** The faults that are injected at present. */
  faults: InjectedFaults | null;
}

export const MOST_UNACKNOWLEDGED = 1_000;

/** The name of a consumer. */
export const consumerName = (program: string, address: string): string => `${program || 'unnamed'} (${address})`;

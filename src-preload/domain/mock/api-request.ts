export const REQUEST_OUTCOMES = ['answered', 'aborted'] as const;

/** A request to the events API, as the inspector shows it. */
export interface ApiRequest {
  /** Counts the requests of this instance from 1. */
  seq: number;
  /** When it began, RFC 3339 in UTC. */
  at: string;
  /** '' where the request could not be understood so far. */
  method: string;
  /** With its query. */
  path: string;
  /** Of the answer; 0 where the connection ended before there was one. */
  status: number;
  /** From its headers to the end of the answer. */
  ms: number;
  /** Bytes sent, headers included. */
  bytes: number;
  /** Address and port of the client. */
  client: string;
  userAgent: string;
  /** `aborted`: the connection ended before the answer did. */
  outcome: (typeof REQUEST_OUTCOMES)[number];
}

/** Whether and where the events API is reached. */
export interface EventsApiStatus {
  /** The base URL, without a path: `http://127.0.0.1:4860`; null when it does not listen. */
  url: string | null;
  /** Why it does not listen, and what to do; null when it does, or is switched off. */
  problem: string | null;
  /** A port that was free when the one wanted was not; null otherwise. */
  freePort: number | null;
}

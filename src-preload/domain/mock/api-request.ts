import type { FaultKind } from '../event/consumer.ts';
import type { ApiMessage } from './api-call.ts';

export const REQUEST_OUTCOMES = ['answered', 'aborted'] as const;

/** A request to the events API, as the inspector shows it. */
export interface ApiRequest {
  /** Counts the requests of this instance from 1. */
  seq: number;
  /** Start time, RFC 3339 in UTC. */
  at: string;
  /** '' if the request could not be parsed so far. */
  method: string;
  /** Including its query. */
  path: string;
  /** Status of the response; 0 if the connection ended before it. */
  status: number;
  /** From its headers to the end of the response. */
  ms: number;
  /** Bytes sent, headers included. */
  bytes: number;
  /** Address and port of the client. */
  client: string;
  userAgent: string;
  /** `aborted`: the connection ended before the response did. */
  outcome: (typeof REQUEST_OUTCOMES)[number];
  /** The fault that was injected into the response. */
  injected?: FaultKind;
}

/** What the newest requests and their responses contain: headers with masked secrets, the beginning of their bodies. */
export interface ApiMessages {
  request: ApiMessage;
  /** The body is null if it was compressed. */
  response: ApiMessage;
}

/** Whether the events API listens, and its address. */
export interface EventsApiStatus {
  /** The base URL, without a path: `http://127.0.0.1:4860`; null if it does not listen. */
  url: string | null;
  /** Why it does not listen, and what to do; null if it does, or is turned off. */
  problem: string | null;
  /** A free port, if the requested one was taken; null otherwise. */
  freePort: number | null;
  /** Number of consumers that faults are injected for. */
  faults: number;
}

import type { ServerLimits } from '../../platform/http/bounded-server.ts';
import { SERVER_LIMITS } from '../../platform/http/bounded-server.ts';

/** The resources that one client, or many, can use. Times in ms. */
export interface ApiLimits extends ServerLimits {
  bodyBytes: number;
  /** Concurrent streamed lists: each holds a snapshot. */
  lists: number;
  /** When all places are taken, a list that takes longer than this makes room for another one. */
  slowListMs: number;
  /** Concurrent pages of up to `pageEvents` events, independent of lists. */
  pages: number;
  pageEvents: number;
  /** Like `slowListMs`, for such a page. */
  slowPageMs: number;
  /** How long a client may take for a chunk of a list or a stream. */
  stallMs: number;
  /** Concurrent event streams. Each holds one of the connections. */
  streams: number;
  /** Concurrent lists that wait for a change, and how long one may wait at most. */
  waits: number;
  waitMs: number;
  /** How often a quiet stream sends a comment, so that both ends notice a lost connection. */
  heartbeatMs: number;
  /** How long a list may take in total: a snapshot blocks the checkpoint of the write-ahead log. */
  listMs: number;
}

const STREAMS = 1_024;

export const LIMITS: ApiLimits = {
  ...SERVER_LIMITS,
  // Streams stay open: the other clients need as many as before.
  connections: SERVER_LIMITS.connections + STREAMS,
  bodyBytes: 65_536,
  lists: 16,
  slowListMs: 30_000,
  pages: 64,
  pageEvents: 1_000,
  slowPageMs: 1_000,
  stallMs: 10_000,
  streams: STREAMS,
  waits: 256,
  waitMs: 60_000,
  heartbeatMs: 15_000,
  listMs: 600_000,
};

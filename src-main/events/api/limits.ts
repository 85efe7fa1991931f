import type { ServerLimits } from '../../platform/http/bounded-server.ts';
import { SERVER_LIMITS } from '../../platform/http/bounded-server.ts';

/** What one client, or many, can take of this process. Times in ms. */
export interface ApiLimits extends ServerLimits {
  bodyBytes: number;
  /** Lists that are streamed at the same time: each holds a snapshot. */
  lists: number;
  /** A list that its client takes longer for than this makes room for another one when all places are taken. */
  slowListMs: number;
  /** Pages of up to `pageEvents` events that are sent at the same time, whatever happens to lists. */
  pages: number;
  pageEvents: number;
  /** As `slowListMs`, of such a page. */
  slowPageMs: number;
  /** How long a client of a list may take for a chunk of it. */
  stallMs: number;
  /** How long a list may take in all: a snapshot keeps the write-ahead log from being folded back. */
  listMs: number;
}

export const LIMITS: ApiLimits = {
  ...SERVER_LIMITS,
  bodyBytes: 65_536,
  lists: 16,
  slowListMs: 30_000,
  pages: 64,
  pageEvents: 1_000,
  slowPageMs: 1_000,
  stallMs: 10_000,
  listMs: 600_000,
};

/** What one client, or many, can take of this process. Times in ms. */
export interface Limits {
  headerBytes: number;
  bodyBytes: number;
  /** From the opening of a connection, or the first byte of a request, to the end of its headers. */
  headersMs: number;
  /** To the end of its body. */
  requestMs: number;
  /** Between two requests of a connection. */
  keepAliveMs: number;
  /** How often the limits of time are looked at. */
  checkMs: number;
  connections: number;
  /** Lists that are streamed at the same time: each holds a snapshot. */
  lists: number;
  /** How long a client of a list may take for a chunk of it. */
  stallMs: number;
  /** How long a list may take in all: a snapshot keeps the write-ahead log from being folded back. */
  listMs: number;
}

export const LIMITS: Limits = {
  headerBytes: 16_384,
  bodyBytes: 65_536,
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 30_000,
  checkMs: 1_000,
  connections: 512,
  lists: 16,
  stallMs: 10_000,
  listMs: 600_000,
};

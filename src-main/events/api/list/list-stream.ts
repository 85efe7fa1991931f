import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type DeflatedText, GzipJoin, deflated, inflated, stored } from '../../../platform/http/gzip-parts.ts';
import type { ListChunk } from './event-source.ts';

/** A part of a list as text in UTF-8, and in compressed form if that is there. */
interface Piece {
  readonly text: Uint8Array;
  readonly isOwn?: boolean;
  readonly deflated?: DeflatedText;
}

const piece = (text: string): Piece => ({ text: Buffer.from(text), deflated: stored(Buffer.from(text)) });

/** The format of the events of a list. */
export interface ListForm {
  /** Its media type. */
  type: string;
  begin: Piece;
  between: Piece;
  end: Piece;
  /** A chunk in this form. */
  of(chunk: ListChunk): Piece;
}

export const JSON_FORM: ListForm = {
  type: 'application/json',
  begin: piece('['),
  between: piece(','),
  end: piece(']'),
  of: (chunk) => chunk,
};

export const NDJSON_FORM: ListForm = {
  type: 'application/x-ndjson',
  begin: piece(''),
  between: piece(''),
  end: piece(''),
  of: (chunk) => {
    const events: unknown[] = JSON.parse(`[${Buffer.from(chunk.text).toString()}]`);
    freeText(chunk);
    return { text: Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')), isOwn: true };
  },
};

/** Bytes to send. */
interface SendPart {
  readonly bytes: Uint8Array;
  /** Whether others use this memory as well. */
  readonly isShared: boolean;
}

/** A list as bytes. */
export interface ListBytes {
  /** Number of bytes that wait to be taken. */
  readonly size: number;
  add(chunk: ListChunk): void;
  /** Ends the list. Nothing is added later. */
  end(): void;
  /** The bytes of everything since the last call. */
  take(): readonly SendPart[];
}

export class PlainList implements ListBytes {
  readonly #form: ListForm;
  #waiting: Piece[] = [];
  #isEmpty = true;
  size = 0;

  constructor(form: ListForm) {
    this.#form = form;
  }

  add(chunk: ListChunk): void {
    this.#put(this.#isEmpty ? this.#form.begin : this.#form.between);
    this.#isEmpty = false;
    this.#put(this.#form.of(chunk));
  }

  end(): void {
    if (this.#isEmpty) this.#put(this.#form.begin);
    this.#put(this.#form.end);
  }

  take(): readonly SendPart[] {
    const pieces = this.#waiting;
    this.#waiting = [];
    this.size = 0;
    const parts = pieces.flatMap((one) => one.deflated ?? []);
    // One call for all of them, which also joins them with what is between: half of the time.
    const isDeflated = parts.length === pieces.length;
    const bytes = isDeflated ? inflated(parts) : Buffer.concat(pieces.map(({ text }) => text));
    for (const one of pieces) freeText(one);
    return [{ bytes, isShared: false }];
  }

  #put(one: Piece): void {
    this.#waiting.push(one);
    this.size += (one.deflated ?? one.text).length;
  }
}

/** A piece that was copied or compressed, if its memory is its own. */
function freeText(one: Piece): void {
  if (one.isOwn) free(one.text);
}

/**
 * Frees the memory of bytes that nothing else uses. The garbage collector would find it only after another 60 MB, and
 * would take as long for it as inflating.
 */
function free(bytes: Uint8Array): void {
  // Shorter ones may be part of the pool.
  if (bytes.length > Buffer.poolSize && bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
}

/** Kept parts from this size on are sent without being copied. */
const SHARED_BYTES = 65_536;

/** A list as one gzip stream: chunks that are kept in compressed form are not compressed again. */
export class GzipList implements ListBytes {
  readonly #form: ListForm;
  readonly #gzip = new GzipJoin();
  #parts: SendPart[] = [];
  /** What follows them, not joined yet. */
  #waiting: Uint8Array[] = [];
  #isEmpty = true;
  size = 0;

  constructor(form: ListForm) {
    this.#form = form;
    this.#put(this.#gzip.begin());
  }

  add(chunk: ListChunk): void {
    this.#addPiece(this.#isEmpty ? this.#form.begin : this.#form.between);
    this.#isEmpty = false;
    this.#addPiece(this.#form.of(chunk));
  }

  end(): void {
    if (this.#isEmpty) this.#addPiece(this.#form.begin);
    this.#addPiece(this.#form.end);
    this.#put(this.#gzip.end());
  }

  take(): readonly SendPart[] {
    this.#join();
    const parts = this.#parts;
    this.#parts = [];
    this.size = 0;
    return parts;
  }

  #addPiece(one: Piece): void {
    const bytes = this.#gzip.add(one.deflated ?? deflated(one.text));
    freeText(one);
    if (bytes.length < SHARED_BYTES || !one.deflated) return this.#put(bytes);
    this.#join();
    this.#parts.push({ bytes, isShared: true });
    this.size += bytes.length;
  }

  #join(): void {
    if (this.#waiting.length === 0) return;
    this.#parts.push({ bytes: Buffer.concat(this.#waiting), isShared: false });
    this.#waiting = [];
  }

  #put(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.size += bytes.length;
  }
}

/** The most data that may wait for a client: while it is sent, the next chunk is read. */
const AHEAD_BYTES = 1_000_000;

/** Thrown if a client reads a list too slowly: the list is cut off, so that no client mistakes a part for the whole. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient';
}

/** A turn of the event loop for others after this much work, in ms. */
const TURN_MS = 1;
/** Small chunks are joined up to this size, in bytes. */
const WRITE_BYTES = 500_000;

/**
 * Writes a list chunk by chunk. Turns of the event loop in between let other requests in, and a client that does not
 * read a chunk within `stallMs` ends it with SlowClient. Resolves to the last id, 0 without one; early if the sink was
 * destroyed.
 */
export async function writeList(
  sink: Writable,
  chunks: AsyncIterable<ListChunk> | Iterable<ListChunk>,
  bytes: ListBytes,
  limits: { stallMs: number; listMs: number },
): Promise<number> {
  const until = performance.now() + limits.listMs;
  let lastId = 0;
  // The first chunk is sent at once.
  let began = 0;
  for await (const chunk of chunks) {
    bytes.add(chunk);
    lastId = chunk.lastId;
    if (bytes.size >= WRITE_BYTES || began === 0) write(sink, bytes.take());
    if (sink.writableLength > AHEAD_BYTES && !sink.destroyed) await drained(sink, limits.stallMs);
    if (sink.destroyed) return lastId;
    const now = performance.now();
    if (now > until) throw new SlowClient(`a list took longer than ${limits.listMs} ms`);
    if (now - began < TURN_MS) continue;
    await turn();
    began = performance.now();
  }
  bytes.end();
  write(sink, bytes.take());
  sink.end();
  return lastId;
}

/** Not corked: a corked response can owe a drain that never comes. */
function write(sink: Writable, parts: readonly SendPart[]): void {
  for (const { bytes, isShared } of parts) {
    sink.write(bytes, (error) => {
      // The system has the bytes.
      if (!error && !isShared) free(bytes);
    });
  }
}

/** Waits until the client has read the rest of a finished response, which is about 1 MB at most. */
export async function taken(response: ServerResponse, ms: number): Promise<void> {
  if (response.closed) return;
  try {
    await once(response, 'close', { signal: AbortSignal.timeout(ms) });
  } catch {
    throw new SlowClient(`a client did not read the end of a list within ${ms} ms`);
  }
}

/** Resolves when the sink takes more data or is closed; rejects with SlowClient if it does neither in time. */
export function drained(sink: Writable, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    // Closed before: no event follows.
    if (sink.destroyed) return resolve();
    const settle = () => {
      clearTimeout(late);
      sink.off('drain', settle).off('close', settle);
      resolve();
    };
    const late = setTimeout(() => {
      reject(new SlowClient(`a client did not read a chunk within ${ms} ms`));
      settle();
    }, ms);
    sink.on('drain', settle).on('close', settle);
  });
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type DeflatedText, GzipJoin, deflated } from '../../../platform/http/gzip-parts.ts';
import type { ListChunk } from './event-source.ts';

/** The format of the events of a list. */
export interface ListForm {
  /** Its media type. */
  type: string;
  begin: string;
  between: string;
  end: string;
  /** The text of a chunk in this form. */
  of(chunk: ListChunk): Uint8Array;
  /** The same, if it is there. */
  deflatedOf(chunk: ListChunk): DeflatedText | undefined;
}

export const JSON_FORM: ListForm = {
  type: 'application/json',
  begin: '[',
  between: ',',
  end: ']',
  of: ({ text }) => text,
  deflatedOf: (chunk) => chunk.deflated,
};

export const NDJSON_FORM: ListForm = {
  type: 'application/x-ndjson',
  begin: '',
  between: '',
  end: '',
  of: ({ text }) => {
    const events: unknown[] = JSON.parse(`[${Buffer.from(text).toString()}]`);
    return Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  },
  deflatedOf: () => undefined,
};

/** A list as bytes. */
export interface ListBytes {
  /** The bytes of the next chunk, with what precedes it. */
  add(chunk: ListChunk): Uint8Array;
  /** The last bytes. */
  end(): Uint8Array;
}

export class PlainList implements ListBytes {
  readonly #form: ListForm;
  #isEmpty = true;

  constructor(form: ListForm) {
    this.#form = form;
  }

  add(chunk: ListChunk): Uint8Array {
    const { begin, between } = this.#form;
    const before = this.#isEmpty ? begin : between;
    this.#isEmpty = false;
    return Buffer.concat([Buffer.from(before), this.#form.of(chunk)]);
  }

  end(): Uint8Array {
    return Buffer.from((this.#isEmpty ? this.#form.begin : '') + this.#form.end);
  }
}

/** A list as one gzip stream: chunks that are kept in compressed form are not compressed again. */
export class GzipList implements ListBytes {
  readonly #form: ListForm;
  readonly #gzip = new GzipJoin();
  #isEmpty = true;

  constructor(form: ListForm) {
    this.#form = form;
  }

  add(chunk: ListChunk): Uint8Array {
    const part = this.#form.deflatedOf(chunk) ?? deflated(this.#form.of(chunk));
    const before = this.#isEmpty ? this.#begin() : [this.#gzip.addShort(this.#form.between)];
    this.#isEmpty = false;
    return Buffer.concat([...before, this.#gzip.add(part)]);
  }

  end(): Uint8Array {
    const before = this.#isEmpty ? this.#begin() : [];
    return Buffer.concat([...before, this.#gzip.addShort(this.#form.end), this.#gzip.end()]);
  }

  #begin(): Uint8Array[] {
    return [this.#gzip.begin(), this.#gzip.addShort(this.#form.begin)];
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
/** Small pieces are joined up to this size, in bytes. */
const WRITE_BYTES = 65_536;

/**
 * Writes a list chunk by chunk. Turns of the event loop in between let other requests in, and a client that does not
 * read a chunk within `stallMs` ends it with SlowClient. Resolves early if the sink was destroyed.
 */
export async function writeList(
  sink: Writable,
  chunks: AsyncIterable<ListChunk> | Iterable<ListChunk>,
  bytes: ListBytes,
  limits: { stallMs: number; listMs: number },
): Promise<void> {
  const until = performance.now() + limits.listMs;
  // The first chunk is sent at once.
  let began = 0;
  let pieces: Uint8Array[] = [];
  let size = 0;
  const flush = () => {
    // One write: a corked response can owe a drain that never comes.
    sink.write(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
    pieces = [];
    size = 0;
  };
  for await (const chunk of chunks) {
    const piece = bytes.add(chunk);
    pieces.push(piece);
    size += piece.length;
    if (size >= WRITE_BYTES || began === 0) flush();
    if (sink.writableLength > AHEAD_BYTES && !sink.destroyed) await drained(sink, limits.stallMs);
    if (sink.destroyed) return;
    if (performance.now() > until) throw new SlowClient(`a list took longer than ${limits.listMs} ms`);
    if (performance.now() - began < TURN_MS) continue;
    await turn();
    began = performance.now();
  }
  pieces.push(bytes.end());
  flush();
  sink.end();
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

async function drained(sink: Writable, ms: number): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  const late = setTimeout(() => settled.abort(), ms);
  try {
    await Promise.race([once(sink, 'drain', { signal }), once(sink, 'close', { signal })]);
  } catch {
    throw new SlowClient(`a client did not read a chunk of a list within ${ms} ms`);
  } finally {
    clearTimeout(late);
    settled.abort();
  }
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
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
}

export const JSON_FORM: ListForm = {
  type: 'application/json',
  begin: '[',
  between: ',',
  end: ']',
  of: ({ text }) => text,
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
};

/** The most data that may wait for a client: while it is sent, the next chunk is read. */
const AHEAD_BYTES = 1_000_000;

/** Thrown if a client reads a list too slowly: the list is cut off, so that no client mistakes a part for the whole. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient';
}

/**
 * Writes a list chunk by chunk. A turn of the event loop after every chunk lets other requests in, and a client that
 * does not read a chunk within `stallMs` ends it with SlowClient. Resolves early if the sink was destroyed.
 */
export async function writeList(
  sink: Writable,
  chunks: AsyncIterable<ListChunk> | Iterable<ListChunk>,
  form: ListForm,
  limits: { stallMs: number; listMs: number },
): Promise<void> {
  const until = performance.now() + limits.listMs;
  let between = form.begin;
  for await (const chunk of chunks) {
    // One write: a corked response can owe a drain that never comes.
    sink.write(Buffer.concat([Buffer.from(between), form.of(chunk)]));
    between = form.between;
    if (sink.writableLength > AHEAD_BYTES && !sink.destroyed) await drained(sink, limits.stallMs);
    if (sink.destroyed) return;
    if (performance.now() > until) throw new SlowClient(`a list took longer than ${limits.listMs} ms`);
    await turn();
  }
  sink.end((between === form.begin ? form.begin : '') + form.end);
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

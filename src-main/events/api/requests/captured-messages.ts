import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiMessage, HeaderPair } from '#domain/mock/api-call';
import type { ApiMessages } from '#domain/mock/api-request';
import { hasSecretName, maskText } from '../../../platform/mask-secrets.ts';
import { bodyOf } from '../read-body.ts';

/** Bytes of a body that are kept. */
const KEPT_BYTES = 4_096;
const KEPT_HEADERS = 60;
const KEPT_CHARACTERS = 500;
const MASK = '***';

/** The messages of a completed request. It does not hold the request, which would keep its connection. */
export interface Captured {
  requestHeaders: readonly string[];
  requestBody: Buffer | null;
  responseHeaders: Readonly<Record<string, unknown>>;
  /** The sent data, at least its first `KEPT_BYTES`, and its total size. */
  chunks: readonly (string | Buffer)[];
  bytes: number;
  isHead: boolean;
}

/**
 * Keeps the beginning of what a response sends; the returned function gets it when the response has ended. Request
 * bodies are known as far as a handler has read them.
 */
export function captureMessages(request: IncomingMessage, response: ServerResponse): () => Captured {
  const chunks: (string | Buffer)[] = [];
  let kept = 0;
  let bytes = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const length = Buffer.byteLength(chunk);
    bytes += length;
    if (kept >= KEPT_BYTES) return;
    kept += length;
    // A copy: senders may reuse their buffers.
    chunks.push(typeof chunk === 'string' ? chunk.slice(0, KEPT_BYTES) : Buffer.from(chunk.subarray(0, KEPT_BYTES)));
  };
  const [write, end]: unknown[] = [Reflect.get(response, 'write'), Reflect.get(response, 'end')];
  Object.assign(response, {
    write(...given: unknown[]): unknown {
      keep(given[0]);
      return typeof write === 'function' && Reflect.apply(write, response, given);
    },
    end(...given: unknown[]): unknown {
      keep(given[0]);
      return typeof end === 'function' && Reflect.apply(end, response, given);
    },
  });
  return () => ({
    requestHeaders: request.rawHeaders,
    requestBody: bodyOf(request),
    responseHeaders: response.getHeaders(),
    chunks,
    bytes,
    isHead: request.method === 'HEAD',
  });
}

/** The messages as they are shown. Few requests are opened: masking every one would take as long as serving it. */
export function messagesOf(captured: Captured): ApiMessages {
  const { requestHeaders, requestBody, responseHeaders, chunks, bytes, isHead } = captured;
  const sent = Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).subarray(0, KEPT_BYTES);
  const isText = responseHeaders['content-encoding'] === undefined && bytes > 0;
  return {
    request: messageOf(pairsOf(requestHeaders), requestBody?.subarray(0, KEPT_BYTES) ?? null, requestBody?.length ?? 0),
    response: messageOf(
      Object.entries(responseHeaders).map(([name, value]) => [name, String(value)]),
      isText ? sent : null,
      isHead ? 0 : bytes,
    ),
  };
}

function messageOf(headers: readonly HeaderPair[], body: Buffer | null, bytes: number): ApiMessage {
  const shown = headers
    .slice(0, KEPT_HEADERS)
    .map(([name, value]): HeaderPair => [
      name.slice(0, KEPT_CHARACTERS),
      hasSecretName(name) ? MASK : maskText(value.slice(0, KEPT_CHARACTERS)),
    ]);
  // As a stream: a character that is cut off at the end is dropped.
  const text = body === null ? null : maskText(new TextDecoder().decode(body, { stream: true }));
  return { headers: shown, body: text !== null && body !== null && bytes > body.length ? `${text}…` : text, bytes };
}

function pairsOf(raw: readonly string[]): HeaderPair[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

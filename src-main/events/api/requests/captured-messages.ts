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

/**
 * Keeps the beginning of what a response sends; the returned function gets the messages when the response has ended.
 * Request bodies are known as far as a handler has read them.
 */
export function captureMessages(request: IncomingMessage, response: ServerResponse): () => ApiMessages {
  const chunks: Buffer[] = [];
  let kept = 0;
  let bytes = 0;
  const keep = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    bytes += Buffer.byteLength(chunk);
    if (kept >= KEPT_BYTES) return;
    // A copy: senders may reuse their buffers.
    const part =
      typeof chunk === 'string' ? Buffer.from(chunk.slice(0, KEPT_BYTES)) : Buffer.from(chunk.subarray(0, KEPT_BYTES));
    kept += part.length;
    chunks.push(part);
  };
  for (const name of ['write', 'end'] as const) {
    const send: unknown = Reflect.get(response, name);
    if (typeof send !== 'function') continue;
    const value = (...given: unknown[]): unknown => {
      keep(given[0]);
      return Reflect.apply(send, response, given);
    };
    Object.defineProperty(response, name, { value, configurable: true, writable: true });
  }
  return () => {
    const body = bodyOf(request);
    const sent = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
    const encoding = response.getHeader('content-encoding');
    const pairs: [string, unknown][] = Object.entries(response.getHeaders());
    return {
      request: messageOf(pairsOf(request.rawHeaders), body?.subarray(0, KEPT_BYTES) ?? null, body?.length ?? 0),
      response: messageOf(
        pairs.map(([name, value]) => [name, String(value)]),
        encoding === undefined && bytes > 0 ? sent : null,
        request.method === 'HEAD' ? 0 : bytes,
      ),
    };
  };
}

function messageOf(headers: readonly HeaderPair[], body: Buffer | null, bytes: number): ApiMessage {
  const shown = headers
    .slice(0, KEPT_HEADERS)
    .map(([name, value]): HeaderPair => [
      name.slice(0, KEPT_CHARACTERS),
      hasSecretName(name) ? MASK : maskText(value.slice(0, KEPT_CHARACTERS)),
    ]);
  // As a stream: a character that is cut off at the end is left out.
  const text = body === null ? null : maskText(new TextDecoder().decode(body, { stream: true }));
  return { headers: shown, body: text !== null && body !== null && bytes > body.length ? `${text}…` : text, bytes };
}

function pairsOf(raw: readonly string[]): HeaderPair[] {
  return Array.from({ length: raw.length / 2 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? '']);
}

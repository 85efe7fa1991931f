import type { IncomingMessage } from 'node:http';
import { ServerResponse } from 'node:http';
import type { ApiMessage, HeaderPair } from '#domain/mock/api-call';
import type { ApiMessages } from '#domain/mock/api-request';
import { hasSecretName, maskText } from '../../../platform/mask-secrets.ts';
import { bodyOf } from '../read-body.ts';

/** Bytes of a body that are kept. */
const KEPT_BYTES = 4_096;
const KEPT_HEADERS = 60;
const KEPT_CHARACTERS = 500;
const MASK = '***';
/** Without their types: a response passes on whatever it is given. */
const [WRITE, END]: unknown[] = [
  Reflect.get(ServerResponse.prototype, 'write'),
  Reflect.get(ServerResponse.prototype, 'end'),
];

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

/** The beginning of what a response sends. */
class SentText {
  readonly chunks: (string | Buffer)[] = [];
  bytes = 0;
  #kept = 0;

  keep(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    const length = Buffer.byteLength(chunk);
    this.bytes += length;
    if (this.#kept >= KEPT_BYTES) return;
    this.#kept += length;
    // A copy: senders may reuse their buffers.
    this.chunks.push(
      typeof chunk === 'string' ? chunk.slice(0, KEPT_BYTES) : Buffer.from(chunk.subarray(0, KEPT_BYTES)),
    );
  }
}

/**
 * A response that keeps the beginning of what it sends. Methods of the class: functions that each response gets of its own
 * give it another shape, which takes longer than keeping the text.
 */
export class CapturedResponse<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
  readonly sent = new SentText();

  override write(...given: readonly unknown[]): boolean {
    this.sent.keep(given[0]);
    return typeof WRITE === 'function' && Reflect.apply(WRITE, this, given) === true;
  }

  override end(...given: readonly unknown[]): this {
    this.sent.keep(given[0]);
    if (typeof END === 'function') Reflect.apply(END, this, given);
    return this;
  }
}

/**
 * The messages of a request whose response has ended; null if it is of another class. Request bodies are known as far as a
 * handler has read them.
 */
export function capturedOf(request: IncomingMessage, response: ServerResponse): Captured | null {
  // Not by its class: Express's prototypes may have replaced it.
  const sent = 'sent' in response && response.sent;
  if (!(sent instanceof SentText)) return null;
  return {
    requestHeaders: request.rawHeaders,
    requestBody: bodyOf(request),
    responseHeaders: response.getHeaders(),
    chunks: sent.chunks,
    bytes: sent.bytes,
    isHead: request.method === 'HEAD',
  };
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

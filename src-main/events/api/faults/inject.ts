import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { consumerName, type FaultKind } from '#domain/event/consumer';
import { programOf } from '../consumers/consumer-log.ts';
import type { ListChunk } from '../list/event-source.ts';
import { sendProblem } from '../problem.ts';
import type { Fault, FaultPlans } from './fault-plans.ts';

const NOTE = 'This is an injected fault: Tagwright has fault injection on for this consumer.';
/** The first bytes of a slow body, in pieces of this size, with a pause between them. */
const SLOW_BYTES = 400;
const SLOW_PIECE = 20;
const SLOW_MS = 50;
/** The part of the events of a list that come twice. */
const DOUBLED = 0.3;

interface Injected extends Fault {
  /** Resolves when the rest of a slow body can be sent. */
  readonly ready: Promise<void>;
}

const injected = new WeakMap<IncomingMessage, Injected>();

/** The fault that was injected into the response to a request; null if there is none. */
export const injectedInto = (request: IncomingMessage): FaultKind | null => injected.get(request)?.kind ?? null;

/** Confronts a request with the next fault of its consumer, if there is one. */
export function inject(
  plans: FaultPlans,
  request: IncomingMessage,
  response: ServerResponse,
  proceed: () => void,
): void {
  const consumer = consumerName(programOf(request), request.socket.remoteAddress ?? '');
  const url = request.url ?? '';
  const isCollection = request.method === 'GET' && /^\/api\/events(?:\?|$)/.test(url);
  if (!url.startsWith('/api/events')) return proceed();
  const isStream = isCollection && request.headers.accept?.includes('text/event-stream') === true;
  const isFurtherPage = isCollection && /[?&]after=[1-9]/.test(url);
  // A server that has restarted knows no earlier ETag.
  if (plans.takeRestart(consumer)) delete request.headers['if-none-match'];
  const fault = plans.next(consumer, { isList: isCollection && !isStream, isFurtherPage, isStream });
  if (!fault) return proceed();
  const { kind, delayMs } = fault;
  const ready = kind === 'slow' ? slowDown(response) : Promise.resolve();
  injected.set(request, { ...fault, ready });
  if (kind === '429') return sendProblem(response, 'too-many-requests', NOTE, { 'Retry-After': '1' });
  if (kind === '500') return sendProblem(response, 'internal', NOTE);
  if (kind === '503') return sendProblem(response, 'busy', NOTE, { 'Retry-After': '2' });
  if (kind === 'key') return sendProblem(response, 'unauthorized', NOTE, { 'WWW-Authenticate': 'Bearer' });
  if (kind === 'restart') {
    request.socket.destroy();
    return;
  }
  if (kind === 'cut') cutOff(response);
  if (delayMs === 0) return proceed();
  void delay(delayMs).then(() => {
    if (!response.destroyed) proceed();
  });
}

/** The events of a list as its fault changes them; `lastId` and `count` stay, so that pages continue as before. */
export async function* alteredList(
  request: IncomingMessage,
  chunks: AsyncIterable<ListChunk> | Iterable<ListChunk>,
): AsyncGenerator<ListChunk> {
  const fault = injected.get(request);
  for await (const chunk of chunks) {
    if (fault?.kind === 'duplicates') yield changed(chunk, (events) => doubled(events, fault.random));
    else if (fault?.kind === 'reordering') yield changed(chunk, (events) => shuffled(events, fault.random));
    else yield chunk;
    await fault?.ready;
  }
}

/** Whether the events of the list for this request change, or wait. */
export const altersList = (request: IncomingMessage): boolean => injected.has(request);

function changed({ text, lastId, count }: ListChunk, change: (events: unknown[]) => unknown[]): ListChunk {
  const events: unknown[] = JSON.parse(`[${Buffer.from(text).toString()}]`);
  const altered = change(events).map((event) => JSON.stringify(event));
  return { text: Buffer.from(altered.join(',')), lastId, count };
}

/** At least the last one comes twice. */
function doubled(events: readonly unknown[], random: () => number): unknown[] {
  return events.flatMap((event, index) =>
    random() < DOUBLED || index === events.length - 1 ? [event, event] : [event],
  );
}

/** Fisher and Yates. */
function shuffled(events: unknown[], random: () => number): unknown[] {
  for (let last = events.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [events[last], events[other]] = [events[other], events[last]];
  }
  return events;
}

type Send = (chunk?: unknown, ...others: unknown[]) => unknown;

/** How the response sends so far. */
function sendersOf(response: ServerResponse): { write: Send; end: Send } {
  const [write, end]: unknown[] = [Reflect.get(response, 'write'), Reflect.get(response, 'end')];
  const bound = (send: unknown): Send => {
    return (...given) => (typeof send === 'function' ? Reflect.apply(send, response, given) : undefined);
  };
  return { write: bound(write), end: bound(end) };
}

const bytesOf = (chunk: unknown): Buffer =>
  typeof chunk === 'string' ? Buffer.from(chunk) : chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0);

/** Sends half of the first bytes, and then ends the connection. */
function cutOff(response: ServerResponse): void {
  const { write } = sendersOf(response);
  let isCut = false;
  const cut = (chunk: unknown): boolean => {
    const bytes = bytesOf(chunk);
    if (isCut) return false;
    isCut = true;
    write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
    return false;
  };
  Object.assign(response, {
    write: (chunk: unknown) => cut(chunk),
    end: (chunk?: unknown) => {
      cut(typeof chunk === 'function' ? undefined : chunk);
      return response;
    },
  });
}

/** Sends the first bytes in small pieces. Resolves when they are sent, or the client has disconnected. */
function slowDown(response: ServerResponse): Promise<void> {
  const { write, end } = sendersOf(response);
  const waiting: Buffer[] = [];
  let hasEnded = false;
  const { promise, resolve } = Promise.withResolvers<void>();
  let isStarted = false;
  const start = async () => {
    for (let sent = 0; sent < SLOW_BYTES && !response.destroyed; sent += SLOW_PIECE) {
      const bytes = Buffer.concat(waiting.splice(0));
      if (bytes.length === 0) break;
      write(bytes.subarray(0, SLOW_PIECE));
      if (bytes.length > SLOW_PIECE) waiting.push(bytes.subarray(SLOW_PIECE));
      await delay(SLOW_MS);
    }
    Object.assign(response, { write, end });
    if (!response.destroyed && waiting.length > 0) write(Buffer.concat(waiting));
    if (hasEnded) end();
    resolve();
  };
  const add = (chunk: unknown): void => {
    const bytes = bytesOf(chunk);
    if (bytes.length > 0) waiting.push(bytes);
    if (isStarted) return;
    isStarted = true;
    void start();
  };
  Object.assign(response, {
    write(chunk: unknown, ...others: unknown[]) {
      add(chunk);
      // The sender frees its memory then: the bytes are copied.
      for (const called of others) if (typeof called === 'function') Reflect.apply(called, undefined, []);
      return true;
    },
    end(chunk?: unknown) {
      hasEnded = true;
      add(typeof chunk === 'function' ? undefined : chunk);
      return response;
    },
  });
  // A client that has disconnected is not waited for.
  response.once('close', () => resolve());
  return promise;
}

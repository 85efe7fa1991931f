import type { WriteFailure } from '#domain/tag/tag';
import { GUEST_REQUEST, type Host } from './bridge.ts';
import { MAX_CALL_BYTES, MAX_REJECTED_TEXT } from '../protocol/limits.ts';
import type { DebugQuestion } from '../protocol/debug.ts';
import { own, parse, PrimitiveError, put, sliceText, stringify } from './primordials.ts';

interface HostResponse {
  value?: unknown;
  error?: { message: string; failures?: WriteFailure[] };
  /** Of the debugger: the response follows. */
  question?: DebugQuestion;
}

let connected: Host | null = null;
let calls = 0;
let beforeApi: ((callJson: string) => void) | null = null;
let replyTo: ((question: DebugQuestion | null) => string) | null = null;

/** The debugger may pause before a call of an API. */
export function onApiCall(listener: (callJson: string) => void): void {
  beforeApi = listener;
}

/** The debugger replies to questions that come before a response, as JSON; null is the end of those. */
export function onQuestion(reply: (question: DebugQuestion | null) => string): void {
  replyTo = reply;
}

/** Calls reach main from now on; null makes calls without effect, for code that still runs after the run has ended. */
export function connectCalls(host: Host | null): void {
  connected = host;
}

/** How many calls the script has made: main counts the same ones. */
export function callCount(): number {
  return calls;
}

/** Whether the run has not ended: calls still reach main. */
export function isConnected(): boolean {
  return connected !== null;
}

/**
 * Sends a request to main and waits for it: the only way by which API objects do their work. `argumentsJson` is the
 * arguments as JSON text, separated by commas. Returns main's response; throws a rejection as an Error, with the
 * `failures` of a rejected Set.
 */
export function callHost(method: string, line: number | null, argumentsJson: string): unknown {
  if (connected === null) throw new PrimitiveError('the run has ended; later calls have no effect');
  const request = `["${method}",${line},${argumentsJson}]`;
  if (request.length > MAX_CALL_BYTES) {
    const message = `one call can carry at most ${MAX_CALL_BYTES / 1024 / 1024} MB; split it into several`;
    if (method === 'get') reportRejected('read', line, 'TagValueManager.Get', message);
    if (method === 'set') reportRejected('write', line, 'TagValueManager.Set', message);
    throw new PrimitiveError(message);
  }
  if (beforeApi !== null && method === 'api') beforeApi(argumentsJson);
  if (method !== 'debug') calls += 1;
  let response = parse(connected(GUEST_REQUEST.call, request)) as HostResponse;
  if (replyTo !== null) response = answered(response, connected, replyTo);
  const error = own(response, 'error');
  if (error === undefined) return response.value;
  throw refusal(error.message, own(error, 'failures'));
}

/** The response itself, after the replies to all questions that come before it. */
function answered(first: HostResponse, host: Host, reply: (question: DebugQuestion | null) => string): HostResponse {
  let response = first;
  let question = own(response, 'question');
  while (question !== undefined) {
    response = parse(host(GUEST_REQUEST.call, `["debug",null,{"reply":${reply(question)}}]`)) as HostResponse;
    question = own(response, 'question');
  }
  if (response !== first) reply(null);
  return response;
}

/** Reports to main what a call has rejected without it, so that it is in the trace. `what` is a tag or an argument. */
export function reportRejected(access: 'read' | 'write', line: number | null, what: string, reason: string): void {
  reportAllRejected(access, line, rejectedJson(what, reason));
}

/** Several of them, each of `rejectedJson`, separated by commas. */
export function reportAllRejected(access: 'read' | 'write', line: number | null, itemsJson: string): void {
  try {
    callHost('rejected', line, `"${access}",[${itemsJson}]`);
  } catch {
    // The error of the call itself is what the script has to see.
  }
}

export function rejectedJson(what: string, reason: string): string {
  const path = stringify(sliceText(what, 0, MAX_REJECTED_TEXT));
  return `{"path":${path},"reason":${stringify(sliceText(reason, 0, MAX_REJECTED_TEXT))}}`;
}

/** The bytes of the image from the last call; fetched at once, because the next call discards them. */
export function takeImage(): ArrayBuffer {
  if (connected === null) throw new PrimitiveError('the run has ended; later calls have no effect');
  return connected(GUEST_REQUEST.image, '');
}

/** The same for a long text, whose bytes the host decodes. */
export function takeText(charset: string): string {
  if (connected === null) throw new PrimitiveError('the run has ended; later calls have no effect');
  return connected(GUEST_REQUEST.text, charset);
}

/** Random bytes of the host, up to MAX_RANDOM_BYTES; their time is script time. */
export function takeRandom(count: number): ArrayBuffer {
  if (connected === null) throw new PrimitiveError('the run has ended; later calls have no effect');
  return connected(GUEST_REQUEST.random, `${count}`);
}

/** The Error that a rejected Set throws; `failures` is absent for other reasons. */
export function refusal(message: string, failures?: WriteFailure[]): Error {
  const error = new PrimitiveError(message);
  if (failures !== undefined) put(error, 'failures', failures);
  return error;
}

/** A Diagram or location as JSON text; null, undefined and '' are the internal default, which is null. */
export function scopePart(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '""';
  return typeof value === 'string' ? stringify(value) : null;
}

import type { WriteFailure } from '#domain/tag/tag';
import { GUEST_REQUEST, type Host } from './bridge.ts';
import { MAX_CALL_BYTES, MAX_CALL_LINES, MAX_CONSOLE_LINES, MAX_REJECTED_TEXT } from '../protocol/limits.ts';
import type { DebugQuestion } from '../protocol/debug.ts';
import {
  captureStackTrace,
  EngineError,
  getOwnPropertyDescriptor,
  hasOwn,
  matchOnce,
  own,
  parse,
  PrimitiveError,
  PrimitiveNumber,
  put,
  putAccessor,
  sliceText,
  stringify,
} from './primordials.ts';

interface HostResponse {
  value?: unknown;
  error?: { message: string; failures?: WriteFailure[] };
  /** A question of the debugger: the response follows. */
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

/** The debugger replies to questions that come before a response, as JSON; null is the end of the questions. */
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

/** More than any body has, and less than main rejects. */
const MAX_LINE = 1e8;
let linesFound = 0;
let mostLines = MAX_CALL_LINES;
let mostReadLines = MAX_CALL_LINES;
let consoleLinesFound = 0;

/**
 * The line of the author's body that is running now, seen from `above`, a function of the guest; null if unknown, and
 * after the first MAX_CALL_LINES.
 * @param frames how many frames above that the author's is, usually
 */
export function callerLine(above: (...args: never[]) => unknown, frames = 1): number | null {
  if (linesFound >= mostLines) return null;
  linesFound += 1;
  // One frame takes half the time of three, and is usually the author's; a built-in such as Array.prototype.map may be
  // in between.
  return lineAbove(above, frames) ?? lineAbove(above, 5);
}

/** The same for a Get, which may be so short that its line would be a large part of it. */
export function readLine(above: (...args: never[]) => unknown): number | null {
  return linesFound >= mostReadLines ? null : callerLine(above);
}

/** Every call of a recorded run has its line; its Gets only if `reads`. */
export function findEveryLine(reads: boolean): void {
  mostLines = MAX_LINE;
  if (reads) mostReadLines = MAX_LINE;
}

/** The same for an entry of the console, which has a budget of its own. */
export function consoleLine(above: (...args: never[]) => unknown, frames: number): number | null {
  if (consoleLinesFound >= MAX_CONSOLE_LINES) return null;
  consoleLinesFound += 1;
  return lineAbove(above, frames) ?? lineAbove(above, 5);
}

/** Also null if the script redefined the members of Error or froze it: a line is not worth a failed call. */
function lineAbove(above: (...args: never[]) => unknown, frames: number): number | null {
  try {
    const limit = EngineError.stackTraceLimit;
    const hook = 'prepareStackTrace' in EngineError ? getOwnPropertyDescriptor(EngineError, 'prepareStackTrace') : null;
    try {
      EngineError.stackTraceLimit = frames;
      if (hook !== null) put(EngineError, 'prepareStackTrace', undefined);
      const holder: { stack?: unknown } = {};
      captureStackTrace(holder, above);
      const stack = own(holder, 'stack');
      const found = typeof stack === 'string' ? matchOnce(/script:(\d+):/, stack) : null;
      const line = found === null ? 0 : PrimitiveNumber(found[1]);
      // A function may be called `script:0:`.
      return line >= 1 && line <= MAX_LINE ? line : null;
    } finally {
      EngineError.stackTraceLimit = limit;
      if (hook !== null) restore('prepareStackTrace', hook);
    }
  } catch {
    return null;
  }
}

/** Restores Error's own member, or removes the one that hid an inherited one. */
function restore(name: 'prepareStackTrace', was: PropertyDescriptor | undefined): void {
  if (was === undefined) delete EngineError[name];
  else if (hasOwn(was, 'value')) put(EngineError, name, was.value);
  else putAccessor(EngineError, name, was.get, was.set);
}

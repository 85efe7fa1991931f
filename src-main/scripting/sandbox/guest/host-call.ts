import type { WriteFailure } from '#domain/tag/tag';
import { GUEST_REQUEST, type Host } from './bridge.ts';
import { MAX_CALL_BYTES, MAX_REJECTED_TEXT } from '../protocol/limits.ts';
import { own, parse, PrimitiveError, put, sliceText, stringify } from './primordials.ts';

interface HostResponse {
  value?: unknown;
  error?: { message: string; failures?: WriteFailure[] };
}

let connected: Host | null = null;

/** Calls reach main from now on; null makes calls without effect, for code that still runs after the run has ended. */
export function connectCalls(host: Host | null): void {
  connected = host;
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
  const response = parse(connected(GUEST_REQUEST.call, request)) as HostResponse;
  const error = own(response, 'error');
  if (error === undefined) return response.value;
  throw refusal(error.message, own(error, 'failures'));
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

import type { WriteFailure } from '#domain/tag/tag';
import { ASK, type Host } from './bridge.ts';
import { MAX_CALL_BYTES } from '../protocol/limits.ts';
import { own, parse, PrimitiveError, put, stringify } from './primordials.ts';

interface HostAnswer {
  value?: unknown;
  error?: { message: string; failures?: WriteFailure[] };
}

let connected: Host | null = null;

/** Calls reach main from now on; with null, what still runs after the run ended can do nothing. */
export function connectCalls(host: Host | null): void {
  connected = host;
}

/**
 * Asks main for something and waits for it: the one way by which API objects do their work. `argumentsJson` are the
 * arguments as JSON text, joined by commas. Returns what main answered; throws what it refused as an Error, with the
 * `failures` of a refused Set.
 */
export function callHost(method: string, line: number | null, argumentsJson: string): unknown {
  if (connected === null) throw new PrimitiveError('the run has ended; a call made later does nothing');
  const request = `["${method}",${line},${argumentsJson}]`;
  if (request.length > MAX_CALL_BYTES) {
    throw new PrimitiveError(`one call carries at most ${MAX_CALL_BYTES / 1024 / 1024} MB; split it into several`);
  }
  const answer = parse(connected(ASK.call, request)) as HostAnswer;
  const error = own(answer, 'error');
  if (error === undefined) return answer.value;
  throw refusal(error.message, own(error, 'failures'));
}

/** The bytes of the image that the last call brought; taken at once, since the next call lets go of them. */
export function takeImage(): ArrayBuffer {
  if (connected === null) throw new PrimitiveError('the run has ended; a call made later does nothing');
  return connected(ASK.image, '');
}

/** The Error that a refused Set throws; `failures` is absent for other reasons. */
export function refusal(message: string, failures?: WriteFailure[]): Error {
  const error = new PrimitiveError(message);
  if (failures !== undefined) put(error, 'failures', failures);
  return error;
}

/** A Diagram or location as JSON text, null when it is none; null, undefined and '' are the internal default. */
export function scopePart(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return '""';
  return typeof value === 'string' ? stringify(value) : null;
}

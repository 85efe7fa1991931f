import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf } from '../read-body.ts';

/** A request of the consumer and its response. Times are those of `performance.now()`. */
export interface Observed {
  at: number;
  endedAt: number;
  method: string;
  /** Without the query. */
  path: string;
  /** Whether it asks for the list, or a page of it. */
  isList: boolean;
  /** Whether it asks for a page after an event. */
  isFurtherPage: boolean;
  isStream: boolean;
  /** Events that it asks for at once; null: all, or no list. */
  limit: number | null;
  /** 0 without a response. */
  status: number;
  /** Whether the whole response was sent. */
  isComplete: boolean;
  /** Whether the response was replaced, changed or withheld. */
  isFault: boolean;
  /** An error, or a connection that the server ended. */
  isFailure: boolean;
  retryAfterMs: number | null;
  /** The event that it disables or deletes. */
  acknowledges: number | null;
}

/** Faults after which the consumer has no usable response. */
const CUTS: ReadonlySet<string> = new Set(['cut', 'restart', 'lost', 'outage']);

/** What is known when a request arrives. */
export function arrived({ method = '', url = '', headers }: IncomingMessage) {
  const [path = '', query = ''] = url.split('?');
  const isCollection = method === 'GET' && path === '/api/events';
  const isStream = isCollection && headers.accept?.includes('text/event-stream') === true;
  const isList = isCollection && !isStream;
  const limit = Number(/(?:^|&)limit=([1-9]\d{0,4})(?:&|$)/.exec(query)?.[1] ?? 0);
  return {
    at: performance.now(),
    method,
    path,
    isList,
    isFurtherPage: isList && /(?:^|&)after=[1-9]/.test(query),
    isStream,
    limit: isList && limit > 0 ? limit : null,
  };
}

/** What is known when its response has ended. @param fault the fault that it got */
export function ended(
  start: ReturnType<typeof arrived>,
  request: IncomingMessage,
  response: ServerResponse,
  fault: string | null,
): Observed {
  const status = response.headersSent ? response.statusCode : 0;
  const wait = response.getHeader('Retry-After');
  const wasCut = fault !== null && CUTS.has(fault);
  return {
    ...start,
    endedAt: performance.now(),
    status,
    isComplete: response.writableFinished && !wasCut,
    isFault: fault !== null,
    isFailure: wasCut || (status >= 400 && status !== 404),
    retryAfterMs: wait === undefined ? null : Number(wait) * 1_000,
    acknowledges: acknowledgedBy(start, request),
  };
}

/** The event that a request disables or deletes; null for others. */
export function acknowledgedBy(
  { method, path }: Pick<Observed, 'method' | 'path'>,
  request: IncomingMessage,
): number | null {
  const id = Number(/^\/api\/events\/([1-9]\d{0,15})$/.exec(path)?.[1] ?? 0);
  if (id === 0 || method === 'DELETE') return id === 0 ? null : id;
  if (method !== 'PUT') return null;
  try {
    const body: unknown = JSON.parse(bodyOf(request)?.toString() ?? '');
    return typeof body === 'object' && body !== null && 'Active' in body && body.Active === false ? id : null;
  } catch {
    return null;
  }
}

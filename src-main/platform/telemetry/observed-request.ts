import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a request was for. */
export type RequestRoute = 'list' | 'stream' | 'event' | 'sites' | 'health' | 'other';

/** A request to the events API, and how it ends. */
export interface ObservedRequest {
  method: string;
  /** The path without its query. */
  path: string;
  traceparent: string | undefined;
  /** Resolves when the response has ended. The status is 0 if the connection ended before it. */
  ended: Promise<{ route: RequestRoute; status: number; ms: number }>;
}

/** Clients could send any number of others. */
const METHODS = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH']);
const ROUTES: readonly (readonly [RegExp, RequestRoute])[] = [
  [/^(?:\/sites\/[^/]+)?\/api\/events$/, 'list'],
  [/^(?:\/sites\/[^/]+)?\/api\/events\/[^/]+$/, 'event'],
  [/^\/sites$/, 'sites'],
  [/\/api\/health$|^\/(?:healthz|readyz)$/, 'health'],
];

/** Call it before the handler, which may change the path. */
export function observedRequest(request: IncomingMessage, response: ServerResponse): ObservedRequest {
  const began = performance.now();
  const { method = '', url = '', headers } = request;
  const path = url.replace(/[?#].*$/s, '');
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<ObservedRequest['ended']>>();
  response.once('close', () => {
    const isStream = String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
    const route = isStream ? 'stream' : (ROUTES.find(([pattern]) => pattern.test(path))?.[1] ?? 'other');
    const status = response.headersSent ? response.statusCode : 0;
    resolve({ route, status, ms: performance.now() - began });
  });
  const { traceparent } = headers;
  return {
    method: METHODS.has(method) ? method : 'OTHER',
    path,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    ended,
  };
}

import type { RequestListener } from 'node:http';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import express from 'express';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { OnRefused, RefusalReason, RequestGuard } from '../../platform/http/request-guard.ts';
import { createRequestGuard } from '../../platform/http/request-guard.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { MessageClasses } from '../../platform/http/bounded-server.ts';
import type { KeyCheck } from '../../platform/key-check.ts';
import { shown } from './checked.ts';
import { CapturedResponse } from './requests/captured-messages.ts';
import type { ConsumerReports } from './consumers/consumer-log.ts';
import type { FaultPlans } from './faults/fault-plans.ts';
import { inject } from './faults/inject.ts';
import { docsPage } from './reference/docs-page.ts';
import type { HealthReason } from './event-shape.ts';
import type { EventSource } from './list/event-source.ts';
import type { ApiLimits } from './limits.ts';
import { createListHandler } from './list/list-events.ts';
import { createStreamHandler, wantsStream } from './stream/stream-events.ts';
import { createOneEventHandlers } from './one-event.ts';
import { Places } from './places.ts';
import { openApiDocument } from './reference/openapi.ts';
import type { HttpMethod } from './reference/operations.ts';
import { allowOf, EVENT_PATH, OPERATIONS } from './reference/operations.ts';
import type { ProblemName } from './problem.ts';
import { sendProblem } from './problem.ts';

export interface EventsAppParts {
  source: Omit<EventSource, 'activeAfter'>;
  /** The version of the product. */
  version: string;
  /** The key that every call must have. */
  apiKey: Pick<KeyCheck, 'check'> & Partial<Pick<KeyCheck, 'onChange'>>;
  onRefused?: OnRefused | undefined;
  /** Why nothing can be stored at present; [] otherwise. */
  problems?: (() => MaybePromise<readonly HealthReason[]>) | undefined;
  limits: ApiLimits;
  clock: Clock;
  logFault: (where: string, fault: unknown) => void;
  consumers?: ConsumerReports | undefined;
  faults?: FaultPlans | undefined;
  /** The path before `/api`, such as `/sites/leeds`, which is not part of the targets of requests. */
  base?: string;
  /** Whether clients use HTTPS. */
  isSecure?: boolean;
  /** Places that apps of one server share, so that its connections are enough for all of them; by default its own. */
  open?: OpenPlaces;
  /** Checks requests instead of the guard of loopback. */
  guard?: RequestGuard;
}

/** Places of responses that stay open. */
export interface OpenPlaces {
  streams: Places;
  waits: Places;
}

export const openPlaces = ({ streams, waits }: Pick<ApiLimits, 'streams' | 'waits'>): OpenPlaces => ({
  streams: Places.ofOpen(streams),
  waits: Places.ofOpen(waits),
});

const SECURITY_HEADERS = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
});

const REFUSAL_PROBLEMS: Readonly<Record<RefusalReason, ProblemName>> = {
  host: 'foreign-host',
  target: 'malformed-request',
  origin: 'foreign-origin',
  token: 'unauthorized',
};
const KEY_DETAIL = 'Send the API key of the setting events.apiKey as "X-API-Key: KEY" or "Authorization: Bearer KEY".';
const KEY_HEADERS = { 'WWW-Authenticate': 'Bearer realm="Tagwright events API"' };

export interface EventsApp extends RequestListener {
  /** For its server: it serves messages of other classes too, but more slowly. */
  readonly messages: MessageClasses;
  /** Removes its listeners at the source and at the key, after the end of its server. */
  close(): void;
}

/** The events API. */
export function createEventsApp(parts: EventsAppParts): EventsApp {
  const { source, version, apiKey, limits, clock, logFault, consumers, faults, base = '', isSecure = false } = parts;
  const guard = parts.guard ?? createRequestGuard(parts.onRefused);
  const open = parts.open ?? openPlaces(limits);
  const document = JSON.stringify(openApiDocument(version, base));
  const page = docsPage(version, base);
  const one = createOneEventHandlers({ source, limits, consumers });
  const closing = new DisposableStack();
  const onKeyChange = (listener: () => void): void => {
    const stop = apiKey.onChange?.(listener);
    if (stop) closing.defer(stop);
  };
  const list = createListHandler({ source, limits, waits: open.waits, consumers, base, onKeyChange, closing });
  const stream = createStreamHandler({ source, limits, places: open.streams, consumers, onKeyChange, closing });
  const handlers: Readonly<Record<string, Readonly<Partial<Record<HttpMethod, RequestHandler>>>>> = {
    '/api/events': { GET: (request, response) => (wantsStream(request) ? stream : list)(request, response) },
    [EVENT_PATH]: { GET: one.get, PUT: one.put, DELETE: one.delete },
    '/api/health': {
      GET: async (_request, response) => {
        const reasons = (await parts.problems?.()) ?? [];
        const status = reasons.length > 0 ? 'degraded' : 'ok';
        response.set('Cache-Control', 'no-store').json({ status, version, time: clock.iso(), reasons });
      },
    },
    '/api/openapi.json': {
      GET: (_request, response) => {
        response.set('Cache-Control', 'no-cache').type('application/json').send(document);
      },
    },
    '/api/docs': {
      GET: (request, response) => {
        const host = request.headers.host ?? `127.0.0.1:${request.socket.localPort}`;
        response
          .set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': page.policy })
          .type('html')
          .send(page.htmlFor(`${isSecure ? 'https' : 'http'}://${host}${base}`));
      },
    },
  };

  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.enable('case sensitive routing').enable('strict routing');
  app.use((request, response, next) => {
    const admit = (isRight: boolean): void => {
      if (!isRight) {
        guard.refusedToken(request);
        return sendProblem(response, REFUSAL_PROBLEMS.token, KEY_DETAIL, KEY_HEADERS);
      }
      next();
    };
    const isRight = apiKey.check(keysOf(request));
    // Express passes on the rejection of the promise. A cached response takes no turn of the event loop.
    return typeof isRight === 'boolean' ? admit(isRight) : isRight.then(admit);
  });
  for (const [path, operations] of Object.entries(OPERATIONS)) {
    // An expression for the id: a parameter would be decoded, and fail if it cannot be.
    const route = app.route(path === EVENT_PATH ? /^\/api\/events\/[^/]+$/ : path);
    const { GET, PUT, DELETE } = handlers[path] ?? {};
    if (GET) route.get(GET);
    if (PUT) route.put(PUT);
    if (DELETE) route.delete(DELETE);
    const allow = allowOf(path);
    route.options((_request, response) => void response.status(204).set('Allow', allow).end());
    route.all((request, response) => {
      const named = Object.keys(operations).join(', ');
      sendProblem(response, 'method-not-allowed', `${request.method} is not allowed here. Use one of ${named}.`, {
        Allow: allow,
      });
    });
  }
  app.use((request, response) => {
    // The guard passes it only for OPTIONS.
    if (request.url === '*') {
      response.status(204).set('Allow', allowOf(EVENT_PATH)).end();
      return;
    }
    const detail = `There is nothing at ${shown(request.path)}. Events are at /api/events and /api/events/{id}, without a slash at the end; the reference is at /api/docs.`;
    sendProblem(response, 'no-such-path', detail);
  });
  app.use((thrown: unknown, request: Request, response: Response, _next: NextFunction) => {
    respondToFault(thrown, request, response, logFault);
  });
  // Before Express, which calls no middleware for a target that is not a path, such as that of CONNECT.
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    setSecurityHeaders(response);
    const guarded = guard.check(request);
    if (!guarded.ok) return sendProblem(response, REFUSAL_PROBLEMS[guarded.reason], guarded.detail);
    request.url = guarded.target;
    if (faults === undefined || faults.size === 0) app(request, response);
    else inject(faults, request, response, () => app(request, response));
  };
  return Object.assign(listener, { messages: messagesOf(app), close: () => closing.dispose() });
}

/** For a response that no handler of an app of this module has prepared. */
export function setSecurityHeaders(response: ServerResponse): void {
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
}

/**
 * `GET /api/events` without the other paths: a list or a stream, whichever the request prefers. Resolves when the response
 * is closed. Rejects with what a handler throws.
 */
export function createListApp({ list, stream }: Readonly<Record<'list' | 'stream', RequestHandler>>) {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.use((request, response, next) => (wantsStream(request) ? stream : list)(request, response, next));
  return (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    new Promise((resolve, reject) => {
      response.once('close', resolve);
      const failed = (thrown?: unknown): void => reject(thrown);
      Reflect.apply(app, undefined, [request, response, failed]);
    });
}

/**
 * Express replaces the prototypes of each request and response by its own. Those of these classes have them from the start:
 * that saves the replacement, and the engine sees one shape of each instead of two.
 */
function messagesOf(app: Express): MessageClasses {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends IncomingMessage> extends CapturedResponse<R> {}
  Object.defineProperties(AppResponse.prototype, Object.getOwnPropertyDescriptors(CapturedResponse.prototype));
  Object.setPrototypeOf(AppRequest.prototype, Reflect.get(app, 'request'));
  Object.setPrototypeOf(AppResponse.prototype, Reflect.get(app, 'response'));
  Object.assign(app, { request: AppRequest.prototype, response: AppResponse.prototype });
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse };
}

function respondToFault(
  thrown: unknown,
  request: Request,
  response: Response,
  logFault: EventsAppParts['logFault'],
): void {
  // The client has disconnected: no response is needed, and there is no fault.
  if (response.destroyed) {
    response.destroy();
    return;
  }
  if (!response.headersSent) for (const name of ['ETag', 'Content-Encoding']) response.removeHeader(name);
  if (thrown instanceof TagwrightError && thrown.code === 'STORAGE_FULL') {
    return sendProblem(response, 'storage-full', `${thrown.message} Nothing was changed.`);
  }
  if (thrown instanceof TagwrightError && thrown.code === 'UNAVAILABLE') {
    return sendProblem(response, 'busy', `${thrown.message} Try again in a moment.`, { 'Retry-After': '1' });
  }
  logFault(`the events API: ${request.method} ${request.path}`, thrown);
  const detail = 'Tagwright could not respond because of an internal error. Its log has the details. Try again later.';
  sendProblem(response, 'internal', detail);
}

/** The keys of a request, from `X-API-Key` or a bearer token. */
export function keysOf({ headers }: IncomingMessage): string[] {
  if (headers.authorization === undefined && headers['x-api-key'] === undefined) return [];
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return [headers['x-api-key'], bearer].flat().filter((key) => key !== undefined);
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createEventsApp, keysOf, openPlaces, setSecurityHeaders } from '../../events/api/app.ts';
import type { ApiLimits } from '../../events/api/limits.ts';
import { sendProblem } from '../../events/api/problem.ts';
import { allowOf, EVENT_PATH } from '../../events/api/reference/operations.ts';
import type { Clock } from '../../platform/clock.ts';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { OwnNames, RequestGuard } from '../../platform/http/request-guard.ts';
import { createRequestGuard, REFUSAL_STATUS } from '../../platform/http/request-guard.ts';
import type { Log } from '../../platform/log.ts';
import type { ConsumerRight, HubConsumer } from '../../storage/hub/hub-consumers.ts';
import type { CopyOptions } from '../../storage/hub/hub-copy.ts';
import { readLags } from '../../storage/hub/site-versions.ts';
import type { ConsumerKeys } from './consumer-keys.ts';
import { Headquarters } from './headquarters.ts';
import { mirroredAt, oldestMirror, sendGatewayProblem, sendJson } from './headers.ts';
import type { GatewayCall } from './hub-source.ts';
import { HubSource } from './hub-source.ts';
import { RateLimit } from './rate-limit.ts';
import type { GatewaySites } from './sites.ts';

export interface GatewayParts {
  copy: CopyOptions;
  sites: GatewaySites;
  keys: ConsumerKeys;
  /** Requests of each consumer, and failed keys of each address. */
  rate: RateLimit;
  failures: RateLimit;
  names: OwnNames;
  /** The last address in X-Forwarded-For is that of the client. */
  behindProxy: boolean;
  /** Whether clients use HTTPS, perhaps with a proxy. */
  isSecure: boolean;
  limits: ApiLimits;
  version: string;
  clock: Clock;
  log: Log;
  /** Ends its listeners. */
  closing: DisposableStack;
}

const RIGHTS: Readonly<Record<string, ConsumerRight>> = { PUT: 'disable', DELETE: 'delete' };
/** The methods of `/sites` and of the events of all sites. */
const READ_ONLY = allowOf('/api/events');
const SITE_PATH = /^\/sites\/([a-z0-9-]{1,48})(\/.*)$/;
const KEY_DETAIL = 'Send a key of this gateway as "X-API-Key: KEY" or "Authorization: Bearer KEY".';
/** How often the database is asked for keys of addresses that have sent too many wrong ones, per second. */
const LOOKUPS = 100;
/** The gateway has checked it. */
const CHECKED: RequestGuard = {
  check: ({ url = '' }) => ({ ok: true, target: url }),
  refusedToken: () => undefined,
};

/** Serves the events of the sites of a hub: `/sites`, `/sites/SITE/api/…`, and `/api/events` for all of them. */
export function createGatewayApp(parts: GatewayParts): RequestListener {
  const { copy, sites, keys, limits, log, closing } = parts;
  const guard = createRequestGuard(undefined, parts.names);
  const lookups = new RateLimit({ perSecond: LOOKUPS, burst: LOOKUPS });
  const calls = new AsyncLocalStorage<GatewayCall>();
  const open = openPlaces(limits);
  const served = new Map<string, { source: HubSource; app: RequestListener }>();
  const serve = (site: string) => {
    const known = served.get(site);
    if (known) return known;
    const source = new HubSource({ site, copy, sites, calls });
    const app = createEventsApp({
      source,
      version: parts.version,
      apiKey: { check: () => true },
      limits,
      problems: () => source.problems(),
      clock: parts.clock,
      logFault: (where, fault) => log.error(`${where} of site ${site} failed`, fault),
      base: `/sites/${site}`,
      isSecure: parts.isSecure,
      open,
      guard: CHECKED,
    });
    closing.defer(() => app.close());
    served.set(site, { source, app });
    return { source, app };
  };
  const headquarters = new Headquarters({ copy, sites, limits, open, closing, sourceOf: (site) => serve(site).source });

  async function handle(request: IncomingMessage, response: ServerResponse, target: string): Promise<void> {
    const path = target.replace(/\?.*$/s, '');
    if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
    if (path === '/readyz') {
      await copy.hub.check();
      return sendJson(response, 200, { status: 'ok' });
    }
    const address = addressOf(request, parts.behindProxy);
    const consumer = await consumerOf(request, response, address);
    if (!consumer) return;
    // The guard passes it only for OPTIONS.
    if (path === '*') return sendAllow(response, allowOf(EVENT_PATH));
    const known = await sites.all();
    const names = (all: ReadonlyMap<string, unknown>) =>
      [...all.keys()].filter((name) => consumer.sites?.includes(name) ?? true).toSorted();
    const [, name = '', rest = ''] = SITE_PATH.exec(target) ?? [];
    const site = known.get(name);
    if (site && (consumer.sites?.includes(name) ?? true)) {
      mirroredAt(response, site.mirroredAt);
      const right = RIGHTS[request.method ?? ''] ?? 'read';
      if (!consumer.rights.includes(right)) return refuseRight(response, right);
      if (request.headers.accept?.includes('text/event-stream') || request.headers.prefer !== undefined) {
        response.once('close', sites.read([name]));
        keys.follow(response, consumer);
      } else if (right === 'read' && /^\/api\/events(\?|$)/.test(rest)) keys.follow(response, consumer);
      request.url = rest;
      calls.run({ response, consumer: consumer.name, address }, () => serve(name).app(request, response));
      return;
    }
    if (path === '/sites' || path === '/api/events') {
      const { method = '' } = request;
      if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) {
        const detail = `${method} is not allowed here. Use one of ${READ_ONLY}.`;
        return sendProblem(response, 'method-not-allowed', detail, { Allow: READ_ONLY });
      }
      if (!consumer.rights.includes('read')) return refuseRight(response, 'read');
      if (method === 'OPTIONS') return sendAllow(response, READ_ONLY);
      if (path === '/sites') return sendSites(response, names(known));
      keys.follow(response, consumer);
      const shown = new Set(names(known));
      oldestMirror(
        response,
        [...known.values()].filter((one) => shown.has(one.site)),
      );
      return headquarters.serve(request, response, async () => names(await sites.all()));
    }
    const detail =
      name === ''
        ? 'The sites are at /sites, their events at /sites/SITE/api/events, and those of all sites at /api/events.'
        : `There is no site "${name}" that this key may read. /sites lists them.`;
    sendProblem(response, 'no-such-path', detail);
  }

  /** Null if the request has been rejected. */
  async function consumerOf(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
  ): Promise<HubConsumer | null> {
    const blocked = parts.failures.wait(address);
    // A right key is served all the same: programs behind a proxy, or on one machine, share their address.
    const mayAsk = () => blocked === 0 || lookups.take('') === 0;
    const consumer = await keys.check(keysOf(request), mayAsk);
    if (!consumer && blocked > 0) {
      refuseRate(response, 'This address has sent too many wrong keys.', blocked);
      return null;
    }
    if (!consumer) {
      parts.failures.take(address);
      sendProblem(response, 'unauthorized', KEY_DETAIL, { 'WWW-Authenticate': 'Bearer realm="Tagwright gateway"' });
      return null;
    }
    const wait = parts.rate.take(consumer.id);
    if (wait === 0) return consumer;
    refuseRate(response, 'This key has sent too many requests.', wait);
    return null;
  }

  async function sendSites(response: ServerResponse, names: readonly string[]): Promise<void> {
    const lags = await readLags(copy.hub, names);
    const shown = lags.map(({ site, mirroredAt: at, lagMs, pending }) => ({
      Site: site,
      MirroredAt: at?.toISOString() ?? null,
      LagMs: lagMs,
      PendingChanges: pending,
      Events: `/sites/${site}/api/events`,
    }));
    oldestMirror(response, lags);
    sendJson(response, 200, shown);
  }

  return (request, response) => {
    setSecurityHeaders(response);
    const guarded = guard.check(request);
    if (!guarded.ok) {
      const title = 'The gateway does not serve this request';
      return sendGatewayProblem(response, {
        status: REFUSAL_STATUS[guarded.reason],
        name: `foreign-${guarded.reason}`,
        title,
        detail: guarded.detail,
      });
    }
    request.url = guarded.target;
    handle(request, response, guarded.target).catch((thrown: unknown) => {
      if (response.destroyed) return;
      if (!(thrown instanceof TagwrightError)) log.error('a request at the gateway failed', thrown);
      else log.warn(`The hub is not available: ${messageOf(thrown)}`);
      const isDown = thrown instanceof TagwrightError;
      const detail = isDown
        ? 'The hub is not available at present. Try again in a moment.'
        : 'The log has the details.';
      sendProblem(response, isDown ? 'busy' : 'internal', detail, isDown ? { 'Retry-After': '1' } : {});
    });
  };
}

/** The response to OPTIONS, as at a site. Other origins are not allowed: pages of them are rejected by the guard. */
function sendAllow(response: ServerResponse, allow: string): void {
  response.writeHead(204, { Allow: allow }).end();
}

function refuseRight(response: ServerResponse, right: ConsumerRight): void {
  sendGatewayProblem(response, {
    status: 403,
    name: 'forbidden',
    title: 'This key may not do this',
    detail: `This key does not have the right "${right}". Ask for a key that has it.`,
  });
}

function refuseRate(response: ServerResponse, why: string, seconds: number): void {
  sendGatewayProblem(
    response,
    { status: 429, name: 'too-many-requests', title: 'Too many requests', detail: `${why} Try again in ${seconds} s.` },
    { 'Retry-After': String(seconds) },
  );
}

/** The address of the client. A proxy appends the address that it sees to what the client may have sent. */
function addressOf({ headers, socket }: IncomingMessage, behindProxy: boolean): string {
  const forwarded = behindProxy ? [headers['x-forwarded-for']].flat().join(',').split(',').at(-1)?.trim() : '';
  return (forwarded || socket.remoteAddress || '').slice(0, 100);
}

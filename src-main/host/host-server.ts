import type { IncomingMessage, ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { KEY_MEMBER, RPC_PROTOCOL, SESSION_PATH, SIGNED_OUT_CODE } from '#contract/browser-session';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { diagramAddress, parseDiagramAddress } from '#domain/tag/diagram';
import type { ServerLimits } from '../platform/http/bounded-server.ts';
import { createBoundedServer, SERVER_LIMITS } from '../platform/http/bounded-server.ts';
import type { OnRefused } from '../platform/http/request-guard.ts';
import { createRequestGuard, REFUSAL_STATUS } from '../platform/http/request-guard.ts';
import { listenOnLoopback, loopbackUrl } from '../platform/http/loopback.ts';
import type { Dispatcher } from '../rpc/dispatcher.ts';
import { createDispatcher } from '../rpc/dispatcher.ts';
import type { FaultLog } from '../rpc/errors.ts';
import type { Router } from '../rpc/router.ts';
import { MAX_MESSAGE_BYTES, webSocketChannel } from '../rpc/websocket.ts';
import type { AccessTimes } from './access.ts';
import { accessTimes, bearerOf, createAccess } from './access.ts';
import { callerOf } from './client-caller.ts';
import type { RendererFiles } from './renderer-files.ts';
import { SECURITY_HEADERS } from './renderer-files.ts';

/** How long a client may take to confirm that its connection closes, ms. */
const GOODBYE_MS = 300;
/**
 * Maximum number of connections that wait for `serve`, for example during a long restore: the oldest are dropped, and
 * their pages reconnect.
 */
const MAX_WAITING = 200;
const DEFAULT_TIMES: AccessTimes = accessTimes(DEFAULT_SETTINGS);

interface HostServerOptions {
  /** null: clients wait for `serve`. */
  router: Router | null;
  /** The built renderer, or null for a host without a user interface. */
  files: RendererFiles | null;
  /** 0 picks a free one. */
  port: number;
  log: FaultLog;
  limits?: ServerLimits;
  /** How long links and sessions are valid now. */
  times?: () => AccessTimes;
  /** Called with every request that is rejected for its Host, target, Origin, token or session. */
  onRefused?: OnRefused | undefined;
}

/** The workbench served on loopback: the renderer to browsers, RPC to them and to the command line. */
export interface HostServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** The bearer token of programs on this machine. */
  readonly token: string;
  /** An address that opens the workbench in one browser, once; null without a user interface. */
  oneTimeUrl(): string | null;
  /** Ends the sessions of all browsers with their windows, and all unused links. Returns the number of sessions. */
  signOut(): number;
  /** Ends every connection with its calls and streams; new ones then wait for `serve`. The port is kept. */
  pause(): Promise<void>;
  /** Serves this router from now on. */
  serve(router: Router): void;
  /** Ends every connection with its calls and streams, then frees the port. */
  close(): Promise<void>;
}

/** @throws TagwrightError PORT_TAKEN if another program listens on the port. */
export async function startHostServer(options: HostServerOptions): Promise<HostServer> {
  const { router, files, port, log } = options;
  const guard = createRequestGuard(options.onRefused);
  const access = createAccess(options.times ?? (() => DEFAULT_TIMES));
  let dispatcher: Dispatcher | null = router && createDispatcher(router, log);
  /** Connections that were opened while there was no router, until they close. */
  const waiting = new Map<Duplex, () => void>();
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // One message a turn: a page sends many at once when it opens, and other work would wait for all of them.
    allowSynchronousEvents: false,
    // A page offers its key in addition to the protocol: the response only names the protocol.
    handleProtocols: (offered) => (offered.has(RPC_PROTOCOL) ? RPC_PROTOCOL : false),
  });
  const bounded = createBoundedServer(options.limits ?? SERVER_LIMITS);
  const { server } = bounded;
  const bound = await listenOnLoopback(server, port);
  const url = loopbackUrl(bound);
  const cookieName = sessionCookieName(bound);
  /** The session of a browser, with the key if one is required; null if there is none. */
  const sessionOf = (request: IncomingMessage, key?: string) =>
    cookiesOf(request, cookieName).find((session) => access.hasSession(session, key)) ?? null;
  const oneTimeUrl = () => (files ? `${url}/?token=${access.issue()}` : null);

  server.on('request', (request, response) => {
    respond(request, response).catch((fault: unknown) => {
      log('a request of a browser', fault);
      if (!response.headersSent) send(response, 500, 'Tagwright could not respond because of an internal error.');
      else response.destroy();
    });
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const refusal = refusalOf(request);
    if (refusal) {
      // Ended for both sides: the server would wait for a client that keeps its own side open, and so could not be
      // closed.
      socket.end(`HTTP/1.1 ${refusal} ${STATUS_CODES[refusal]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () =>
        socket.destroy(),
      );
      return;
    }
    bounded.exempt(request.socket);
    let end = () => void socket.destroy();
    if (request.headers.origin !== undefined) {
      socket.once(
        'close',
        access.opened(sessionOf(request, offeredKey(request)) ?? '', () => end()),
      );
    }
    const accept = () =>
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const endCalls = dispatcher?.serve(webSocketChannel(webSocket, log), callerOf(request.headers));
        end = () => {
          endCalls?.();
          void closeSoon([webSocket], SIGNED_OUT_CODE, 'signed out');
        };
      });
    if (dispatcher) {
      accept();
      return;
    }
    const [oldest] = waiting.keys();
    if (waiting.size >= MAX_WAITING && oldest) {
      waiting.delete(oldest);
      oldest.destroy();
    }
    waiting.set(socket, accept);
    socket.once('close', () => waiting.delete(socket));
  });

  /**
   * Browsers connect with our origin and a session, programs with the bearer token and no origin; nothing else is
   * accepted.
   */
  function refusalOf(request: IncomingMessage): number | null {
    const guarded = guard.check(request);
    if (!guarded.ok) return REFUSAL_STATUS[guarded.reason];
    if (guarded.target.split('?')[0] !== '/rpc') return 404;
    const { origin, authorization } = request.headers;
    if (origin === undefined ? access.isBearer(authorization) : sessionOf(request, offeredKey(request))) return null;
    guard.refusedToken(request);
    return REFUSAL_STATUS.token;
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const guarded = guard.check(request);
    if (!guarded.ok) return send(response, REFUSAL_STATUS[guarded.reason], guarded.detail);
    // Joined as text: resolved against the base, "//name" would be another host.
    const target = new URL(`${url}${guarded.target === '*' ? '/' : guarded.target}`);
    if (target.pathname === '/links') return serveLink(request, response);
    if (!files) return send(response, 404, 'This instance of Tagwright has no user interface.');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return send(response, 405, 'Only GET and HEAD are allowed here.', { Allow: 'GET, HEAD' });
    }
    if (target.pathname === SESSION_PATH) return serveSession(request, response);
    const token = target.searchParams.get('token');
    if (token !== null) return serveToken(request, response, target, token);
    if (!target.pathname.startsWith('/assets/') && (await files.isOutdated()))
      return send(response, 503, PAGES.rebuilt);
    const file = await files.find(decodedPath(target.pathname), request.headers['accept-encoding']);
    if (!file) return send(response, 404, PAGES.notFound);
    if (file.headers['Cache-Control'] === 'no-store' && sessionOf(request) === null) {
      guard.refusedToken(request);
      return send(response, 401, PAGES.noSession);
    }
    send(response, 200, request.method === 'HEAD' ? '' : file.body, {
      ...file.headers,
      'Content-Length': String(file.body.length),
    });
  }

  /** A link: exchanged for a session if a browser navigates to it, and only then. */
  function serveToken(request: IncomingMessage, response: ServerResponse, target: URL, token: string): void {
    if (request.method === 'HEAD') return send(response, 204, '');
    // An error status, so that the browser does not cache it and requests it again when the user opens the link.
    if (isPrefetch(request)) return send(response, 503, 'Open the link: it cannot be prefetched.');
    const opened = access.exchange(token);
    if (opened === null && sessionOf(request) === null) {
      guard.refusedToken(request);
      return send(response, 403, PAGES.usedLink);
    }
    const page = pageAddress(target);
    if (opened === null) return send(response, 303, '', { Location: page });
    return send(response, 303, '', {
      Location: `${page}#${KEY_MEMBER}=${opened.key}`,
      'Set-Cookie': `${cookieName}=${opened.session}; HttpOnly; SameSite=Strict; Path=/`,
    });
  }

  /** Whether a page still has its session: requested by a window that cannot connect. */
  function serveSession(request: IncomingMessage, response: ServerResponse): void {
    const key = bearerOf(request.headers.authorization) ?? '';
    if (sessionOf(request, key) !== null) return send(response, 204, '');
    guard.refusedToken(request);
    send(response, REFUSAL_STATUS.token, '');
  }

  /** Resolves when every connection is closed; connections that do not respond are cut. */
  async function disconnect(code: number, reason: string): Promise<void> {
    await closeSoon([...sockets.clients], code, reason);
  }

  /** `POST /links` with the bearer token: a new one-time address, for `tagwright open`. */
  function serveLink(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'POST') return send(response, 405, 'Use POST to request a link.', { Allow: 'POST' });
    if (request.headers.origin !== undefined || !access.isBearer(request.headers.authorization)) {
      guard.refusedToken(request);
      return send(response, 401, 'The token of instance.json is required as a bearer token.');
    }
    send(response, 200, JSON.stringify({ url: oneTimeUrl() }), { 'Content-Type': 'application/json; charset=utf-8' });
  }

  return {
    url,
    token: access.instanceToken,
    oneTimeUrl,
    signOut: () => access.signOut(),
    pause: () => {
      dispatcher = null;
      return disconnect(1012, 'Tagwright is reopening the workspace');
    },
    serve: (next) => {
      dispatcher = createDispatcher(next, log);
      for (const accept of waiting.values()) accept();
      waiting.clear();
    },
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      const disconnected = disconnect(1001, 'Tagwright is stopping');
      for (const socket of waiting.keys()) socket.destroy();
      server.closeIdleConnections();
      const rest = setTimeout(() => server.closeAllConnections(), GOODBYE_MS);
      await Promise.all([closed, disconnected]);
      clearTimeout(rest);
    },
  };
}

/** Closes WebSockets, and cuts any that do not respond in time; resolves when all are closed. */
async function closeSoon(leaving: readonly WebSocket[], code: number, reason: string): Promise<void> {
  const gone = leaving.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  for (const socket of leaving) socket.close(code, reason);
  const cut = setTimeout(() => {
    for (const socket of leaving) socket.terminate();
  }, GOODBYE_MS);
  await Promise.all(gone);
  clearTimeout(cut);
}

/** The target page of a link with a token: rebuilt from the parts of the address, so that it never leads elsewhere. */
function pageAddress({ pathname, search }: URL): string {
  const diagram = parseDiagramAddress(pathname, search);
  return diagram ? diagramAddress(diagram.name, diagram.workcenter) : '/';
}

function decodedPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return pathname;
  }
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const type =
    typeof body === 'string' && body.startsWith('<') ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', ...SECURITY_HEADERS, ...headers });
  response.end(body);
}

/**
 * Cookies ignore ports: the name separates the sessions of two instances on one machine. Without the prefix `__Host-`,
 * which requires `Secure`: Safari does not store such a cookie from http, and browsers send it to other ports too.
 */
const sessionCookieName = (port: number) => `tagwright_${port}`;

/** Maximum number of cookies with one name to check. */
const MAX_COOKIES = 20;

/**
 * The values of all cookies with a name. A server on another port can set one with our name for a longer path, which
 * browsers then send before ours.
 */
function cookiesOf(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.split('=', 2))
    .filter(([key]) => key?.trim() === name)
    .map(([, value = '']) => value.trim())
    .slice(0, MAX_COOKIES);
}

/** The key that a page offers in addition to the protocol of the RPC; '' for none. */
function offeredKey(request: IncomingMessage): string {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(RPC_PROTOCOL) ? (offered.find((name) => name !== RPC_PROTOCOL) ?? '') : '';
}

/** Whether a browser prefetches, before the user has opened anything. */
function isPrefetch({ headers }: IncomingMessage): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  );
}

const page = (title: string, text: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} - Tagwright</title>
<style>
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
  code { font: 0.95em ui-monospace, monospace; }
</style>
<h1>${title}</h1>
${text}
</html>
`;

const NEW_LINK = '<p>Run <code>npx tagwright open</code> (or <code>npm start</code>) to get a new link.</p>';

/** The pages that replace the workbench; nothing in them comes from the request. */
const PAGES = {
  usedLink: page(
    'This link cannot be used',
    `<p>The link was already used, has expired, or belongs to an earlier start of Tagwright. Each link opens one browser window.</p>${NEW_LINK}`,
  ),
  noSession: page(
    'Open Tagwright by its link',
    `<p>This browser has no session, or its session has ended. A link from Tagwright opens one.</p>${NEW_LINK}`,
  ),
  rebuilt: page(
    'Tagwright was rebuilt',
    '<p>This instance still runs the previous build. Stop it and start it again. Nothing is lost: unsaved text is restored.</p>',
  ),
  notFound: page('Not found', '<p>There is nothing at this address. <a href="/">Open the workbench</a>.</p>'),
} as const;

import type { IncomingMessage } from 'node:http';
import { isOurHost, loopbackUrl } from './loopback.ts';

/** Why a port does not serve a request. */
export type RefusalReason = 'host' | 'target' | 'origin' | 'token';

/** The status of each rejection, on every port. */
export const REFUSAL_STATUS: Readonly<Record<RefusalReason, number>> = {
  host: 421,
  target: 400,
  origin: 403,
  token: 401,
};

/** A rejected request in the log. */
export interface RefusedRequest {
  /** Our port that received it. */
  port: number;
  reason: RefusalReason;
  /** Address and port of the client. */
  client: string;
  /** The Host, target or Origin that was rejected, cut to 100 characters; '' for a token, which is never logged. */
  sent: string;
}

export type OnRefused = (refused: RefusedRequest) => void;

/** `target`: path and query; `*` for OPTIONS of the server. */
export type Guarded = { ok: true; target: string } | { ok: false; reason: RefusalReason; detail: string };

/** The names of a server in Host headers. */
export interface OwnNames {
  isOurs(host: string | undefined, port: number): boolean;
  /** The protocols of targets that name a host, and of pages of this server. */
  protocols: readonly string[];
  /** A name as clients send it, or several. */
  shown(port: number): string;
}

const LOOPBACK_ONLY: OwnNames = {
  isOurs: isOurHost,
  protocols: ['http:'],
  shown: (port) => `${loopbackUrl(port).slice(7)} or localhost:${port}`,
};

export interface RequestGuard {
  /** Checks a request or an upgrade before any other code reads it. */
  check(request: IncomingMessage): Guarded;
  /** Reports a request whose token, key or session is missing or wrong. */
  refusedToken(request: IncomingMessage): void;
}

const MAX_SENT = 100;
/** Path and query. RFC 3986 allows no backslash in a path, and URLs treat it as a slash. */
const PATH = /^\/[^?#\\]*(?:\?[^#]*)?$/;

/**
 * The guard of every HTTP port of the product. Exactly one Host header, and the target if it names a host, must name
 * this server by a loopback name and its port (DNS rebinding). The target must be a path. Pages of other origins are
 * rejected, even if a browser sends their requests without an Origin.
 */
export function createRequestGuard(onRefused: OnRefused = () => {}, names: OwnNames = LOOPBACK_ONLY): RequestGuard {
  const hostDetail = (port: number) => `Send one Host header that names this server: ${names.shown(port)}.`;
  const report = (request: IncomingMessage, reason: RefusalReason, sent: string) => {
    const { localPort = 0, remoteAddress = '', remotePort = 0 } = request.socket;
    onRefused({ port: localPort, reason, client: `${remoteAddress}:${remotePort}`, sent: sent.slice(0, MAX_SENT) });
  };
  return {
    check: (request) => {
      const { headers, url = '' } = request;
      const port = request.socket.localPort ?? 0;
      const refuse = (reason: RefusalReason, sent: string, detail: string): Guarded => {
        report(request, reason, sent);
        return { ok: false, reason, detail };
      };
      const hosts = hostsOf(request);
      if (hosts.length !== 1 || !names.isOurs(hosts[0], port)) {
        return refuse('host', hosts.join(', '), hostDetail(port));
      }
      const absolute = /^([a-z][a-z\d+.-]*:)\/\/([^/?#]*)(.*)$/i.exec(url);
      if (
        absolute &&
        (!names.protocols.includes(absolute[1]?.toLowerCase() ?? '') || !names.isOurs(absolute[2], port))
      ) {
        return refuse('host', url, hostDetail(port));
      }
      const target = absolute ? (absolute[3] ?? '').replace(/^(?!\/)/, '/') : url;
      if (!PATH.test(target) && !(target === '*' && request.method === 'OPTIONS')) {
        return refuse('target', url, 'Send a path, such as /, without backslashes or "#".');
      }
      if (isForeignPage(request, names.protocols)) {
        const detail =
          'Pages of other origins are not served here. Call this port from a program, which sends no Origin.';
        return refuse('origin', headers.origin ?? `Sec-Fetch-Site: ${String(headers['sec-fetch-site'])}`, detail);
      }
      return { ok: true, target };
    },
    refusedToken: (request) => report(request, 'token', ''),
  };
}

/** Every Host header: Node's `headers` keeps the first one and ignores the others. */
function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'host');
}

function isForeignPage({ headers, method }: IncomingMessage, protocols: readonly string[]): boolean {
  if (headers.origin !== undefined) {
    const [origin, host] = [headers.origin.toLowerCase(), headers.host?.toLowerCase()];
    return !protocols.some((protocol) => origin === `${protocol}//${host}`);
  }
  // Images, scripts and frames of a page send no Origin, but browsers report the site of the page. A link that a user
  // follows into a separate window is allowed: the page with the link cannot read the response.
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(followed && method === 'GET');
}

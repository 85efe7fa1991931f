import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isOurHost, loopbackUrl } from '../platform/loopback.ts';
import type { ProblemName } from './problem.ts';

export interface Refusal {
  problem: ProblemName;
  detail: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Why a request is not served, whatever it asks for; null when it is. The Host header, and the target where
 * it names a host, must name this server by a loopback name (DNS rebinding); pages of other origins are refused, also
 * where a browser lets them send without asking; the API key, where one is set, must be right.
 *
 * @param apiKey '' where none is wanted
 */
export function refusalOf(request: IncomingMessage, apiKey: string): Refusal | null {
  const port = request.socket.localPort ?? 0;
  if (!hostIsOurs(request, port)) {
    const detail = `Send one Host header that names this server: ${loopbackUrl(port).slice(7)} or localhost:${port}.`;
    return { problem: 'foreign-host', detail };
  }
  if (isForeignPage(request)) {
    const detail =
      'This API is for programs on this machine; web pages cannot use it. Call it from a program, which sends no Origin.';
    return { problem: 'foreign-origin', detail };
  }
  if (apiKey !== '' && !hasKey(request, apiKey)) {
    return {
      problem: 'unauthorized',
      detail: 'Send the API key of the setting events.apiKey as "X-API-Key: KEY" or "Authorization: Bearer KEY".',
      headers: { 'WWW-Authenticate': 'Bearer realm="Tagwright events API"' },
    };
  }
  return null;
}

/** The path and query of a request target, also of one that names its host: `http://127.0.0.1:4860/api/events`. */
export function pathOf(target: string): string {
  if (target.startsWith('/') || target === '*') return target;
  return /^http:\/\/[^/?#]*(.*)$/i.exec(target)?.[1]?.replace(/^(?!\/)/, '/') ?? target;
}

function hostIsOurs({ rawHeaders, headers, url = '' }: IncomingMessage, port: number): boolean {
  // Node keeps the first of several: the others would be overlooked.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length !== 1 || !isOurHost(headers.host, port)) return false;
  if (url.startsWith('/') || url === '*') return true;
  return isOurHost(/^http:\/\/([^/?#]*)/i.exec(url)?.[1], port);
}

function isForeignPage({ headers, method }: IncomingMessage): boolean {
  if (headers.origin !== undefined) {
    return headers.origin.toLowerCase() !== `http://${headers.host?.toLowerCase()}`;
  }
  // Images, scripts and the like of a page carry no Origin, but browsers say where they come from. Following a link,
  // say to the reference, is no page's doing.
  const site = headers['sec-fetch-site'];
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const followed = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  return !(followed && method === 'GET');
}

function hasKey({ headers }: IncomingMessage, apiKey: string): boolean {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const sent = [headers['x-api-key'], bearer].flat().filter((key) => key !== undefined);
  return sent.filter((key) => timingSafeEqual(digest(key), digest(apiKey))).length > 0;
}

/** Of equal length whatever the key: comparing takes the same time for every wrong one. */
const digest = (text: string) => createHash('sha256').update(text).digest();

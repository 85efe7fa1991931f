import type { IncomingMessage } from 'node:http';
import { RPC_PROTOCOL } from '#contract/browser-session';
import type { BrowserSession } from './access.ts';

/**
 * Cookies do not know ports: the name keeps the sessions of two instances on one machine apart. Without the prefix
 * `__Host-`, which demands `Secure`: Safari stores no such cookie from http, and browsers send it to other ports too.
 */
export const sessionCookieName = (port: number) => `tagwright_${port}`;

/** The value of a cookie, or '' where there is none. */
export function cookieOf(request: IncomingMessage, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() ?? '';
  }
  return '';
}

/** What a page proves its session with when it opens the RPC: its cookie, and the key beside the protocol; '' for none. */
export function browserSessionOf(request: IncomingMessage, cookieName: string): BrowserSession {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return {
    session: cookieOf(request, cookieName),
    key: offered.includes(RPC_PROTOCOL) ? (offered.find((name) => name !== RPC_PROTOCOL) ?? '') : '',
  };
}

/** Whether a browser asks in advance, before the user has opened anything. */
export function isPrefetch({ headers }: IncomingMessage): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  );
}

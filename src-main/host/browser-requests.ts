import type { IncomingMessage } from 'node:http';
import { RPC_PROTOCOL } from '#contract/browser-session';

/**
 * Cookies do not know ports: the name keeps the sessions of two instances on one machine apart. Without the prefix
 * `__Host-`, which demands `Secure`: Safari stores no such cookie from http, and browsers send it to other ports too.
 */
export const sessionCookieName = (port: number) => `tagwright_${port}`;

/** The most cookies of one name that are looked at. */
const MAX_COOKIES = 20;

/**
 * The values of all cookies of a name. A server on another port can set one of our name for a longer path, which browsers
 * then send before ours.
 */
export function cookiesOf(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.split('=', 2))
    .filter(([key]) => key?.trim() === name)
    .map(([, value = '']) => value.trim())
    .slice(0, MAX_COOKIES);
}

/** The key that a page offers beside the protocol of the RPC; '' for none. */
export function offeredKey(request: IncomingMessage): string {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(RPC_PROTOCOL) ? (offered.find((name) => name !== RPC_PROTOCOL) ?? '') : '';
}

/** Whether a browser asks in advance, before the user has opened anything. */
export function isPrefetch({ headers }: IncomingMessage): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(String(headers[name] ?? '')),
  );
}

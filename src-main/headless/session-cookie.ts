import type { IncomingMessage } from 'node:http';

/** Cookies do not know ports: the name keeps the sessions of two instances on one machine apart. */
export const sessionCookieName = (port: number) => `tagwright_${port}`;

/** The value of a cookie, or '' where there is none. */
export function cookieOf(request: IncomingMessage, name: string): string {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim() ?? '';
  }
  return '';
}

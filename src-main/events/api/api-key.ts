import type { IncomingMessage } from 'node:http';

/** The keys that a request brings, as `X-API-Key` or as a bearer. */
export function keysOf({ headers }: IncomingMessage): string[] {
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return [headers['x-api-key'], bearer].flat().filter((key) => key !== undefined);
}

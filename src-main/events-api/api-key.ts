import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether the request brings the API key, as `X-API-Key` or as a bearer. @param apiKey '' where none is wanted */
export function isKeyRight({ headers }: IncomingMessage, apiKey: string): boolean {
  if (apiKey === '') return true;
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const sent = [headers['x-api-key'], bearer].flat().filter((key) => key !== undefined);
  return sent.filter((key) => timingSafeEqual(digest(key), digest(apiKey))).length > 0;
}

/** Of equal length whatever the key: comparing takes the same time for every wrong one. */
const digest = (text: string) => createHash('sha256').update(text).digest();

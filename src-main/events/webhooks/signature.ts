import { createHmac, randomBytes } from 'node:crypto';

/** Secrets and signatures of Standard Webhooks 1.0 (symmetric, `v1`). */

const PREFIX = 'whsec_';
/** Bytes of a secret. */
const LEAST = 24;
const MOST = 64;
const NEW = 32;

/** A new random secret: `whsec_` and 32 bytes in Base64. */
export const newSecret = (): string => PREFIX + randomBytes(NEW).toString('base64');

/** The bytes of a secret; null if it is none: `whsec_` and the Base64 of 24 to 64 bytes. */
export function keyOf(secret: string): Buffer | null {
  if (!secret.startsWith(PREFIX)) return null;
  const text = secret.slice(PREFIX.length);
  const key = Buffer.from(text, 'base64');
  // Node skips characters that are not Base64.
  const isExact = key.toString('base64').replaceAll('=', '') === text.replace(/={1,2}$/, '');
  return isExact && key.length >= LEAST && key.length <= MOST ? key : null;
}

/**
 * The header `webhook-signature`: one signature for each key, separated by spaces, so that receivers can change their
 * secret while both are valid.
 * @param at Unix time in seconds, as in the header `webhook-timestamp`
 */
export function signatureOf(keys: readonly Buffer[], id: string, at: number, body: string): string {
  return keys.map((key) => `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`).join(' ');
}

import { SCRIPT_LIMITS } from '#domain/run/script';

/** The bytes of a body (in UTF-8) that is too long to be saved; null for one that is not. */
export function bytesTooMany(body: string): number | null {
  // A character has three bytes at most, so that a body of common length need not be encoded with every key.
  if (body.length * 3 <= SCRIPT_LIMITS.bodyBytes) return null;
  const { length } = new TextEncoder().encode(body);
  return length > SCRIPT_LIMITS.bodyBytes ? length : null;
}

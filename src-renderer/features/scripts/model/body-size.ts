import { SCRIPT_LIMITS } from '#domain/run/script';

/** The bytes of a body (in UTF-8) that is too long to be saved; null if it is not. */
export function bytesTooMany(body: string): number | null {
  // A character has at most three bytes, so that a normal body need not be encoded on every key.
  if (body.length * 3 <= SCRIPT_LIMITS.bodyBytes) return null;
  const { length } = new TextEncoder().encode(body);
  return length > SCRIPT_LIMITS.bodyBytes ? length : null;
}

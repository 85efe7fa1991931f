import { createHash, randomBytes } from 'node:crypto';

/** Counters begin anew with every process: what an earlier one gave out must not fit. */
const INSTANCE = randomBytes(6).toString('base64url');

/** Of the first queries that were seen: clients poll with the same ones. */
const hashes = new Map<string, string>();
const MAX_HASHES = 100;

/**
 * The tag of a list: another one after every change of any event, and for every query and form of it. Weak, because
 * the bytes may differ (compression) where the content does not.
 */
export function etagOfList(version: number, query: string, form: string): string {
  const key = `${form} ${query}`;
  const what = hashes.get(key) ?? createHash('sha256').update(key).digest('base64url').slice(0, 12);
  if (hashes.size < MAX_HASHES) hashes.set(key, what);
  return `W/"${INSTANCE}-${version}-${what}"`;
}

/** Whether an If-None-Match header names the tag; compared weakly (RFC 9110). */
export function namesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => opaque(tag) === opaque(etag));
}

const opaque = (tag: string) => tag.trim().replace(/^W\//, '');

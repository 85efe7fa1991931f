import type { Mock, MockRoute } from '#domain/mock/mock';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { HttpRequest } from '../http/build-request.ts';
import { matchesGlob } from './glob.ts';
import { type LongBody, matchesBody } from './match-body.ts';
import type { UrlPattern } from './url-pattern.ts';
import { matchUrl, parseUrlPattern, partsOf } from './url-pattern.ts';

export interface MockEntry {
  mock: Mock;
  pattern: UrlPattern;
}

export interface MatchedMock {
  mock: Mock;
  /** The named parts of the path. */
  path: Record<string, string>;
}

/** The parts of a request that mocks match. */
export type MatchedRequest = Pick<HttpRequest, 'method' | 'url' | 'headers' | 'body'> & { long?: LongBody | null };

/** The first enabled mock that matches, null if none does. */
export function firstThatFits(entries: readonly MockEntry[], request: MatchedRequest): MatchedMock | null {
  const url = partsOf(request.url);
  for (const entry of entries) {
    if (!entry.mock.enabled || missOf(entry, request, url) !== null) continue;
    const path = matchUrl(entry.pattern, url);
    if (path !== null) return { mock: entry.mock, path };
  }
  return null;
}

/** Why a mock does not match a request, as the end of a sentence; null if it matches. */
export function missOf(
  { mock, pattern }: MockEntry,
  request: MatchedRequest,
  url = partsOf(request.url),
): string | null {
  const { method, headers, body } = mock.request;
  if (method !== 'ANY' && method !== request.method) return `it matches ${method}, not ${request.method}`;
  if (matchUrl(pattern, url) === null) return 'its URL pattern does not match the URL';
  const missing = headers.find(
    ([name, value]) =>
      !request.headers.some(([other, text]) => other.toLowerCase() === name.toLowerCase() && matchesGlob(value, text)),
  );
  if (missing !== undefined) return `it requires the header ${missing[0]}: ${missing[1]}`;
  return matchesBody(body, request.body, request.long) ? null : 'the body does not contain what it requires';
}

/** The matching order of mocks: highest priority first, then oldest. */
export function inOrder(entries: readonly MockEntry[]): MockEntry[] {
  return entries.toSorted((a, b) => b.mock.priority - a.mock.priority || a.mock.id - b.mock.id);
}

/** The pattern of its URL; BAD_REQUEST with the problem if it is invalid. */
export function patternOf({ name, request }: MockRoute): UrlPattern {
  try {
    return parseUrlPattern(request.url);
  } catch (thrown) {
    const message = `The URL of the mock "${name}" is not a valid pattern: ${messageOf(thrown)}.`;
    throw new TagwrightError('BAD_REQUEST', message, { data: { issues: [{ path: ['request', 'url'], message }] } });
  }
}

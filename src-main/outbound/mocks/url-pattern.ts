import { domainToASCII } from 'node:url';
import { percentDecoded } from '../http/percent.ts';
import { matchesGlob } from './glob.ts';

/** A parsed URL pattern of a mock, so that ten thousand of them are matched quickly. */
export interface UrlPattern {
  /** With `*`; '' matches any. */
  scheme: string;
  /** Host and port, with `*`. */
  host: string;
  segments: PatternSegment[];
  /** Whether one of the segments is `**`. */
  anyLength: boolean;
  query: [name: string, value: string][];
}

/** A part of the path: a name that matches any text, or a text, with `*` if it is a glob. */
interface PatternSegment {
  name: string | null;
  text: string;
  isGlob: boolean;
}

/** The URL of a call, parsed once for all patterns. */
export interface UrlParts {
  scheme: string;
  /** As in the URL, and with the default port if that has none. */
  hosts: [plain: string, withPort: string];
  segments: string[];
  query: [name: string, value: string][];
}

const NAMED = /^\{(\w{1,60})\}$/;

/**
 * Parses `https://host/path?query`. The scheme may be omitted (`//host/…`) or be `*`. Throws an Error with the problem.
 */
export function parseUrlPattern(text: string): UrlPattern {
  const found = /^(?:([a-z*]{0,5}):)?\/\/([^/?#]+)([^?#]*)(?:\?([^#]*))?$/i.exec(text.trim());
  if (found === null) throw new Error('write it as https://host/path, with * for any characters');
  const [, scheme = '', host = '', path = '', query] = found;
  if (!/^(?:https?|\*|http\*|)$/i.test(scheme)) throw new Error(`the scheme must be http, https or *, not ${scheme}`);
  if (host.includes('@')) throw new Error('it has a user name in it, which no call has');
  const segments = (path === '' ? '/' : path).slice(1).split('/').map(percentDecoded).map(segmentOf);
  return {
    scheme: scheme === '*' ? '' : scheme.toLowerCase(),
    host: withoutDefaultPort(asCalled(host.toLowerCase()), scheme),
    segments,
    anyLength: segments.some(isAny),
    query: (query ?? '').split('&').flatMap(parameterOf),
  };
}

export function partsOf(url: URL): UrlParts {
  return {
    scheme: url.protocol.slice(0, -1),
    hosts: [url.host, `${url.hostname}:${portOf(url)}`],
    segments: url.pathname.slice(1).split('/').map(percentDecoded),
    query: Array.from(url.searchParams),
  };
}

/** The values of the named parts of the path in this URL; null if the pattern does not match. */
export function matchUrl(pattern: UrlPattern, url: UrlParts): Record<string, string> | null {
  if (pattern.scheme !== '' && !matchesGlob(pattern.scheme, url.scheme)) return null;
  // A pattern without a port has the default one.
  if (!url.hosts.some((host) => pattern.host === host || matchesGlob(pattern.host, host))) return null;
  if (!pattern.anyLength && pattern.segments.length !== url.segments.length) return null;
  if (!matchesSegments(pattern.segments, url.segments)) return null;
  const all = pattern.query.every(([name, value]) =>
    url.query.some(([other, text]) => matchesGlob(name, other) && matchesGlob(value, text)),
  );
  return all ? namedParts(pattern.segments, url.segments) : null;
}

/** Like matchesGlob, with `**` for any number of parts. */
function matchesSegments(pattern: readonly PatternSegment[], path: readonly string[]): boolean {
  let at = 0;
  let inPath = 0;
  let star = -1;
  let starAt = 0;
  while (inPath < path.length) {
    const part = pattern[at];
    if (part !== undefined && isAny(part)) {
      star = at;
      starAt = inPath;
      at += 1;
    } else if (part !== undefined && matchesSegment(part, path[inPath] ?? '')) {
      at += 1;
      inPath += 1;
    } else if (star >= 0) {
      at = star + 1;
      starAt += 1;
      inPath = starAt;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every(isAny);
}

function matchesSegment({ name, text, isGlob }: PatternSegment, segment: string): boolean {
  if (name !== null) return segment !== '';
  return isGlob ? matchesGlob(text, segment) : text === segment;
}

function segmentOf(text: string): PatternSegment {
  return { name: NAMED.exec(text)?.[1] ?? null, text, isGlob: text.includes('*') };
}

const isAny = ({ text }: PatternSegment) => text === '**';

/** Before a `**`, parts are counted from the start, after it from the end. */
function namedParts(pattern: readonly PatternSegment[], path: readonly string[]): Record<string, string> {
  const named: Record<string, string> = {};
  const star = pattern.findIndex(isAny);
  for (const [index, { name }] of pattern.entries()) {
    if (name === null) continue;
    const place = star >= 0 && index > star ? path.length - (pattern.length - index) : index;
    named[name] = path[place] ?? '';
  }
  return named;
}

/** Decoded like those of a call; '' is none. */
function parameterOf(text: string): [string, string][] {
  return Array.from(new URLSearchParams(`?${text}`), ([name, value]) => [name, text.includes('=') ? value : '*']);
}

/** A host in the form of a call's URL: non-ASCII names in their ASCII form, addresses shortened. */
function asCalled(host: string): string {
  const [, name = host, port = ''] = /^(\[.*\]|[^:]*)(:.*)?$/.exec(host) ?? [];
  const label = (part: string) => (/[^\0-\u007f]/.test(part) && domainToASCII(part)) || part;
  const called = name.includes('*')
    ? name.split('.').map(label).join('.')
    : (URL.parse(`http://${name}/`)?.hostname ?? name);
  return called + port;
}

function withoutDefaultPort(host: string, scheme: string): string {
  if (/^https$/i.test(scheme)) return host.replace(/:443$/, '');
  return /^http$/i.test(scheme) ? host.replace(/:80$/, '') : host;
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

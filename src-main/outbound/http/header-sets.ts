import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json } from '#domain/text/json';
import { InvalidArgument } from '../invalid-argument.ts';

const NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const NOT_IN_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
/** The framing of a message belongs to the HTTP client alone: conflicting headers enable request smuggling. */
const FRAMING = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const MAX_COUNT = 200;
const MAX_LENGTH = 65_536;

/**
 * A header set of a script: a serialized array of `{ headerKey, headerValue }`, with names in any case; a value may
 * also be a number or a boolean. Null and '' are an empty set. Throws InvalidArgument.
 */
export function parseHeaderSet(parameter: string, text: string | null): HeaderPair[] {
  if (text === null || text.trim() === '') return [];
  const set = parse(parameter, text);
  if (set === null) return [];
  if (!Array.isArray(set)) throw new InvalidArgument(`${parameter} is ${kindOf(set)}; ${EXPECTED}`);
  if (set.length > MAX_COUNT) throw new InvalidArgument(`${parameter} has more than ${MAX_COUNT} entries`);
  return set.map((entry, index) => pairOf(`${parameter}[${index}]`, entry));
}

const EXPECTED =
  'pass a serialized array: JSON.stringify([{ headerKey: "Accept-Language", headerValue: "en" }]), or null';

function parse(parameter: string, text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    throw new InvalidArgument(`${parameter} is not JSON; ${EXPECTED}`);
  }
}

function pairOf(place: string, entry: Json): HeaderPair {
  if (!isJsonObject(entry)) {
    throw new InvalidArgument(`${place} is ${kindOf(entry)}; write { headerKey: "…", headerValue: "…" }`);
  }
  const name = member(entry, 'headerkey');
  const value = member(entry, 'headervalue');
  if (typeof name !== 'string' || name.trim() === '') {
    throw new InvalidArgument(`${place} has no headerKey that is a text; write { headerKey: "…", headerValue: "…" }`);
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new InvalidArgument(`${place} has no headerValue that is a text (its headerKey is ${shown(name)})`);
  }
  return [name.trim(), String(value)];
}

function member(entry: { [name: string]: Json }, wanted: string): Json | undefined {
  const name = Object.keys(entry).find((key) => key.toLowerCase() === wanted);
  return name === undefined ? undefined : entry[name];
}

/** Throws InvalidArgument if HTTP cannot carry the header. The value is not shown: it may be a secret. */
export function checkHeader(parameter: string, [name, value]: HeaderPair): void {
  if (!NAME.test(name)) {
    throw new InvalidArgument(
      `${parameter}: ${shown(name)} is not a valid header name: use only letters, digits and -`,
    );
  }
  if (FRAMING.has(name.toLowerCase())) {
    throw new InvalidArgument(`${parameter}: the header ${name} is set by Tagwright; omit it`);
  }
  checkHeaderValue(parameter, name, value);
}

export function checkHeaderValue(parameter: string, name: string, value: string): void {
  if (/[\r\n]/.test(value)) throw new InvalidArgument(`${parameter}: the value of ${name} has a line break`);
  const at = value.search(NOT_IN_VALUE);
  if (at >= 0) {
    throw new InvalidArgument(
      `${parameter}: the value of ${name} has a character that is not allowed in a header, at position ${at + 1}`,
    );
  }
  if (value.length > MAX_LENGTH) {
    throw new InvalidArgument(`${parameter}: the value of ${name} is longer than ${MAX_LENGTH} characters`);
  }
}

/** The headers with one more, which replaces those with the same name. */
export function withHeader(headers: readonly HeaderPair[], [name, value]: HeaderPair): HeaderPair[] {
  const key = name.toLowerCase();
  return [...headers.filter(([other]) => other.toLowerCase() !== key), [name, value]];
}

export function headerOf(headers: readonly HeaderPair[], name: string): string | null {
  const key = name.toLowerCase();
  return headers.find(([other]) => other.toLowerCase() === key)?.[1] ?? null;
}

/** All values with that name in the form of one header: a list may be split over several lines. */
export function valuesOf(headers: readonly HeaderPair[], name: string): string {
  const key = name.toLowerCase();
  return headers
    .filter(([other]) => other.toLowerCase() === key)
    .map(([, value]) => value)
    .join(', ');
}

/** The charset of a content type. */
export function charsetIn(contentType: string): string | null {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? null;
}

export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

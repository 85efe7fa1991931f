import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import { SECRET_WORDS } from '../../platform/mask-secrets.ts';
import { percentDecoded } from '../http/percent.ts';
import { MASK, type Masking } from './secret-mask.ts';

/** JSON that is nested deeper is masked from there on: people do not read it, and recursion must be limited. */
export const DEPTH = 300;
/** The same for URLs in URLs. */
const URLS_IN_URLS = 5;

/** Names of headers, fields, members and query parameters whose values are secrets. */
const SECRET_NAME = new RegExp(
  `${SECRET_WORDS}|authorization|(?<!www-)authenticat|(?:functions|subscription)-key|cookie|credential|assertion` +
    '|signature|(?:^|[-_])pin(?:[-_]?code)?$|^(?:auth|code|key|sid|sig|x-auth)$',
  'i',
);
/** A scheme of authorization in a text, and the text after it. */
export const SCHEME_IN_TEXT = /\b(bearer|basic)\s+([\w.~+/=-]{4,})/gi;
/** In texts, where a name ends is not known. */
export const NAMED_IN_TEXT = new RegExp(
  String.raw`((?:(?:${SECRET_WORDS})[\w-]{0,40}|(?<![\w-])pin))(["']?\s{0,5}[=:>]\s{0,5}["']?)([^\s"'&,;}<]+)`,
  'gi',
);

/** Headers whose value is a URL. */
const HAS_URL = /^(?:location|content-location|referer|refresh)$/i;

/** Hides a value that is named like a secret. */
export type Hide = (value: string) => string;
const hidden: Hide = () => MASK;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || /[a-z]Pin(?:Code)?$/.test(name);
}

/** Headers for people: those with secrets keep their name and, for Authorization, the scheme. */
export function maskHeaders(headers: readonly HeaderPair[], mask: Masking): HeaderPair[] {
  return headers.map(([name, value]) => {
    const shown = mask.text(name);
    if (HAS_URL.test(name)) return [shown, maskUrl(value, mask)];
    if (/^link$/i.test(name)) return [shown, value.replaceAll(/[^<>]+/g, (part) => maskUrl(part, mask))];
    if (!isSecretName(name)) return [shown, mask.text(value)];
    const scheme = /^(?:bearer|basic|digest|apikey|token)\b/i.exec(value)?.[0];
    return [shown, scheme === undefined ? MASK : `${scheme} ${MASK}`];
  });
}

/** A URL for people: without user and password, and without the values of parameters that are named like secrets. */
export function maskUrl(url: string, mask: Masking): string {
  const withoutUser = mask.text(url).replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#]*@/i, `$1${MASK}@`);
  return maskParameters(withoutUser);
}

/** A parameter may contain an unencoded URL with its own parameters. */
function maskParameters(text: string, hide = hidden, depth = 0): string {
  return text.replaceAll(/([?&#;])([^=&#;?]*)=([^&#]*)/g, (_, mark: string, name: string, value: string) => {
    const secret = isSecretName(decoded(name)) || depth > URLS_IN_URLS;
    return `${mark}${name}=${secret ? hide(value) : maskParameters(value, hide, depth + 1)}`;
  });
}

/**
 * An invalid URL for people: without a possible user and password, whatever characters they contain, and without its
 * query.
 */
export function hideInWrongUrl(text: string): string {
  const [, start = '', rest = ''] = /^([\s\0]*(?:[a-z][a-z\d+.-]*:)?[\s\\/]*)(.*)$/is.exec(text) ?? [];
  const end = rest.search(/[#?]/);
  const head = end < 0 ? rest : rest.slice(0, end);
  // A password with a ? ends the head early: the text after the colon is not a port.
  const [authority = ''] = /^[^/\\]*/.exec(head) ?? [];
  const user = /^.*(?=@|%40)/is.exec(/:(?!\d*$)/.test(authority) ? rest : head);
  const shown = user === null ? rest : MASK + rest.slice(user[0].length);
  return start + shown.replace(/[#?].*$/s, '?…');
}

/**
 * A body for people: masks members of JSON and fields of forms that are named like secrets, and known secrets. In texts
 * that are not parsed, known secrets are masked first: a quote or an & in one would end its masking. JSON stays JSON.
 */
export function maskBody(body: string, mask: Masking): string {
  const value = jsonIn(body);
  if (value === undefined) return maskText(mask.text(body), hidden);
  const members = maskMembers(value, hidden);
  const masked = mask.text(members === value ? body : JSON.stringify(members));
  return masked === body || jsonIn(masked) !== undefined
    ? masked
    : mask.text(JSON.stringify(maskNumbers(members, mask)));
}

/** Hides values, and collects them. */
export class FoundValues {
  readonly #found = new Set<string>();
  readonly hide: Hide = (value) => {
    this.#found.add(value).add(decoded(value));
    return MASK;
  };

  add(value: string): void {
    this.#found.add(value);
  }

  get list(): string[] {
    for (const word of NO_VALUES) this.#found.delete(word);
    return [...this.#found];
  }
}

/** The values of a request that are masked in it because of their names. */
export function credentialsIn(headers: readonly HeaderPair[], url: string, body: string | null): string[] {
  const found = new FoundValues();
  const { hide } = found;
  for (const [name, value] of headers) {
    if (HAS_URL.test(name)) maskParameters(value, hide);
    else if (isSecretName(name)) for (const one of credentialsOfHeader(name, value)) found.add(one);
  }
  maskParameters(url, hide);
  if (body !== null && (body.length <= QUICKLY_READ || MAY_NAME_SECRETS.test(body))) {
    const value = jsonIn(body);
    if (value === undefined) maskText(body, hide);
    else maskMembers(value, hide);
  }
  return found.list;
}

/** Longer bodies are only parsed if a name of a secret is in them. */
const QUICKLY_READ = 262_144;
export const MAY_NAME_SECRETS = new RegExp(SECRET_NAME.source.replaceAll(/[$^]/g, ''), 'i');
const NO_VALUES = ['', 'null', 'undefined', 'true', 'false'];
/** A value of a cookie that is shorter is hardly a session. */
const LEAST_SESSION = 8;

/** The value, and its parts: the text after a scheme, a user with a password, the password, sessions in cookies. */
function credentialsOfHeader(name: string, value: string): string[] {
  if (/cookie/i.test(name)) {
    const sessions = value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
    return [value, ...sessions.filter(({ length }) => length >= LEAST_SESSION)];
  }
  const rest = /^[\w-]+\s+(\S.*)$/.exec(value)?.[1];
  if (rest === undefined) return [value];
  const user = /^basic\s/i.test(value) ? Buffer.from(rest, 'base64').toString() : '';
  const colon = user.indexOf(':');
  return colon < 0 ? [value, rest] : [value, rest, user, user.slice(colon + 1)];
}

/** The fields of forms, JSON that is cut or invalid, XML and other text: `"access_token": "…"`, `Bearer …`. */
function maskText(text: string, hide: Hide): string {
  if (/^[^\s=&{[<]{1,200}=\S*$/.test(text)) {
    return text.replaceAll(/(^|&)([^=&]*)=([^&]*)/g, (whole, mark: string, name: string, value: string) =>
      isSecretField(name) ? `${mark}${name}=${hide(value)}` : whole,
    );
  }
  return text
    .replaceAll(SCHEME_IN_TEXT, (_, scheme: string, value: string) => `${scheme} ${hide(value)}`)
    .replaceAll(NAMED_IN_TEXT, (_, name: string, mark: string, value: string) => name + mark + hide(value));
}

/** Whether a field of a form is a secret, by its name. */
export const isSecretField = (name: string): boolean => isSecretName(decoded(name));

/** Returns the same value if nothing in it is a secret. */
export function maskMembers(value: Json, hide: Hide, depth = 0): Json {
  if (depth > DEPTH) return MASK;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskMembers(item, hide, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let changed = false;
  const isSecret = secretMembers(value);
  const entries = Object.entries(value).map(([name, member]): [string, Json] => {
    const masked = isSecret(name, member) ? hideAll(member, hide, depth + 1) : maskMembers(member, hide, depth + 1);
    if (masked !== member) changed = true;
    return [name, masked];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** Which members of an object are secrets, by their names. */
export function secretMembers(value: JsonObject): (name: string, member: Json) => boolean {
  // A set of headers or form fields: { headerKey: 'client_secret', headerValue: … }
  const named = Object.entries(value).find(([name]) => /^(?:header)?(?:key|name)$/i.test(name))?.[1];
  const pair = typeof named === 'string' && isSecretName(named);
  return (name, member) =>
    (isSecretName(name) &&
      (name !== 'code' || isOauth(value)) &&
      member !== named &&
      member !== null &&
      typeof member !== 'boolean') ||
    (pair && /value$/i.test(name));
}

/** One mask for a member with all of its parts. */
export function hideAll(value: Json, hide: Hide, depth: number): string {
  if (typeof value !== 'object' || value === null) hide(String(value));
  else if (depth <= DEPTH) for (const part of Object.values(value)) hideAll(part, hide, depth + 1);
  return MASK;
}

/** A number that has a secret becomes a text. */
function maskNumbers(value: Json, mask: Masking): Json {
  if (typeof value === 'number') return mask.text(String(value)) === String(value) ? value : MASK;
  if (Array.isArray(value)) return value.map((item) => maskNumbers(item, mask));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, maskNumbers(member, mask)]));
}

/** A code is a secret if it is exchanged for a token; most codes in JSON identify an error. */
function isOauth(value: { [name: string]: Json }): boolean {
  return ['grant_type', 'redirect_uri', 'client_id', 'code_verifier', 'state'].some((name) => name in value);
}

/** The value of JSON with members; undefined for other texts. */
function jsonIn(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const decoded = (name: string) => percentDecoded(name.replaceAll('+', ' '));

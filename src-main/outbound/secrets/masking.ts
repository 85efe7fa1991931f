import type { HeaderPair } from '#domain/mock/api-call';
import { isJsonObject, type Json } from '#domain/text/json';
import { percentDecoded } from '../http/percent.ts';
import { MASK, type SecretMask } from './secret-mask.ts';

/** JSON that is nested deeper is masked from there on: people do not read it, and recursion must be limited. */
const DEPTH = 300;
/** The same for URLs in URLs. */
const URLS_IN_URLS = 5;

/** Names of headers, fields, members and query parameters whose values are secrets. */
const SECRET_NAME =
  /token(?!_type)|passw|pwd|secret|authorization|(?<!www-)authenticat|api[-_]?key|subscription-key|cookie|credential|assertion|signature|^sig$|^key$|^code$/i;

/** Headers whose value is a URL. */
const HAS_URL = /^(?:location|content-location|referer|refresh)$/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Headers for people: those with secrets keep their name and, for Authorization, the scheme. */
export function maskHeaders(headers: readonly HeaderPair[], mask: SecretMask): HeaderPair[] {
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
export function maskUrl(url: string, mask: SecretMask): string {
  const withoutUser = mask.text(url).replace(/^([a-z][a-z\d+.-]*:\/*)[^/?#]*@/i, `$1${MASK}@`);
  return maskParameters(withoutUser);
}

/** A parameter may contain an unencoded URL with its own parameters. */
function maskParameters(text: string, depth = 0): string {
  return text.replaceAll(/([?&#;])([^=&#;?]*)=([^&#]*)/g, (_, mark: string, name: string, value: string) => {
    const secret = isSecretName(decoded(name)) || depth > URLS_IN_URLS;
    return `${mark}${name}=${secret ? MASK : maskParameters(value, depth + 1)}`;
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
 * that are not parsed, known secrets are masked first: a quote or an & in one would end its masking.
 */
export function maskBody(body: string, mask: SecretMask): string {
  const start = body.trimStart()[0];
  if (start === '{' || start === '[') {
    const value = parsed(body);
    if (value !== undefined) {
      const masked = maskMembers(value);
      return mask.text(masked === value ? body : JSON.stringify(masked));
    }
  } else if (/^[^\s=&]{1,200}=[^\s]*$/.test(body)) {
    return mask
      .text(body)
      .replaceAll(/(^|&)([^=&]*)=([^&]*)/g, (whole, mark: string, name: string) =>
        isSecretName(decoded(name)) ? `${mark}${name}=${MASK}` : whole,
      );
  }
  return maskLooseText(mask.text(body));
}

/** JSON that is cut or invalid, XML and other text: `"access_token": "…"`, `password=…`, `Bearer …`. */
function maskLooseText(text: string): string {
  return text
    .replaceAll(/\b(bearer|basic)\s+[\w.~+/=-]{4,}/gi, `$1 ${MASK}`)
    .replaceAll(
      /((?:token(?!_type)|passw|pwd|secret|api[-_]?key)[\w-]{0,40})(["']?\s{0,5}[=:>]\s{0,5}["']?)([^\s"'&,;}<]+)/gi,
      `$1$2${MASK}`,
    );
}

/** Returns the same value if nothing in it is a secret. */
function maskMembers(value: Json, depth = 0): Json {
  if (depth > DEPTH) return MASK;
  if (Array.isArray(value)) {
    const items = value.map((item) => maskMembers(item, depth + 1));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  let changed = false;
  // A set of headers or form fields: { headerKey: 'client_secret', headerValue: … }
  const named = Object.entries(value).find(([name]) => /^(?:header)?(?:key|name)$/i.test(name))?.[1];
  const pair = typeof named === 'string' && isSecretName(named);
  const entries = Object.entries(value).map(([name, member]): [string, Json] => {
    const secret =
      (isSecretName(name) &&
        (name !== 'code' || isOauth(value)) &&
        member !== named &&
        member !== null &&
        typeof member !== 'boolean') ||
      (pair && /value$/i.test(name));
    const masked = secret ? MASK : maskMembers(member, depth + 1);
    if (masked !== member) changed = true;
    return [name, masked];
  });
  return changed ? Object.fromEntries(entries) : value;
}

/** A code is a secret if it is exchanged for a token; most codes in JSON identify an error. */
function isOauth(value: { [name: string]: Json }): boolean {
  return ['grant_type', 'redirect_uri', 'client_id', 'code_verifier', 'state'].some((name) => name in value);
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const decoded = (name: string) => percentDecoded(name.replaceAll('+', ' '));

import { MIMEType } from 'node:util';
import type { ApiOperation, HeaderPair, HttpVerb } from '#domain/mock/api-call';
import type { CallArguments } from '../arguments.ts';
import { argumentsOf, verbOf } from '../arguments.ts';
import { encodedBody } from './encode-body.ts';
import { checkHeader, headerOf, parseHeaderSet, shown, withHeader } from './header-sets.ts';
import { InvalidArgument } from '../invalid-argument.ts';
import type { AnyText, PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import type { Steps } from '../../platform/turns.ts';
import { credentialsInBody } from '../secrets/body-credentials.ts';
import { credentialsIn, hideInWrongUrl } from '../secrets/masking.ts';
import type { Encoding, SecretLookup } from '../placeholders.ts';
import { fillSecrets, placeholdersChecked, secretsFilled, secretsIn, usesSecrets } from '../placeholders.ts';

/** A request that is ready to send. */
export interface HttpRequest {
  method: HttpVerb;
  /** Absolute, http or https, without user, password and fragment. */
  url: URL;
  headers: HeaderPair[];
  body: AnyText | null;
  /** The body in its charset, unless that is UTF-8. */
  encoded?: Buffer | undefined;
  /** Whether the body contains credentials, so that it must not follow a redirect to another origin. */
  bodyIsSecret: boolean;
  /** Texts that no log may show: the credentials of the call, and values that are named like credentials. */
  secrets: string[];
  /** Values of named secrets in it, also as a user with a password: even the script must not see these. */
  named: string[];
}

export interface RequestRules {
  /** The header for an API key at this host. */
  keyHeader(url: URL): string;
  /** Values of named secrets; null leaves the placeholders unchanged, for mocks and logs. */
  secrets: SecretLookup | null;
}

const MAX_URL = 65_536;
/** Maximum length of all secrets in one request. */
const MAX_SECRETS = 1_048_576;
/** Entries of the credentials of GetOauthToken that are headers; all others, except `X-*`, are fields of the body. */
const TOKEN_HEADERS = new Set([
  'authorization',
  'accept',
  'accept-language',
  'content-type',
  'cookie',
  'host',
  'origin',
  'referer',
  'user-agent',
]);

/**
 * The request of a script, in steps: defaults, then the authentication, then the custom headers, which win. Throws
 * InvalidArgument for arguments from which no request can be built; its message never shows a secret.
 */
export function* buildRequest(
  operation: ApiOperation,
  given: readonly PassedArgument[],
  rules: RequestRules,
): Steps<HttpRequest> {
  const named = argumentsOf(operation, given);
  const used = new Set<string>();
  const lookup = rules.secrets && noting(rules.secrets, used);
  const plain = (text: string) => (lookup ? fillSecrets(text, lookup) : text);
  for (const [name, text] of Object.entries(named)) {
    yield* placeholdersChecked(name, text, name === 'url' ? 'url' : 'plain');
  }
  const url = urlOf(named.url ?? '', lookup);
  const mediaType = plain(mediaTypeOf(named.mediaType, operation));
  const custom = parseHeaderSet('customHeaders', named.customHeaders ?? null).map(([name, value]): HeaderPair => [
    plain(name),
    plain(value),
  ]);
  const sent =
    operation === 'GetOauthToken'
      ? tokenRequest(named, mediaType, plain)
      : yield* plainRequest(operation, named, mediaType, headerOf(custom, 'content-type') ?? mediaType, lookup);
  let { headers } = sent;
  for (const header of authentication(named, url, rules, plain)) headers = withHeader(headers, header);
  for (const header of custom) headers = withHeader(headers, header);
  const parameter = operation === 'GetOauthToken' ? 'authHeaders' : 'customHeaders';
  for (const header of headers) checkHeader(parameter, header);
  const encoded =
    sent.body === null
      ? null
      : yield* encodedBody(sent.body, headers, operation === 'GetOauthToken' ? parameter : 'payload', lookup !== null);
  const secrets = [named.token, named.apiKey, named.password].filter((text) => text !== undefined).map(plain);
  const { userName, password } = named;
  if (userName !== undefined && password !== undefined) {
    const pair = `${plain(userName)}:${plain(password)}`;
    secrets.push(pair);
    // A remote server that echoes the header would reveal a short password.
    if (lookup && secretsIn(userName + password).length > 0) used.add(pair);
  }
  const inBody = yield* credentialsInBody(sent.body);
  const typed = [...inBody, ...credentialsIn(headers, url.href, null)].filter((text) => secretsIn(text).length === 0);
  return {
    ...sent,
    url,
    headers,
    ...(Buffer.isBuffer(encoded) && { encoded }),
    bodyIsSecret: sent.bodyIsSecret || inBody.length > 0,
    secrets: [...secrets, ...sent.secrets, ...typed],
    named: [...used],
  };
}

type Sent = Pick<HttpRequest, 'method' | 'headers' | 'body' | 'bodyIsSecret' | 'secrets'>;

/** @param contentType the effective type of the payload: a custom header wins over the media type */
function* plainRequest(
  operation: ApiOperation,
  named: CallArguments,
  mediaType: string,
  contentType: string,
  lookup: SecretLookup | null,
): Steps<Sent> {
  const method = operation.startsWith('GetImage') ? 'GET' : verbOf(named.httpMethod ?? '');
  const payload = named.payload === undefined || named.payload === '' ? null : named.payload;
  const encoding = encodingOf(contentType);
  if (payload !== null && encoding === 'form') yield* placeholdersChecked('payload', payload, encoding);
  const body = payload !== null && lookup ? yield* secretsFilled(payload, lookup, encoding) : payload;
  const headers: HeaderPair[] = [['Accept', mediaType]];
  if (body !== null) headers.push(['Content-Type', mediaType]);
  const bodyIsSecret = payload !== null && (yield* usesSecrets(payload));
  return { method, headers, body, bodyIsSecret, secrets: [] };
}

/** Entries that name a header are headers, all others are the fields of the body, as JSON or url-encoded. */
function tokenRequest(named: CallArguments, mediaType: string, plain: (text: string) => string): Sent {
  const entries = parseHeaderSet('authHeaders', named.authHeaders ?? null).map(([name, value]): HeaderPair => [
    plain(name),
    plain(value),
  ]);
  const fields = entries.filter((entry) => !isTokenHeader(entry));
  const given = entries.filter(isTokenHeader);
  const contentType = headerOf(given, 'content-type') ?? mediaType;
  const asJson = /[/+]json\b/i.test(contentType);
  // The response with a token is not a form.
  let headers: HeaderPair[] = [['Accept', asJson ? mediaType : 'application/json']];
  headers.push(['Content-Type', contentType]);
  for (const header of given) headers = withHeader(headers, header);
  const body = asJson ? JSON.stringify(Object.fromEntries(fields)) : new URLSearchParams(fields).toString();
  const secrets = fields.filter(([name]) => !/^(?:grant_type|scope|resource|audience|tenant)$/i.test(name));
  return { method: 'POST', headers, body, bodyIsSecret: true, secrets: secrets.map(([, value]) => value) };
}

function isTokenHeader([name]: HeaderPair): boolean {
  return TOKEN_HEADERS.has(name.toLowerCase()) || /^x-/i.test(name);
}

function authentication(
  named: CallArguments,
  url: URL,
  rules: RequestRules,
  plain: (text: string) => string,
): HeaderPair[] {
  const { token, apiKey, userName, password } = named;
  if (token !== undefined) return [checked('token', ['Authorization', `Bearer ${plain(token).trim()}`])];
  if (apiKey !== undefined) return [checked('apiKey', [rules.keyHeader(url), plain(apiKey)])];
  if (userName === undefined || password === undefined) return [];
  const [user, secret] = [plain(userName), plain(password)];
  if (user.includes(':')) throw new InvalidArgument('userName has a colon, which HTTP Basic cannot carry');
  if (/\p{Cc}/u.test(user + secret)) throw new InvalidArgument('userName or password has a control character');
  return [['Authorization', `Basic ${Buffer.from(`${user}:${secret}`, 'utf8').toString('base64')}`]];
}

function checked(parameter: string, header: HeaderPair): HeaderPair {
  checkHeader(parameter, header);
  return header;
}

function urlOf(text: string, lookup: SecretLookup | null): URL {
  const trimmed = text.trim();
  if (trimmed.length > MAX_URL) throw new InvalidArgument(`url is longer than ${MAX_URL} characters`);
  const [, scheme, authority = ''] = /^([a-z][a-z\d+.-]*):\/*([^/?#]*)/i.exec(trimmed) ?? [];
  if (scheme === undefined || !/^https?$/i.test(scheme)) {
    throw new InvalidArgument(`url is ${shown(hideInWrongUrl(trimmed))}; it must begin with http:// or https://`);
  }
  if (secretsIn(authority).length > 0) {
    throw new InvalidArgument('url has a secret in its host; use secrets only in the path and in the query');
  }
  const url = URL.parse(lookup ? fillSecrets(trimmed, lookup, 'url') : trimmed);
  if (url === null) {
    throw new InvalidArgument(
      `url is ${shown(hideInWrongUrl(trimmed))}, which is not a URL; write "https://host/path"`,
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new InvalidArgument(
      'url has a user name or password in it; use FetchWithUserCredentials or GetImageWithUserCredentials',
    );
  }
  url.hash = '';
  return url;
}

function mediaTypeOf(given: string | undefined, operation: ApiOperation): string {
  const text = given?.trim() ?? '';
  if (text === '') return operation.startsWith('GetImage') ? 'application/octet-stream' : 'application/json';
  try {
    // Throws if it is invalid; the text itself is sent as the author wrote it.
    void new MIMEType(text).essence;
    if (/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(text)) return text;
  } catch {
    // Reported below.
  }
  throw new InvalidArgument(`mediaType is ${shown(text)}; pass one such as "application/json"`);
}

function encodingOf(mediaType: string): Encoding {
  if (/[/+]json\b/i.test(mediaType)) return 'json';
  if (/[/+]xml\b/i.test(mediaType)) return 'xml';
  return /x-www-form-urlencoded/i.test(mediaType) ? 'form' : 'plain';
}

/** A lookup that records its values and limits their total length per request: a few letters can refer to thousands. */
function noting(secrets: SecretLookup, used: Set<string>): SecretLookup {
  let left = MAX_SECRETS;
  return (name) => {
    const value = secrets(name);
    used.add(value);
    left -= value.length;
    if (left >= 0) return value;
    throw new InvalidArgument(`the secrets in the arguments have more than ${MAX_SECRETS} characters in total`);
  };
}

import type { HttpRequest } from './build-request.ts';
import { headerOf } from './header-sets.ts';
import { HttpFailure } from './http-failure.ts';
import type { HttpResponse } from './http-client.ts';
import type { AnyText } from '../../platform/long-texts/text-in-parts.ts';
import { inTurns } from '../../platform/turns.ts';
import { bytesOfText } from '../long-text.ts';
import { SecretMask } from '../secrets/secret-mask.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The only headers that another origin receives: any other header of a script may be a credential. */
const HARMLESS = new Set(['accept', 'accept-language', 'accept-encoding', 'content-type', 'user-agent']);

/**
 * The request for a redirect, null if the response is none. Credentials are dropped when the origin changes. Throws
 * HttpFailure for a redirect to an invalid target, or one that would carry credentials of a body to another origin.
 */
export async function redirected(
  request: HttpRequest,
  response: Pick<HttpResponse, 'status' | 'headers'>,
): Promise<HttpRequest | null> {
  const location = REDIRECTS.has(response.status) ? headerOf(response.headers, 'location') : null;
  if (location === null) return null;
  const url = targetOf(location, request.url);
  const sameOrigin = url.origin === request.url.origin;
  const { status } = response;
  // Like browsers: 303 requires a GET, as do 301 and 302 of a POST.
  const becomesGet =
    (status === 303 && request.method !== 'GET') || ((status === 301 || status === 302) && request.method === 'POST');
  const body = becomesGet ? null : request.body;
  const secrets = new SecretMask([...request.secrets, ...request.named]);
  if (body !== null && !sameOrigin && (request.bodyIsSecret || (await hasSecrets(body, secrets)))) {
    throw new HttpFailure(
      'RedirectRefused',
      `${request.url.host} redirects a body with credentials to ${url.host}, another origin; call that one directly`,
    );
  }
  const headers = request.headers.filter(([name, value]) => {
    const key = name.toLowerCase();
    if (body === null && key === 'content-type') return false;
    return sameOrigin || (HARMLESS.has(key) && secrets.text(value) === value);
  });
  return {
    ...request,
    method: becomesGet ? 'GET' : request.method,
    url,
    headers,
    body,
    encoded: body === null ? undefined : request.encoded,
  };
}

async function hasSecrets(body: AnyText, secrets: SecretMask): Promise<boolean> {
  const bytes = await inTurns(bytesOfText(body));
  return (await secrets.bytesInTurns(bytes)) !== bytes;
}

function targetOf(location: string, from: URL): URL {
  const url = URL.parse(Buffer.from(location, 'latin1').toString('utf8'), from);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new HttpFailure('RedirectRefused', `${from.host} redirects to something that is not an http or https URL`);
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

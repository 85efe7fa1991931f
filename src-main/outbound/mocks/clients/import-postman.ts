import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import { CLIENT_LIMITS, objectOf, objectsIn, pairsIn, textIn } from './json-parts.ts';
import type { ClientImport, SavedExample, SavedRequest } from './saved-request.ts';

/** Whether a document is a collection of Postman, as exported or as its API returns it. */
export function isPostman(document: Json): boolean {
  const { info, item } = collectionIn(document);
  return info !== undefined && isJsonObject(info) && Array.isArray(item);
}

const collectionIn = (document: Json): JsonObject => {
  const whole = objectOf(document);
  return 'collection' in whole ? objectOf(whole['collection']) : whole;
};

/** The requests of a Postman collection (format 2.0 or 2.1), with their saved responses. */
export function importPostman(document: Json): ClientImport {
  const collection = collectionIn(document);
  if (!Array.isArray(collection['item'])) throw new Error('it is not a v2.1 collection; export it as Collection v2.1');
  const requests: SavedRequest[] = [];
  const skipped = new Set<string>();
  const visit = (item: JsonObject, folders: readonly string[], depth: number) => {
    if (depth > CLIENT_LIMITS.depth) throw new Error('its folders are nested too deeply');
    if ('auth' in item) skipped.add('authorization: mocks need no credentials');
    if ('event' in item) skipped.add('scripts and tests of Postman');
    // The collection itself is not a folder.
    const inside = depth === 0 ? folders : [...folders, textIn(item['name'])];
    for (const one of objectsIn(item['item'])) visit(one, inside, depth + 1);
    if (!('request' in item)) return;
    if (requests.length >= CLIENT_LIMITS.requests)
      throw new Error(`it has more than ${CLIENT_LIMITS.requests} requests`);
    requests.push({ ...requestOf(item), folders });
  };
  visit(collection, [], 0);
  return { requests, variables: new Map(pairsIn(collection['variable'])), skipped: [...skipped] };
}

function requestOf(item: JsonObject): SavedRequest {
  const given = item['request'];
  const request = objectOf(given);
  const url = typeof given === 'string' ? given : urlOf(request['url']);
  return {
    name: textIn(item['name']),
    method: textIn(request['method']) || 'GET',
    url,
    headers: pairsIn(request['header']),
    body: textIn(objectOf(request['body'])['raw']) || null,
    examples: objectsIn(item['response']).slice(0, CLIENT_LIMITS.examples).map(exampleOf),
  };
}

function exampleOf(response: JsonObject): SavedExample {
  const { originalRequest } = response;
  const url = urlOf(objectOf(originalRequest)['url']);
  return {
    name: textIn(response['name']),
    status: Number(response['code'] ?? 200),
    headers: pairsIn(response['header']),
    body: textIn(response['body']),
    ...(url !== '' && { url }),
  };
}

/** A text, or an object whose `raw` is the whole URL. */
function urlOf(url: Json | undefined): string {
  if (typeof url === 'string') return url;
  const { raw, protocol, host, path, query } = objectOf(url);
  if (typeof raw === 'string' && raw !== '') return raw;
  const joined = (part: Json | undefined, by: string) =>
    Array.isArray(part) ? part.map((one) => textIn(isJsonObject(one) ? one['value'] : one)).join(by) : textIn(part);
  const parameters = pairsIn(query).map(([name, value]) => `${name}=${value}`);
  const start = `${textIn(protocol) === '' ? '' : `${textIn(protocol)}://`}${joined(host, '.')}`;
  const end = parameters.length > 0 ? `?${parameters.join('&')}` : '';
  return start === '' ? '' : `${start}/${joined(path, '/')}${end}`;
}

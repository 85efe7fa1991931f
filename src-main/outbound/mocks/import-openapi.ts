import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import type { MockBody, MockRoute } from '#domain/mock/mock';
import type { Imported } from './import-har.ts';
import { resolved, sampler } from './schema-sample.ts';

const METHODS = { get: 'GET', post: 'POST', put: 'PUT', delete: 'DELETE' } as const;
type SampleOf = (schema: Json | undefined) => Json;
const OTHERS = ['patch', 'head', 'options', 'trace'];

/**
 * A mock for every operation of an OpenAPI 3 document (or Swagger 2): it responds with the first success that is
 * described, with its example, or with a value generated from its schema. Other responses become disabled mocks.
 */
export function importOpenApi(document: JsonObject, baseUrl: string | undefined): Imported {
  checkVersion(document);
  const base = (baseUrl ?? serverOf(document)).replace(/\/+$/, '');
  const routes: MockRoute[] = [];
  const skipped: string[] = [];
  const sample = sampler(document);
  const { paths = {} } = document;
  if (!isJsonObject(paths)) throw new Error('its "paths" is not an object');
  for (const [path, item] of Object.entries(paths)) {
    if (/^x-/i.test(path)) continue;
    if (!/^\/[^?#]*$/.test(path)) {
      skipped.push(`${path.slice(0, 200)}: a path begins with / and has neither ? nor #`);
      continue;
    }
    const operations = resolved(document, item) ?? {};
    for (const other of OTHERS) {
      if (other in operations) skipped.push(`${other.toUpperCase()} ${path}: scripts do not use this method`);
    }
    for (const [key, method] of Object.entries(METHODS)) {
      const operation = operations[key];
      if (!isJsonObject(operation)) continue;
      const responses = responsesOf(document, operation, sample);
      if (responses.length === 0) skipped.push(`${method} ${path}: it describes no response`);
      for (const [index, response] of responses.entries()) {
        routes.push({
          name: nameOf(operation, method, path, index === 0 ? null : response.status),
          enabled: index === 0,
          priority: 0,
          request: { method, url: base + patternOf(path), headers: [], body: null },
          answer: { ...response, delayMs: 0, fault: null, template: false },
        });
      }
    }
  }
  return { routes, skipped };
}

const rank = (status: number) => (status < 300 ? status - 1_000 : status);

/** The success first. */
function responsesOf(document: JsonObject, operation: JsonObject, sample: SampleOf) {
  const { responses } = operation;
  const all = Object.entries(isJsonObject(responses) ? responses : {}).flatMap(([code, response]) => {
    const found = resolved(document, response);
    const status = code === 'default' ? 200 : Number(code.replaceAll(/x/gi, '0'));
    if (found === null || !Number.isInteger(status) || status < 200 || status > 599) return [];
    return [{ status, ...contentOf(document, found, operation, sample) }];
  });
  return all.toSorted((a, b) => rank(a.status) - rank(b.status));
}

function contentOf(
  document: JsonObject,
  response: JsonObject,
  operation: JsonObject,
  sample: SampleOf,
): { headers: [string, string][]; body: MockBody } {
  const { content, schema, examples } = response;
  if (isJsonObject(content)) {
    const types = Object.keys(content);
    const type = types.find((name) => /[/+]json\b/i.test(name)) ?? types[0];
    const media = type === undefined ? null : resolved(document, content[type]);
    if (type === undefined || media === null) return { headers: [], body: { kind: 'none' } };
    return contentAs(type, exampleOf(document, media, sample));
  }
  // Swagger 2.
  if (schema === undefined && !isJsonObject(examples)) return { headers: [], body: { kind: 'none' } };
  const produces = operation['produces'] ?? document['produces'];
  const type = Array.isArray(produces) && typeof produces[0] === 'string' ? produces[0] : 'application/json';
  const example = isJsonObject(examples) ? examples[type] : undefined;
  return contentAs(type, example ?? sample(schema));
}

function exampleOf(document: JsonObject, media: JsonObject, sample: SampleOf): Json {
  if (media['example'] !== undefined) return media['example'];
  const { examples } = media;
  const first = isJsonObject(examples) ? resolved(document, Object.values(examples)[0]) : null;
  return first?.['value'] ?? sample(media['schema']);
}

function contentAs(type: string, value: Json): { headers: [string, string][]; body: MockBody } {
  const headers: [string, string][] = /[*]/.test(type) ? [] : [['content-type', type]];
  if (typeof value === 'string' && !/[/+]json\b/i.test(type)) return { headers, body: { kind: 'text', text: value } };
  return { headers, body: { kind: 'json', json: value } };
}

function nameOf(operation: JsonObject, method: string, path: string, status: number | null): string {
  const { operationId, summary } = operation;
  const title = [operationId, summary].find((text) => typeof text === 'string' && text.trim() !== '');
  const name = `${method} ${path}${typeof title === 'string' ? ` (${title.trim()})` : ''}`;
  return (status === null ? name : `${status} of ${name}`).slice(0, 200);
}

/** A path part that is one parameter keeps its name; within a part it matches anything. */
function patternOf(path: string): string {
  return path
    .split('/')
    .map((part) => (/^\{\w{1,60}\}$/.test(part) ? part : part.replaceAll(/(?:\{[^{}]*\})+/g, '*')))
    .join('/');
}

/** The first server, with the defaults of its variables; any host if there is none. */
function serverOf(document: JsonObject): string {
  const { servers, host, basePath, schemes } = document;
  const first = Array.isArray(servers) && isJsonObject(servers[0]) ? servers[0] : null;
  if (first !== null && typeof first['url'] === 'string') {
    const { variables } = first;
    const url = first['url'].replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
      const variable = isJsonObject(variables) ? variables[name] : undefined;
      return isJsonObject(variable) && typeof variable['default'] === 'string' ? variable['default'] : '*';
    });
    if (/^(?:https?:)?\/\//i.test(url)) return url;
    return /^[a-z][a-z\d+.-]*:/i.test(url) ? '*://*' : `*://*${rooted(url)}`;
  }
  const base = rooted(typeof basePath === 'string' ? basePath : '');
  if (typeof host !== 'string') return `*://*${base}`;
  const scheme = Array.isArray(schemes) ? schemes.find((one) => one === 'https' || one === 'http') : undefined;
  return `${scheme ?? '*'}://${host}${base}`;
}

const rooted = (path: string) => (path === '' || path.startsWith('/') ? path : `/${path}`);

/** YAML may have them as numbers. Throws for versions that Tagwright does not support. */
function checkVersion({ openapi, swagger }: JsonObject): void {
  const version = JSON.stringify(openapi ?? swagger ?? null);
  if (openapi === undefined ? /^"?2(?:\.0)?"?$/.test(version) : /^"?3(?:[."]|$)/.test(version)) return;
  throw new Error(`its version is ${version.slice(0, 40)}, but Tagwright reads OpenAPI 3 and Swagger 2`);
}

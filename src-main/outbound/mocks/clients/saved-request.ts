import type { HeaderPair } from '#domain/mock/api-call';
import type { MockRoute } from '#domain/mock/mock';
import { folderOfNames } from '#domain/mock/mock-folder';
import { credentialsIn } from '../../secrets/masking.ts';
import { SecretMask } from '../../secrets/secret-mask.ts';
import type { Imported } from '../import-har.ts';
import type { MockFiles } from '../mock-files.ts';
import { recorded } from '../recording/recorder.ts';

/** A request of an API client, such as Postman, with the responses that were saved with it. */
export interface SavedRequest {
  name: string;
  /** The names of its folders, outermost first. */
  folders?: readonly string[] | undefined;
  method: string;
  /** May have `{{variables}}` and `:parameters` in it. */
  url: string;
  headers: HeaderPair[];
  body: string | null;
  examples: SavedExample[];
}

export interface SavedExample {
  name: string;
  status: number;
  headers: HeaderPair[];
  body: string;
  /** If it is not that of the request. */
  url?: string | undefined;
}

export interface ClientImport {
  requests: SavedRequest[];
  /** The values of `{{variables}}`. */
  variables: ReadonlyMap<string, string>;
  /** Parts of the file that no mock can have. */
  skipped: string[];
}

interface SavedRequestTarget {
  /** Replaces an unknown variable at the start of a URL. */
  baseUrl: string | undefined;
  files: Pick<MockFiles, 'keep'>;
  mask: SecretMask;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
/** For a request without a saved response. */
const EMPTY: SavedExample = {
  name: '',
  status: 200,
  headers: [['content-type', 'application/json']],
  body: '{}',
};
/** Variables that are in the values of others. */
const NESTED = 5;
const LONGEST_URL = 8_192;

/**
 * A mock for every saved response; if several match the same calls, only the first success is enabled. Credentials
 * are masked, and never required.
 */
export function routesOfSaved({ requests, variables, skipped }: ClientImport, target: SavedRequestTarget): Imported {
  const routes: MockRoute[] = [];
  const notes = new Set(skipped);
  const taken = new Set<string>();
  for (const request of requests) {
    const method = METHODS.find((one) => one === request.method.trim().toUpperCase());
    const called = request.name.slice(0, 100);
    const verb = request.method.slice(0, 10);
    const what = target.mask.text(called.startsWith(`${verb} `) ? called : `${verb} “${called}”`);
    if (method === undefined) {
      notes.add(`${what}: scripts use only GET, POST, PUT and DELETE`);
      continue;
    }
    const examples = request.examples.length > 0 ? request.examples : [EMPTY];
    if (request.examples.length === 0) notes.add(`${what} has no saved response: its mock responds with {}`);
    for (const example of examples.toSorted((a, b) => rank(a.status) - rank(b.status))) {
      if (!Number.isInteger(example.status) || example.status < 200 || example.status > 599) {
        notes.add(`${what}: the response “${example.name.slice(0, 100)}” has no status from 200 to 599`);
        continue;
      }
      const resolved = resolvedUrl(example.url ?? request.url, variables, target.baseUrl);
      for (const name of resolved.unknown) {
        notes.add(`the variable ${name.slice(0, 100)} has no value: a part of URLs can be anything`);
      }
      if (resolved.url === null) {
        notes.add(`${what}: its URL is invalid`);
        continue;
      }
      const route = routeOf(request, method, { example, url: resolved.url, target });
      if (resolved.anyHost) route.request.url = route.request.url.replace(/^https?:/, '*:');
      const key = JSON.stringify(route.request);
      routes.push({ ...route, enabled: !taken.has(key) });
      taken.add(key);
    }
  }
  return { routes, skipped: [...notes] };
}

const rank = (status: number) => (status >= 200 && status < 300 ? 0 : 1);

function routeOf(
  { name, folders = [], headers, body }: SavedRequest,
  method: (typeof METHODS)[number],
  { example, url, target: { files, mask } }: { example: SavedExample; url: URL; target: SavedRequestTarget },
): MockRoute {
  const secrets = credentialsIn(headers, url.href, body);
  const all = new SecretMask(secrets, mask);
  const route = recorded(
    { method, url, headers: [], body: null, bodyIsSecret: true, secrets, named: [] },
    { status: example.status, headers: example.headers.filter(isHeader), body: Buffer.from(example.body) },
    all,
    files,
  );
  const title = example.name === '' || example.name === name ? name : `${name}: ${example.name}`;
  const folder = folderOfNames(folders.map((one) => all.text(one)));
  return {
    ...route,
    name: all.text(title.trim()).slice(0, 200) || route.name,
    ...(folder !== undefined && { folder }),
  };
}

const isHeader = ([name]: HeaderPair) => /^[\w-]{1,200}$/.test(name);

interface ResolvedUrl {
  url: URL | null;
  /** Whether the address of the API is not known. */
  anyHost: boolean;
  /** Variables without a value, as written. */
  unknown: string[];
}

/** The URL with its variables; unknown parts match anything, and `:id` of the path is `{id}`. */
function resolvedUrl(text: string, variables: ReadonlyMap<string, string>, baseUrl: string | undefined): ResolvedUrl {
  const unknown: string[] = [];
  let url = text.trim().slice(0, LONGEST_URL + 1);
  for (let round = 0; round < NESTED && url.length <= LONGEST_URL; round += 1) {
    url = url.replaceAll(/\{\{\s*([^{}]{1,200}?)\s*\}\}/g, (whole, name: string) => variables.get(name) ?? whole);
  }
  if (url.length > LONGEST_URL) return { url: null, anyHost: false, unknown };
  const first = /^\{\{[^{}]*\}\}/.exec(url)?.[0];
  let anyHost = false;
  if (first !== undefined) {
    if (baseUrl === undefined) unknown.push(first);
    anyHost = baseUrl === undefined;
    url = (baseUrl?.replace(/\/+$/, '') ?? 'https://*/**') + url.slice(first.length).replace(/^(?=[^/?#])/, '/');
  } else if (!/^[a-z][a-z\d+.-]*:\/\//i.test(url)) {
    anyHost = true;
    url = `https://${url}`;
  }
  url = url.replaceAll(/\{\{[^{}]*\}\}/g, (whole) => {
    unknown.push(whole);
    return '*';
  });
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) return { url: null, anyHost, unknown };
  parsed.username = '';
  parsed.password = '';
  parsed.hash = '';
  parsed.pathname = parsed.pathname.replaceAll(/\/:(\w{1,60})(?=\/|$)/g, '/{$1}');
  return { url: parsed, anyHost, unknown: [...new Set(unknown)] };
}

import { IMPORT_LIMITS } from '#domain/mock/mock';
import { isJsonObject, type Json, type JsonObject } from '#domain/text/json';
import { bruBlocks, bruPairs, bruText, bruValue } from './bru-blocks.ts';
import { CLIENT_LIMITS, objectOf, objectsIn, pairsIn, textIn } from './json-parts.ts';
import type { ClientImport, SavedExample, SavedRequest } from './saved-request.ts';

/** A file of a Bruno collection; the path is relative to the folder. */
export interface BruFile {
  path: string;
  text: string;
}

/** Whether a document is a Bruno collection that was exported as JSON. */
export function isBruno(document: Json): boolean {
  return isJsonObject(document) && Array.isArray(document['items']) && !('log' in document) && 'name' in document;
}

/** The requests of an exported Bruno collection, with their saved responses. */
export function importBruno(document: Json): ClientImport {
  const whole = objectOf(document);
  const requests: SavedRequest[] = [];
  const skipped = new Set<string>();
  const visit = (item: JsonObject, folders: readonly string[], depth: number) => {
    if (depth > CLIENT_LIMITS.depth) throw new Error('its folders are nested too deeply');
    // The collection itself is not a folder.
    const inside = depth === 0 ? folders : [...folders, textIn(item['name'])];
    for (const one of objectsIn(item['items'])) visit(one, inside, depth + 1);
    const type = textIn(item['type']);
    if (type === 'http' || type === 'http-request') {
      if (requests.length >= CLIENT_LIMITS.requests)
        throw new Error(`it has more than ${CLIENT_LIMITS.requests} requests`);
      requests.push({ ...requestOf(item), folders });
    } else if (type !== 'folder' && depth > 0) {
      skipped.add(`${type.slice(0, 40)} “${textIn(item['name']).slice(0, 100)}”: only http requests become mocks`);
    }
  };
  visit(whole, [], 0);
  const environments = objectsIn(whole['environments']);
  const vars = objectOf(objectOf(objectOf(whole['root'])['request'])['vars'])['req'];
  const named = environments.length === 1 ? pairsIn(environments[0]?.['variables']) : [];
  if (environments.length > 1) skipped.add('environments: there are several; enter a base URL in place of one');
  return { requests, variables: new Map([...pairsIn(vars), ...named]), skipped: [...skipped] };
}

function requestOf(item: JsonObject): SavedRequest {
  const request = objectOf(item['request']);
  const body = objectOf(request['body']);
  return {
    name: textIn(item['name']),
    method: textIn(request['method']) || 'GET',
    url: textIn(request['url']),
    headers: pairsIn(request['headers']),
    body: textIn(body['json']) || textIn(body['text']) || null,
    examples: objectsIn(item['examples']).slice(0, CLIENT_LIMITS.examples).map(exampleOf),
  };
}

function exampleOf(example: JsonObject): SavedExample {
  const { request, response } = example;
  const { status, headers, body } = objectOf(response);
  const url = textIn(objectOf(request)['url']);
  const code = status !== undefined && isJsonObject(status) ? status['code'] : status;
  const content = body !== undefined && isJsonObject(body) ? body['content'] : body;
  return {
    name: textIn(example['name']),
    status: Number(code ?? 200),
    headers: pairsIn(headers),
    body: typeof content === 'object' && content !== null ? JSON.stringify(content) : textIn(content),
    ...(url !== '' && { url }),
  };
}

const VERBS = new Set(['get', 'post', 'put', 'delete', 'patch', 'head', 'options', 'trace', 'connect']);

/** The requests of .bru files: one request, or the files of a collection. */
export function importBruFiles(files: readonly BruFile[]): ClientImport {
  const requests: SavedRequest[] = [];
  const variables: [string, string][] = [];
  const skipped: string[] = [];
  const folderNames = new Map<string, string>();
  const environments = files.filter(({ path }) => /(?:^|\/)environments\/[^/]+$/.test(path));
  if (environments.length > 1) skipped.push('environments: there are several; enter a base URL in place of one');
  for (const { path, text } of files) {
    try {
      if (text.length > IMPORT_LIMITS.bru) throw new Error('it is larger than 1 MB, too large for a request');
      const blocks = bruBlocks(text);
      const isEnvironment = environments.some((one) => one.path === path);
      if (isEnvironment && environments.length > 1) continue;
      variables.push(...bruPairs(bruText(blocks, 'vars')), ...bruPairs(bruText(blocks, 'vars:pre-request')));
      const http = blocks.find(({ name }) => VERBS.has(name));
      const isFolder = /(?:^|\/)folder\.bru$/.test(path);
      const name = isFolder ? bruValue(bruText(blocks, 'meta'), 'name') : null;
      if (name !== null) folderNames.set(path.replace(/\/?folder\.bru$/, ''), name);
      if (http !== undefined) requests.push({ ...bruRequest(path, http.name, blocks), folders: foldersOf(path) });
      else if (!isEnvironment && !isFolder && !/(?:^|\/)collection\.bru$/.test(path))
        skipped.push(`${path.slice(0, 200)}: it has no http request`);
    } catch (thrown) {
      skipped.push(`${path.slice(0, 200)}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    }
  }
  // A folder has its name in a file that may come after its requests.
  const named = requests.map(({ folders = [], ...request }) => ({
    ...request,
    folders: folders.map((path) => folderNames.get(path) ?? path.replace(/^.*\//, '')),
  }));
  return { requests: named, variables: new Map(variables), skipped };
}

/** The paths of the folders of a file, outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, Math.min(CLIENT_LIMITS.depth, path.split('/').length - 1));
  return names.map((_name, index) => names.slice(0, index + 1).join('/'));
}

function bruRequest(path: string, method: string, blocks: ReturnType<typeof bruBlocks>): SavedRequest {
  const named = bruValue(bruText(blocks, 'meta'), 'name');
  const examples = blocks.filter(({ name }) => name === 'example').slice(0, CLIENT_LIMITS.examples);
  return {
    name: named ?? path.replace(/^.*\/|\.bru$/g, ''),
    method: method.toUpperCase(),
    url: bruValue(bruText(blocks, method), 'url') ?? '',
    headers: bruPairs(bruText(blocks, 'headers')),
    body: bruText(blocks, 'body:json') || bruText(blocks, 'body') || null,
    examples: examples.map(({ text }) => bruExample(text)),
  };
}

function bruExample(text: string): SavedExample {
  const parts = bruBlocks(text);
  const response = bruBlocks(bruText(parts, 'response'));
  const body = bruText(response, 'body');
  const url = bruValue(bruText(parts, 'request'), 'url');
  return {
    name: bruValue(text, 'name') ?? '',
    status: Number(bruValue(bruText(response, 'status'), 'code') ?? 200),
    headers: bruPairs(bruText(response, 'headers')),
    body: body.startsWith('type:') ? (bruValue(body, 'content') ?? '') : body,
    ...(url !== null && url !== '' && { url }),
  };
}

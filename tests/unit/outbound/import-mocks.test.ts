import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MockRoute } from '#domain/mock/mock';
import { importMocks } from '../../../src-main/outbound/mocks/import-mocks.ts';
import { MockFiles } from '../../../src-main/outbound/mocks/mock-files.ts';
import { SecretMask } from '../../../src-main/outbound/secrets/secret-mask.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { turnsDuring } from '../../support/turns.ts';

const read = (text: string, baseUrl?: string, secrets: string[] = []) =>
  importMocks(
    { text, format: 'auto', baseUrl },
    { files: new MockFiles(join(temporaryFolder(), 'mock-files')), mask: new SecretMask(secrets) },
  );

const openApi = (paths: unknown, more: object = {}) => JSON.stringify({ openapi: '3.1.0', paths, ...more });
const answering = (media: unknown) => ({
  get: { responses: { 200: { content: { 'application/json': media } } } },
});
const ROUTE: MockRoute = {
  name: 'One',
  enabled: true,
  priority: 0,
  request: { method: 'ANY', url: 'https://a.example/one', headers: [], body: null },
  answer: { status: 200, headers: [], body: { kind: 'none' }, delayMs: 0, fault: null, template: false },
};
const har = (...entries: unknown[]) => JSON.stringify({ log: { entries } });

describe('a file of mocks', () => {
  const manual = readFileSync(resolve(import.meta.dirname, '../../../docs/scripting/api-calls.md'), 'utf8');
  const [, example = ''] = /## Mocks\n.*?```json\n(.*?)```/s.exec(manual) ?? [];
  const mock = { name: 'One', request: { url: 'https://a.example/one' } };
  const file = (...mocks: unknown[]) => JSON.stringify({ tagwright: 'mocks', version: 1, mocks });

  test('may be the example of the manual, unchanged', async () => {
    const { format, routes, skipped } = await read(example);
    expect({ format, skipped }).toEqual({ format: 'tagwright', skipped: [] });
    expect(routes).toMatchObject([JSON.parse(example)]);
  });

  test.each<[string, string, string[]]>([
    ['one mock', JSON.stringify(mock), ['One']],
    ['an array of mocks', JSON.stringify([mock, { ...mock, name: 'Two' }]), ['One', 'Two']],
    ['mocks as they are listed', JSON.stringify([{ ...mock, id: 7, hits: 2, lastHitAt: null }]), ['One']],
    ['one mock in YAML', 'name: One\nrequest: { url: https://a.example/one }', ['One']],
    ['an array in YAML', '- name: One\n  request: { url: https://a.example/one }', ['One']],
    ['an export', file(mock), ['One']],
  ])('may be %s', async (_, text, names) => {
    const { format, routes } = await read(text);
    expect({ format, names: routes.map(({ name }) => name) }).toEqual({ format: 'tagwright', names });
    expect(routes).toEqual(names.map((name) => ({ ...ROUTE, name })));
  });

  test.each([
    ['[{"name":"One"}]', 'neither mocks of Tagwright (one mock, an array of mocks, or "mocks")'],
    ['[{"name":"One","request":{}}]', 'mock 1 "One" is invalid: request.url: is missing: write text in quotes.'],
    ['[{"request":{"url":"//a"},"name":"Two"},1]', 'mock 2 is invalid: it: must be an object in braces'],
    ['{"name":"One"}', 'The file contains neither mocks of Tagwright (one mock, an array of mocks, or "mocks")'],
    ['{"tagwright":"mocks","version":2,"mocks":[]}', 'its version is 2'],
    ['{"mocks":{}}', 'no list "mocks"'],
  ])('that is invalid is rejected with its problem: %s', async (text, words) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'BAD_REQUEST', message: expect.stringContaining(words) });
  });
});

describe('an OpenAPI document', () => {
  test('becomes a mock for every operation; other responses are disabled', async () => {
    const text = openApi(
      {
        '/items/{id}': {
          get: {
            operationId: 'readItem',
            responses: {
              404: { description: 'none' },
              200: { content: { 'application/json': { example: { id: 7 } } } },
            },
          },
          patch: { responses: { 200: {} } },
        },
        '/none': { post: { responses: {} } },
      },
      { servers: [{ url: 'https://{region}.example/v1/', variables: { region: { default: 'eu' } } }] },
    );
    const { format, routes, skipped } = await read(text);
    expect(format).toBe('openapi');
    expect(routes.map(({ name, enabled, request, answer }) => [name, enabled, request.url, answer.status])).toEqual([
      ['GET /items/{id} (readItem)', true, 'https://eu.example/v1/items/{id}', 200],
      ['404 of GET /items/{id} (readItem)', false, 'https://eu.example/v1/items/{id}', 404],
    ]);
    expect(routes[0]?.answer.body).toEqual({ kind: 'json', json: { id: 7 } });
    expect(skipped).toEqual([
      'PATCH /items/{id}: scripts do not use this method',
      'POST /none: it describes no response',
    ]);
    expect((await read(text, 'http://127.0.0.1:9/')).routes[0]?.request.url).toBe('http://127.0.0.1:9/items/{id}');
  });

  test('may be YAML or Swagger 2', async () => {
    const yaml =
      'swagger: "2.0"\nhost: a.example\nbasePath: /b\nschemes: [https]\npaths:\n  /c:\n    get:\n      responses:\n        "200": { schema: { type: object, properties: { n: { type: integer } } } }\n';
    const [route] = (await read(yaml)).routes;
    expect(route?.request.url).toBe('https://a.example/b/c');
    expect(route?.answer.body).toEqual({ kind: 'json', json: { n: 0 } });
  });

  test.each<[string, object, string]>([
    ['a server', { servers: [{ url: 'https://a.example/v1/' }] }, 'https://a.example/v1/x'],
    ['a server without a scheme', { servers: [{ url: '//a.example:99/v1' }] }, '//a.example:99/v1/x'],
    ['a path for a server', { servers: [{ url: 'v1' }] }, '*://*/v1/x'],
    ['a server that scripts cannot call', { servers: [{ url: 'wss://a.example/' }] }, '*://*/x'],
    [
      'a server with variables',
      { servers: [{ url: 'https://{a}.{b}.example', variables: { a: { default: 'eu' } } }] },
      'https://eu.*.example/x',
    ],
    ['no server', {}, '*://*/x'],
    [
      'a host of Swagger 2',
      { openapi: undefined, swagger: '2.0', schemes: ['ws', 'https'], host: 'a.example', basePath: 'v1' },
      'https://a.example/v1/x',
    ],
  ])('with %s has its mocks there', async (_, more, url) => {
    const { routes } = await read(openApi({ '/x': { get: { responses: { 200: {} } } } }, more));
    expect(routes.map(({ request }) => request.url)).toEqual([url]);
  });

  test('with invalid paths imports the others', async () => {
    const item = { get: { responses: { 200: {} } } };
    const odd = { '/x?y=1': item, '/x#y': item, x: item, 'x-internal': item, '/n': null, '/l': [], '/t': { get: 'x' } };
    const { routes, skipped } = await read(
      openApi({ ...odd, '/{a}{b}/{c}': item, '/ext': { $ref: 'https://e.example' } }),
    );
    expect(routes.map(({ request }) => request.url)).toEqual(['*://*/*/{c}']);
    expect(skipped).toEqual(
      ['/x?y=1', '/x#y', 'x'].map((path) => `${path}: a path begins with / and has neither ? nor #`),
    );
  });

  test('in YAML is read without blocking', async () => {
    const paths = Array.from(
      { length: 500 },
      (_, n) => `  /a${n}/{id}: {get: {responses: {"200": {description: x}}}}\n`,
    );
    let routes: MockRoute[] = [];
    const turns = await turnsDuring(async () => ({ routes } = await read(`openapi: 3.1\npaths:\n${paths.join('')}`)));
    expect(routes).toHaveLength(500);
    expect(turns).toBeGreaterThan(100);
  });

  test('whose schemas refer to themselves ends', async () => {
    const node = {
      type: 'object',
      properties: { next: { $ref: '#/components/schemas/Node' }, n: { type: 'integer' } },
    };
    const schema = { $ref: '#/components/schemas/Node' };
    const { routes } = await read(
      openApi({ '/a': answering({ schema }) }, { components: { schemas: { Node: node } } }),
    );
    expect(routes[0]?.answer.body).toMatchObject({ kind: 'json', json: { n: 0, next: { n: 0 } } });
    expect((await read(openApi({ '/a': { $ref: '#/paths/~1a' } }))).routes).toEqual([]);
  });

  test('that is small but expands endlessly costs little, or is rejected', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 12 }, (_, level) => [
        `S${level}`,
        {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 6 }, (_each, n) => [`p${n}`, { $ref: `#/components/schemas/S${level + 1}` }]),
          ),
        },
      ]),
    );
    const media = { schema: { $ref: '#/components/schemas/S0' } };
    const [route] = (await read(openApi({ '/a': answering(media) }, { components: { schemas } }))).routes;
    expect(JSON.stringify(route).length).toBeLessThan(200_000);
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`/a${n}`, answering(media)]));
    await expect(read(openApi(many, { components: { schemas } }))).rejects.toThrow(
      /unfold to more than .* give its responses/,
    );
  });

  test('neither reads nor creates members of a prototype', async () => {
    const example: unknown = JSON.parse('{"__proto__": {"polluted": 1}}');
    await read(openApi({ '/a': answering({ example }), '/b': answering({ $ref: '#/__proto__/x' }) }));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});

describe('a HAR file', () => {
  const entry = (url: string, more: { request?: object; response?: object } = {}) => ({
    request: { method: 'GET', url, ...more.request },
    response: { status: 200, ...more.response },
  });

  test('becomes one mock for every call; calls that scripts cannot make are listed', async () => {
    const { format, routes, skipped } = await read(
      har(
        entry('https://a.example/x', { response: { content: { text: '{"n":1}', mimeType: 'application/json' } } }),
        entry('https://a.example/x'),
        entry('ws://a.example/x'),
        entry('no URL'),
        entry('https://a.example/y', { request: { method: 'PATCH' } }),
        entry('https://a.example/z', { response: { status: 0 } }),
      ),
    );
    expect(format).toBe('har');
    expect(routes.map(({ request, answer }) => [request.method, request.url, answer.body])).toEqual([
      ['GET', 'https://a.example/x', { kind: 'text', text: '{"n":1}' }],
    ]);
    expect(skipped).toHaveLength(4);
  });

  test('keeps no secret of a request or a response', async () => {
    const imported = await read(
      har(
        entry('http://user:Canary-1@a.example/t?api_key=Canary-2', {
          request: {
            method: 'POST',
            headers: [{ name: 'Authorization', value: 'Bearer Canary-3' }],
            postData: { text: 'client_secret=Canary-4' },
          },
          response: {
            headers: [{ name: 'Set-Cookie', value: 'sid=Canary-5' }],
            content: { text: '{"access_token":"Canary-6"}', mimeType: 'application/json' },
          },
        }),
      ),
    );
    expect(imported.routes).toHaveLength(1);
    expect(JSON.stringify(imported)).not.toContain('Canary');
  });

  test('contains no named secret of the workspace, wherever it occurs', async () => {
    const [secret, other] = ['Canary/1 ü', 'Canary-other'];
    const { routes, skipped } = await read(
      har(
        entry(`https://a.example/${encodeURIComponent(secret)}/x?page=${other}`, {
          request: { method: 'POST', postData: { text: JSON.stringify({ note: secret, line: 3 }) } },
          response: { content: { text: `You sent ${secret}.`, mimeType: 'text/plain' } },
        }),
        entry('https://a.example/image', {
          response: {
            content: {
              text: Buffer.from(`\u0000${other}`).toString('base64'),
              encoding: 'base64',
              mimeType: 'image/png',
            },
          },
        }),
        entry(`https://a.example/${other}`, { request: { method: 'PATCH' } }),
      ),
      undefined,
      [secret, other],
    );
    expect(routes.map(({ request, answer }) => [request.url, request.body, answer.body])).toEqual([
      ['https://a.example/*/x?page=*', { json: { line: 3 } }, { kind: 'text', text: 'You sent ***.' }],
      ['https://a.example/image', null, { kind: 'base64', base64: Buffer.from('\u0000***').toString('base64') }],
    ]);
    expect(JSON.stringify([routes, skipped])).not.toContain('Canary');
  });

  test('with more calls than the maximum of mocks is rejected', async () => {
    const calls = Array.from({ length: 10_001 }, (_, n) => entry(`http://a.example/${n}`));
    await expect(read(har(...calls))).rejects.toThrow('more than 10000 mocks');
  });
});

test.each<[string, string, RegExp]>([
  ['nothing', '', /neither mocks of Tagwright/],
  ['a list', '[1]', /neither mocks of Tagwright/],
  ['half of a JSON text', '{"openapi":', /neither JSON nor YAML/],
  ['YAML that unfolds without bound', `a: &a [x,x,x]\n${bomb()}openapi: *h\n`, /neither JSON nor YAML/],
  ['YAML that holds itself', '&a {openapi: 3.1.0, paths: *a}', /neither JSON nor YAML/],
  [
    'YAML that is much longer than its text',
    `a: &a "${'x'.repeat(500_000)}"\nb:\n${'- *a\n'.repeat(200)}`,
    /unfolds to more/,
  ],
  ['YAML with endless nesting', `a: ${'['.repeat(20_000)}`, /neither JSON nor YAML/],
  ['OpenAPI of tomorrow', openApi({}, { openapi: '4.0.0' }), /its version is "4.0.0", but Tagwright reads OpenAPI 3/],
  ['OpenAPI of no version', openApi({}, { openapi: null }), /its version is null/],
  ['Swagger of yesterday', '{"swagger":"1.2","paths":{}}', /its version is "1.2"/],
  ['mocks of tomorrow', '{"mocks":[],"version":2}', /its version is 2, but this Tagwright reads 1/],
  ['paths that are a text', openApi('x'), /"paths" is not an object/],
  ['a HAR file without entries', '{"log":{"entries":"x"}}', /as har: log\.entries: must be a list in brackets/],
  ['an example of 20,000 levels', deepExample(), /nested too deeply/],
  ['mocks without a list', '{"mocks":{}}', /no list "mocks"/],
  ['a mock that is none', '{"mocks":[{"name":"A"}]}', /mock 1 "A" is invalid/],
])('%s is rejected with the reason', async (_, text, message) => {
  const folder = join(temporaryFolder(), 'mock-files');
  await expect(
    importMocks({ text, format: 'auto' }, { files: new MockFiles(folder), mask: new SecretMask([]) }),
  ).rejects.toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message: expect.stringMatching(message) }));
  expect(existsSync(folder)).toBe(false);
});

function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const times9 = (name: string) => `*${name},`.repeat(9);
  return names
    .slice(1)
    .map((name, at) => `${name}: &${name} [${times9(names[at] ?? '')}x]\n`)
    .join('');
}

function deepExample(): string {
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  return openApi({ '/a': answering({ example: 0 }) }).replace('"example":0', `"example":${deep}`);
}

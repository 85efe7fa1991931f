import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { remoteServer } from '../../support/services/remote-server.ts';
import { commandLine } from '../../support/product/command-line.ts';
import { builtProduct } from '../../support/product/product.ts';
import { serve } from '../../support/product/served-instance.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

beforeAll(builtProduct, 180_000);

const HAR = {
  log: {
    version: '1.2',
    entries: [
      {
        request: { method: 'GET', url: 'https://caps.example/api/orders/C-1', headers: [] },
        response: { status: 200, headers: [], content: { mimeType: 'application/json', text: '{"boxes":12}' } },
      },
    ],
  },
};

async function done(workspace: string, args: string[], stdin = ''): Promise<string> {
  const { code, out, err } = await commandLine([...args, '--workspace', workspace], { stdin });
  if (code !== 0) throw new Error(`tagwright ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

test('mocks are imported, listed, exported and deleted, and a script sees the mode', async () => {
  const workspace = temporaryFolder();
  const [har, file, body] = [join(workspace, 'calls.har'), join(workspace, 'mocks.json'), join(workspace, 'body.js')];
  writeFileSync(har, JSON.stringify(HAR));
  writeFileSync(body, `return ApiValueManager.Fetch('https://caps.example/api/orders/C-1', 'get').ResponseObject`);
  expect(await done(workspace, ['mocks', 'mode', 'offline'])).toMatch(/^offline: /);
  expect(JSON.parse(await done(workspace, ['mocks', 'mode', '--json']))).toEqual({ mode: 'offline', record: false });
  expect(await done(workspace, ['mocks', 'import', har, '--replace'])).toMatch(/^1 mock added \(har\), \d+ removed/);
  expect(await done(workspace, ['mocks', 'list'])).toContain('GET https://caps.example/api/orders/C-1');
  expect(await done(workspace, ['mocks', 'export', file])).toContain('1 mock exported');
  expect(await done(workspace, ['mocks', 'export', '-'])).toBe(readFileSync(file, 'utf8'));
  expect(await done(workspace, ['run', body])).toContain('boxes');
  const { mocks } = JSON.parse(await done(workspace, ['mocks', 'list', '--json']));
  expect(mocks).toMatchObject([{ hits: 1 }]);

  expect(await done(workspace, ['mocks', 'delete', '--all'])).toContain('1 mock deleted');
  const back = JSON.parse(await done(workspace, ['mocks', 'import', '-', '--json'], readFileSync(file, 'utf8')));
  expect(back).toMatchObject({ format: 'tagwright', added: 1, removed: 0 });
  expect(JSON.parse(await done(workspace, ['calls', 'list', '--json']))).toEqual([]);

  const wrong = await commandLine(['mocks', 'import', '-', '--workspace', workspace], { stdin: '{"no":"mocks"}' });
  expect(wrong.code).not.toBe(0);
  expect(wrong.err).toMatch(/mocks/i);
  expect(await done(workspace, ['mocks', 'mode', 'MOCKFIRST'])).toMatch(/^mockFirst: /);
  expect(await done(workspace, ['mocks', 'mode', 'Offline'])).toMatch(/^offline: /);
  expect((await commandLine(['mocks', 'mode', 'sometimes', '--workspace', workspace])).err).toContain('offline');
});

/** One mock for every sort of response and request. */
const MOCKS = {
  tagwright: 'mocks',
  version: 1,
  mocks: [
    {
      name: 'Order "C-1"\twith a tab',
      enabled: true,
      priority: 20,
      request: {
        method: 'POST',
        url: 'https://caps.example/api/orders/{id}?lang=*',
        headers: [['X-API-Key', '*']],
        body: { json: { boxes: 12 } },
      },
      answer: {
        status: 201,
        headers: [['x-note', 'ü']],
        body: { kind: 'json', json: { id: '{{request.path.id}}', boxes: '{{request.body.boxes}}' } },
        delayMs: 25,
        fault: null,
        template: true,
      },
    },
    ...[
      { kind: 'text', text: 'zwei\nZeilen' },
      { kind: 'base64', base64: 'iVBORw0KGgo=' },
      { kind: 'file', file: 'label.png' },
      { kind: 'none' },
    ].map((body, at) => ({
      name: `Body ${body.kind}`,
      enabled: at !== 3,
      priority: 5 - at,
      request: { method: 'ANY', url: `//*.example/${body.kind}/**`, headers: [], body: null },
      answer: { status: 200, headers: [], body, delayMs: 0, fault: null, template: false },
    })),
    {
      name: 'Gone',
      enabled: true,
      priority: 0,
      request: { method: 'DELETE', url: 'http://127.0.0.1:8080/x', headers: [], body: { contains: 'part' } },
      answer: { status: 200, headers: [], body: { kind: 'none' }, delayMs: 0, fault: 'reset', template: false },
    },
  ],
};

test('mocks of every kind are exported and imported unchanged, merged or replaced', async () => {
  const workspace = temporaryFolder();
  const [first, second] = [join(workspace, 'first.json'), join(workspace, 'second.json')];
  writeFileSync(first, `${JSON.stringify(MOCKS, null, 2)}\n`);
  await done(workspace, ['mocks', 'import', first, '--replace']);
  expect(await done(workspace, ['mocks', 'export', second])).toBe(`6 mocks exported to ${second}\n`);
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(first, 'utf8'));

  const listed = await done(workspace, ['mocks', 'list']);
  expect(listed).toMatch(/^ID +PRIORITY +HITS +REQUEST +ANSWER +NAME\n/);
  expect(listed).toMatch(/ 20 +0 +POST https:\/\/caps\.example\/api\/orders\/\{id\}\?lang=\* +201 after 25 ms +Order/);
  expect(listed).toMatch(/DELETE http:\/\/127\.0\.0\.1:8080\/x +reset +Gone/);
  expect(listed).toMatch(/ off +Body none/);
  // A tab in a name would look like a separate column.
  expect(listed).not.toContain('\t');

  expect(await done(workspace, ['mocks', 'import', '-'], readFileSync(second, 'utf8'))).toBe(
    '6 mocks added (tagwright)\n',
  );
  expect(await done(workspace, ['mocks', 'import', second, '--replace'])).toContain('12 removed');
  expect(await done(workspace, ['mocks', 'export', '-'])).toBe(readFileSync(first, 'utf8'));

  const broken = structuredClone(MOCKS);
  Object.assign(broken.mocks[3] ?? {}, { priority: 'high' });
  const refused = await commandLine(['mocks', 'import', '-', '--replace', '-w', workspace], {
    stdin: JSON.stringify(broken),
  });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain('"Body file" is invalid: priority: must be ');
  expect(await done(workspace, ['mocks', 'export', '-'])).toBe(readFileSync(first, 'utf8'));
  const nowhere = await commandLine(['mocks', 'export', join(workspace, 'no', 'such.json'), '-w', workspace]);
  expect(nowhere).toMatchObject({ code: 2, out: '' });
  expect(nowhere.err).toContain('cannot be written');
});

test('an OpenAPI document becomes mocks that respond to a script at its address', async () => {
  const workspace = temporaryFolder();
  const document = `
openapi: 3.1.0
info: { title: Caps, version: '1' }
paths:
  /orders/{id}:
    get:
      responses:
        '200':
          description: ok
          content: { application/json: { example: { boxes: 12 } } }
        '404': { description: gone }
`;
  const output = await done(workspace, ['mocks', 'import', '-', '--base-url', 'https://caps.example/v1'], document);
  expect(output).toBe('2 mocks added (openapi)\n');
  await done(workspace, ['mocks', 'mode', 'offline']);
  const body = `return ApiValueManager.Fetch('https://caps.example/v1/orders/7', 'get').ResponseObject`;
  expect(JSON.parse(await done(workspace, ['run', '-', '--json'], body))).toMatchObject({ result: '{"boxes":12}' });
  const none = await commandLine(['mocks', 'import', '-', '--format', 'har', '-w', workspace], { stdin: document });
  expect(none.code).not.toBe(0);
  expect(none.err).toContain('cannot be read as har');
});

test('the calls of a running instance are listed, and the list is cleared', async () => {
  const workspace = join(temporaryFolder(), 'plant');
  const end = await remoteServer((_, response) => void response.writeHead(409).end('{"code":"taken"}'));
  await serve(workspace);
  expect(await done(workspace, ['calls', 'list', '--json'])).toBe('[]\n');
  await done(workspace, ['mocks', 'import', '-', '--json'], JSON.stringify(MOCKS));
  await done(workspace, ['mocks', 'mode', 'live', '--record']);
  const body = (mode: string) => `
    const headers = JSON.stringify([{ headerKey: 'X-Line', headerValue: 'Line 1' }]);
    ApiValueManager.FetchWithBearerToken('${end.base}/orders?mode=${mode}', 'put', '{"boxes":1}', 'a-long-token', headers);
    ApiValueManager.FetchWithApiKey('https://caps.example/api/orders/C-1?lang=en', 'post', '{"boxes":12}', 'a-long-key');
    ApiValueManager.Fetch('ftp://x', 'get');`;
  await done(workspace, ['run', '-'], body('live').split('ApiValueManager.FetchWithApiKey')[0] ?? '');
  expect(await done(workspace, ['mocks', 'mode', 'mockFirst', '--no-record'])).not.toContain('become mocks');
  await done(workspace, ['run', '-'], body('first'));

  const calls = JSON.parse(await done(workspace, ['calls', 'list', '--json']));
  expect(calls).toMatchObject([
    { seq: 1, operation: 'FetchWithBearerToken', method: 'PUT', statusCode: '409', source: 'live', mock: null },
    { seq: 2, url: `${end.base}/orders?mode=first`, statusCode: '409', source: 'live', error: null },
    { seq: 3, operation: 'FetchWithApiKey', statusCode: '201', source: 'mock', mock: 'Order "C-1"\twith a tab' },
    { seq: 4, operation: 'Fetch', statusCode: '0', source: 'none', error: 'InvalidArgument' },
  ]);
  const [one, , mocked] = calls;
  expect(one.request).toMatchObject({ body: '{"boxes":1}', bytes: 11 });
  expect(one.request.headers).toEqual(
    expect.arrayContaining([
      ['Authorization', 'Bearer ***'],
      ['X-Line', 'Line 1'],
    ]),
  );
  expect(one.response).toMatchObject({ body: '{"code":"taken"}', bytes: 16 });
  expect(mocked.response).toMatchObject({ body: '{"id":"C-1","boxes":12}' });
  expect(JSON.stringify(calls)).not.toMatch(/a-long-/);

  const listed = (await done(workspace, ['calls', 'list', '--limit', '3'])).trimEnd().split('\n');
  expect(listed).toHaveLength(3);
  expect(listed[0]).toMatch(/^\d{4}-.*Z +PUT +409 +\d+ ms +live +http.*mode=first$/);
  expect(listed[1]).toMatch(/ POST +201 +\d+ ms +mock Order.* https:\/\/caps\.example/);
  expect(listed[2]).toMatch(/ InvalidArgument +\d+ ms +none +ftp:\/\/x$/);
  for (const limit of ['0', 'many', '1001', '1.5']) {
    expect(await commandLine(['calls', 'list', '--limit', limit, '-w', workspace])).toMatchObject({ code: 2, out: '' });
  }
  // The recorded call is stored as a mock, without secrets.
  const { mocks } = JSON.parse(await done(workspace, ['mocks', 'list', '--json']));
  expect(mocks.filter(({ name }: { name: string }) => name.startsWith('PUT 127.0.0.1'))).toMatchObject([
    { request: { url: `${end.base}/orders?mode=live`, body: { json: { boxes: 1 } } }, answer: { status: 409 } },
  ]);
  expect(await done(workspace, ['calls', 'clear'])).toBe('4 calls removed\n');
  expect(await done(workspace, ['calls', 'list', '--json'])).toBe('[]\n');
});

test('secrets are set without being shown, listed by name and deleted', async () => {
  const workspace = temporaryFolder();
  const said = await done(workspace, ['secrets', 'set', 'ERP_KEY'], 'canary-s3cret\n');
  expect(said).toContain('{{secret:ERP_KEY}}');
  const listed = await done(workspace, ['secrets', 'list', '--json']);
  expect(JSON.parse(listed)).toMatchObject([{ name: 'ERP_KEY', readable: true }]);
  expect(said + listed).not.toContain('canary-s3cret');
  expect(statSync(join(workspace, 'secrets.key')).mode & 0o777).toBe(0o600);
  const short = await commandLine(['secrets', 'set', 'SHORT', '--workspace', workspace], { stdin: 'abc' });
  expect(short).toMatchObject({ code: expect.any(Number), out: '' });
  expect(short.err).toContain('at least 4');
  await done(workspace, ['secrets', 'delete', 'ERP_KEY']);
  expect(JSON.parse(await done(workspace, ['secrets', 'list', '--json']))).toEqual([]);
});

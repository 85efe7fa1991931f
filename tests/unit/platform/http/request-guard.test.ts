import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { RPC_PROTOCOL } from '#contract/browser-session';
import { rendererFiles } from '../../../../src-main/host/renderer-files.ts';
import type { HostServer } from '../../../../src-main/host/host-server.ts';
import { startHostServer } from '../../../../src-main/host/host-server.ts';
import type { RefusedRequest } from '../../../../src-main/platform/http/request-guard.ts';
import { createRouter } from '../../../../src-main/rpc/router.ts';
import { sharedFolder } from '../../../support/temp-folder.ts';
import { fakeServices } from '../../../contract/fake-services.ts';
import { raw, startApi } from '../../events/api/start-api.ts';

/** A request, and the response of every port: 'served', or one of these statuses. 0 is the end of the connection. */
interface Row {
  name: string;
  method?: string;
  target?: (path: string, port: string) => string;
  version?: string;
  /** Header lines; by default, one valid Host header. */
  lines?: (port: string) => string[];
  body?: string;
  answer: 'served' | number | readonly number[];
  /** Not applicable to upgrades, which have one method and no body; programs that send the bearer send no Origin. */
  requestsOnly?: true;
}

const ours = (port: string) => `Host: 127.0.0.1:${port}`;
const foreignHosts = (port: string) => [
  'evil.example',
  `evil.example:${port}`,
  '127.0.0.1',
  'localhost',
  'localhost:1',
  `127.0.0.1:${port}.evil.example`,
  `127.0.0.1.evil.example:${port}`,
  `localhost.:${port}`,
  `user@127.0.0.1:${port}`,
  `0.0.0.0:${port}`,
  `127.0.0.2:${port}`,
  `127.1:${port}`,
  `2130706433:${port}`,
  `0x7f000001:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `[::]:${port}`,
  `127.0.0.1:${port},evil.example`,
  `127.0.0.1:${port}/`,
  '',
];
const withHeader = (line: string) => (port: string) => [ours(port), line];

const TABLE: readonly Row[] = [
  ...['127.0.0.1', 'localhost', 'LocalHost', '[::1]'].map((name): Row => ({
    name: `Host ${name}`,
    lines: (port) => [`Host: ${name}:${port}`],
    answer: 'served',
  })),
  ...foreignHosts('PORT').map((host): Row => ({
    name: `Host "${host}"`,
    lines: (port) => [`Host: ${host.replace('PORT', port)}`],
    answer: 421,
  })),
  { name: 'no Host', lines: () => [], answer: 421 },
  { name: 'no Host in HTTP/1.0', version: '1.0', lines: () => [], answer: 421, requestsOnly: true },
  { name: 'two Hosts, both ours', lines: (port) => [ours(port), ours(port)], answer: [400, 421] },
  { name: 'two Hosts, ours first', lines: (port) => [ours(port), 'Host: evil.example'], answer: [400, 421] },
  { name: 'two Hosts, ours last', lines: (port) => ['Host: evil.example', ours(port)], answer: [400, 421] },
  { name: 'two Hosts, other case', lines: (port) => [ours(port), 'hOST: evil.example'], answer: [400, 421] },
  { name: 'X-Forwarded-Host means nothing', lines: withHeader('X-Forwarded-Host: evil.example'), answer: 'served' },
  { name: 'absolute target, ours', target: (path, port) => `http://127.0.0.1:${port}${path}`, answer: 'served' },
  { name: 'absolute target, localhost', target: (path, port) => `HTTP://localhost:${port}${path}`, answer: 'served' },
  { name: 'absolute target, foreign', target: (path) => `http://evil.example${path}`, answer: 421 },
  {
    name: 'absolute target, foreign with our port',
    target: (path, port) => `http://evil.example:${port}${path}`,
    answer: 421,
  },
  {
    name: 'absolute target with credentials',
    target: (path, port) => `http://127.0.0.1:${port}@evil.example${path}`,
    answer: 421,
  },
  ...['https', 'ws', 'ftp', 'file', 'app'].map((scheme): Row => ({
    name: `absolute target, ${scheme}`,
    target: (path, port) => `${scheme}://127.0.0.1:${port}${path}`,
    answer: [400, 421],
  })),
  { name: 'absolute target without slashes', target: (path) => `http:${path}`, answer: [400, 421] },
  {
    name: 'absolute target, ours, Host foreign',
    target: (path, port) => `http://127.0.0.1:${port}${path}`,
    lines: () => ['Host: evil.example'],
    answer: 421,
  },
  { name: 'target of two slashes', target: () => '//evil.example/x', answer: [401, 404] },
  { name: 'target with a backslash', target: () => '/\\evil.example/x', answer: 400 },
  { name: 'target that begins with a backslash', target: () => '\\evil.example/x', answer: 400 },
  { name: 'target with a fragment', target: (path) => `${path}#x`, answer: 400 },
  { name: 'target without a slash', target: (path) => path.slice(1), answer: 400 },
  { name: 'target of CONNECT', target: (_path, port) => `127.0.0.1:${port}`, answer: 400 },
  { name: 'target *', target: () => '*', answer: 400 },
  {
    name: 'our Origin',
    lines: (port) => [ours(port), `Origin: http://127.0.0.1:${port}`],
    answer: 'served',
    requestsOnly: true,
  },
  ...[
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://localhost:PORT',
    'file://',
    '',
  ].map((origin): Row => ({
    name: `Origin "${origin}"`,
    lines: (port) => [ours(port), `Origin: ${origin.replace('PORT', port)}`],
    answer: 403,
  })),
  {
    name: 'two Origins, ours first',
    lines: (port) => [ours(port), `Origin: http://127.0.0.1:${port}`, 'Origin: http://evil.example'],
    answer: 403,
  },
  {
    name: 'Origin of the same name as a foreign Host',
    lines: (port) => [`Host: evil.example:${port}`, `Origin: http://evil.example:${port}`],
    answer: 421,
  },
  { name: 'one of our pages', lines: withHeader('Sec-Fetch-Site: same-origin'), answer: 'served' },
  { name: 'an address typed by the user', lines: withHeader('Sec-Fetch-Site: none'), answer: 'served' },
  { name: 'an image of a foreign page', lines: withHeader('Sec-Fetch-Site: cross-site'), answer: 403 },
  { name: 'an image of a page of another port', lines: withHeader('Sec-Fetch-Site: same-site'), answer: 403 },
  {
    name: 'a frame of a foreign page',
    lines: (port) => [ours(port), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: iframe'],
    answer: 403,
  },
  {
    name: 'a link that the user follows',
    lines: (port) => [ours(port), 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'],
    answer: 'served',
  },
  {
    name: 'a form of a foreign page',
    method: 'POST',
    lines: (port) => [
      ours(port),
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Dest: document',
      'Content-Length: 0',
    ],
    answer: 403,
    requestsOnly: true,
  },
  { name: 'TRACE', method: 'TRACE', answer: 405, requestsOnly: true },
  { name: 'CONNECT', method: 'CONNECT', target: (_path, port) => `127.0.0.1:${port}`, answer: 400, requestsOnly: true },
  { name: 'a method of no standard', method: 'FOO', answer: 400, requestsOnly: true },
  {
    name: 'Transfer-Encoding and Content-Length',
    method: 'POST',
    lines: (port) => [ours(port), 'Content-Length: 4', 'Transfer-Encoding: chunked'],
    body: '0\r\n\r\n',
    answer: 400,
    requestsOnly: true,
  },
  {
    name: 'two lengths',
    method: 'POST',
    lines: (port) => [ours(port), 'Content-Length: 0', 'Content-Length: 4'],
    answer: 400,
    requestsOnly: true,
  },
  { name: 'a folded Host', lines: (port) => ['Host: evil.example', `\t127.0.0.1:${port}`], answer: [400, 421] },
  { name: 'a folded Host, ours first', lines: (port) => [ours(port), ' .evil.example'], answer: [400, 421] },
  { name: 'a space before the colon', lines: (port) => [`Host : 127.0.0.1:${port}`], answer: 400 },
  { name: 'a NUL in a header', lines: withHeader('X-A: b\0c'), answer: 400 },
  { name: 'a line that ends without CR', lines: withHeader('X-A: b\nX-C: d'), answer: 400 },
];

const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${Buffer.alloc(16, 1).toString('base64')}`,
];

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0);
const isUpgraded = (response: string) => statusOf(response) === 101;

const folder = sharedFolder();
beforeAll(() => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  writeFileSync(join(folder, 'assets', 'main.js'), 'export {}');
});

const refused: RefusedRequest[] = [];

async function workbench(): Promise<HostServer> {
  const log = () => {};
  const server = await startHostServer({
    router: createRouter(fakeServices(), log),
    files: await rendererFiles(folder),
    port: 0,
    log,
    onRefused: (request) => refused.push(request),
  });
  onTestFinished(() => server.close());
  return server;
}

/** The three entry points: a request to each port, and the WebSocket of the workbench with the bearer of programs. */
const WAYS_IN = [
  {
    way: 'the events API',
    open: async () => ({
      url: (await startApi({ onRefused: (request) => refused.push(request) })).url(),
      path: '/api/health',
      more: ['Connection: close'],
    }),
    served: 200,
  },
  {
    way: 'the workbench',
    open: async () => ({ url: (await workbench()).url, path: '/assets/main.js', more: ['Connection: close'] }),
    served: 200,
  },
  {
    way: 'the WebSocket of the workbench',
    open: async () => {
      const { url, token } = await workbench();
      return { url, path: '/rpc', more: [...UPGRADE, `Authorization: Bearer ${token}`] };
    },
    served: 101,
  },
];

describe.each(WAYS_IN)('$way', ({ open, served }) => {
  test('serves its own requests and rejects all others, like the other ports', async () => {
    const { url, path, more } = await open();
    const { port } = new URL(url);
    for (const row of TABLE) {
      if (served === 101 && row.requestsOnly) continue;
      const { method = 'GET', target = (own) => own, version = '1.1', lines = (own) => [ours(own)], body = '' } = row;
      const head = [`${method} ${target(path, port)} HTTP/${version}`, ...lines(port), ...more, '', ''].join('\r\n');
      const response = await raw(url, head + body, { until: isUpgraded });
      const status = statusOf(response);
      if (row.answer === 'served') expect([row.name, status]).toEqual([row.name, served]);
      else expect([row.answer].flat(), row.name).toContain(status);
    }
  });
});

test('every refusal is reported with port, reason and client, never with a token', async () => {
  const [api, server] = [
    await startApi({ settings: { 'events.apiKey': 'correct-horse' }, onRefused: (request) => refused.push(request) }),
    await workbench(),
  ];
  for (const url of [api.url(), server.url]) {
    const { port } = new URL(url);
    const send = async (target: string, ...lines: string[]) => {
      refused.splice(0);
      await raw(url, [`GET ${target} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'));
      expect(refused).toHaveLength(1);
      return refused[0];
    };
    const client = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    const host = `127.0.0.1:${port}`;
    expect(await send('/', `Host: evil.example`)).toEqual({
      port: Number(port),
      reason: 'host',
      client,
      sent: 'evil.example',
    });
    expect(await send('/')).toMatchObject({ reason: 'host', sent: '' });
    expect(await send('/', `Host: ${host}`, 'Host: evil.example')).toMatchObject({
      reason: 'host',
      sent: `${host}, evil.example`,
    });
    expect(await send('/', `Host: ${host}`, 'Origin: http://evil.example')).toMatchObject({
      reason: 'origin',
      sent: 'http://evil.example',
    });
    expect(await send(`/\\${'x'.repeat(200)}`, `Host: ${host}`)).toMatchObject({
      reason: 'target',
      sent: `/\\${'x'.repeat(98)}`,
    });
    expect(await send('/', `Host: ${host}`, 'Authorization: Bearer wrong-secret')).toMatchObject({
      reason: 'token',
      sent: '',
    });
  }
});

test('the workbench reports every access without a token, a key or a session', async () => {
  const server = await workbench();
  const { host } = new URL(server.url);
  const send = async (line: string, ...lines: string[]) => {
    refused.splice(0);
    const response = await raw(server.url, [line, `Host: ${host}`, ...lines, '', ''].join('\r\n'), {
      until: isUpgraded,
    });
    return [statusOf(response), refused.map(({ reason }) => reason)];
  };
  const close = 'Connection: close';
  const link = new URL(server.oneTimeUrl() ?? '');
  refused.splice(0);
  const opened = await raw(server.url, `GET /${link.search} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n\r\n`);
  const cookie = `Cookie: ${/Set-Cookie: ([^;]+)/i.exec(opened)?.[1]}`;
  const key = /#key=(\S+)/.exec(opened)?.[1] ?? '';
  expect([statusOf(opened), refused]).toEqual([303, []]);
  const origin = `Origin: ${server.url}`;
  const offered = (text: string) => `Sec-WebSocket-Protocol: ${RPC_PROTOCOL}, ${text}`;

  expect(await send('GET /session HTTP/1.1', close, cookie, `Authorization: Bearer ${key}`)).toEqual([204, []]);
  expect(await send('GET /session HTTP/1.1', close, cookie, 'Authorization: Bearer wrong')).toEqual([401, ['token']]);
  expect(await send('GET /session HTTP/1.1', close, cookie)).toEqual([401, ['token']]);
  expect(await send('HEAD /session HTTP/1.1', close, `Authorization: Bearer ${key}`)).toEqual([401, ['token']]);
  expect(await send('GET / HTTP/1.1', close, cookie)).toEqual([200, []]);
  expect(await send('GET / HTTP/1.1', close)).toEqual([401, ['token']]);
  expect(await send('GET /?token=wrong HTTP/1.1', close)).toEqual([403, ['token']]);
  expect(await send('POST /links HTTP/1.1', close, 'Authorization: Bearer wrong')).toEqual([401, ['token']]);
  expect(await send('POST /links HTTP/1.1', close, origin, `Authorization: Bearer ${server.token}`)).toEqual([
    401,
    ['token'],
  ]);
  expect(await send('GET /rpc HTTP/1.1', ...UPGRADE, 'Authorization: Bearer wrong')).toEqual([401, ['token']]);
  expect(await send('GET /rpc HTTP/1.1', ...UPGRADE, origin, cookie, offered('wrong'))).toEqual([401, ['token']]);
  expect(await send('GET /rpc HTTP/1.1', ...UPGRADE, origin, offered(key))).toEqual([401, ['token']]);
  expect(await send('GET /rpc HTTP/1.1', ...UPGRADE, origin, cookie, offered(key))).toEqual([101, []]);
});

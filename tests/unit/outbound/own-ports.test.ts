import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { Connections } from '../../../src-main/outbound/http/connections.ts';
import { HttpClient } from '../../../src-main/outbound/http/http-client.ts';
import { connectorPastOwnPorts, isThisMachine } from '../../../src-main/outbound/http/own-ports.ts';
import { SentSecrets } from '../../../src-main/outbound/secrets/sent-secrets.ts';
import { isOwnPort, listenOnLoopback } from '../../../src-main/platform/http/loopback.ts';
import { remoteServer, rawRemoteServer } from '../../support/services/remote-server.ts';

/** A server of the product, and the requests that reached it. */
async function ownServer() {
  const reached: string[] = [];
  const server = createServer(({ method, url }: IncomingMessage, response) => {
    reached.push(`${method} ${url}`);
    response.end('own');
  });
  server.on('connection', () => reached.push('a connection'));
  const port = await listenOnLoopback(server, 0);
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  onTestFinished(async () => void (await close()));
  return { port, reached, close };
}

type Options = Partial<ConstructorParameters<typeof HttpClient>[0]>;

function clientOf(options: Options = {}): HttpClient {
  const client = new HttpClient({ caFiles: [], proxy: '', noProxy: [], allowOwnPorts: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

function send(client: HttpClient, url: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET') {
  const [body, bodyIsSecret] = [method === 'GET' ? null : '{}', false];
  const request = { method, url: new URL(url), headers: [], body, bodyIsSecret, secrets: [], named: [] };
  const rules = { timeoutMs: 10_000, maxRedirects: 5, maxBytes: 100_000, allowedHosts: [] };
  return client.send(request, rules, new AbortController().signal);
}

const refused = (port: number) =>
  expect.objectContaining({
    name: 'OwnPortRefused',
    message: expect.stringMatching(`:${port} is a port of this Tagwright, .*setting api.allowOwnPorts`),
  });
const cards = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ address }) => !address.includes('%') && !address.startsWith('fe80'))
  .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

describe('a port of this instance', () => {
  test.each([
    '127.0.0.1',
    'localhost',
    'LOCALHOST',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.2',
    '0.0.0.0',
    '0',
    '[::]',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '①②⑦.⓪.⓪.①',
    ...cards,
  ])('is not reached as %s, by any method or scheme', async (host) => {
    const { port, reached } = await ownServer();
    const client = clientOf();
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      await expect(send(client, `http://${host}:${port}/api/events`, method)).rejects.toEqual(refused(port));
    }
    await expect(send(client, `https://${host}:${port}/`)).rejects.toEqual(refused(port));
    expect(reached).toEqual([]);
  });

  test('is not reached over a redirect', async () => {
    const { port, reached } = await ownServer();
    const far = await remoteServer((_, response) =>
      response.writeHead(307, { Location: `http://localhost:${port}/api/events/1` }).end(),
    );
    for (const method of ['GET', 'PUT'] as const) {
      await expect(send(clientOf(), far.base, method)).rejects.toEqual(refused(port));
    }
    expect([far.requests.length, reached]).toEqual([2, []]);
  });

  test('is not reached by a name that later resolves elsewhere', async () => {
    const { port, reached } = await ownServer();
    const here: LookupFunction = (_, { all }, done) =>
      all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4);
    const connect = connectorPastOwnPorts({ lookup: here, timeout: 5_000 });
    const target = { hostname: 'rebound.invalid', host: `rebound.invalid:${port}`, protocol: 'http:', port: `${port}` };
    const failure = await new Promise((resolve) => connect(target, (...[error]) => resolve(error)));
    expect(failure).toEqual(refused(port));
    // The connection existed for a moment, but nothing was sent.
    expect(reached.filter((what) => what !== 'a connection')).toEqual([]);
  });

  test('is not reached by any name through a local proxy; other addresses are', async () => {
    const { port, reached } = await ownServer();
    const requests: string[] = [];
    const proxy = await rawRemoteServer((socket) =>
      socket.once('data', (data) => {
        requests.push(data.toString().split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const client = clientOf({ proxy });
    for (const host of ['127.0.0.1', 'localhost', 'rebound.example', '[::1]']) {
      for (const scheme of ['http', 'https']) {
        await expect(send(client, `${scheme}://${host}:${port}/`)).rejects.toEqual(refused(port));
      }
    }
    expect(requests).toEqual([]);
    await send(client, `http://192.0.2.1:${port}/`).catch(() => null);
    await send(client, `http://rebound.example:${port === 1 ? 2 : port - 1}/`).catch(() => null);
    expect(requests).toHaveLength(2);
    // A server that does not respond as a proxy fails as a proxy: none of our names is resolved there.
    const elsewhere = send(clientOf({ proxy: 'http://proxy.invalid:3128' }), `http://far.example:${port}/`);
    await expect(elsewhere).rejects.toMatchObject({ name: 'HostNotFound' });
    expect(reached).toEqual([]);
  });

  test('is reached only while the setting allows it, even over a kept connection', async () => {
    const { port, reached } = await ownServer();
    const connections = new Connections({
      settings: { onChange: () => () => undefined },
      vault: { onChange: () => () => undefined },
      sent: new SentSecrets({ read: () => null, has: () => false } as never),
      fault: (_, thrown) => expect.unreachable(String(thrown)),
    });
    onTestFinished(() => connections.close());
    const url = `http://127.0.0.1:${port}/`;
    const allowed = await connections.client({ ...DEFAULT_SETTINGS, 'api.allowOwnPorts': true });
    expect((await send(allowed, url)).body.toString()).toBe('own');
    await expect(send(await connections.client(DEFAULT_SETTINGS), url)).rejects.toEqual(refused(port));
    expect(reached).toEqual(['a connection', 'GET /']);
  });

  test('is protected only while the instance listens on it', async () => {
    const { port, close } = await ownServer();
    expect(isOwnPort(port)).toBe(true);
    await close();
    expect(isOwnPort(port)).toBe(false);
    const another = createServer((_, response) => response.end('another program'));
    await new Promise<void>((resolve) => another.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => another.close().closeAllConnections());
    expect((await send(clientOf(), `http://127.0.0.1:${port}/`)).body.toString()).toBe('another program');
  });

  test('does not affect other servers of this machine', async () => {
    await ownServer();
    const far = await remoteServer((_, response) => response.end('far'));
    expect((await send(clientOf(), far.base)).body.toString()).toBe('far');
  });
});

test.each([
  ['127.255.0.1', true],
  ['::ffff:127.0.0.1', true],
  ['::ffff:0:0', true],
  ['fe80::1%lo', false],
  ['192.0.2.1', false],
  ['::ffff:192.0.2.1', false],
  ['2001:db8::1', false],
  ['far.example', false],
])('%s leads to this machine: %s', (address, own) => {
  expect(isThisMachine(address)).toBe(own);
});

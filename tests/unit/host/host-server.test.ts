import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { HostServer } from '../../../src-main/host/host-server.ts';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import { RPC_PROTOCOL, SIGNED_OUT_CODE } from '#contract/browser-session';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { requestLink } from '../../../src-main/host/links.ts';
import { rendererFiles } from '../../../src-main/host/renderer-files.ts';
import { SERVER_LIMITS } from '../../../src-main/platform/http/bounded-server.ts';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import type { FakeServices } from '../../contract/fake-services.ts';
import { fakeServices } from '../../contract/fake-services.ts';
import { raw } from '../events/api/start-api.ts';
import type { Received } from './browser.ts';
import { send, cookieSetBy, upgrade } from './browser.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const folder = sharedFolder();
mkdirSync(join(folder, 'out', 'assets'), { recursive: true });
writeFileSync(join(folder, 'secret.txt'), 'secret');
writeFileSync(join(folder, 'out', 'index.html'), '<!doctype html><title>Workbench</title>');
writeFileSync(join(folder, 'out', 'assets', 'main-abc123.js'), 'export {}');

let services: FakeServices;
let server: HostServer;
let port: string;
let faults: unknown[];

beforeEach(async () => {
  services = fakeServices();
  faults = [];
  const log = (_where: string, fault: unknown) => void faults.push(fault);
  const files = await rendererFiles(join(folder, 'out'));
  server = await startHostServer({ router: createRouter(services, log), files, port: 0, log });
  ({ port } = new URL(server.url));
});
afterEach(() => server.close());

async function letIn(): Promise<string> {
  return (await newSession()).Cookie;
}

/** The headers with which our page opens the RPC. */
async function newSession(): Promise<{ Cookie: string; Origin: string; 'Sec-WebSocket-Protocol': string }> {
  const response = await send(server.oneTimeUrl() ?? '');
  const key = response.headers.location?.split('#key=')[1] ?? '';
  return { Cookie: cookieSetBy(response), Origin: server.url, 'Sec-WebSocket-Protocol': `${RPC_PROTOCOL}, ${key}` };
}

describe('the one-time token', () => {
  test('is exchanged for a session of this browser only, at a clean address', async () => {
    const response = await send(`${server.oneTimeUrl()}&other=1`);
    expect(response).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(/^\/#key=[\w-]{43}$/) },
      body: '',
    });
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^tagwright_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    ]);
    const page = await send(`${server.url}/`, { headers: { Cookie: cookieSetBy(response) } });
    expect(page).toMatchObject({ status: 200, body: '<!doctype html><title>Workbench</title>' });
  });

  test('works once; a used or wrong one gets a page that says what to do', async () => {
    const url = server.oneTimeUrl() ?? '';
    await send(url);
    for (const wrong of [url, `${server.url}/?token=`, `${server.url}/?token=${'x'.repeat(10_000)}`]) {
      const response = await send(wrong);
      expect(response).toMatchObject({ status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(response.body).toContain('npx tagwright open');
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  test('opens the workbench or a Diagram of this server, whatever the address', async () => {
    const cookie = await letIn();
    const cases: [string, string | undefined][] = [
      ['/diagrams/Line%201?workcenter=L1&token=', '/diagrams/Line%201?workcenter=L1'],
      ['/diagrams/Line%201?token=', '/diagrams/Line%201'],
      ['/diagrams/..%2f%2fevil.example?token=', '/diagrams/..%2F%2Fevil.example'],
      ['/diagrams/%0d%0aX:%20y?token=', '/diagrams/%0D%0AX%3A%20y'],
      ['/?next=//evil.example&token=', '/'],
      ['/%2f%2fevil.example/x?token=', '/'],
      ['/%5cevil.example/x?token=', '/'],
      ['/.//evil.example/x?token=', '/'],
      ['/x/..//evil.example/x?token=', '/'],
      [`http://localhost:${port}/x?token=`, '/'],
      ['//evil.example/x?token=', '/'],
      ['//evil.example/diagrams/x?token=', '/'],
      ['/\\evil.example/x?token=', undefined],
      ['/\\/evil.example/x?token=', undefined],
      ['///evil.example/x?token=', '/'],
      [`http://localhost:${port}//evil.example/x?token=`, '/'],
      ['http://evil.example/x?token=', undefined],
    ];
    for (const [target, location] of cases) {
      const { searchParams } = new URL(server.oneTimeUrl() ?? '');
      for (const token of [searchParams.get('token'), 'used']) {
        const head = [
          `GET ${target}${token} HTTP/1.1`,
          `Host: 127.0.0.1:${port}`,
          `Cookie: ${cookie}`,
          'Connection: close',
        ];
        const response = await raw(server.url, [...head, '', ''].join('\r\n'));
        const [page, fragment = ''] = /^Location: (.*)\r$/im.exec(response)?.[1]?.split('#') ?? [];
        expect([target, page]).toEqual([target, location]);
        expect(fragment).toMatch(token === 'used' || location === undefined ? /^$/ : /^key=[\w-]{43}$/);
        expect(response).toMatch(location === undefined ? /^HTTP\/1\.1 4/ : /^HTTP\/1\.1 303/);
      }
    }
  });

  test('is not used up by HEAD and prefetch requests', async () => {
    const url = server.oneTimeUrl() ?? '';
    expect(await send(url, { method: 'HEAD' })).toMatchObject({ status: 204, body: '' });
    for (const headers of [
      { 'Sec-Purpose': 'prefetch' },
      { 'Sec-Purpose': 'prefetch;prerender' },
      { 'Sec-Purpose': 'prefetch;anonymous-client-ip' },
      { Purpose: 'prefetch' },
      { 'X-Purpose': 'preview' },
      { 'X-Moz': 'prefetch' },
    ]) {
      const response = await send(url, { headers });
      expect(response).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store' } });
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect((await send(url)).status).toBe(303);
  });

  test('lasts as long as the setting says; the session lasts from its last use', async () => {
    const log = () => {};
    const times = { linkMs: 0, sessionMs: 3_600_000 };
    const files = await rendererFiles(join(folder, 'out'));
    const brief = await startHostServer({
      router: createRouter(services, log),
      files,
      port: 0,
      log,
      times: () => times,
    });
    const late = brief.oneTimeUrl() ?? '';
    await delay(5);
    expect(await send(late)).toMatchObject({ status: 403, body: expect.stringContaining('has expired') });
    times.linkMs = 60_000;
    const Cookie = cookieSetBy(await send(brief.oneTimeUrl() ?? ''));
    expect((await send(`${brief.url}/`, { headers: { Cookie } })).status).toBe(200);
    times.sessionMs = 0;
    await delay(5);
    expect((await send(`${brief.url}/`, { headers: { Cookie } })).status).toBe(401);
    await brief.close();
  });

  test('a used one does not lock out a signed-in browser', async () => {
    const url = server.oneTimeUrl() ?? '';
    const cookie = cookieSetBy(await send(url));
    expect(await send(url, { headers: { Cookie: cookie } })).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  test('a rebuilt page does not match this instance, until it matches again', async () => {
    const index = join(folder, 'out', 'index.html');
    const [first, Cookie] = [readFileSync(index, 'utf8'), await letIn()];
    const status = async () => (await send(`${server.url}/`, { headers: { Cookie } })).status;
    writeFileSync(index, first.replace('Workbench', 'Another'));
    const response = await send(`${server.url}/diagrams/Overview`, { headers: { Cookie } });
    expect(response).toMatchObject({ status: 503, body: expect.stringContaining('Stop it and start it again') });
    rmSync(index);
    expect(await status()).toBe(503);
    writeFileSync(index, first);
    expect(await status()).toBe(200);
    expect(faults).toEqual([]);
  });

  test('without a session, the workbench is not served; the page says what to do', async () => {
    const responses = await Promise.all([
      send(`${server.url}/`),
      send(`${server.url}/diagrams/Overview?workcenter=L1`),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.body).toContain('npx tagwright open');
    }
    const stale = await send(`${server.url}/`, { headers: { Cookie: `tagwright_${port}=${'A'.repeat(43)}` } });
    expect(stale.status).toBe(401);
  });

  test('programs request a new one with the token of the instance', async () => {
    const link = await requestLink(server);
    expect(await send(link ?? '')).toMatchObject({ status: 303 });
    expect(await send(`${server.url}/links`, { method: 'POST' })).toMatchObject({ status: 401 });
    const headers = { Authorization: `Bearer ${server.token}`, Origin: server.url };
    expect(await send(`${server.url}/links`, { method: 'POST', headers })).toMatchObject({ status: 401 });
    expect(await send(`${server.url}/links`)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    await expect(requestLink({ url: server.url, token: 'wrong' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('static files', () => {
  test('compressed files are sent to clients that accept them, also from loopback', async () => {
    const text = 'export {}'.repeat(1_000);
    writeFileSync(join(folder, 'out', 'assets', 'large-abc123.js'), text);
    writeFileSync(join(folder, 'out', 'assets', 'large-abc123.js.gz'), gzipSync(text));
    const files = await rendererFiles(join(folder, 'out'));
    const path = '/assets/large-abc123.js';
    for (const accepted of ['gzip, deflate, br', 'deflate, GZIP;q=0.5', '*']) {
      const file = await files.find(path, accepted);
      expect(file?.headers).toMatchObject({ 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' });
      expect(file?.headers['Content-Type']).toBe('text/javascript; charset=utf-8');
      expect(gunzipSync(file?.body ?? '').toString()).toBe(text);
    }
    for (const accepted of [undefined, '', 'br', 'gzip;q=0, *']) {
      const file = await files.find(path, accepted);
      expect([file?.headers['Content-Encoding'], file?.headers['Vary']]).toEqual([undefined, 'Accept-Encoding']);
      expect(file?.body.toString()).toBe(text);
    }
    const small = await files.find('/assets/main-abc123.js', 'gzip');
    expect(small?.headers).not.toHaveProperty('Vary');
  });

  let cookie: string;
  beforeEach(async () => {
    cookie = await letIn();
  });
  const get = (path: string, method = 'GET'): Promise<Received> =>
    send(`${server.url}${path}`, { method, headers: { Cookie: cookie } });

  test('assets are cacheable forever, the index not at all', async () => {
    expect((await get('/')).headers['cache-control']).toBe('no-store');
    const asset = await get('/assets/main-abc123.js');
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
    });
    expect(asset.body).toBe('export {}');
  });

  test('every response has the policy of the page and the common headers', async () => {
    const responses = await Promise.all([get('/'), get('/none.js'), get('/', 'POST'), send(`${server.url}/`)]);
    for (const { headers } of responses) {
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
      );
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });

  test('views of the workbench get the index, unknown files 404, other methods 405', async () => {
    expect(await get('/diagrams/Overview?workcenter=L1')).toMatchObject({ status: 200 });
    expect(await get('/assets/none.js')).toMatchObject({ status: 404 });
    expect(await get('/', 'DELETE')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(await get('/', 'HEAD')).toMatchObject({ status: 200, body: '' });
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%00',
    '/%zz',
    '//secret.txt',
    '//[',
    '*',
  ])('%s leads nowhere', async (path) => {
    // Sent raw, because clients normalize paths.
    const response = await raw(
      server.url,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 (200|400|404)/);
    expect(response).not.toContain('\r\n\r\nsecret');
    expect(faults).toEqual([]);
  });
});

const rpc = () => `${server.url}/rpc`;

describe('connections', () => {
  test('are open to programs with the token, and to browsers with session and origin', async () => {
    const { Cookie: cookie, ...page } = await newSession();
    const other = await newSession();
    const bearer = { Authorization: `Bearer ${server.token}` };
    const cases: [string, Record<string, string>, number][] = [
      ['the bearer', bearer, 101],
      ['a session with its key and our origin', { Cookie: cookie, ...page }, 101],
      [
        'a session without its key, as another port of this machine sees it',
        { Cookie: cookie, Origin: server.url },
        401,
      ],
      [
        'a session after a cookie that another port planted',
        { ...page, Cookie: `tagwright_${port}=x; ${cookie}` },
        101,
      ],
      ['a session with the key of another one', { ...other, Cookie: cookie }, 401],
      ['a session with a wrong key', { Cookie: cookie, ...page, 'Sec-WebSocket-Protocol': `${RPC_PROTOCOL}, x` }, 401],
      ['a key without its protocol', { Cookie: cookie, ...page, 'Sec-WebSocket-Protocol': 'x' }, 401],
      ['a key without a session', page, 401],
      ['nothing', {}, 401],
      ['a wrong bearer', { Authorization: 'Bearer x' }, 401],
      ['a session without an origin', { Cookie: cookie }, 401],
      ['our origin without a session', { Origin: server.url }, 401],
      ['a foreign page, whose browser sends the cookie', { Cookie: cookie, Origin: 'http://evil.example' }, 403],
      ['another port of this machine', { Cookie: cookie, Origin: 'http://127.0.0.1:1' }, 403],
      ['a page of a file', { Cookie: cookie, Origin: 'null' }, 403],
      ['a page with the bearer', { ...bearer, Origin: 'http://evil.example' }, 403],
      ['a name that leads here (DNS rebinding)', { ...bearer, Host: `evil.example:${port}` }, 421],
    ];
    for (const [, headers, status] of cases)
      expect([headers, await upgrade(rpc(), headers)]).toEqual([headers, status]);
    expect(await upgrade(`${server.url}/other`, bearer)).toBe(404);
  });

  test('requests with a foreign host name are rejected, whatever they request', async () => {
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port}.evil.example`]) {
      expect(await send(server.oneTimeUrl() ?? '', { headers: { Host: host } })).toMatchObject({ status: 421 });
    }
    expect(await send(server.oneTimeUrl() ?? '', { headers: { Host: `LocalHost:${port}` } })).toMatchObject({
      status: 303,
    });
  });

  test('an invalid or too large message ends only its own connection', async () => {
    const connection = await connectInstance(server);
    const open = async () => {
      const socket = new WebSocket(rpc().replace('http', 'ws'), {
        headers: { Authorization: `Bearer ${server.token}` },
      });
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('open', resolve));
      return socket;
    };
    const closeOf = (socket: WebSocket) =>
      new Promise((resolve) => socket.once('close', (code, reason) => resolve([code, reason.toString()])));
    const garbage = [
      '',
      'null',
      '{}',
      '{"i":1}',
      '[1,2]',
      '{"i":"1","t":3}',
      '{"i":"1","p":{"u":7}}',
      Buffer.from([1, 2, 3]),
    ];
    for (const [at, message] of garbage.entries()) {
      const socket = await open();
      const end = closeOf(socket);
      socket.send(message);
      // Later messages are neither processed nor logged.
      for (let again = 0; again < 50; again += 1) socket.send(message);
      expect([message, await end]).toEqual([message, [1007, 'not a message of the Tagwright RPC']]);
      expect(faults).toHaveLength(at + 1);
    }
    const strange = await open();
    const answered = new Promise((resolve) =>
      strange.once('message', (data) => resolve(Buffer.isBuffer(data) ? data.toString() : '')),
    );
    strange.send('{"i":"1","p":{"u":"/none"}}');
    expect(await answered).toContain('404');
    strange.terminate();
    const large = await open();
    const closed = new Promise((resolve) => large.once('close', resolve));
    large.send(Buffer.alloc(65 * 1024 * 1024));
    expect(await closed).toBe(1009);
    expect(await connection.client.app.info()).toMatchObject({ version: '0.1.0' });
    connection.close();
  });
});

describe('signing out', () => {
  /** Opens a window: its WebSocket, and how that is closed. */
  async function openWindow(headers: Record<string, string>) {
    const { 'Sec-WebSocket-Protocol': protocols = '', ...more } = headers;
    const socket = new WebSocket(rpc().replace('http', 'ws'), protocols.split(', '), { headers: more });
    const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    return { socket, closed };
  }

  test('ends every session, its windows and unused links at once; programs stay', async () => {
    const connection = await connectInstance(server);
    const [first, second, link] = [await newSession(), await newSession(), server.oneTimeUrl() ?? ''];
    const windows = [await openWindow(first), await openWindow(first), await openWindow(second)];
    expect(windows[0]?.socket.protocol).toBe(RPC_PROTOCOL);
    const stream = Promise.withResolvers<void>();
    windows[0]?.socket.once('message', () => stream.resolve());
    windows[0]?.socket.send(JSON.stringify({ i: '1', p: { u: '/app/status' } }));
    await stream.promise;
    expect(server.signOut()).toBe(2);
    for (const { closed } of windows) expect(await closed).toBe(SIGNED_OUT_CODE);
    expect(await upgrade(rpc(), first)).toBe(401);
    expect(await send(`${server.url}/`, { headers: { Cookie: second.Cookie } })).toMatchObject({ status: 401 });
    expect(await send(link)).toMatchObject({ status: 403 });
    expect(await connection.client.app.info()).toMatchObject({ version: '0.1.0' });
    connection.close();
    expect(await upgrade(rpc(), await newSession())).toBe(101);
  });

  test('200 connections can wait for a restore; the oldest gives way to a new one', async () => {
    const session = await newSession();
    await server.pause();
    const responses: (number | 'closed' | null)[] = [];
    for (let n = 0; n < 203; n += 1) {
      responses.push(null);
      void upgrade(rpc(), session).then(
        (status) => (responses[n] = status),
        () => (responses[n] = 'closed'),
      );
      // Gets a response later than the connection was accepted.
      await send(`${server.url}/session`);
    }
    await vi.waitFor(() => expect(responses.filter((response) => response === 'closed')).toHaveLength(3));
    server.serve(createRouter(services, () => {}));
    await vi.waitFor(() => expect(responses).toEqual([...Array(3).fill('closed'), ...Array(200).fill(101)]));
  });

  test('ends windows that wait for a restore, too', async () => {
    const session = await newSession();
    await server.pause();
    const waiting = upgrade(rpc(), session).catch(() => 'closed');
    // Later requests have a response, so the window is waiting by now.
    for (let time = 0; time < 3; time += 1) await send(`${server.url}/session`);
    server.signOut();
    expect(await waiting).toBe('closed');
    server.serve(createRouter(services, () => {}));
  });

  test('a page can check whether its session is valid', async () => {
    const { Cookie, 'Sec-WebSocket-Protocol': protocols } = await newSession();
    const Authorization = `Bearer ${protocols.split(', ')[1]}`;
    const status = async (headers: Record<string, string>) => (await send(`${server.url}/session`, { headers })).status;
    expect(await status({ Cookie, Authorization })).toBe(204);
    expect(await status({ Cookie })).toBe(401);
    expect(await status({ Authorization })).toBe(401);
    server.signOut();
    expect(await status({ Cookie, Authorization })).toBe(401);
  });
});

describe('many connections', () => {
  test('that are idle block no client and end no open window', async () => {
    const log = () => {};
    const limits = { ...SERVER_LIMITS, connections: 20 };
    const files = await rendererFiles(join(folder, 'out'));
    const bounded = await startHostServer({ router: createRouter(services, log), files, port: 0, log, limits });
    const connection = await connectInstance(bounded);
    const sockets: Socket[] = [];
    for (let at = 0; at < 200; at += 1) {
      const socket = createConnection(Number(new URL(bounded.url).port), '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
    }
    expect(await send(`${bounded.url}/`)).toMatchObject({ status: 401 });
    expect(await connection.client.app.info()).toMatchObject({ version: '0.1.0' });
    const open = () => sockets.filter((socket) => !socket.destroyed).length;
    for (const socket of sockets) socket.resume();
    await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(20));
    expect(connection.lost.aborted).toBe(false);
    connection.close();
    for (const socket of sockets) socket.destroy();
    await bounded.close();
  });
});

describe('start and stop', () => {
  test('a taken port is PORT_TAKEN', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const taken = typeof address === 'object' && address ? address.port : 0;
    const start = startHostServer({
      router: createRouter(services, () => {}),
      files: null,
      port: taken,
      log: () => {},
    });
    const error = await start.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TagwrightError);
    expect(error).toMatchObject({ code: 'PORT_TAKEN', data: { port: taken } });
    await new Promise((resolve) => other.close(resolve));
  });

  test('without a user interface, there are no files and no links', async () => {
    const bare = await startHostServer({
      router: createRouter(services, () => {}),
      files: null,
      port: 0,
      log: () => {},
    });
    expect(bare.oneTimeUrl()).toBeNull();
    expect(await requestLink(bare)).toBeNull();
    expect(await send(`${bare.url}/`)).toMatchObject({ status: 404 });
    await bare.close();
  });

  test('closing does not wait for rejected clients that stay connected', async () => {
    const headers = `Host: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket`;
    const sockets = ['/rpc', '/other', '/rpc?x=1'].map((path) => {
      // Half open: it does not end when the server does.
      const socket = createConnection({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
      return socket;
    });
    for (const socket of sockets) await new Promise((resolve) => socket.once('data', resolve));
    await expect(server.close()).resolves.toBeUndefined();
    for (const socket of sockets) socket.destroy();
  });

  test('closing ends calls, streams and idle connections, and frees the port', async () => {
    const connection = await connectInstance(server);
    const stream = await connection.client.tags.watch({ paths: ['Plant.Tag0.Value'] });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const run = connection.client.runs.execute({ body: 'wait', context, dryRun: false });
    run.catch(() => {});
    await stream.next();
    const idle = createConnection(Number(port), '127.0.0.1');
    idle.on('error', () => {});
    await delay(20);
    await server.close();
    expect(connection.lost.aborted).toBe(true);
    await vi.waitFor(() => expect([services.watches, services.running]).toEqual([0, 0]));
    idle.destroy();
    const again = await startHostServer({
      router: createRouter(services, () => {}),
      files: null,
      port: Number(port),
      log: () => {},
    });
    await again.close();
  });
});

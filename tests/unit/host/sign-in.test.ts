import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import { RPC_PROTOCOL, SIGNED_OUT_CODE } from '#contract/browser-session';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { requestLink } from '../../../src-main/host/links.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { raw } from '../events/api/start-api.ts';
import { send, cookieSetBy, upgrade } from './browser.ts';
import { hostServer } from './running-host.ts';

const host = hostServer();

describe('the one-time token', () => {
  test('is exchanged for a session of this browser only, at a clean address', async () => {
    const response = await send(`${host.server.oneTimeUrl()}&other=1`);
    expect(response).toMatchObject({
      status: 303,
      headers: { location: expect.stringMatching(/^\/#key=[\w-]{43}$/) },
      body: '',
    });
    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^tagwright_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
    ]);
    const page = await send(`${host.server.url}/`, { headers: { Cookie: cookieSetBy(response) } });
    expect(page).toMatchObject({ status: 200, body: '<!doctype html><title>Workbench</title>' });
  });

  test('works once; a used or wrong one gets a page that says what to do', async () => {
    const url = host.server.oneTimeUrl() ?? '';
    await send(url);
    for (const wrong of [url, `${host.server.url}/?token=`, `${host.server.url}/?token=${'x'.repeat(10_000)}`]) {
      const response = await send(wrong);
      expect(response).toMatchObject({ status: 403, headers: { 'content-type': 'text/html; charset=utf-8' } });
      expect(response.body).toContain('npx tagwright open');
      expect(response.headers['set-cookie']).toBeUndefined();
    }
  });

  test('opens the workbench or a Diagram of this host.server, whatever the address', async () => {
    const cookie = await host.letIn();
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
      [`http://localhost:${host.port}/x?token=`, '/'],
      ['//evil.example/x?token=', '/'],
      ['//evil.example/diagrams/x?token=', '/'],
      ['/\\evil.example/x?token=', undefined],
      ['/\\/evil.example/x?token=', undefined],
      ['///evil.example/x?token=', '/'],
      [`http://localhost:${host.port}//evil.example/x?token=`, '/'],
      ['http://evil.example/x?token=', undefined],
    ];
    for (const [target, location] of cases) {
      const { searchParams } = new URL(host.server.oneTimeUrl() ?? '');
      for (const token of [searchParams.get('token'), 'used']) {
        const head = [
          `GET ${target}${token} HTTP/1.1`,
          `Host: 127.0.0.1:${host.port}`,
          `Cookie: ${cookie}`,
          'Connection: close',
        ];
        const response = await raw(host.server.url, [...head, '', ''].join('\r\n'));
        const [page, fragment = ''] = /^Location: (.*)\r$/im.exec(response)?.[1]?.split('#') ?? [];
        expect([target, page]).toEqual([target, location]);
        expect(fragment).toMatch(token === 'used' || location === undefined ? /^$/ : /^key=[\w-]{43}$/);
        expect(response).toMatch(location === undefined ? /^HTTP\/1\.1 4/ : /^HTTP\/1\.1 303/);
      }
    }
  });

  test('is not used up by HEAD and prefetch requests', async () => {
    const url = host.server.oneTimeUrl() ?? '';
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
    const files = await host.files();
    const brief = await startHostServer({
      router: createRouter(host.services, log),
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
    const url = host.server.oneTimeUrl() ?? '';
    const cookie = cookieSetBy(await send(url));
    expect(await send(url, { headers: { Cookie: cookie } })).toMatchObject({ status: 303, headers: { location: '/' } });
  });

  test('a rebuilt page does not match this instance, until it matches again', async () => {
    const index = join(host.folder, 'out', 'index.html');
    const [first, Cookie] = [readFileSync(index, 'utf8'), await host.letIn()];
    const status = async () => (await send(`${host.server.url}/`, { headers: { Cookie } })).status;
    writeFileSync(index, first.replace('Workbench', 'Another'));
    const response = await send(`${host.server.url}/diagrams/Overview`, { headers: { Cookie } });
    expect(response).toMatchObject({ status: 503, body: expect.stringContaining('Stop it and start it again') });
    rmSync(index);
    expect(await status()).toBe(503);
    writeFileSync(index, first);
    expect(await status()).toBe(200);
    expect(host.faults).toEqual([]);
  });

  test('without a session, the workbench is not served; the page says what to do', async () => {
    const responses = await Promise.all([
      send(`${host.server.url}/`),
      send(`${host.server.url}/diagrams/Overview?workcenter=L1`),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(401);
      expect(response.body).toContain('npx tagwright open');
    }
    const stale = await send(`${host.server.url}/`, {
      headers: { Cookie: `tagwright_${host.port}=${'A'.repeat(43)}` },
    });
    expect(stale.status).toBe(401);
  });

  test('programs request a new one with the token of the instance', async () => {
    const link = await requestLink(host.server);
    expect(await send(link ?? '')).toMatchObject({ status: 303 });
    expect(await send(`${host.server.url}/links`, { method: 'POST' })).toMatchObject({ status: 401 });
    const headers = { Authorization: `Bearer ${host.server.token}`, Origin: host.server.url };
    expect(await send(`${host.server.url}/links`, { method: 'POST', headers })).toMatchObject({ status: 401 });
    expect(await send(`${host.server.url}/links`)).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    await expect(requestLink({ url: host.server.url, token: 'wrong' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});

describe('connections', () => {
  test('are open to programs with the token, and to browsers with session and origin', async () => {
    const { Cookie: cookie, ...page } = await host.newSession();
    const other = await host.newSession();
    const bearer = { Authorization: `Bearer ${host.server.token}` };
    const cases: [string, Record<string, string>, number][] = [
      ['the bearer', bearer, 101],
      ['a session with its key and our origin', { Cookie: cookie, ...page }, 101],
      [
        'a session without its key, as another port of this machine sees it',
        { Cookie: cookie, Origin: host.server.url },
        401,
      ],
      [
        'a session after a cookie that another port planted',
        { ...page, Cookie: `tagwright_${host.port}=x; ${cookie}` },
        101,
      ],
      ['a session with the key of another one', { ...other, Cookie: cookie }, 401],
      ['a session with a wrong key', { Cookie: cookie, ...page, 'Sec-WebSocket-Protocol': `${RPC_PROTOCOL}, x` }, 401],
      ['a key without its protocol', { Cookie: cookie, ...page, 'Sec-WebSocket-Protocol': 'x' }, 401],
      ['a key without a session', page, 401],
      ['nothing', {}, 401],
      ['a wrong bearer', { Authorization: 'Bearer x' }, 401],
      ['a session without an origin', { Cookie: cookie }, 401],
      ['our origin without a session', { Origin: host.server.url }, 401],
      ['a foreign page, whose browser sends the cookie', { Cookie: cookie, Origin: 'http://evil.example' }, 403],
      ['another port of this machine', { Cookie: cookie, Origin: 'http://127.0.0.1:1' }, 403],
      ['a page of a file', { Cookie: cookie, Origin: 'null' }, 403],
      ['a page with the bearer', { ...bearer, Origin: 'http://evil.example' }, 403],
      ['a name that leads here (DNS rebinding)', { ...bearer, Host: `evil.example:${host.port}` }, 421],
    ];
    for (const [, headers, status] of cases)
      expect([headers, await upgrade(host.rpc(), headers)]).toEqual([headers, status]);
    expect(await upgrade(`${host.server.url}/other`, bearer)).toBe(404);
  });

  test('requests with a foreign host name are rejected, whatever they request', async () => {
    for (const foreign of [
      'evil.example',
      `evil.example:${host.port}`,
      '127.0.0.1',
      `127.0.0.1:${host.port}.evil.example`,
    ]) {
      expect(await send(host.server.oneTimeUrl() ?? '', { headers: { Host: foreign } })).toMatchObject({ status: 421 });
    }
    expect(await send(host.server.oneTimeUrl() ?? '', { headers: { Host: `LocalHost:${host.port}` } })).toMatchObject({
      status: 303,
    });
  });

  test('an invalid or too large message ends only its own connection', async () => {
    const connection = await connectInstance(host.server);
    const open = async () => {
      const socket = new WebSocket(host.rpc().replace('http', 'ws'), {
        headers: { Authorization: `Bearer ${host.server.token}` },
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
      expect(host.faults).toHaveLength(at + 1);
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
    const socket = new WebSocket(host.rpc().replace('http', 'ws'), protocols.split(', '), { headers: more });
    const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
    await new Promise((resolve) => socket.once('open', resolve));
    return { socket, closed };
  }

  test('ends every session, its windows and unused links at once; programs stay', async () => {
    const connection = await connectInstance(host.server);
    const [first, second, link] = [await host.newSession(), await host.newSession(), host.server.oneTimeUrl() ?? ''];
    const windows = [await openWindow(first), await openWindow(first), await openWindow(second)];
    expect(windows[0]?.socket.protocol).toBe(RPC_PROTOCOL);
    const stream = Promise.withResolvers<void>();
    windows[0]?.socket.once('message', () => stream.resolve());
    windows[0]?.socket.send(JSON.stringify({ i: '1', p: { u: '/app/status' } }));
    await stream.promise;
    expect(host.server.signOut()).toBe(2);
    for (const { closed } of windows) expect(await closed).toBe(SIGNED_OUT_CODE);
    expect(await upgrade(host.rpc(), first)).toBe(401);
    expect(await send(`${host.server.url}/`, { headers: { Cookie: second.Cookie } })).toMatchObject({ status: 401 });
    expect(await send(link)).toMatchObject({ status: 403 });
    expect(await connection.client.app.info()).toMatchObject({ version: '0.1.0' });
    connection.close();
    expect(await upgrade(host.rpc(), await host.newSession())).toBe(101);
  });

  test('200 connections can wait for a restore; the oldest gives way to a new one', async () => {
    const session = await host.newSession();
    await host.server.pause();
    const responses: (number | 'closed' | null)[] = [];
    for (let n = 0; n < 203; n += 1) {
      responses.push(null);
      void upgrade(host.rpc(), session).then(
        (status) => (responses[n] = status),
        () => (responses[n] = 'closed'),
      );
      // Gets a response later than the connection was accepted.
      await send(`${host.server.url}/session`);
    }
    await vi.waitFor(() => expect(responses.filter((response) => response === 'closed')).toHaveLength(3));
    host.server.serve(createRouter(host.services, () => {}));
    await vi.waitFor(() => expect(responses).toEqual([...Array(3).fill('closed'), ...Array(200).fill(101)]));
  });

  test('ends windows that wait for a restore, too', async () => {
    const session = await host.newSession();
    await host.server.pause();
    const waiting = upgrade(host.rpc(), session).catch(() => 'closed');
    // Later requests have a response, so the window is waiting by now.
    for (let time = 0; time < 3; time += 1) await send(`${host.server.url}/session`);
    host.server.signOut();
    expect(await waiting).toBe('closed');
    host.server.serve(createRouter(host.services, () => {}));
  });

  test('a page can check whether its session is valid', async () => {
    const { Cookie, 'Sec-WebSocket-Protocol': protocols } = await host.newSession();
    const Authorization = `Bearer ${protocols.split(', ')[1]}`;
    const status = async (headers: Record<string, string>) =>
      (await send(`${host.server.url}/session`, { headers })).status;
    expect(await status({ Cookie, Authorization })).toBe(204);
    expect(await status({ Cookie })).toBe(401);
    expect(await status({ Authorization })).toBe(401);
    host.server.signOut();
    expect(await status({ Cookie, Authorization })).toBe(401);
  });
});

import { createConnection } from 'node:net';
import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EventStreamClient } from '../../../support/hub/event-stream.ts';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

const statusOf = (response: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0);

/** The status of a GET of the list, with the exact target and header lines. */
async function send(api: Api, lines: string[], target = '/api/events', method = 'GET'): Promise<string> {
  return raw(api.url(), `${method} ${target} HTTP/1.1\r\n${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
}

const portOf = (api: Api) => new URL(api.url()).port;

test('pages of other origins are refused, also without an Origin; nothing is shared', async () => {
  const api = await startApi();
  const ours = `Host: 127.0.0.1:${portOf(api)}`;
  for (const origin of [
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    `http://localhost:${portOf(api)}`,
    'file://',
  ]) {
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const response = await send(api, [ours, `Origin: ${origin}`], '/api/events/1', method);
      expect([origin, method, statusOf(response)]).toEqual([origin, method, 403]);
      expect(response.toLowerCase()).not.toContain('access-control');
    }
  }
  expect(api.source.events.size).toBe(3);
  for (const site of ['cross-site', 'same-site']) {
    expect(statusOf(await send(api, [ours, `Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: no-cors']))).toBe(403);
    const followed = [ours, `Sec-Fetch-Site: ${site}`, 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'];
    expect(statusOf(await send(api, followed, '/api/docs'))).toBe(200);
    expect(statusOf(await send(api, followed, '/api/events/1', 'DELETE'))).toBe(403);
  }
  expect(statusOf(await send(api, [ours, `Origin: http://127.0.0.1:${portOf(api)}`]))).toBe(200);
});

test('it cannot be reached from outside this machine', async () => {
  const api = await startApi();
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4');
  const others = [...outside.map(({ address }) => address), '127.0.0.2'];
  for (const address of others) {
    const error = await new Promise((resolve) => {
      const socket = createConnection(Number(portOf(api)), address, () => resolve(null));
      socket.on('error', resolve);
      onTestFinished(() => void socket.destroy());
    });
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
  }
});

test('the API key, if one is set, is required on every call', async () => {
  const apiKey = 'correct-horse-battery';
  const api = await startApi({ settings: { 'events.apiKey': apiKey } });
  for (const path of ['/api/events', '/api/events/1', '/api/health', '/api/openapi.json', '/api/docs', '/none']) {
    const response = await api.call(path);
    expect([path, response.status]).toEqual([path, 401]);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer/);
    const text = await response.text();
    expect(text).toContain('X-API-Key');
    expect(text).not.toContain(apiKey);
  }
  const withHeaders = async (headers: Record<string, string>) => (await api.call('/api/events/1', { headers })).status;
  expect(await withHeaders({ 'X-API-Key': apiKey })).toBe(200);
  expect(await withHeaders({ Authorization: `Bearer ${apiKey}` })).toBe(200);
  expect(await withHeaders({ Authorization: `bearer ${apiKey}` })).toBe(200);
  for (const wrong of ['', 'x', `${apiKey}x`, apiKey.slice(1), apiKey.toUpperCase()]) {
    expect(await withHeaders({ 'X-API-Key': wrong })).toBe(401);
    expect(await withHeaders({ Authorization: `Bearer ${wrong}` })).toBe(401);
  }
  expect(await withHeaders({ Authorization: `Basic ${apiKey}` })).toBe(401);
  api.settings.update({ 'events.apiKey': '' });
  expect(await withHeaders({})).toBe(200);
});

test('headers that are too large are refused', async () => {
  const api = await startApi();
  const ours = `Host: 127.0.0.1:${portOf(api)}`;
  for (const lines of [
    [ours, `X-Large: ${'x'.repeat(17_000)}`],
    [ours, ...Array.from({ length: 2_000 }, (_, at) => `X-${at}: some text`)],
  ]) {
    const response = await send(api, lines);
    expect(statusOf(response)).toBe(431);
    expect(response).toContain('headers-too-large');
  }
  expect(statusOf(await send(api, [ours], `/api/events?${'x'.repeat(17_000)}`))).toBe(431);
});

/** A body of the given size in bytes. */
const bodyOf = (size: number) => `{"Active": false, "x": "${'x'.repeat(size - 26)}"}`;

test('bodies above 64 KiB are refused, announced or not; 64 KiB is read', async () => {
  const api = await startApi();
  expect(bodyOf(65_536)).toHaveLength(65_536);
  expect((await api.put(1, bodyOf(65_536))).status).toBe(200);
  const large = await api.put(2, bodyOf(65_537));
  expect([large.status, await large.json()]).toMatchObject([413, { type: '/api/docs#problem-body-too-large' }]);
  const head = `PUT /api/events/2 HTTP/1.1\r\nHost: 127.0.0.1:${portOf(api)}\r\nContent-Type: application/json\r\n`;
  const endless = `Transfer-Encoding: chunked\r\n\r\n${`4000\r\n${'x'.repeat(0x4000)}\r\n`.repeat(5)}`;
  expect(statusOf(await raw(api.url(), head + endless, { until: (text) => text.includes('\r\n\r\n') }))).toBe(413);
  expect(
    statusOf(
      await raw(api.url(), `${head}Content-Length: 99999999\r\n\r\n`, { until: (text) => text.includes('\r\n\r\n') }),
    ),
  ).toBe(413);
  expect(api.source.events.get(2)?.Active).toBe(true);
});

const SHORT = { headersMs: 300, requestMs: 600, keepAliveMs: 1_000, checkMs: 50 };

test('slow headers, slow bodies and idle connections end in time', async () => {
  const api = await startApi({ limits: SHORT });
  const host = `Host: 127.0.0.1:${portOf(api)}\r\n`;
  const slow = async (begin: string, drop: string) => {
    const started = performance.now();
    const socket = createConnection(Number(portOf(api)), '127.0.0.1');
    let response = '';
    socket.on('data', (chunk: Buffer) => void (response += chunk.toString()));
    socket.on('error', () => {});
    socket.write(begin);
    const timer = setInterval(() => socket.write(drop), 40);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(timer);
    return { response, ms: performance.now() - started };
  };
  const [headers, body, nothing, kept] = await Promise.all([
    slow(`GET /api/events HTTP/1.1\r\n${host}`, 'X-A: b\r\n'),
    slow(`PUT /api/events/1 HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n`, 'x'),
    slow('', ''),
    slow(`GET /api/health HTTP/1.1\r\n${host}\r\n`, ''),
  ]);
  expect([headers, body, nothing].map(({ response }) => statusOf(response))).toEqual([408, 408, 408]);
  expect(body.response).toContain('request-timeout');
  expect(statusOf(kept.response)).toBe(200);
  // Node itself would wait longer.
  for (const { ms } of [headers, body, nothing, kept]) expect(ms).toBeLessThan(5_000);
  expect(api.logged).toEqual([]);
});

test('invalid HTTP is answered with a problem and logged', async () => {
  const api = await startApi();
  for (const text of [
    '\u0016\u0003\u0001',
    'GET\r\n\r\n',
    'FOO BAR BAZ\r\n\r\n',
    'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  ]) {
    const response = await raw(api.url(), text);
    expect([text, statusOf(response)]).toEqual([text, 400]);
    expect(response).toContain('malformed-request');
  }
  const smuggled = `POST /api/events HTTP/1.1\r\nHost: 127.0.0.1:${portOf(api)}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
  expect(statusOf(await raw(api.url(), smuggled))).toBe(400);
  await vi.waitFor(() =>
    expect(api.service.requests({}).map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]),
  );
});

test('thousands of idle connections block no clients', async () => {
  const api = await startApi({ limits: { connections: 300 } });
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  let ended = 0;
  for (let batch = 0; batch < 15; batch += 1) {
    await Promise.all(
      Array.from({ length: 200 }, () => {
        const socket = createConnection(Number(portOf(api)), '127.0.0.1');
        socket.on('error', () => {});
        socket.on('close', () => void (ended += 1));
        socket.resume();
        sockets.push(socket);
        return new Promise((resolve) => socket.once('connect', resolve));
      }),
    );
  }
  expect((await api.call('/api/events/1')).status).toBe(200);
  await vi.waitFor(() => expect(ended).toBeGreaterThanOrEqual(2_699));
  await delay(50);
  expect(ended).toBeLessThan(2_720);
});

test('upgrades are handled as requests: the events API has none', async () => {
  const api = await startApi();
  const lines = [`Host: 127.0.0.1:${portOf(api)}`, 'Connection: Upgrade', 'Upgrade: websocket'];
  for (const [path, status] of [
    ['/rpc', 404],
    ['/api/events/1', 200],
  ] as const) {
    const response = await raw(api.url(), [`GET ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n'), {
      until: (text) => text.includes('\r\n\r\n'),
    });
    expect([path, statusOf(response)]).toEqual([path, status]);
  }
});

test('slow bodies block no clients, and their connections are logged as aborted', async () => {
  const api = await startApi({ limits: { connections: 30 } });
  const head = `PUT /api/events/1 HTTP/1.1\r\nHost: 127.0.0.1:${portOf(api)}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
  const sockets: Socket[] = [];
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  for (let round = 0; round < 4; round += 1) {
    for (let at = 0; at < 36; at += 1) {
      const socket = createConnection(Number(portOf(api)), '127.0.0.1');
      socket.on('error', () => {});
      sockets.push(socket);
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.write(head);
    }
    for (const headers of [{ Connection: 'close' }, { Connection: 'keep-alive' }]) {
      expect((await api.call('/api/events/1', { headers })).status).toBe(200);
      expect((await api.put(2, { Active: false }, headers)).status).toBe(200);
    }
  }
  await vi.waitFor(() =>
    expect(api.service.requests({}).filter(({ outcome }) => outcome === 'aborted').length).toBeGreaterThan(100),
  );
  expect(api.logged).toEqual([]);
});

test('every response has the common headers', async () => {
  const api = await startApi();
  for (const path of ['/api/events', '/api/events/1', '/api/events/x', '/none', '/api/docs']) {
    const { headers } = await api.call(path);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('x-powered-by')).toBeNull();
  }
});

test('another key ends streams and requests that wait with the one before', async () => {
  const limits = { waits: 1, waitMs: 600_000 };
  const api = await startApi({ settings: { 'events.apiKey': 'the-first-key' }, limits });
  const open = async (key: string) => {
    const stream = await EventStreamClient.open(`${api.url()}/api/events`, '', { 'X-API-Key': key });
    await expect.poll(() => stream.changes.length).toBe(3);
    return stream;
  };
  const first = await open('the-first-key');
  const headers = { 'X-API-Key': 'the-first-key', Prefer: 'wait=600' };
  const waiting = api.call('/api/events?after=99', { headers }).then(
    ({ status }) => status,
    () => 'cut off',
  );
  const atOnce = { 'X-API-Key': 'the-first-key', Prefer: 'wait=0' };
  await expect
    .poll(async () => (await api.call('/api/events', { headers: atOnce })).headers.get('preference-applied'))
    .toBeNull();
  api.settings.update({ 'events.apiKey': 'the-second-key' });
  await expect.poll(() => first.isEnded).toBe(true);
  expect(await waiting).toBe('cut off');
  const second = await open('the-second-key');
  // Without a key, everything is open, and open streams stay.
  api.settings.update({ 'events.apiKey': '' });
  api.source.add(eventOf(9));
  await expect.poll(() => second.changes).toContain('created 9');
  // What was open without a key is not, once there is one.
  api.settings.update({ 'events.apiKey': 'the-third-key' });
  await expect.poll(() => second.isEnded).toBe(true);
});

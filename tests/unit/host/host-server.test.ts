import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { startHostServer } from '../../../src-main/host/host-server.ts';
import { connectInstance } from '../../../src-main/host/instance-client.ts';
import { requestLink } from '../../../src-main/host/links.ts';
import { SERVER_LIMITS } from '../../../src-main/platform/http/bounded-server.ts';
import { TagwrightError } from '../../../src-main/platform/errors.ts';
import { createRouter } from '../../../src-main/rpc/router.ts';
import { raw } from '../events/api/start-api.ts';
import type { Received } from './browser.ts';
import { send } from './browser.ts';
import { hostServer } from './running-host.ts';

const host = hostServer();

describe('static files', () => {
  test('compressed files are sent to clients that accept them, also from loopback', async () => {
    const text = 'export {}'.repeat(1_000);
    writeFileSync(join(host.folder, 'out', 'assets', 'large-abc123.js'), text);
    writeFileSync(join(host.folder, 'out', 'assets', 'large-abc123.js.gz'), gzipSync(text));
    const files = await host.files();
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
    cookie = await host.letIn();
  });
  const get = (path: string, method = 'GET'): Promise<Received> =>
    send(`${host.server.url}${path}`, { method, headers: { Cookie: cookie } });

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
    const responses = await Promise.all([get('/'), get('/none.js'), get('/', 'POST'), send(`${host.server.url}/`)]);
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
      host.server.url,
      `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${host.port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 (200|400|404)/);
    expect(response).not.toContain('\r\n\r\nsecret');
    expect(host.faults).toEqual([]);
  });
});

describe('many connections', () => {
  test('that are idle block no client and end no open window', async () => {
    const log = () => {};
    const limits = { ...SERVER_LIMITS, connections: 20 };
    const files = await host.files();
    const bounded = await startHostServer({ router: createRouter(host.services, log), files, port: 0, log, limits });
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
      router: createRouter(host.services, () => {}),
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
      router: createRouter(host.services, () => {}),
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
    const headers = `Host: 127.0.0.1:${host.port}\r\nConnection: Upgrade\r\nUpgrade: websocket`;
    const sockets = ['/rpc', '/other', '/rpc?x=1'].map((path) => {
      // Half open: it does not end when the server does.
      const socket = createConnection({ port: Number(host.port), host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => {});
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
      return socket;
    });
    for (const socket of sockets) await new Promise((resolve) => socket.once('data', resolve));
    await expect(host.server.close()).resolves.toBeUndefined();
    for (const socket of sockets) socket.destroy();
  });

  test('closing ends calls, streams and idle connections, and frees the port', async () => {
    const connection = await connectInstance(host.server);
    const stream = await connection.client.tags.watch({ paths: ['Plant.Tag0.Value'] });
    const context = { tagName: '', tagScopeDiagram: null, tagScopeLocation: null };
    const run = connection.client.runs.execute({ body: 'wait', context, dryRun: false });
    run.catch(() => {});
    await stream.next();
    const idle = createConnection(Number(host.port), '127.0.0.1');
    idle.on('error', () => {});
    await delay(20);
    await host.server.close();
    expect(connection.lost.aborted).toBe(true);
    await vi.waitFor(() => expect([host.services.watches, host.services.running]).toEqual([0, 0]));
    idle.destroy();
    const again = await startHostServer({
      router: createRouter(host.services, () => {}),
      files: null,
      port: Number(host.port),
      log: () => {},
    });
    await again.close();
  });
});

import { createConnection } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

test('all active events, oldest first, as one JSON array', async () => {
  const { call, source } = await startApi({ events: 1_234 });
  await source.setActive(5, false);
  const response = await call('/api/events');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const events: unknown = await response.json();
  const expected = Array.from({ length: 1_234 }, (_, at) => eventOf(at + 1)).filter((_, at) => at !== 4);
  expect(events).toEqual(expected);
  expect(source.lists).toBe(0);
});

test('a 304 while nothing changed, without looking at the events', async () => {
  const { call, source, put } = await startApi();
  const etag = (await call('/api/events')).headers.get('etag') ?? '';
  expect(etag).toMatch(/^W\/"[\w-]+"$/);
  source.list = () => {
    throw new Error('the events were looked at');
  };
  const again = (path: string, tag = etag, headers = {}) =>
    call(path, { headers: { 'If-None-Match': tag, ...headers } });
  for (const tag of [etag, '*', `"x", ${etag}`, etag.slice(2)]) {
    const response = await again('/api/events', tag);
    expect([tag, response.status, response.headers.get('etag'), await response.text()]).toEqual([tag, 304, etag, '']);
  }
  Reflect.deleteProperty(source, 'list');
  expect((await again('/api/events?active=all')).status).toBe(200);
  expect((await again('/api/events', etag, { Accept: 'application/x-ndjson' })).status).toBe(200);
  await put(1, { Active: false });
  const changed = await again('/api/events');
  expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
});

test('HEAD has the headers of GET and opens no list', async () => {
  const { url, source } = await startApi();
  const response = await raw(
    url(),
    `HEAD /api/events HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*ETag: W\/"[\s\S]*\r\n\r\n$/);
  expect(source.lists).toBe(0);
});

test('other requests are answered while a list is streamed', async () => {
  const { call } = await startApi({ events: 60_000 });
  const list = call('/api/events');
  const reader = (await list).body?.getReader();
  await reader?.read();
  expect((await call('/api/events/1')).status).toBe(200);
  await reader?.cancel();
});

test('a client that does not read is dropped, and its snapshot released', async () => {
  const { url, source, service } = await startApi({ events: 100_000, limits: { stallMs: 200 } });
  const socket = createConnection(Number(new URL(url()).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.pause();
  socket.write(`GET /api/events HTTP/1.1\r\nHost: ${new URL(url()).host}\r\n\r\n`);
  await vi.waitFor(() => expect(source.lists).toBe(1));
  await vi.waitFor(() => expect(source.lists).toBe(0));
  await vi.waitFor(() =>
    expect(service.requests({})).toMatchObject([{ path: '/api/events', status: 200, outcome: 'aborted' }]),
  );
  let text = '';
  socket.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  await new Promise<void>((resolve) => void socket.once('close', () => resolve()).resume());
  // Both the array and the chunked body are cut off, so that no client mistakes it for a complete list.
  expect(text.endsWith('0\r\n\r\n')).toBe(false);
});

test('a client that disconnects in the middle ends its list', async () => {
  const { call, source, logged } = await startApi({ events: 100_000 });
  const reader = (await call('/api/events')).body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await vi.waitFor(() => expect(source.lists).toBe(0));
  expect(logged).toEqual([]);
});

test('a fault in the middle of a list cuts off the response', async () => {
  const { url, source, logged } = await startApi({ events: 1_000 });
  const list = source.list.bind(source);
  source.list = async function* failing(filter) {
    for await (const chunk of list(filter)) {
      yield chunk;
      throw new Error('the disk is gone');
    }
  };
  const response = await raw(url(), `GET /api/events HTTP/1.1\r\nHost: ${new URL(url()).host}\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 200/);
  expect(response.endsWith('0\r\n\r\n')).toBe(false);
  expect(logged.join('')).toContain('the disk is gone');
});

/** Requests a list or page and never reads the response, so that its place stays taken. */
async function neverRead(url: string, target = '/api/events') {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => {
    socket.once('readable', resolve);
    socket.write(`GET ${target} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n\r\n`);
  });
  return { closed };
}

test('more lists than places: retry later; pages have separate places', async () => {
  const { call, url, source } = await startApi({ events: 100_000, limits: { lists: 2 } });
  await neverRead(url());
  await neverRead(url());
  for (const path of ['/api/events', '/api/events?limit=1001']) {
    const busy = await call(path);
    expect([busy.status, busy.headers.get('retry-after'), busy.headers.get('etag')]).toEqual([503, '1', null]);
    expect(await busy.json()).toMatchObject({
      type: '/api/docs#problem-busy',
      detail: expect.stringContaining('limit=1000'),
    });
  }
  for (const path of ['/api/events?limit=1', '/api/events?limit=1000&after=50000']) {
    expect((await call(path)).status).toBe(200);
  }
  expect(source.lists).toBe(2);
});

test('a list with a slow client gives way to the next one', async () => {
  const { call, url, source } = await startApi({ events: 100_000, limits: { lists: 2, slowListMs: 0 } });
  await neverRead(url());
  await neverRead(url());
  const list: unknown = await (await call('/api/events')).json();
  expect(list).toHaveLength(100_000);
  await expect.poll(() => source.lists).toBeLessThan(2);
});

test('places are released when a list was read, and when its client disconnects', async () => {
  const { call, source } = await startApi({ events: 100_000, limits: { lists: 1 } });
  for (let time = 0; time < 3; time += 1) {
    expect(await (await call('/api/events')).json()).toHaveLength(100_000);
    await vi.waitFor(async () => {
      const next = (await call('/api/events')).body?.getReader();
      expect((await next?.read())?.done).toBe(false);
      await next?.cancel();
    });
    await vi.waitFor(() => expect(source.lists).toBe(0));
  }
});

import { createConnection } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

const idsOf = async (response: Response) => {
  const events: AggregationEvent[] = await response.json();
  return events.map((event) => event.AggregationEventId);
};

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

test('a list without events is an empty array, or no line', async () => {
  const { call } = await startApi({ events: 0 });
  expect(await (await call('/api/events')).text()).toBe('[]');
  expect(await (await call('/api/events', { headers: { Accept: 'application/x-ndjson' } })).text()).toBe('');
});

test('NDJSON has one event per line', async () => {
  const { call } = await startApi({ events: 250 });
  const response = await call('/api/events', { headers: { Accept: 'application/x-ndjson' } });
  expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  const lines = (await response.text()).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    Array.from({ length: 250 }, (_, at) => eventOf(at + 1)),
  );
});

test.each([
  ['*/*', 'application/json'],
  ['text/html, application/x-ndjson;q=0.5, application/json', 'application/json'],
  ['application/x-ndjson, application/json;q=0.5', 'application/x-ndjson'],
  ['image/png', 'application/json'],
])('Accept %s gets %s', async (accept, type) => {
  const { call } = await startApi();
  expect((await call('/api/events', { headers: { Accept: accept } })).headers.get('content-type')).toContain(type);
});

test('pages by key: every event once, the last page has no next', async () => {
  const { call, source } = await startApi({ events: 25 });
  await source.delete(7);
  const seen: number[] = [];
  let path: string | undefined = '/api/events?limit=8&ruleId=2';
  for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
    const response = await call(path);
    seen.push(...(await idsOf(response)));
    path = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect(seen).toEqual([1, 4, 10, 13, 16, 19, 22, 25]);
  // Exactly one page: no other page follows.
  expect((await call('/api/events?limit=24')).headers.get('link')).toBeNull();
  expect((await call('/api/events?limit=23')).headers.get('link')).toBe('</api/events?limit=23&after=24>; rel="next"');
});

test('filters', async () => {
  const { call, source } = await startApi({ events: 10 });
  await source.setActive(2, false);
  await source.setActive(3, false);
  const ids = async (query: string) => idsOf(await call(`/api/events?${query}`));
  expect(await ids('active=false')).toEqual([2, 3]);
  expect(await ids('active=all&limit=3')).toEqual([1, 2, 3]);
  expect(await ids('active=true&after=8')).toEqual([9, 10]);
  expect(await ids('after=0&limit=1')).toEqual([1]);
  expect(await ids('from=2026-01-01T01:00:05%2B01:00&to=2026-01-01T00:00:07Z')).toEqual([5, 6]);
});

test.each([
  ['limit=0', /limit is an integer from 1 to 10000/],
  ['limit=10001', /1 to 10000/],
  ['limit=1e3', /limit/],
  ['after=-1', /positive integer in plain digits/],
  ['ruleId=0x1', /0x1/],
  ['ruleId=9007199254740993', /largest is 9007199254740991/],
  ['from=yesterday', /from is not RFC 3339.*"yesterday".*from=2026-01-31T05:00:00Z/],
  ['from=2026-01-01', /"2026-01-01": a date, a time and an offset are required.*from=2026-01-31T06:00:00%2B01:00/],
  ['to=2026-01-01', /"2026-01-01": a date, a time and an offset are required.*to=2026-01-31T06:00:00%2B01:00/],
  ['from=2026-01-01T00:00Z', /are required/],
  ['from=2026-01-01%2000:00:00Z', /are required/],
  ['to=2026-01-01T00:00:00,5Z', /are required/],
  ['to=2026-01-01T00:00:00%2B0100', /are required/],
  ['to=20260101T000000Z', /is not RFC 3339/],
  ['to=2026-02-30T00:00:00Z', /this day does not exist/],
  ['to=2026-01-01T00:00:00 01:00', /%2B/],
  ['from=2026-01-01T00:00:00+01:00', /%2B/],
  ['to=2026-01-01T00:00:00', /offset/],
  ['active=yes', /true, false or all/],
  ['Active=true', /no parameter "Active".*limit, after/],
  ['limit=1&limit=2', /more than once/],
  ['__proto__=1', /no parameter/],
])('?%s is refused, and the response says what to send', async (query, detail) => {
  const { call } = await startApi();
  const response = await call(`/api/events?${query}`);
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toMatchObject({
    type: '/api/docs#problem-invalid-query',
    status: 400,
    detail: expect.stringMatching(detail),
  });
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

test('gzip if accepted, and only then', async () => {
  const { url } = await startApi({ events: 2_000 });
  const { host } = new URL(url());
  const send = async (encoding: string) => {
    const chunks: Buffer[] = [];
    await new Promise<void>((resolve) => {
      const socket = createConnection(Number(new URL(url()).port), '127.0.0.1');
      socket.on('data', (chunk: Buffer) => void chunks.push(chunk));
      socket.on('close', () => resolve());
      socket.write(`GET /api/events HTTP/1.0\r\nHost: ${host}\r\n${encoding}Connection: close\r\n\r\n`);
    });
    const bytes = Buffer.concat(chunks);
    const end = bytes.indexOf('\r\n\r\n');
    return { head: bytes.subarray(0, end).toString(), body: bytes.subarray(end + 4) };
  };
  const plain = await send('');
  expect(plain.head).not.toMatch(/content-encoding/i);
  const packed = await send('Accept-Encoding: gzip, br\r\n');
  expect(packed.head).toMatch(/content-encoding: gzip/i);
  expect(packed.head).toMatch(/vary: accept, accept-encoding/i);
  expect(packed.body.length).toBeLessThan(plain.body.length / 5);
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  expect((await send('Accept-Encoding: gzip;q=0\r\n')).head).not.toMatch(/content-encoding/i);
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
  await vi.waitFor(() => expect(source.lists).toBe(0), 3_000);
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
  expect(source.lists).toBe(1);
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

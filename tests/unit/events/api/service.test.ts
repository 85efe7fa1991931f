import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { thrownBy } from '../../../support/thrown-by.ts';
import { raw, startApi, VERSION } from './start-api.ts';

async function takenPort(): Promise<number> {
  const other = createServer();
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const address = other.address();
  return typeof address === 'object' && address ? address.port : 0;
}

test('if the configured port is taken, it starts, reports it, suggests a free one', async () => {
  const port = await takenPort();
  const { service, logged, settings, call } = await startApi({ port: null, settings: { 'events.port': port } });
  const { url, problem, freePort } = service.status();
  expect(url).toBeNull();
  expect(problem).toContain(`Port ${port} cannot be used`);
  expect(problem).toContain(`settings set events.port=${freePort}`);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain(problem);

  const notified: unknown[] = [];
  service.onStatus((status) => notified.push(status));
  settings.update({ 'events.port': freePort ?? 0 });
  await vi.waitFor(() =>
    expect(notified).toEqual([{ url: `http://127.0.0.1:${freePort}`, problem: null, freePort: null, faults: 0 }]),
  );
  expect((await call('/api/health')).status).toBe(200);
});

test('a taken port that was requested explicitly is PORT_TAKEN', async () => {
  const port = await takenPort();
  const error = await thrownBy(() => startApi({ port }));
  expect(error).toMatchObject({ code: 'PORT_TAKEN', data: { port } });
});

test('the settings change its port and switch it off and on at once', async () => {
  const { service, settings, call, url } = await startApi();
  const first = url();
  settings.update({ 'events.apiKey': 'long enough' });
  expect(service.status().url).toBe(first);
  settings.update({ 'events.apiKey': '', 'events.port': 0 });
  await vi.waitFor(() => expect(service.status().url).not.toBe(first));
  expect((await call('/api/health')).status).toBe(200);
  await expect(fetch(`${first}/api/health`)).rejects.toThrow('fetch failed');

  settings.update({ 'events.enabled': false });
  await vi.waitFor(() => expect(service.status()).toEqual({ url: null, problem: null, freePort: null, faults: 0 }));
  settings.update({ 'events.enabled': true });
  settings.update({ 'events.enabled': false });
  settings.update({ 'events.enabled': true });
  await vi.waitFor(async () => expect((await call('/api/health')).status).toBe(200));
});

test('its listeners are the same after each start of the server, and end with it', async () => {
  const { service, settings, source, url } = await startApi();
  const listeners = () => [source.listeners, settings.apiKey.listeners];
  const before = listeners();
  expect(Math.min(...before)).toBeGreaterThan(0);
  settings.update({ 'events.port': 0 });
  for (let start = 0; start < 3; start += 1) {
    settings.update({ 'events.enabled': false });
    await vi.waitFor(() => expect(url()).toBe(''));
    settings.update({ 'events.enabled': true });
    await vi.waitFor(() => expect(url()).not.toBe(''));
  }
  expect(listeners()).toEqual(before);
  await service.close();
  expect(listeners()).toEqual([0, 0]);
});

test('closing cuts off lists and idle connections, and frees the port', async () => {
  const { service, call, url, source } = await startApi({ events: 100_000 });
  const reader = (await call('/api/events')).body?.getReader();
  await reader?.read();
  const base = url();
  // Longer than the test may take, so only the service can end it.
  const idle = raw(base, '', { ms: 60_000 });
  await service.close();
  expect(await idle).toBe('');
  await vi.waitFor(() => expect(source.lists).toBe(0));
  const again = await startApi({ port: Number(new URL(base).port) });
  expect(again.url()).toBe(base);
});

test('every request is in the log, with client, request and outcome', async () => {
  const { service, call, put } = await startApi();
  const headers = { 'User-Agent': 'mes/1.0', 'X-API-Key': 'do-not-log' };
  await (await call('/api/events?limit=2', { headers })).text();
  await vi.waitFor(() => expect(service.requests({})).toHaveLength(1));
  await (await put(1, { Active: false })).text();
  await vi.waitFor(() => expect(service.requests({})).toHaveLength(2));
  await call('/none');
  await vi.waitFor(() => expect(service.requests({})).toHaveLength(3));
  const [list, change, none] = service.requests({});
  expect(list).toEqual({
    seq: 1,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    method: 'GET',
    path: '/api/events?limit=2',
    status: 200,
    ms: expect.any(Number),
    bytes: expect.any(Number),
    client: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    userAgent: 'mes/1.0',
    outcome: 'answered',
  });
  expect(list?.bytes).toBeGreaterThan(500);
  expect(change).toMatchObject({ seq: 2, method: 'PUT', path: '/api/events/1', status: 200 });
  expect(none).toMatchObject({ seq: 3, path: '/none', status: 404 });
  expect(service.requests({ after: 2 })).toEqual([none]);
  expect(JSON.stringify(service.requests({}))).not.toContain('do-not-log');
});

test('headers and bodies of the newest requests are kept, bounded and masked', async () => {
  const { service, call, put } = await startApi({ events: 40 });
  const plain = { 'Accept-Encoding': 'identity' };
  const named = ['X-API-Key', 'X-Auth-Token', 'Api-Key', 'X-Access-Key', 'X-Amz-Security-Token', 'Cookie'];
  const secrets = Object.fromEntries(named.map((name) => [name, 'do-not-log']));
  const headers = { ...plain, 'User-Agent': 'mes/1.0', ...secrets, Authorization: 'Bearer do-not-log' };
  const list = await (await call('/api/events', { headers })).text();
  await put(1, { Active: false }, headers);
  await put(1, { Active: false, note: 'x'.repeat(8_000) }, headers);
  await (await call('/api/events', { headers: { 'Accept-Encoding': 'gzip' } })).text();
  await vi.waitFor(() => expect(service.requests({})).toHaveLength(4));
  const of = (seq: number) => service.request({ seq }).messages;

  expect(of(1)?.request).toMatchObject({ body: null, bytes: 0 });
  expect(Object.fromEntries(of(1)?.request.headers ?? [])).toMatchObject({
    'User-Agent': 'mes/1.0',
    'X-API-Key': '***',
  });
  expect(of(1)?.response.bytes).toBe(Buffer.byteLength(list));
  const beginning = new TextDecoder().decode(Buffer.from(list).subarray(0, 4_096), { stream: true });
  expect(of(1)?.response.body).toBe(`${beginning}…`);
  expect(of(2)).toMatchObject({ request: { body: '{"Active":false}', bytes: 16 } });
  expect(JSON.parse(of(2)?.response.body ?? '')).toMatchObject({ AggregationEventId: 1, Active: false });
  // Too large for the API, which reads no more of it: nothing is kept.
  expect(of(3)?.request.body?.length ?? 0).toBeLessThanOrEqual(4_097);
  expect(of(4)?.response.body).toBe(null);
  expect(of(4)?.response.bytes).toBeGreaterThan(100);
  expect(JSON.stringify([of(1), of(2), of(3), of(4)])).not.toContain('do-not-log');

  for (let batch = 0; batch < 4; batch += 1) {
    await Promise.all(Array.from({ length: 100 }, async () => (await call('/api/health')).text()));
  }
  await vi.waitFor(() => expect(service.requests({}).at(-1)?.seq).toBe(404));
  expect([of(104), of(105)?.response.bytes]).toEqual([null, expect.any(Number)]);
});

test('the log keeps the newest 1,000, and long paths are cut', async () => {
  const { service, call } = await startApi();
  await call(`/${'x'.repeat(5_000)}`);
  await vi.waitFor(() => expect(service.requests({})[0]?.path).toHaveLength(300));
  for (let batch = 0; batch < 25; batch += 1) {
    await Promise.all(Array.from({ length: 100 }, async () => (await call('/api/health')).text()));
  }
  await vi.waitFor(() => expect(service.requests({}).at(-1)?.seq).toBe(2_501));
  const kept = service.requests({});
  expect([kept.length, kept[0]?.seq]).toEqual([1_000, 1_502]);
});

test('the log can be followed: current entries at once, then new ones, until the end', async () => {
  const { service, call } = await startApi();
  const stop = new AbortController();
  const stream = service.watchRequests(stop.signal);
  expect((await stream.next()).value).toEqual([]);
  await call('/api/health');
  expect((await stream.next()).value).toMatchObject([{ seq: 1 }]);
  await Promise.all([call('/api/health'), call('/api/health')]);
  const seen: number[] = [];
  while (seen.length < 2) {
    const { value } = await stream.next();
    seen.push(...(value ?? []).map(({ seq }: { seq: number }) => seq));
  }
  expect(seen).toEqual([2, 3]);
  const waiting = stream.next();
  stop.abort();
  expect((await waiting).done).toBe(true);
});

test('health is ok, and degraded with its reasons while nothing can be stored', async () => {
  let problems: { code: string; message: string }[] = [];
  const { call } = await startApi({ problems: () => problems });
  expect(await (await call('/api/health')).json()).toMatchObject({ status: 'ok', version: VERSION, reasons: [] });
  problems = [{ code: 'storage-full', message: 'The disk is full.' }];
  const degraded = await call('/api/health');
  expect(degraded.status).toBe(200);
  expect(await degraded.json()).toMatchObject({ status: 'degraded', version: VERSION, reasons: problems });
});

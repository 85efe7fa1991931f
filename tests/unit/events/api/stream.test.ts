import { connect } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { EventStreamClient } from '../../../support/event-stream.ts';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

async function open(url: string, query = '', lastId = '') {
  const client = await EventStreamClient.open(`${url}/api/events${query}`, lastId);
  onTestFinished(() => client.close());
  return client;
}

test('sends the active events, and then each change with its number', async () => {
  const api = await startApi({ events: 3 });
  await api.source.setActive(2, false);
  const client = await open(api.url());
  expect(client.response.statusCode).toBe(200);
  expect(client.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    vary: 'Accept',
  });
  expect(client.response.headers['content-encoding']).toBeUndefined();
  await expect.poll(() => client.changes).toEqual(['created 1', 'created 3']);
  await api.put(1, { Active: false });
  await api.put(1, { Active: false });
  await api.put(2, { Active: true });
  await api.call('/api/events/3', { method: 'DELETE' });
  api.source.add(eventOf(4));
  const later = ['disabled 1', 'reactivated 2', 'deleted 3', 'created 4'];
  await expect.poll(() => client.changes.slice(2)).toEqual(later);
  expect(client.messages.slice(2).map(({ id }) => id)).toEqual(['2', '3', '4', '5']);
  expect(JSON.parse(client.messages[2]?.data ?? '')).toEqual({ ...eventOf(1), Active: false });
  expect(client.messages[4]?.data).toBe(JSON.stringify(eventOf(3)));
});

test('continues after Last-Event-ID', async () => {
  const api = await startApi({ events: 2 });
  const first = await open(api.url());
  await expect.poll(() => first.messages.length).toBe(2);
  first.close();
  await api.put(1, { Active: false });
  const second = await open(api.url(), '', first.lastId);
  await expect.poll(() => second.changes).toEqual(['disabled 1']);
});

test('ruleId selects the events of a rule', async () => {
  const api = await startApi({ events: 6 });
  const client = await open(api.url(), '?ruleId=2');
  await expect.poll(() => client.changes).toEqual(['created 1', 'created 4']);
  await api.put(2, { Active: false });
  await api.put(4, { Active: false });
  await expect.poll(() => client.changes.slice(2)).toEqual(['disabled 4']);
  expect(client.lastId).toBe('2');
});

test('headers are there at once, and a quiet stream sends its place as a heartbeat', async () => {
  const api = await startApi({ events: 0, limits: { heartbeatMs: 20 } });
  const client = await open(api.url());
  await expect.poll(() => client.comments).toBeGreaterThan(2);
  expect(client.messages).toEqual([]);
  expect(client.lastId).toBe('0');
});

test.each([
  ['?limit=3', '', 'An event stream has no parameter "limit", only ruleId. Use the list for other filters.'],
  ['?ruleId=1&ruleId=2', '', 'ruleId occurs more than once in the query. Send it once.'],
  ['?ruleId=x', '', /^ruleId is/],
  ['', '12x', 'Last-Event-ID is the id of the last message that you received, not "12x". Omit it for a new list.'],
  ['', '1.2.3', /^Last-Event-ID/],
  ['', '-1', /^Last-Event-ID/],
])('with %s and the id %s, it is refused', async (query, lastId, detail) => {
  const api = await startApi();
  const response = await api.call(`/api/events${query}`, {
    headers: { Accept: 'text/event-stream', ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }) },
  });
  expect(response.status).toBe(400);
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) as unknown });
});

test.each(['*/*', 'text/html', 'application/json, text/event-stream', 'text/event-stream;q=0.1, application/json'])(
  'Accept: %s gets the list, not a stream',
  async (accept) => {
    const api = await startApi({ events: 1 });
    const response = await api.call('/api/events', { headers: { Accept: accept } });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toHaveLength(1);
  },
);

test('HEAD has the headers of the stream, and ends', async () => {
  const api = await startApi();
  const { host } = new URL(api.url());
  const request = `HEAD /api/events HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nConnection: close\r\n\r\n`;
  const reply = await raw(api.url(), request);
  expect(reply).toMatch(/^HTTP\/1.1 200 /);
  expect(reply).toContain('Content-Type: text/event-stream');
  expect(reply.endsWith('\r\n\r\n')).toBe(true);
});

test('streams have places of their own: the next one is refused, lists are not', async () => {
  const api = await startApi({ limits: { streams: 2 } });
  const clients = [await open(api.url()), await open(api.url())];
  const refused = await api.call('/api/events', { headers: { Accept: 'text/event-stream' } });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
  expect((await api.call('/api/events')).status).toBe(200);
  clients[0]?.close();
  await expect
    .poll(async () => (await EventStreamClient.open(`${api.url()}/api/events`)).response.statusCode)
    .toBe(200);
});

test('a client that does not read is dropped, and the others get everything', async () => {
  const api = await startApi({ events: 0, limits: { stallMs: 100 } });
  const { port, host } = new URL(api.url());
  const slow = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void slow.destroy());
  await once(slow, 'connect');
  slow.on('error', () => {});
  slow.pause();
  slow.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\n\r\n`);
  const client = await open(api.url());
  const name = 'x'.repeat(100_000);
  let id = 0;
  const dropped = async () => {
    for (let n = 0; n < 20; n += 1) api.source.add({ ...eventOf((id += 1)), ResultTableName: name });
    await expect.poll(() => client.messages.length).toBe(id);
    return api.service.requests({}).some(({ outcome, status }) => outcome === 'aborted' && status === 200);
  };
  await expect.poll(dropped, { timeout: 30_000 }).toBe(true);
  expect(client.isEnded).toBe(false);
});

test('stopping the API ends the streams', async () => {
  const api = await startApi();
  const client = await open(api.url());
  api.settings.update({ 'events.enabled': false });
  await expect.poll(() => client.isEnded).toBe(true);
});

test('a fault while streaming ends the stream, so that its client reconnects', async () => {
  const api = await startApi({ events: 1 });
  const client = await open(api.url());
  await expect.poll(() => client.messages.length).toBe(1);
  api.source.failNext = new Error('the disk is gone');
  api.source.add(eventOf(2));
  await expect.poll(() => client.isEnded).toBe(true);
  expect(api.logged.join('\n')).toContain('the disk is gone');
  const again = await open(api.url(), '', client.lastId);
  await expect.poll(() => again.changes).toEqual(['created 2']);
});

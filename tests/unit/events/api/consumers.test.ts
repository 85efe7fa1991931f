import { expect, onTestFinished, test, vi } from 'vitest';
import type { Consumer } from '#domain/event/consumer';
import { ConsumerLog } from '../../../../src-main/events/api/consumers/consumer-log.ts';
import { SentEvents } from '../../../../src-main/events/api/consumers/sent-events.ts';
import { FakeClock } from '../../../support/fake-clock.ts';
import { eventOf, FakeEventSource } from './fake-event-source.ts';
import { startApi } from './start-api.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

/** Calls as a program with this name. */
const as = (api: Api, name: string) => {
  const headers = { 'User-Agent': name };
  return {
    list: (query = '') => api.call(`/api/events${query}`, { headers }).then((response) => response.text()),
    put: (id: number, body: unknown) => api.put(id, body, headers),
  };
};

async function consumerOf(api: Api, program: string): Promise<Consumer> {
  const found = (await api.service.consumers.list()).find((one) => one.program === program);
  if (!found) throw new Error(`no consumer ${program}`);
  return found;
}

test('a consumer is listed with its polls, errors and acknowledgements', async () => {
  const api = await startApi({ events: 5 });
  const erp = as(api, 'erp/1.0');
  await erp.list();
  await erp.list('?limit=2');
  await erp.list('?limit=2&after=2');
  await erp.list('?limit=2&after=4');
  await erp.list('?nonsense=1');
  await erp.put(1, { Active: false });
  await (await api.call('/api/events/2', { method: 'DELETE', headers: { 'User-Agent': 'erp/1.0' } })).text();
  await as(api, 'mes').list();
  await (await api.call('/api/health', { headers: { 'User-Agent': 'monitor' } })).text();
  await vi.waitFor(async () => expect((await consumerOf(api, 'erp/1.0')).requests).toBe(7));
  const listed = await api.service.consumers.list();
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['erp/1.0 (127.0.0.1)', 'mes (127.0.0.1)']);
  expect(await consumerOf(api, 'erp/1.0')).toMatchObject({
    // The two further pages are no polls.
    polls: 3,
    intervalMs: expect.any(Number),
    errors: 1,
    lastError: { method: 'GET', path: '/api/events?nonsense=1', status: 400 },
    acknowledged: 2,
    streams: 0,
    faults: null,
  });
});

test('unacknowledged events are those that it was sent and that are still active', async () => {
  const api = await startApi({ events: 5 });
  const erp = as(api, 'erp');
  const open = async () => (await consumerOf(api, 'erp')).unacknowledged;
  await erp.put(1, { Active: true });
  expect(await open()).toBeNull();
  await erp.list('?limit=3');
  await vi.waitFor(async () => expect(await open()).toMatchObject({ count: 3, oldestId: 1 }));
  await erp.list();
  await vi.waitFor(async () => expect(await open()).toMatchObject({ count: 5, oldestId: 1 }));
  const first = (await open())?.sentAt;
  api.source.add(eventOf(6));
  await erp.put(1, { Active: false });
  await erp.put(2, { Active: false });
  expect(await open()).toMatchObject({ count: 3, oldestId: 3, sentAt: first });
  await as(api, 'other').put(3, { Active: false });
  expect(await open()).toMatchObject({ count: 2, oldestId: 4 });
  await erp.list('?from=2020-01-01T00:00:00Z');
  await erp.list('?active=false');
  expect(await open()).toMatchObject({ count: 2 });
});

test('the events of an open stream count as sent', async () => {
  const api = await startApi({ events: 2 });
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const headers = { 'User-Agent': 'live', Accept: 'text/event-stream' };
  await api.call('/api/events', { headers, signal: end.signal });
  await vi.waitFor(async () =>
    expect(await consumerOf(api, 'live')).toMatchObject({ streams: 1, unacknowledged: { count: 2 } }),
  );
  api.source.add(eventOf(3));
  await vi.waitFor(async () => expect((await consumerOf(api, 'live')).unacknowledged?.count).toBe(3));
  end.abort();
  await vi.waitFor(async () => expect((await consumerOf(api, 'live')).streams).toBe(0));
});

test('an attempt to change read-only fields is counted, sending an event back is not', async () => {
  const api = await startApi({ events: 3 });
  const erp = as(api, 'erp');
  await erp.put(1, { ...eventOf(1), Active: false });
  await erp.put(2, { ...eventOf(2), EventDateTime: '2026-01-01T00:00:02Z', Active: false, Note: 'ours' });
  await erp.put(3, { ...eventOf(3), RuleId: 9, ResultTableName: 'mine', Active: false });
  expect(await consumerOf(api, 'erp')).toMatchObject({
    readOnlyAttempts: 1,
    lastReadOnlyAttempt: { eventId: 3, fields: ['RuleId', 'ResultTableName'] },
  });
  expect(api.source.get(3)).toEqual({ ...eventOf(3), Active: false });
});

test('endless names take little memory and do not displace a consumer that works', async () => {
  const clock = new FakeClock();
  const log = new ConsumerLog({ clock, activeAfter: () => [] });
  const request = (userAgent: string) => ({
    at: clock.iso(),
    method: 'GET',
    path: '/api/events',
    status: 200,
    ms: 1,
    bytes: 1,
    client: '127.0.0.1:1',
    userAgent,
    outcome: 'answered' as const,
  });
  for (let count = 0; count < 20; count += 1) log.add(request('erp'));
  for (let count = 0; count < 5_000; count += 1) log.add(request(`hostile ${count}`));
  const listed = await log.list(() => null);
  expect(listed).toHaveLength(100);
  expect(listed.find(({ program }) => program === 'erp')).toMatchObject({ requests: 20 });
  expect(log.namesOf('hostile 4999 (127.0.0.1)')).toHaveLength(1);
});

test('what was sent is a few numbers, however many lists', () => {
  const source = new FakeEventSource(2_000);
  const sent = new SentEvents();
  for (let last = 1; last <= 2_000; last += 1) sent.add({ ruleId: null, after: last - 1, last }, last);
  for (let ruleId = 1; ruleId <= 50; ruleId += 1) sent.add({ ruleId, after: 0, last: 10 }, 5_000);
  expect(JSON.stringify(Object.values({ sent })).length).toBeLessThan(10_000);
  const all = new SentEvents();
  for (let last = 1; last <= 2_000; last += 1) all.add({ ruleId: null, after: last - 1, last }, last);
  const open = all.unacknowledged((query) => source.activeAfter(query));
  expect(open).toMatchObject({ count: 1_000, oldestId: 1 });
  // Later than it was, never earlier.
  expect(open?.at).toBeGreaterThanOrEqual(1);
});

import { expect, test } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import { waitOf } from '../../../../src-main/events/api/list/wait.ts';
import { eventOf } from './fake-event-source.ts';
import { startApi } from './start-api.ts';

type Api = Awaited<ReturnType<typeof startApi>>;

const idsOf = async (response: Response) => {
  const events: AggregationEvent[] = await response.json();
  return events.map((event) => event.AggregationEventId);
};

test('with an ETag, waits for a change instead of a 304', async () => {
  const { call, put } = await startApi({ events: 3 });
  const etag = (await call('/api/events')).headers.get('etag') ?? '';
  let isDone = false;
  const headers = { 'If-None-Match': etag, Prefer: 'wait=50' };
  const waiting = call('/api/events', { headers }).finally(() => (isDone = true));
  // Another response of the same server shows that this one is not on its way.
  await call('/api/events/1');
  expect(isDone).toBe(false);
  await put(2, { Active: false });
  const response = await waiting;
  expect(response.status).toBe(200);
  expect(response.headers.get('preference-applied')).toBe('wait=50');
  expect(response.headers.get('vary')).toContain('Prefer');
  expect(response.headers.get('etag')).not.toBe(etag);
  expect(await idsOf(response)).toEqual([1, 3]);
});

test('without an ETag, waits for the first event of the list', async () => {
  const { call, source, put } = await startApi({ events: 3 });
  const waiting = call('/api/events?after=3', { headers: { Prefer: 'wait=50' } });
  await put(1, { Active: false });
  source.add(eventOf(4));
  expect(await idsOf(await waiting)).toEqual([4]);
});

test('ends with the response that it would have been, when the time is over', async () => {
  const { call } = await startApi({ events: 1, limits: { waitMs: 50 } });
  const etag = (await call('/api/events')).headers.get('etag') ?? '';
  const same = await call('/api/events', { headers: { 'If-None-Match': etag, Prefer: 'wait=30' } });
  expect([same.status, same.headers.get('preference-applied')]).toEqual([304, 'wait=0.05']);
  expect(await idsOf(await call('/api/events?after=1', { headers: { Prefer: 'wait=1' } }))).toEqual([]);
});

test('with news, it does not wait', async () => {
  const { call } = await startApi({ events: 2, limits: { waitMs: 600_000 } });
  const response = await call('/api/events', { headers: { Prefer: 'wait=600', 'If-None-Match': '"old"' } });
  expect(await idsOf(response)).toEqual([1, 2]);
  expect(await idsOf(await call('/api/events?after=1', { headers: { Prefer: 'wait=600' } }))).toEqual([2]);
});

/** Whether a request that waits gets the only place. */
async function isPlaceFree(call: Api['call']): Promise<boolean> {
  const { headers } = await call('/api/events', { headers: { Prefer: 'wait=0' } });
  return headers.get('preference-applied') === 'wait=0';
}

test('more than its places are answered at once, without the preference', async () => {
  const { call, source } = await startApi({ events: 0, limits: { waits: 1, waitMs: 600_000 } });
  const first = call('/api/events', { headers: { Prefer: 'wait=600' } });
  await expect.poll(() => isPlaceFree(call)).toBe(false);
  const second = await call('/api/events', { headers: { Prefer: 'wait=600' } });
  expect([second.status, second.headers.get('preference-applied')]).toEqual([200, null]);
  source.add(eventOf(1));
  expect(await idsOf(await first)).toEqual([1]);
});

test('a client that disconnects while it waits frees its place', async () => {
  const { call } = await startApi({ events: 0, limits: { waits: 1, waitMs: 600_000 } });
  const controller = new AbortController();
  const first = call('/api/events', { headers: { Prefer: 'wait=600' }, signal: controller.signal });
  await expect.poll(() => isPlaceFree(call)).toBe(false);
  controller.abort();
  await expect(first).rejects.toThrow('abort');
  await expect.poll(() => isPlaceFree(call)).toBe(true);
});

test.each([
  ['wait=30', 30],
  ['respond-async, wait=5', 5],
  ['Wait = "7"; x=1', 7],
  ['wait=1, wait=2', 1],
  ['wait', null],
  ['wait=-1', null],
  ['wait=1e9', null],
  ['return=minimal', null],
  [undefined, null],
])('Prefer: %s is %s seconds', (header, seconds) => {
  expect(waitOf(header)).toBe(seconds);
});

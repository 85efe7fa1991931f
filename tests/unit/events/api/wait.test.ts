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

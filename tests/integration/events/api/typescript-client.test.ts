import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { StreamMessage } from '../../../../resources/clients/typescript/events-client.ts';
import { EventsClient } from '../../../../resources/clients/typescript/events-client.ts';
import { buildWhenStale } from '../../../../resources/bin/build-when-stale.mjs';
import { startInstance } from '../../../support/product/served-instance.ts';
import { ROOT } from '../../../support/product/product.ts';

beforeAll(async () => {
  const problem = await buildWhenStale(ROOT, process.execPath);
  if (problem !== null) throw new Error(problem);
});

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function start() {
  const instance = await startInstance();
  onTestFinished(async () => void (await instance.close()));
  return { instance, rpc: await instance.client(), client: new EventsClient({ url: instance.eventsApi }) };
}

test('the TypeScript client works with a served instance', async () => {
  const { rpc, client } = await start();
  // Events of windows that end in the meantime would be among those that are counted.
  for (const { id } of await rpc.rules.list()) {
    await rpc.rules.save({ ...(await rpc.rules.get({ id })), enabled: false });
  }
  const before = (await all(client.list())).length;
  const { created, firstEvent, lastEvent } = await rpc.events.createTest({ count: 30 });
  const listed = await all(client.list({ limit: 7, after: (firstEvent ?? 0) - 1 }));
  expect(listed.map((event) => event.AggregationEventId)).toEqual(
    Array.from({ length: created }, (_, index) => (firstEvent ?? 0) + index),
  );
  const first = await client.page({ after: lastEvent ?? 0 });
  const polled = client.page({ after: lastEvent ?? 0, etag: first.etag, waitSeconds: 60 });
  const next = await rpc.events.createTest({ count: 1 });
  expect(await polled).toMatchObject({ state: 'events', events: [{ AggregationEventId: next.firstEvent }] });

  const end = new AbortController();
  const handled = new Set<number>();
  const consuming = client.consume((event) => handled.add(event.AggregationEventId), { signal: end.signal });
  await vi.waitFor(async () => expect(await all(client.list())).toEqual([]));
  end.abort();
  await consuming;
  expect(handled.size).toBe(before + 31);
});

test('its stream continues after a restart of the events API, or with a reset', async () => {
  const { rpc, client, instance } = await start();
  const end = new AbortController();
  const received: StreamMessage[] = [];
  const reading = (async () => {
    for await (const message of client.stream({ signal: end.signal })) received.push(message);
  })();
  const { firstEvent } = await rpc.events.createTest({ count: 1 });
  const id = firstEvent ?? 0;
  const kinds = () => received.filter(({ event }) => event?.AggregationEventId === id).map(({ kind }) => kind);
  await vi.waitFor(() => expect(kinds()).toEqual(['created']));
  await rpc.settings.update({ 'events.port': instance.port, 'events.enabled': false });
  await rpc.events.setActive({ id, active: false });
  await rpc.settings.update({ 'events.enabled': true });
  await vi.waitFor(() => expect(kinds()).toEqual(['created', 'disabled']));
  end.abort();
  await reading;
  const unknown = client.stream({ lastEventId: '999999999' });
  expect((await unknown.next()).value).toEqual({ kind: 'reset', id: null, event: null });
  await unknown.return(undefined);
});

test('the build writes it as JavaScript with declarations', async () => {
  const { instance } = await start();
  const built: typeof import('../../../../resources/clients/typescript/events-client.ts') = await import(
    join(ROOT, 'out/clients/typescript/events-client.js')
  );
  const client = new built.EventsClient({ url: instance.eventsApi });
  expect(await client.health()).toMatchObject({ status: 'ok' });
  expect(await client.get(999_999_999)).toBeNull();
});

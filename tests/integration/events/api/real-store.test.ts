import { expect, onTestFinished, test } from 'vitest';
import type { AggregationEvent } from '#domain/event/event';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { EventsApiService } from '../../../../src-main/events/api/events-api-service.ts';
import { EventStore } from '../../../../src-main/events/store/event-store.ts';
import { KeyCheck } from '../../../../src-main/platform/key-check.ts';
import { createLog } from '../../../../src-main/platform/log.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { temporaryFolder } from '../../../support/temp-folder.ts';

const NAME = 'result "},{" \\ ü\n😀';

async function idsOf(response: Response): Promise<number[]> {
  const all: AggregationEvent[] = await response.json();
  return all.map((event) => event.AggregationEventId);
}

/** The API over a real workspace with the given number of events. */
async function startOver(directory: string, count = 0) {
  const store = openStore(directory);
  onTestFinished(() => store.close());
  const events = new EventStore(store);
  onTestFinished(() => events.close());
  await store.commits.run(() => {
    for (let n = 1; n <= count; n += 1) {
      const at = Date.UTC(2026, 0, 1) + n * 1_000;
      const eventDateTime = new Date(at).toISOString().replace('Z', '+00:00');
      events.insert({ ruleId: 1 + (n % 3), eventDateTime, at, resultTableName: NAME, resultTableRecordId: n });
    }
  });
  const logged: string[] = [];
  const service = new EventsApiService({
    source: events,
    settings: { get: () => DEFAULT_SETTINGS, onChange: () => () => {} },
    apiKey: new KeyCheck(),
    version: '1.0.0',
    clock: store.clock,
    log: createLog({ write: (line) => logged.push(line) }),
    port: 0,
  });
  onTestFinished(() => service.close());
  await service.start();
  const base = service.status().url ?? '';
  const list = async (query = '', headers = {}) => fetch(`${base}/api/events${query}`, { headers });
  const disable = (id: number) =>
    fetch(`${base}/api/events/${id}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"Active":false}',
    });
  const close = async () => {
    await service.close();
    events.close();
    store.close();
  };
  return { base, list, disable, events, logged, close };
}

test('a list is one snapshot, even if events change while it is read', async () => {
  const { list, disable, base, logged } = await startOver(temporaryFolder(), 50_000);
  const response = await list();
  const reader = response.body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBeGreaterThan(0);
  expect((await disable(49_999)).status).toBe(200);
  expect((await fetch(`${base}/api/events/50000`, { method: 'DELETE' })).status).toBe(204);
  const rest: Uint8Array[] = [first?.value ?? new Uint8Array()];
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) rest.push(part.value);
  const events: AggregationEvent[] = JSON.parse(Buffer.concat(rest).toString());
  expect(events).toHaveLength(50_000);
  expect(events.at(-2)).toMatchObject({ AggregationEventId: 49_999, Active: true, ResultTableName: NAME });
  expect((await idsOf(await list('?after=49990'))).at(-1)).toBe(49_998);
  expect(logged).toEqual([]);
});

test('filters and pages work over HTTP', async () => {
  const { list, disable } = await startOver(temporaryFolder(), 3_000);
  await disable(3);
  expect(await idsOf(await list('?active=false'))).toEqual([3]);
  expect(await idsOf(await list('?ruleId=1&limit=2'))).toEqual([6, 9]);
  expect(await idsOf(await list('?from=2026-01-01T00:00:10Z&to=2026-01-01T00:00:12Z'))).toEqual([10, 11]);
  const seen: number[] = [];
  let path: string | undefined = '?limit=1000';
  for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
    const page = await list(path);
    seen.push(...(await idsOf(page)));
    path = /<\/api\/events(\?[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  expect([seen.length, new Set(seen).size, seen[0], seen.at(-1)]).toEqual([2_999, 2_999, 1, 3_000]);
});

test('the ETag changes with every change; acknowledged changes survive a restart', async () => {
  const directory = temporaryFolder();
  const first = await startOver(directory, 3);
  const etag = (await first.list()).headers.get('etag') ?? '';
  const same = async (tag: string) => (await first.list('', { 'If-None-Match': tag })).status;
  expect(await same(etag)).toBe(304);
  await first.disable(2);
  expect(await same(etag)).toBe(200);
  const later = (await first.list()).headers.get('etag') ?? '';
  await first.disable(2);
  expect(await same(later)).toBe(304);
  await first.close();

  const second = await startOver(directory);
  // Within the same process, which is part of it.
  expect((await second.list('', { 'If-None-Match': later })).status).toBe(304);
  await second.disable(3);
  expect((await second.list('', { 'If-None-Match': later })).status).toBe(200);
  expect(await idsOf(await second.list())).toEqual([1]);
});

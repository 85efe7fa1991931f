import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions, StreamMessage } from '../../../../resources/clients/typescript/events-client.ts';
import { EventsApiError, EventsClient } from '../../../../resources/clients/typescript/events-client.ts';
import { LIST_PARAMETERS } from '../../../../src-main/events/api/list/list-query.ts';
import { PROBLEMS } from '../../../../src-main/events/api/problem.ts';
import { openApiDocument } from '../../../../src-main/events/api/reference/openapi.ts';
import { clientTypes } from '../../../../src-main/events/api/reference/typescript-client.ts';
import { ROOT } from '../../../support/product/product.ts';
import { eventOf } from './fake-event-source.ts';
import { startApi } from './start-api.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function start(options: Parameters<typeof startApi>[0] = {}, client: ClientOptions = {}) {
  const api = await startApi(options);
  const end = new AbortController();
  onTestFinished(() => end.abort());
  return { ...api, client: new EventsClient({ url: api.url(), ...client }), end };
}

test('its types are those of the document that the server serves', () => {
  const written = readFileSync(join(ROOT, 'resources/clients/typescript/types.ts'), 'utf8');
  expect(written, 'run "npm run build", which writes them').toBe(
    clientTypes(openApiDocument(''), LIST_PARAMETERS, Object.keys(PROBLEMS)),
  );
});

test('a list is read in pages, filtered, each event once', async () => {
  const { client, source, service } = await start({ events: 1_200 });
  await source.setActive(5, false);
  const ids = (await all(client.list())).map((event) => event.AggregationEventId);
  expect(ids).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1).filter((id) => id !== 5));
  expect(service.requests({}).map(({ path }) => path)).toEqual([
    '/api/events?limit=500',
    '/api/events?limit=500&after=501',
    '/api/events?limit=500&after=1001',
  ]);
  const ofRule = await all(client.list({ ruleId: 2, limit: 100, active: 'all' }));
  expect(ofRule).toHaveLength(400);
  expect(ofRule.every(({ RuleId }) => RuleId === 2)).toBe(true);
  expect(await all(client.list({ from: '2026-01-01T01:20:00+01:00' }))).toHaveLength(1);
});

test('a page is unchanged while its ETag matches', async () => {
  const { client, source } = await start();
  const first = await client.page({ limit: 2 });
  expect(first).toMatchObject({ state: 'events', next: { limit: 2, after: 2 } });
  expect(await client.page({ limit: 2, etag: first.etag })).toEqual({ state: 'unchanged', etag: first.etag });
  await source.setActive(1, false);
  expect(await client.page({ limit: 2, etag: first.etag })).toMatchObject({
    state: 'events',
    events: [{ AggregationEventId: 2 }, { AggregationEventId: 3 }],
    next: null,
  });
});

test('a long poll waits for the next event', async () => {
  const { client, source, service } = await start();
  const polled = client.page({ after: 3, waitSeconds: 60 });
  // The response to a later request shows that the server has the poll.
  await client.health();
  source.add(eventOf(4));
  expect(await polled).toMatchObject({ state: 'events', events: [{ AggregationEventId: 4 }] });
  expect(service.requests({}).filter(({ path }) => path === '/api/events?after=3')).toHaveLength(1);
});

test('an event is read, disabled, re-activated and deleted; missing ones are null', async () => {
  const { client, source } = await start();
  expect(await client.get(2)).toEqual(eventOf(2));
  expect(await client.disable(2)).toEqual({ ...eventOf(2), Active: false });
  expect(source.get(2)?.Active).toBe(false);
  expect(await client.reactivate(2)).toEqual(eventOf(2));
  expect(await client.delete(2)).toBe(true);
  expect(await client.delete(2)).toBe(false);
  expect([await client.get(2), await client.disable(2), await client.reactivate(2)]).toEqual([null, null, null]);
  expect(await client.health()).toMatchObject({ status: 'ok', reasons: [] });
});

test('an error response is a typed problem', async () => {
  const { client, url } = await start({ settings: { 'events.apiKey': 'the-right-key' } }, { apiKey: 'the-wrong-key' });
  const wrong: unknown = await client.page().catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(EventsApiError);
  expect(wrong).toMatchObject({ status: 401, code: 'unauthorized', retryAfterMs: null });
  const right = new EventsClient({ url: `${url()}/`, apiKey: () => 'the-right-key' });
  await expect(right.page({ limit: 0 })).rejects.toMatchObject({
    status: 400,
    code: 'invalid-query',
    problem: { type: '/api/docs#problem-invalid-query', detail: expect.stringContaining('limit') },
  });
});

test('a stream that is refused for now waits as long as the server asks', async () => {
  const { client, end } = await start({ limits: { streams: 1 } });
  const first = client.stream({ signal: end.signal });
  expect((await first.next()).value).toMatchObject({ kind: 'created' });
  const problems: unknown[] = [];
  const second = client.stream({
    signal: end.signal,
    onProblem: (problem) => {
      problems.push(problem);
      end.abort();
    },
  });
  expect(await second.next()).toMatchObject({ done: true });
  expect(problems).toMatchObject([{ status: 503, code: 'busy', retryAfterMs: 10_000 }]);
});

/** A `fetch` whose responses are cut off after the first chunk, the given number of times. */
function cutting(times: number): typeof fetch {
  let left = times;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (left === 0 || !response.body) return response;
    left -= 1;
    const reader = response.body.getReader();
    const first = await reader.read();
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(first.value),
      pull: (controller) => controller.error(new TypeError('cut off')),
      cancel: () => reader.cancel(),
    });
    return new Response(body, response);
  };
}

test('a stream continues after lost connections: nothing missing, nothing twice', async () => {
  const { client, source, end } = await start({ events: 2 }, { fetch: cutting(2) });
  const received: StreamMessage[] = [];
  const places: string[] = [];
  const problems: unknown[] = [];
  const reading = (async () => {
    const options = {
      signal: end.signal,
      onPlace: (id: string) => places.push(id),
      onProblem: (problem: unknown) => problems.push(problem),
    };
    for await (const message of client.stream(options)) received.push(message);
  })();
  await vi.waitFor(() => expect(received).toHaveLength(2));
  source.add(eventOf(3));
  await vi.waitFor(() => expect(received).toHaveLength(3));
  await source.setActive(3, false);
  await source.setActive(3, true);
  await source.delete(1);
  await vi.waitFor(() => expect(received).toHaveLength(6));
  end.abort();
  await reading;
  expect(problems).toHaveLength(2);
  expect(received.map(({ kind, event }) => `${kind} ${event?.AggregationEventId}`)).toEqual([
    'created 1',
    'created 2',
    'created 3',
    'disabled 3',
    'reactivated 3',
    'deleted 1',
  ]);
  const continued = client.stream({ lastEventId: received[3]?.id ?? '' });
  expect((await continued.next()).value).toMatchObject({ kind: 'reactivated' });
  await continued.return(undefined);
  expect(places.at(-1)).toBe(received.at(-1)?.id);
});

test('a consumer handles each event once, also if acknowledgements fail', async () => {
  let failing = 2;
  const failsAtFirst: typeof fetch = (input, init) => {
    if (init?.method !== 'PUT' || failing === 0) return fetch(input, init);
    failing -= 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const { client, source, end } = await start({ events: 7 }, { fetch: failsAtFirst });
  const handled: number[] = [];
  const problems: unknown[] = [];
  let refused = false;
  const consuming = client.consume(
    ({ AggregationEventId: id }) => {
      if (id === 5 && !refused) {
        refused = true;
        throw new Error('not now');
      }
      handled.push(id);
    },
    { signal: end.signal, pageSize: 3, onProblem: (problem) => problems.push(problem) },
  );
  const active = () => [...source.events.values()].filter((event) => event.Active).length;
  await vi.waitFor(() => expect(active()).toBe(0));
  source.add(eventOf(8));
  await vi.waitFor(() => expect(active()).toBe(0));
  end.abort();
  await consuming;
  expect(handled.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(problems).toHaveLength(3);
});

test('a consumer can delete events, of one rule', async () => {
  const { client, source, end } = await start({ events: 6 });
  const consuming = client.consume(() => {}, { signal: end.signal, acknowledge: 'delete', ruleId: 2 });
  await vi.waitFor(() => expect([...source.events.keys()]).toEqual([2, 3, 5, 6]));
  end.abort();
  await consuming;
});

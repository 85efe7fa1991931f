import { AsyncLocalStorage } from 'node:async_hooks';
import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HubSource } from '../../../src-main/hub/gateway/hub-source.ts';
import { GatewaySites } from '../../../src-main/hub/gateway/sites.ts';
import type { PostgresServer } from '../../support/hub/postgres.ts';
import { postgresPrograms, startPostgres } from '../../support/hub/postgres.ts';
import { NODE, ROOT } from '../../support/product/product.ts';
import { startApi } from '../../unit/events/api/start-api.ts';
import { sendRaw } from '../../contract/events-api/served-api.ts';
import { caller, createHub, putTo, start } from './start-gateway.ts';

const LIST = '/sites/leeds/api/events';
const EXAMPLE = join(ROOT, 'resources', 'examples', 'poll-events.mjs');

describe.skipIf(postgresPrograms() === null)('gateways', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  test('a gateway responds as the events API of the site', async () => {
    const hub = await createHub(server, { leeds: 2_500, york: 3 });
    const call = caller(await start(hub.url), await hub.addKey('erp'));
    const local = await startApi({ events: 2_500 });
    const calls: [string, Parameters<typeof call>[1]?][] = [
      ['/api/events'],
      ['/api/events', { headers: { Accept: 'application/x-ndjson' } }],
      ['/api/events', { headers: { 'Accept-Encoding': 'identity' } }],
      ['/api/events', { method: 'HEAD' }],
      ['/api/events?limit=10'],
      ['/api/events?limit=10&after=2495'],
      ['/api/events?ruleId=2&limit=7&after=30'],
      ['/api/events?from=2026-01-01T00:00:10Z&to=2026-01-01T00:00:20Z'],
      ['/api/events?active=all&limit=3'],
      ['/api/events?active=false'],
      ['/api/events?limit=0'],
      ['/api/events?nonsense=1'],
      ['/api/events/17'],
      ['/api/events/0x1'],
      ['/api/events/99999'],
      ['/api/events/17', putTo(false)],
      ['/api/events/17'],
      ['/api/events?active=false'],
      ['/api/events?limit=2&after=16'],
      ['/api/events/17', putTo(true)],
      ['/api/events/17', { method: 'PUT', body: '{}' }],
      ['/api/events/17', { ...putTo(true), body: '{"Active":1}' }],
      ['/api/events/99999', putTo(false)],
      ['/api/events/18', { method: 'DELETE' }],
      ['/api/events/18', { method: 'DELETE' }],
      ['/api/events/18', putTo(true)],
      ['/api/events/18'],
      ['/api/events?active=all&limit=3&after=16'],
      ['/api/events', { method: 'POST' }],
      ['/api/events/', {}],
      ['/api/events', { method: 'OPTIONS' }],
      ['/api/docs', { method: 'HEAD' }],
    ];
    for (const [path, init] of calls) {
      const [there, here] = [await call(`/sites/leeds${path}`, init), await local.call(path, init)];
      const what = `${init?.method ?? 'GET'} ${path}`;
      expect(there.status, what).toBe(here.status);
      for (const name of ['content-type', 'content-encoding', 'allow', 'vary', 'cache-control']) {
        expect(there.headers.get(name), `${what}: ${name}`).toBe(here.headers.get(name));
      }
      expect(there.headers.get('link') ?? null, what).toBe(
        here.headers.get('link')?.replace('</', '</sites/leeds/') ?? null,
      );
      expect(await there.text(), what).toBe(await here.text());
      expect(there.headers.get('tagwright-mirrored-at'), what).toMatch(/^\d{4}-/);
    }
  });

  test('a change is visible at every gateway at once, and pending until it is applied', async () => {
    const hub = await createHub(server, { leeds: 5 });
    const key = await hub.addKey('erp');
    const [one, two] = [caller(await start(hub.url), key), caller(await start(hub.url), key)];
    const tags = new Set<string | null>();
    for (let id = 1; id <= 3; id += 1) {
      const changed = await one(`${LIST}/${id}`, putTo(false));
      expect(changed.headers.get('tagwright-pending')).toBe('true');
      const lists = [await one(LIST), await two(LIST)];
      expect(lists[0]?.headers.get('etag')).toBe(lists[1]?.headers.get('etag'));
      tags.add(lists[0]?.headers.get('etag') ?? null);
      const texts = await Promise.all(lists.map((list) => list.json()));
      expect(texts[1]).toEqual(texts[0]);
      expect(texts[0]).toHaveLength(5 - id);
    }
    expect(tags.size).toBe(3);
    const tag = [...tags].at(-1) ?? '';
    expect((await two(LIST, { headers: { 'If-None-Match': tag } })).status).toBe(304);
    expect((await two(`${LIST}/1`)).headers.get('tagwright-pending')).toBe('true');
    await hub.change('leeds', 1, 2);
    const applied = await two(`${LIST}/1`);
    expect(applied.headers.get('tagwright-pending')).toBeNull();
    expect(await applied.json()).toMatchObject({ Active: false });
    expect(await hub.hub.query('SELECT consumer, action, event_id::integer AS id FROM audit ORDER BY id')).toEqual([
      { consumer: 'erp', action: 'disable', id: 1 },
      { consumer: 'erp', action: 'disable', id: 2 },
      { consumer: 'erp', action: 'disable', id: 3 },
    ]);
  });

  test('keys limit sites and rights', async () => {
    const hub = await createHub(server, { leeds: 3, york: 3 });
    const gateway = await start(hub.url);
    const reader = caller(gateway, await hub.addKey('reader', ['leeds'], ['read']));
    expect((await reader(LIST)).status).toBe(200);
    expect((await reader('/sites/york/api/events')).status).toBe(404);
    expect((await reader(`${LIST}/1`, putTo(false))).status).toBe(403);
    const refused = await reader(`${LIST}/1`, { method: 'DELETE' });
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ status: 403, detail: expect.stringContaining('"delete"') });
    expect(await (await reader('/sites')).json()).toMatchObject([{ Site: 'leeds', PendingChanges: 0 }]);
    expect(await (await reader('/api/events')).json()).toHaveLength(3);
    const nobody = caller(gateway, `tgw_000000000000_${'x'.repeat(43)}`);
    expect((await nobody(LIST)).status).toBe(401);
    for (let tries = 0; tries < 10; tries += 1) await nobody(LIST);
    const limited = await nobody(LIST);
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    // Others at the same address are served.
    expect((await reader(LIST)).status).toBe(200);
    const added = caller(gateway, await hub.addKey('added'));
    expect((await added(LIST)).status).toBe(200);
  });

  test('the example processes every event of a site, page by page', async () => {
    const hub = await createHub(server, { leeds: 600, york: 1 });
    const [gateway, key] = [await start(hub.url), await hub.addKey('erp')];
    const address = ['--url', `${gateway.url}/sites/leeds/`, '--key', key];
    const { stdout } = await promisify(execFile)(NODE, [EXAMPLE, '--once', ...address]);
    expect(stdout.trim().split('\n')).toHaveLength(600);
    const left = await caller(gateway, key)('/api/events');
    expect(await left.json()).toMatchObject([{ Site: 'york' }]);
  });

  test('metrics have the requests, the sites and the state of the hub', async () => {
    const hub = await createHub(server, { leeds: 3, york: 3 });
    const gateway = await start(hub.url, { metrics: { port: 0, address: '127.0.0.1' } });
    const call = caller(gateway, await hub.addKey('erp'));
    await call(LIST);
    await call(`${LIST}/1`, putTo(false));
    const text = async () => (await fetch(gateway.metrics ?? '')).text();
    await expect.poll(text).toContain('tagwright_http_requests_total{method="PUT",route="event",status="200"} 1');
    expect(await text()).toContain('tagwright_hub_up 1');
    expect(await text()).toContain('tagwright_site_pending_changes{site="leeds"} 1');
    expect(await text()).toContain('tagwright_site_pending_changes{site="york"} 0');
    expect(await text()).toMatch(/tagwright_site_mirrored_timestamp_seconds\{site="york"\} 1\d{9}/);
    expect(await text()).toMatch(/tagwright_hub_connections\{pool="hub",state="idle"\} \d/);
    expect((await call('/metrics')).status).toBe(404);
  });

  test('one key has a limited rate', async () => {
    const hub = await createHub(server, { leeds: 3 });
    const call = caller(await start(hub.url, { requestsPerSecond: 2 }), await hub.addKey('fast'));
    const statuses = [(await call(`${LIST}/1`)).status];
    const more = await Promise.all(Array.from({ length: 50 }, () => call(`${LIST}/1`)));
    statuses.push(...more.map(({ status }) => status));
    expect(statuses).toContain(429);
    expect(statuses[0]).toBe(200);
  });

  test('a revoked key ends its streams', async () => {
    const hub = await createHub(server, { leeds: 3 });
    const call = caller(await start(hub.url), await hub.addKey('gone'));
    const stream = await call(LIST, { headers: { Accept: 'text/event-stream' } });
    const text = stream.text().catch(() => 'ended');
    await hub.consumers.revoke('gone');
    expect(await text).toBe('ended');
    expect((await call(LIST)).status).toBe(401);
  });

  test('streams and waiting requests of all sites share their places', async () => {
    const hub = await createHub(server, { leeds: 1, york: 1 });
    const gateway = await start(hub.url, { limits: { streams: 2, waits: 1, waitMs: 600_000 } });
    const call = caller(gateway, await hub.addKey('erp'));
    const stream = (path: string) => call(path, { headers: { Accept: 'text/event-stream' } });
    const [leeds, all] = [await stream(LIST), await stream('/api/events')];
    expect([leeds.status, all.status]).toEqual([200, 200]);
    for (const path of ['/sites/york/api/events', LIST, '/api/events']) expect((await stream(path)).status).toBe(503);
    await leeds.body?.cancel();
    await expect.poll(async () => (await stream('/sites/york/api/events')).status).toBe(200);
    const waited = async (path: string, wait: string) => {
      const response = await call(path, { headers: { Prefer: wait } });
      await response.arrayBuffer();
      return response.headers.get('preference-applied');
    };
    const first = waited(`${LIST}?after=9`, 'wait=600');
    await expect.poll(() => waited('/sites/york/api/events?after=9', 'wait=0')).toBeNull();
    await hub.change('leeds', 1, 2);
    await hub.hub.query(`INSERT INTO events SELECT site, 10, rule_id, event_date_time, at_ms, true, result_table_name,
      result_table_record_id FROM events WHERE site = 'leeds'`);
    await hub.change('leeds', 10, 1);
    expect(await first).toBe('wait=600');
  });

  test('streams and long polls wake, and continue without a loss', async () => {
    const hub = await createHub(server, { leeds: 3, york: 2 });
    const call = caller(await start(hub.url), await hub.addKey('erp'));
    const lines = await messages(call, LIST, 3);
    expect(lines.map(({ event }) => event)).toEqual(['created', 'created', 'created']);
    const etag = (await call(LIST)).headers.get('etag') ?? '';
    const polled = call(LIST, { headers: { Prefer: 'wait=20', 'If-None-Match': etag } });
    const next = messages(call, LIST, 2, lines[1]?.id);
    await pause(300);
    await hub.change('leeds', 2, 2);
    expect((await polled).status).toBe(200);
    expect((await next).map(({ event, id }) => `${event} ${id}`)).toEqual(['created 0.3', 'disabled 1']);
    const all = await messages(call, '/api/events', 4);
    expect(all.map(({ data }) => [data['Site'], data['AggregationEventId']])).toEqual([
      ['leeds', 1],
      ['leeds', 3],
      ['york', 1],
      ['york', 2],
    ]);
    const rest = messages(call, '/api/events', 1, all[3]?.id);
    await pause(300);
    await hub.change('york', 1, 2);
    expect(await rest).toMatchObject([{ event: 'disabled', data: { Site: 'york', AggregationEventId: 1 } }]);
  });

  test('the stream of all sites has new sites, and resets those that are gone', async () => {
    const hub = await createHub(server, { leeds: 1, york: 1 });
    const call = caller(await start(hub.url), await hub.addKey('hq'));
    const connected = Promise.withResolvers<void>();
    const added = messages(call, '/api/events', 3, undefined, (count) => count === 2 && connected.resolve());
    await connected.promise;
    // A stream that finds the site before its events would get them from the feed only.
    await hub.hub.transaction(async (client) => {
      await client.query(`INSERT INTO sites (site, role, feed_seq) VALUES ('hull', 'hull', 0)`);
      await client.query(`INSERT INTO events SELECT 'hull', id, rule_id, event_date_time, at_ms, active,
        result_table_name, result_table_record_id FROM events WHERE site = 'york'`);
    });
    const sent = await added;
    expect(sent.map(({ event, data }) => [event, data['Site']])).toEqual([
      ['created', 'leeds'],
      ['created', 'york'],
      ['created', 'hull'],
    ]);
    const removed = messages(call, '/api/events', 1, sent[2]?.id);
    await pause(500);
    for (const table of ['events', 'sites']) await hub.hub.query(`DELETE FROM ${table} WHERE site = 'york'`);
    expect(await removed).toMatchObject([
      { event: 'reset', id: expect.not.stringContaining('york'), data: { Site: 'york' } },
    ]);
    // Also for a client that was away.
    const back = await messages(call, '/api/events', 1, 'york:3,leeds:0');
    expect(back).toMatchObject([{ event: 'reset', id: 'leeds:0', data: { Site: 'york' } }]);
    // Each of many positions has one short message, and the last one has the id.
    const names = Array.from({ length: 1_500 }, (_, n) => `x${n}`);
    const many = await messages(call, '/api/events', 1_500, [...names, 'leeds'].map((name) => `${name}:0`).join());
    expect(many.map(({ data }) => data['Site'])).toEqual(names);
    expect(new Set(many.map(({ id }) => id))).toEqual(new Set(['', 'leeds:0']));
  });

  test('the list of all sites has the headers, forms and ETags of other lists', async () => {
    const hub = await createHub(server, { leeds: 2, york: 1 });
    const call = caller(await start(hub.url), await hub.addKey('hq'));
    const typeOf = async (accept: string) =>
      (await call('/api/events', { method: 'HEAD', headers: { Accept: accept } })).headers.get('content-type');
    expect(await typeOf('application/json, text/event-stream;q=0.1')).toBe('application/json; charset=utf-8');
    expect(await typeOf('application/json, application/x-ndjson;q=0')).toBe('application/json; charset=utf-8');
    expect(await typeOf('application/x-ndjson')).toBe('application/x-ndjson');
    expect(await typeOf('text/event-stream')).toBe('text/event-stream');
    const list = await call('/api/events');
    const ours = ['x-content-type-options', 'content-security-policy', 'vary', 'cache-control'];
    const ofSite = await call(LIST);
    for (const name of ours) expect(list.headers.get(name), name).toBe(ofSite.headers.get(name));
    expect((await call('/sites')).headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    expect(list.headers.get('tagwright-mirrored-at')).toMatch(/^\d{4}-/);
    const etag = list.headers.get('etag') ?? '';
    for (const known of [etag, `"other", ${etag}`, '*'])
      expect((await call('/api/events', { headers: { 'If-None-Match': known } })).status, known).toBe(304);
    const polled = call('/api/events', { headers: { Prefer: 'wait=20', 'If-None-Match': etag } });
    await pause(300);
    await hub.change('york', 1, 2);
    expect(await (await polled).json()).toHaveLength(2);
    const rejected = await call('/api/events?after=1');
    expect([rejected.status, rejected.headers.get('tagwright-mirrored-at')]).toEqual([
      400,
      expect.stringMatching(/^\d{4}-/),
    ]);
  });

  test('OPTIONS responds as at a site, with a key, and allows no other origin', async () => {
    const hub = await createHub(server, { leeds: 1 });
    const gateway = await start(hub.url);
    const call = caller(gateway, await hub.addKey('hq'));
    const readOnly = 'GET, HEAD, OPTIONS';
    for (const path of ['/sites', '/api/events', LIST]) {
      const options = await call(path, { method: 'OPTIONS' });
      expect([path, options.status, options.headers.get('allow')]).toEqual([path, 204, readOnly]);
      expect([...options.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      const post = await call(path, { method: 'POST' });
      expect([path, post.status, post.headers.get('allow')]).toEqual([path, 405, readOnly]);
      const foreign = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'GET' };
      const preflight = await call(path, { method: 'OPTIONS', headers: foreign });
      expect([path, preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([path, 403, null]);
      expect((await fetch(`${gateway.url}${path}`, { method: 'OPTIONS' })).status).toBe(401);
    }
    const deleter = caller(gateway, await hub.addKey('cleaner', null, ['delete']));
    expect((await deleter('/sites', { method: 'OPTIONS' })).status).toBe(403);
    const headers = `X-API-Key: ${await hub.addKey('raw')}\r\n`;
    const whole = await sendRaw(gateway.url, { method: 'OPTIONS', path: '*', headers, body: '' });
    expect(whole).toMatch(/^HTTP\/1\.1 204 [^]*Allow: GET, HEAD, PUT, DELETE, OPTIONS\r\n/);
  });

  test('a number without a change ends a part of the feed', async () => {
    const { hub, change } = await createHub(server, { leeds: 1 });
    await change('leeds', 1, 2);
    await hub.query("UPDATE sites SET feed_seq = 2 WHERE site = 'leeds'");
    const copy = { hub, lists: hub, ms: 10_000 };
    const source = new HubSource({ site: 'leeds', copy, sites: new GatewaySites(hub), calls: new AsyncLocalStorage() });
    const part = await source.changesAfter({ seq: 1, listed: null }, { ruleId: null, limit: 10 });
    expect(part).toEqual({ isReset: false, changes: [], position: { seq: 2, listed: null }, isEnd: true });
  });

  test('foreign hosts are rejected, and TLS is required outside loopback', async () => {
    const hub = await createHub(server, { leeds: 3 });
    const key = await hub.addKey('erp');
    const gateway = await start(hub.url, { behindProxy: true, hostNames: ['events.example.com'] });
    const statusFor = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { Host: host, 'X-API-Key': key };
        request(`${gateway.url}${LIST}`, { headers }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
    expect(await statusFor('events.example.com')).toBe(200);
    expect(await statusFor('evil.example.com')).toBe(421);
    await expect(start(hub.url, { address: '0.0.0.0' })).rejects.toThrow(/without TLS/);
  });

  test('a client that leaves a list frees its connection', async () => {
    const hub = await createHub(server, { leeds: 100_000 });
    const call = caller(await start(hub.url, { limits: { lists: 1, slowListMs: 0 } }), await hub.addKey('erp'));
    for (let tries = 0; tries < 3; tries += 1) {
      const list = await call(LIST, { headers: { 'Accept-Encoding': 'identity' } });
      await list.body?.getReader().cancel();
    }
    // An idle one is closed after a while.
    const busy = `SELECT state FROM pg_stat_activity
      WHERE application_name = 'tagwright gateway lists' AND state <> 'idle'`;
    await expect.poll(() => hub.hub.query(busy)).toEqual([]);
    expect(await (await call(LIST)).json()).toHaveLength(100_000);
  });

  test('the database is killed and comes back', async () => {
    const hub = await createHub(server, { leeds: 100 });
    hub.hub.pool.on('error', () => undefined);
    const gateway = await start(hub.url);
    const call = caller(gateway, await hub.addKey('erp'));
    expect((await call(LIST)).status).toBe(200);
    const over = new AbortController();
    const statuses = new Set<number>();
    const load = Array.from({ length: 4 }, async () => {
      while (!over.signal.aborted) {
        // A list that the database cuts off ends without its rest.
        const status = await call(LIST)
          .then((list) => list.text().then(() => list.status))
          .catch(() => 0);
        statuses.add(status);
        await pause(5);
      }
    });
    await server.kill();
    await expect.poll(() => statuses.has(503)).toBe(true);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect((await call(`${LIST}/1`, putTo(false))).headers.get('retry-after')).toBe('1');
    await server.start();
    await expect.poll(async () => (await call(`${LIST}/1`, putTo(false))).status).toBe(200);
    over.abort();
    await Promise.all(load);
    expect([...statuses].filter((status) => ![0, 200, 503].includes(status))).toEqual([]);
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(200);
  });
});

interface Message {
  event: string;
  id: string;
  data: Record<string, unknown>;
}

/** The first messages of a stream. */
async function messages(
  call: ReturnType<typeof caller>,
  path: string,
  count: number,
  after?: string,
  onCount: (received: number) => unknown = () => undefined,
): Promise<Message[]> {
  const headers = { Accept: 'text/event-stream', ...(after !== undefined && { 'Last-Event-ID': after }) };
  const { body } = await call(path, { headers });
  let text = '';
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const found = [...text.matchAll(/event: (\w+)\n(?:id: (\S+)\n)?data: (.*)\n\n/g)];
    onCount(found.length);
    if (found.length >= count) {
      return found
        .slice(0, count)
        .map(([, event = '', id = '', data = '']) => ({ event, id, data: Object(JSON.parse(data)) }));
    }
  }
  throw new Error(`the stream ended: ${text}`);
}

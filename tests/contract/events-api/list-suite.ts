import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { eventOf } from '../../unit/events/api/fake-event-source.ts';
import type { StartServedApi } from './served-api.ts';
import { idsOf } from './served-api.ts';

const REJECTED: readonly (readonly [query: string, detail: RegExp])[] = [
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
];

/** The list, its filters, forms and conditions. */
export function listSuite(start: StartServedApi): void {
  describe('the list', () => {
    test('all active events, oldest first, as one JSON array', async () => {
      const { call, put } = await start({ events: 1_234 });
      await put(5, { Active: false });
      const response = await call('/api/events');
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const expected = Array.from({ length: 1_234 }, (_, at) => eventOf(at + 1)).filter((_, at) => at !== 4);
      expect(await response.json()).toEqual(expected);
    });

    test('a list without events is an empty array, or no line', async () => {
      const { call } = await start({ events: 0 });
      expect(await (await call('/api/events')).text()).toBe('[]');
      expect(await (await call('/api/events', { headers: { Accept: 'application/x-ndjson' } })).text()).toBe('');
    });

    test('NDJSON has one event per line', async () => {
      const { call } = await start({ events: 250 });
      const response = await call('/api/events', { headers: { Accept: 'application/x-ndjson' } });
      expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
      const lines = (await response.text()).split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
        Array.from({ length: 250 }, (_, at) => eventOf(at + 1)),
      );
    });

    test('Accept selects the form', async () => {
      const { call } = await start();
      for (const [accept, type] of [
        ['*/*', 'application/json'],
        ['text/html, application/x-ndjson;q=0.5, application/json', 'application/json'],
        ['application/x-ndjson, application/json;q=0.5', 'application/x-ndjson'],
        ['image/png', 'application/json'],
      ] as const) {
        const { headers } = await call('/api/events', { headers: { Accept: accept } });
        expect(headers.get('content-type'), accept).toContain(type);
      }
    });

    test('pages by key: every event once, the last page has no next', async () => {
      const { call, base } = await start({ events: 25 });
      await call('/api/events/7', { method: 'DELETE' });
      const seen: number[] = [];
      let path: string | undefined = '/api/events?limit=8&ruleId=2';
      for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
        const response = await call(path);
        seen.push(...(await idsOf(response)));
        path = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]?.slice(base.length);
      }
      expect(seen).toEqual([1, 4, 10, 13, 16, 19, 22, 25]);
      // Exactly one page: no other page follows.
      expect((await call('/api/events?limit=24')).headers.get('link')).toBeNull();
      const next = `<${base}/api/events?limit=23&after=24>; rel="next"`;
      expect((await call('/api/events?limit=23')).headers.get('link')).toBe(next);
    });

    test('filters', async () => {
      const { call, put } = await start({ events: 10 });
      await put(2, { Active: false });
      await put(3, { Active: false });
      const ids = async (query: string) => idsOf(await call(`/api/events?${query}`));
      expect(await ids('active=false')).toEqual([2, 3]);
      expect(await ids('active=all&limit=3')).toEqual([1, 2, 3]);
      expect(await ids('active=true&after=8')).toEqual([9, 10]);
      expect(await ids('after=0&limit=1')).toEqual([1]);
      expect(await ids('ruleId=1')).toEqual([6, 9]);
      expect(await ids('from=2026-01-01T01:00:05%2B01:00&to=2026-01-01T00:00:07Z')).toEqual([5, 6]);
    });

    test('invalid queries are rejected with what to send', async () => {
      const { call } = await start();
      for (const [query, detail] of REJECTED) {
        const response = await call(`/api/events?${query}`);
        expect([query, response.status]).toEqual([query, 400]);
        expect(response.headers.get('content-type')).toBe('application/problem+json');
        expect(await response.json()).toMatchObject({
          type: '/api/docs#problem-invalid-query',
          status: 400,
          detail: expect.stringMatching(detail),
        });
      }
    });

    test('a 304 while nothing changed', async () => {
      const { call, put } = await start();
      const etag = (await call('/api/events')).headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[\w.-]+"$/);
      const again = (path: string, tag = etag, headers = {}) =>
        call(path, { headers: { 'If-None-Match': tag, ...headers } });
      for (const tag of [etag, '*', `"x", ${etag}`, etag.slice(2)]) {
        const response = await again('/api/events', tag);
        expect([tag, response.status, response.headers.get('etag'), await response.text()]).toEqual([
          tag,
          304,
          etag,
          '',
        ]);
      }
      expect((await again('/api/events?active=all')).status).toBe(200);
      expect((await again('/api/events', etag, { Accept: 'application/x-ndjson' })).status).toBe(200);
      await put(1, { Active: false });
      const changed = await again('/api/events');
      expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false]);
    });

    test('a change at the site changes the ETag', async () => {
      const { call, site } = await start();
      const etag = (await call('/api/events')).headers.get('etag') ?? '';
      await site.add(eventOf(4));
      const list = await call('/api/events', { headers: { 'If-None-Match': etag } });
      expect(await idsOf(list)).toEqual([1, 2, 3, 4]);
    });

    test('gzip if accepted, and only then', async () => {
      const { raw } = await start({ events: 2_000 });
      const send = async (encoding: string) => {
        const bytes = Buffer.from(await raw('GET', '/api/events', encoding), 'latin1');
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

    test('HEAD has the headers of GET', async () => {
      const { raw, call } = await start();
      for (const path of ['/api/events', '/api/events?limit=2', '/api/events/2', '/api/health']) {
        const head = await raw('HEAD', path);
        expect(head, path).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n$/);
        const { headers } = await call(path, { headers: { 'Accept-Encoding': 'identity' } });
        for (const name of ['content-type', 'etag', 'link', 'cache-control']) {
          const value = new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1] ?? null;
          expect([path, name, value]).toEqual([path, name, headers.get(name)]);
        }
      }
    });

    test('with an ETag, Prefer waits for a change instead of a 304', async () => {
      const { call, put } = await start({ events: 3 });
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

    test('without an ETag, Prefer waits for the first event of the list', async () => {
      const { call, put, site } = await start({ events: 3 });
      const waiting = call('/api/events?after=3', { headers: { Prefer: 'wait=50' } });
      await put(1, { Active: false });
      await site.add(eventOf(4));
      expect(await idsOf(await waiting)).toEqual([4]);
    });

    test('a wait ends with the response that it would have been', async () => {
      const { call } = await start({ events: 1, limits: { waitMs: 50 } });
      const etag = (await call('/api/events')).headers.get('etag') ?? '';
      const same = await call('/api/events', { headers: { 'If-None-Match': etag, Prefer: 'wait=30' } });
      expect([same.status, same.headers.get('preference-applied')]).toEqual([304, 'wait=0.05']);
      expect(await idsOf(await call('/api/events?after=1', { headers: { Prefer: 'wait=1' } }))).toEqual([]);
    });

    test('with news, it does not wait', async () => {
      const { call } = await start({ events: 2, limits: { waitMs: 600_000 } });
      const response = await call('/api/events', { headers: { Prefer: 'wait=600', 'If-None-Match': '"old"' } });
      expect(await idsOf(response)).toEqual([1, 2]);
      expect(await idsOf(await call('/api/events?after=1', { headers: { Prefer: 'wait=600' } }))).toEqual([2]);
    });
  });
}

import { describe, expect, test } from 'vitest';
import { eventOf } from '../../unit/events/api/fake-event-source.ts';
import type { StartServedApi } from './served-api.ts';

const BODIES: readonly (readonly [what: string, body: unknown, detail: RegExp])[] = [
  ['nothing', '', /empty/],
  ['no JSON', '{"Active": false', /not valid JSON/],
  ['bytes that are not UTF-8', '\u00ff', /not valid JSON|not an object/],
  ['an array', [{ Active: false }], /not an object/],
  ['a boolean', 'false', /not an object/],
  ['null', 'null', /not an object/],
  ['another case', { active: false }, /no member Active/],
  ['a string', { Active: 'false' }, /not "false"\./],
  ['a number', { Active: 0 }, /not 0\./],
  ['null as Active', { Active: null }, /not null\./],
  ['Active twice', '{"Active": true, "Active": false}', /Send Active once/],
  ['Active twice, escaped', '{"Active": false, "\\u0041ctive": true}', /Send Active once/],
  ['another member twice', '{"Active": false, "a": [{"b": 1, "b": 2}]}', /member "b" more than once/],
  ['a prototype', '{"__proto__": {"Active": false}}', /no member Active/],
  ['a constructor', '{"constructor": {"prototype": {"Active": false}}}', /no member Active/],
];
const TYPES: readonly (readonly [type: string | undefined, status: number])[] = [
  [undefined, 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=latin1', 415],
  ['application/jsonp', 415],
  ['application/json', 200],
  ['Application/JSON ; charset="UTF-8"', 200],
];
const IDS = [
  '0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x1',
  '007',
  '%31',
  '1%00',
  '%D9%A3',
  '%zz',
  '9007199254740992',
  '1'.repeat(400),
  'abc',
  '1;2',
  '1,2',
  '%201',
  '__proto__',
];

/** One event: reading, changing and deleting it; paths, methods and limits. */
export function eventSuite(start: StartServedApi): void {
  describe('an event', () => {
    test('GET returns it, active or not', async () => {
      const { call, put } = await start();
      await put(2, { Active: false });
      expect(await (await call('/api/events/2')).json()).toEqual({ ...eventOf(2), Active: false });
    });

    test('PUT changes only Active, is idempotent, and can re-activate', async () => {
      const { put, call } = await start();
      const disabled = { ...eventOf(2), Active: false };
      const body = { ...eventOf(3), Active: false, RuleId: 99, extra: { deep: [1] } };
      for (let time = 0; time < 2; time += 1) {
        const response = await put(2, body);
        expect([response.status, await response.json()]).toEqual([200, disabled]);
      }
      expect(await (await call('/api/events/2')).json()).toEqual(disabled);
      expect(await (await call('/api/events')).json()).toHaveLength(2);
      expect(await (await put(2, { Active: true })).json()).toEqual(eventOf(2));
    });

    test('a change at the site is visible', async () => {
      const { call, site } = await start();
      await site.setActive(2, false);
      expect(await (await call('/api/events/2')).json()).toEqual({ ...eventOf(2), Active: false });
      await site.delete(2);
      expect((await call('/api/events/2')).status).toBe(404);
    });

    test('invalid bodies are rejected with what to send', async () => {
      const { put, call } = await start();
      for (const [what, body, detail] of BODIES) {
        const response = await put(1, body);
        expect([what, response.status]).toEqual([what, 400]);
        const problem: unknown = await response.json();
        expect(problem).toMatchObject({
          type: '/api/docs#problem-invalid-body',
          detail: expect.stringMatching(detail),
        });
        expect(problem).toMatchObject({ detail: expect.stringContaining('{"Active": false}') });
      }
      expect(await (await call('/api/events/1')).json()).toMatchObject({ Active: true });
      expect(Object.prototype).not.toHaveProperty('Active');
    });

    test('a PUT needs the content type of JSON', async () => {
      const { raw, put } = await start();
      for (const [type, status] of TYPES) {
        const header = type === undefined ? '' : `Content-Type: ${type}\r\n`;
        const response = await raw('PUT', '/api/events/1', header, '{"Active": false}');
        expect(response, String(type)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      }
      expect((await put(1, { Active: false }, { 'Content-Encoding': 'gzip' })).status).toBe(415);
    });

    test('a large body and large headers are rejected', async () => {
      const { put, call, raw } = await start();
      const large = await put(1, { Active: false, text: 'x'.repeat(70_000) });
      expect([large.status, await large.json()]).toMatchObject([413, { type: '/api/docs#problem-body-too-large' }]);
      // Its client sends a body far above the limit before it reads, and wants the connection closed.
      const closed = await raw('PUT', '/api/events/1', 'Content-Type: application/json\r\n', 'x'.repeat(12_000_000));
      expect(closed).toMatch(/^HTTP\/1\.1 413 [^]*body-too-large/);
      expect((await call('/api/events', { headers: { 'X-Long': 'x'.repeat(20_000) } })).status).toBe(431);
    });

    test('DELETE removes the event', async () => {
      const { call, put } = await start();
      const response = await call('/api/events/2', { method: 'DELETE' });
      expect([response.status, await response.text()]).toEqual([204, '']);
      expect((await call('/api/events/2', { method: 'DELETE' })).status).toBe(404);
      expect((await put(2, { Active: true })).status).toBe(404);
      expect((await call('/api/events/2')).status).toBe(404);
    });

    test('an event that does not exist is 404 for every method', async () => {
      const { call, put } = await start();
      for (const response of [
        await call('/api/events/99'),
        await call('/api/events/9007199254740991'),
        await put(99, { Active: false }),
        await call('/api/events/99', { method: 'DELETE' }),
      ]) {
        expect(response.status).toBe(404);
        expect(await response.json()).toMatchObject({
          type: '/api/docs#problem-no-such-event',
          detail: expect.stringMatching(/Event \d+ does not exist/),
        });
      }
    });

    test('invalid ids are rejected for every method', async () => {
      const { raw, call } = await start();
      for (const id of IDS) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const response = await raw(
            method,
            `/api/events/${id}`,
            'Content-Type: application/json\r\n',
            '{"Active": false}',
          );
          expect(response, `${method} ${id}`).toMatch(/^HTTP\/1\.1 400 [^]*invalid-id[^]*positive integer/);
        }
      }
      expect(await (await call('/api/events')).json()).toEqual([eventOf(1), eventOf(2), eventOf(3)]);
    });

    test('unknown paths are 404, unknown methods 405 with Allow', async () => {
      const { call } = await start();
      for (const path of ['/api', '/api/events/', '/API/EVENTS', '/api/events/1/2', '/api/health/']) {
        expect([path, (await call(path)).status]).toEqual([path, 404]);
      }
      for (const [path, method, allow] of [
        ['/api/events', 'POST', 'GET, HEAD, OPTIONS'],
        ['/api/events', 'DELETE', 'GET, HEAD, OPTIONS'],
        ['/api/events/1', 'PATCH', 'GET, HEAD, PUT, DELETE, OPTIONS'],
        ['/api/events/x', 'POST', 'GET, HEAD, PUT, DELETE, OPTIONS'],
        ['/api/health', 'PUT', 'GET, HEAD, OPTIONS'],
      ] as const) {
        const response = await call(path, { method });
        expect([path, method, response.status, response.headers.get('allow')]).toEqual([path, method, 405, allow]);
        expect(await response.json()).toMatchObject({ type: '/api/docs#problem-method-not-allowed' });
        const options = await call(path, { method: 'OPTIONS' });
        expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
      }
    });

    test('health, the document and the page of the reference', async () => {
      const { call, base } = await start();
      expect(await (await call('/api/health')).json()).toMatchObject({ status: 'ok', version: '9.8.7', reasons: [] });
      expect(await (await call('/api/openapi.json')).json()).toMatchObject({
        openapi: '3.1.0',
        servers: [{ url: base === '' ? '/' : base }],
      });
      const page = await call('/api/docs');
      expect(page.headers.get('content-type')).toContain('text/html');
      const html = await page.text();
      expect(html).toContain(`${new URL(page.url).origin}${base}/api/events?limit=500`);
      const [, link = ''] = /href="([^"]*openapi\.json)"/.exec(html) ?? [];
      const { pathname } = new URL(link, page.url);
      expect((await call(pathname.slice(base.length))).headers.get('content-type')).toContain('application/json');
    });
  });
}

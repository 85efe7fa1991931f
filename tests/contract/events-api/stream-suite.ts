import { describe, expect, test } from 'vitest';
import { eventOf } from '../../unit/events/api/fake-event-source.ts';
import type { StartServedApi } from './served-api.ts';

const REJECTED: readonly (readonly [query: string, lastId: string, detail: RegExp])[] = [
  ['?limit=3', '', /^An event stream has no parameter "limit", only ruleId\. Use the list for other filters\.$/],
  ['?ruleId=1&ruleId=2', '', /^ruleId occurs more than once in the query\. Send it once\.$/],
  ['?ruleId=x', '', /^ruleId is/],
  ['', '12x', /^Last-Event-ID is the id of the last message that you received, not "12x"\./],
  ['', '1.2.3', /^Last-Event-ID/],
  ['', '-1', /^Last-Event-ID/],
];

/** The stream of changes. @param quietPlace the place of a stream before the first change */
export function streamSuite(start: StartServedApi, quietPlace: RegExp): void {
  describe('the stream', () => {
    test('sends the active events, and then each change with its place', async () => {
      const api = await start({ events: 3 });
      await api.site.setActive(2, false);
      const client = await api.stream();
      expect(client.response.statusCode).toBe(200);
      expect(client.response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        vary: 'Accept',
      });
      expect(client.response.headers['content-encoding']).toBeUndefined();
      await expect.poll(() => client.changes).toEqual(['created 1', 'created 3']);
      const changes = ['created 1', 'created 3'];
      const next = async (change: string) => {
        changes.push(change);
        await expect.poll(() => client.changes).toEqual(changes);
      };
      await api.put(1, { Active: false });
      await api.put(1, { Active: false });
      await next('disabled 1');
      await api.put(2, { Active: true });
      await next('reactivated 2');
      await api.call('/api/events/3', { method: 'DELETE' });
      await next('deleted 3');
      await api.site.add(eventOf(4));
      await next('created 4');
      const ids = client.messages.slice(2).map(({ id }) => id);
      expect(new Set(ids).size).toBe(4);
      expect(JSON.parse(client.messages[2]?.data ?? '')).toEqual({ ...eventOf(1), Active: false });
      expect(JSON.parse(client.messages[4]?.data ?? '')).toEqual(eventOf(3));
    });

    test('continues after Last-Event-ID', async () => {
      const api = await start({ events: 2 });
      const first = await api.stream();
      await expect.poll(() => first.messages.length).toBe(2);
      // The list is whole with the next heartbeat or change.
      await api.put(2, { Active: false });
      await expect.poll(() => first.changes.at(-1)).toBe('disabled 2');
      first.close();
      await api.put(1, { Active: false });
      const second = await api.stream('', first.lastId);
      await expect.poll(() => second.changes).toEqual(['disabled 1']);
    });

    test('an unknown place gets a new list', async () => {
      const api = await start({ events: 2 });
      const client = await api.stream('', '999999');
      await expect.poll(() => client.changes).toEqual(['reset', 'created 1', 'created 2']);
    });

    test('ruleId selects the events of a rule', async () => {
      const api = await start({ events: 6 });
      const client = await api.stream('?ruleId=2');
      await expect.poll(() => client.changes).toEqual(['created 1', 'created 4']);
      await api.put(2, { Active: false });
      await api.put(4, { Active: false });
      await expect.poll(() => client.changes.slice(2)).toEqual(['disabled 4']);
    });

    test('headers are there at once, and a quiet stream sends its place', async () => {
      const api = await start({ events: 0, limits: { heartbeatMs: 20 } });
      const client = await api.stream();
      await expect.poll(() => client.comments).toBeGreaterThan(2);
      expect(client.messages).toEqual([]);
      expect(client.lastId).toMatch(quietPlace);
    });

    test('invalid parameters and places are rejected', async () => {
      const api = await start();
      for (const [query, lastId, detail] of REJECTED) {
        const response = await api.call(`/api/events${query}`, {
          headers: { Accept: 'text/event-stream', ...(lastId === '' ? {} : { 'Last-Event-ID': lastId }) },
        });
        expect([query, lastId, response.status]).toEqual([query, lastId, 400]);
        expect(response.headers.get('content-type')).toContain('application/problem+json');
        expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) });
      }
    });

    test('other types get the list', async () => {
      const api = await start({ events: 1 });
      const others = ['*/*', 'text/html', 'application/json, text/event-stream', 'text/event-stream;q=0.1, */*'];
      for (const accept of others) {
        const response = await api.call('/api/events', { headers: { Accept: accept } });
        expect(response.headers.get('content-type'), accept).toContain('application/json');
        expect(await response.json()).toHaveLength(1);
      }
    });

    test('HEAD has the headers of the stream, and ends', async () => {
      const reply = await (await start()).raw('HEAD', '/api/events', 'Accept: text/event-stream\r\n');
      expect(reply).toMatch(/^HTTP\/1.1 200 /);
      expect(reply).toContain('Content-Type: text/event-stream');
      expect(reply.endsWith('\r\n\r\n')).toBe(true);
    });

    test('streams have places of their own', async () => {
      const api = await start({ limits: { streams: 2 } });
      const clients = [await api.stream(), await api.stream()];
      const refused = await api.call('/api/events', { headers: { Accept: 'text/event-stream' } });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
      expect((await api.call('/api/events')).status).toBe(200);
      clients[0]?.close();
      await expect.poll(async () => (await api.stream()).response.statusCode).toBe(200);
    });
  });
}

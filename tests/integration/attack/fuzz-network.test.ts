import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProduct } from '../../support/product.ts';
import type { LiveInstance } from './live-instance.ts';
import { Poller, startInstance } from './live-instance.ts';

/** Connections of each sort that are tried. `FUZZ_RUNS` says another number. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_200);
/** At once. */
const LANES = 8;

/** Texts with some of their characters changed, taken out, doubled or put elsewhere. */
function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom('set', 'cut', 'double', 'insert'),
    text: fc.oneof(
      fc.string({ maxLength: 8 }),
      fc.constantFrom('\r\n', '\0', '%00', '../', '{"', '__proto__', '9'.repeat(30)),
    ),
  });
  return fc.tuple(fc.constantFrom(...seeds), fc.array(change, { maxLength: 5 })).map(([seed, changes]) => {
    let text = seed;
    for (const { at, how, text: put } of changes) {
      const place = at % (text.length + 1);
      const rest = {
        set: text.slice(place + put.length),
        cut: text.slice(place + 3),
        double: text.slice(place),
        insert: text.slice(place),
      };
      const middle = how === 'double' ? text.slice(Math.max(0, place - 10), place) : how === 'cut' ? '' : put;
      text = text.slice(0, place) + middle + rest[how];
    }
    return text;
  });
}

describe('a live instance among clients that talk nonsense', () => {
  let instance: LiveInstance;
  let poller: Poller;
  let memoryBefore = 0;
  beforeAll(async () => {
    await builtProduct();
    instance = await startInstance({});
    const { rules, events } = instance.client;
    await events.createTest({ count: 50, ruleId: (await rules.list())[0]?.id ?? 0 });
    poller = new Poller(instance.eventsApi);
    memoryBefore = instance.memoryMb();
  }, 180_000);
  afterAll(() => instance.close());

  /** Does something with so many samples, some at a time. */
  async function each(samples: string[], work: (text: string) => Promise<void>): Promise<void> {
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        for (let at = lane; at < samples.length; at += LANES) await work(samples[at] ?? '');
      }),
    );
  }

  test('the events API answers every request or closes, never with a fault of its own', async () => {
    const { hostname, port, host } = new URL(instance.eventsApi);
    const head = `Host: ${host}\r\nConnection: close\r\n`;
    const body = '{"Active":false}';
    const put = `PUT /api/events/1 HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const seeds = [
      `GET /api/events HTTP/1.1\r\n${head}\r\n`,
      `GET /api/events?limit=5&after=3&active=all HTTP/1.1\r\n${head}Accept: application/x-ndjson\r\n\r\n`,
      `GET /api/events/7 HTTP/1.1\r\n${head}If-None-Match: "x"\r\n\r\n`,
      `DELETE /api/events/999999 HTTP/1.1\r\n${head}\r\n`,
      `OPTIONS /api/events HTTP/1.1\r\n${head}Origin: http://evil.example\r\n\r\n`,
      `POST /api/events HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      put,
    ];
    const statuses = new Map<number, number>();
    const faults: string[] = [];
    await each(fc.sample(mutated(seeds), RUNS), async (text) => {
      const answer = await said(hostname, Number(port), text);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status >= 500 && status !== 501 && status !== 505)
        faults.push(`${JSON.stringify(text)}: ${answer.slice(0, 300)}`);
    });
    expect(faults).toEqual([]);
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 404]));
  }, 300_000);

  test('the RPC refuses what is none of it, and goes on for everybody else', async () => {
    const call = (path: string, json: unknown) => JSON.stringify({ i: '1', t: 1, p: { u: `/${path}`, b: { json } } });
    const seeds = [
      call('tags/list', { limit: 5 }),
      call('runs/execute', {
        body: 'return 1',
        context: { tagName: '', tagScopeDiagram: null, tagScopeLocation: null },
        dryRun: true,
      }),
      call('scripts/save', { group: 'Fuzz', name: 'x', description: '', body: 'return 1' }),
      call('tags/watch', { paths: ['A.B.C'] }),
      call('settings/update', { 'hosts.count': 2 }),
      JSON.stringify({ i: '1', t: 3 }),
    ];
    const url = `${instance.address.url.replace('http', 'ws')}/rpc`;
    let opened = 0;
    await each(
      fc.sample(fc.array(mutated(seeds), { minLength: 1, maxLength: 4 }), RUNS).map((all) => JSON.stringify(all)),
      async (all) => {
        // @ts-expect-error Node's WebSocket takes headers, the DOM's does not.
        const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${instance.address.token}` } });
        const closed = new Promise((done) => socket.addEventListener('close', done, { once: true }));
        await new Promise((done) => {
          socket.addEventListener('open', done, { once: true });
          socket.addEventListener('error', done, { once: true });
        });
        opened += 1;
        const messages: string[] = JSON.parse(all);
        for (const message of messages) socket.send(message.length % 3 === 0 ? Buffer.from(message) : message);
        await Promise.race([closed, wait(30)]);
        socket.close();
        await closed;
      },
    );
    expect(opened).toBe(RUNS);
    expect(await instance.run('return 6 * 7')).toMatchObject({ status: 'ok', result: 42 });
  }, 300_000);

  test('and it has answered everybody else all the time', async () => {
    await poller.stop();
    expect(poller.problems).toEqual([]);
    expect(poller.answered).toBeGreaterThan(10);
    expect(poller.slowestMs).toBeLessThan(15_000);
    expect(instance.memoryMb() - memoryBefore).toBeLessThan(300);
    expect((await instance.client.settings.get())['hosts.count']).toBeGreaterThan(0);
  });
});

/** What comes back for bytes on a connection of their own, until it ends or half a second has passed. */
function said(host: string, port: number, text: string): Promise<string> {
  return new Promise((settle) => {
    const socket = connect({ host, port });
    let answer = '';
    const end = () => {
      socket.destroy();
      settle(answer);
    };
    socket.setTimeout(500, end);
    socket.on('data', (chunk: Buffer) => void (answer += chunk.toString('latin1')));
    socket.on('end', end);
    socket.on('error', end);
    socket.on('connect', () => socket.end(text, 'latin1'));
  });
}

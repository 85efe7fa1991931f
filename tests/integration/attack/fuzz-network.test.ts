import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fc } from '../../support/run/random.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtProduct } from '../../support/product/product.ts';
import { scaled } from '../../support/run/scale.ts';
import { heldMb, INSPECTED } from '../../support/product/inspected-heap.ts';
import type { ServedInstance } from '../../support/product/served-instance.ts';
import { startInstance } from '../../support/product/served-instance.ts';
import { Poller } from './poller.ts';

/** The approximate number of connections of each sort (`FUZZ_RUNS` overrides it), and the maximum at a time. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? scaled(150, 1_200));
const AT_ONCE = 12;

/** Texts with some characters changed, removed, doubled or moved. */
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

describe('a live instance with clients that send garbage', () => {
  let instance: ServedInstance;
  let poller: Poller;
  let heldBefore = 0;
  beforeAll(async () => {
    await builtProduct();
    instance = await startInstance({ ui: true, env: INSPECTED });
    const { rules, events } = await instance.client();
    await events.createTest({ count: 50, ruleId: (await rules.list())[0]?.id ?? 0 });
    poller = new Poller(instance.eventsApi);
    heldBefore = await heldMb(instance.command);
  }, 600_000);
  afterAll(() => instance.close());

  /** Runs a check on many inputs, several at a time. A failure shrinks to one short input. */
  const each = <Input>(input: fc.Arbitrary<Input>, work: (one: Input) => Promise<void>, examples: Input[]) =>
    fc.assert(
      fc.asyncProperty(fc.array(input, { minLength: 1, maxLength: AT_ONCE, size: 'max' }), async (several) => {
        await Promise.all(several.map(work));
      }),
      { numRuns: Math.ceil((2 * RUNS) / AT_ONCE), examples: [[examples]] },
    );

  /** Sends bytes on connections of their own, and collects the statuses of the responses. Fails at an internal error. */
  function exchange(url: string) {
    const { hostname, port } = new URL(url);
    const statuses = new Set<number>();
    const send = async (text: string): Promise<void> => {
      const response = await said(hostname, Number(port), text);
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
      statuses.add(status);
      if (status >= 500 && status !== 501 && status !== 505) expect.fail(`answered ${response.slice(0, 300)}`);
    };
    return { statuses, send };
  }

  test('the events API responds or closes, never with an internal error', async () => {
    const { host } = new URL(instance.eventsApi);
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
    const { statuses, send } = exchange(instance.eventsApi);
    await each(mutated(seeds), send, [...seeds, `GET ?\r\n\r\n`, `GET /nowhere HTTP/1.1\r\n${head}\r\n`]);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 404]));
  }, 600_000);

  test('the port of the workbench responds or closes, never with an internal error', async () => {
    const { url, token } = instance.address();
    const head = `Host: ${new URL(url).host}\r\nConnection: close\r\n`;
    const bearer = `Authorization: Bearer ${token}\r\n`;
    const upgrade = `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\n`;
    const rpc = `GET /rpc HTTP/1.1\r\nHost: ${new URL(url).host}\r\nConnection: Upgrade\r\n${upgrade}`;
    const seeds = [
      `GET / HTTP/1.1\r\n${head}\r\n`,
      `GET /?token=${'x'.repeat(43)} HTTP/1.1\r\n${head}\r\n`,
      `GET /assets/../../package.json HTTP/1.1\r\n${head}Cookie: a=b; tagwright=x\r\n\r\n`,
      `GET /diagram.html HTTP/1.1\r\n${head}Range: bytes=0-9\r\nAccept-Encoding: br\r\n\r\n`,
      `HEAD / HTTP/1.1\r\n${head}If-None-Match: "x"\r\n\r\n`,
      `POST /link HTTP/1.1\r\n${head}${bearer}Content-Length: 2\r\n\r\n{}`,
      `POST /rpc HTTP/1.1\r\n${head}${bearer}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
      `${rpc}\r\n`,
      `${rpc}${bearer}\r\n\x81\x85\x01\x02\x03\x04hello`,
      `OPTIONS * HTTP/1.1\r\n${head}Origin: http://evil.example\r\n\r\n`,
    ];
    const { statuses, send } = exchange(url);
    await each(mutated(seeds), send, [...seeds, `GET ?\r\n\r\n`, `GET //evil.example/ HTTP/1.1\r\n${head}\r\n`]);
    expect([...statuses]).toEqual(expect.arrayContaining([101, 400, 401]));
    expect(await instance.run('return 6 * 7')).toMatchObject({ status: 'ok', result: 42 });
  }, 600_000);

  test('the RPC rejects foreign messages, and continues for other clients', async () => {
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
    const url = `${instance.address().url.replace('http', 'ws')}/rpc`;
    const talk = async (messages: string[]): Promise<void> => {
      // @ts-expect-error Node's WebSocket takes headers, the DOM's does not.
      const socket = new WebSocket(url, { headers: { Authorization: `Bearer ${instance.address().token}` } });
      const closed = new Promise((done) => socket.addEventListener('close', done, { once: true }));
      await new Promise((done, failed) => {
        socket.addEventListener('open', done, { once: true });
        socket.addEventListener('error', failed, { once: true });
      });
      for (const message of messages) socket.send(message.length % 3 === 0 ? Buffer.from(message) : message);
      await Promise.race([closed, wait(30)]);
      socket.close();
      await closed;
    };
    await each(fc.array(mutated(seeds), { minLength: 1, maxLength: 4 }), talk, [seeds]);
    expect(await instance.run('return 6 * 7')).toMatchObject({ status: 'ok', result: 42 });
  }, 600_000);

  test('responds to all other clients all the time', async () => {
    await poller.stop();
    expect(poller.problems).toEqual([]);
    expect(poller.answered).toBeGreaterThan(10);
    expect(poller.slowestMs).toBeLessThan(15_000);
    await expect.poll(async () => (await heldMb(instance.command)) - heldBefore).toBeLessThan(25);
    expect((await (await instance.client()).settings.get())['hosts.count']).toBeGreaterThan(0);
  });
});

/** The response to bytes on a separate connection, up to its end or for half a second. */
function said(host: string, port: number, text: string): Promise<string> {
  return new Promise((settle) => {
    const socket = connect({ host, port });
    let response = '';
    const end = () => {
      socket.destroy();
      settle(response);
    };
    socket.setTimeout(500, end);
    socket.on('data', (chunk: Buffer) => void (response += chunk.toString('latin1')));
    socket.on('end', end);
    socket.on('error', end);
    socket.on('connect', () => socket.end(text, 'latin1'));
  });
}

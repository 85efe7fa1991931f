import { setTimeout as delay } from 'node:timers/promises';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HostServer } from '../../src-main/headless/host-server.ts';
import { startHostServer } from '../../src-main/headless/host-server.ts';
import type { Client } from '../../src-main/headless/instance-client.ts';
import { createRouter } from '../../src-main/rpc/router.ts';
import { createClient } from '../../src-renderer/client/client.ts';
import { ConnectionLostError } from '../../src-renderer/client/errors.ts';
import { connectWebSocket } from '../../src-renderer/transport/websocket.ts';
import type { FakeServices } from './fake-services.ts';
import { fakeServices } from './fake-services.ts';

const path = 'Plant.Tag0.Value';
const script = { group: 'Line', name: 'Fill', description: '', body: 'return 1' };
const NodeWebSocket = WebSocket;

let services: FakeServices;
let server: HostServer;
let cleanUp: (() => unknown)[];

const start = (port: number) =>
  startHostServer({ router: createRouter(services, () => {}), files: null, port, log: () => {} });

beforeEach(async () => {
  services = fakeServices();
  server = await start(0);
  cleanUp = [];
  // Lets the client of the renderer in: what a browser's cookie does there, the bearer does here.
  class AdmittedWebSocket extends NodeWebSocket {
    constructor(url: string) {
      // @ts-expect-error Node's WebSocket takes headers, the DOM's does not.
      super(url, { headers: { Authorization: `Bearer ${server.token}` } });
      cleanUp.push(() => this.close());
    }
  }
  vi.stubGlobal('WebSocket', AdmittedWebSocket);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  for (const step of cleanUp) step();
  await server.close();
});

function rendererClient(): Client {
  const url = `${server.url.replace('http', 'ws')}/rpc`;
  return createClient(connectWebSocket({ url, sessionKnown: async () => true }));
}

/** Another process at the same address, with services of its own. */
async function restart(prepare: (services: FakeServices) => void = () => {}): Promise<void> {
  const { port } = new URL(server.url);
  await server.close();
  services = fakeServices();
  prepare(services);
  server = await start(Number(port));
}

describe('the server is restarted', () => {
  test('a stream goes on with the values of the new one', async () => {
    const client = rendererClient();
    const abort = new AbortController();
    const stream = await client.tags.watch({ paths: [path] }, { signal: abort.signal });
    expect((await stream.next()).done).toBe(false);
    await restart(({ values }) => values.set(path, { path, value: 7, quality: 'Good', type: 'Double' }));
    const seen = new Set<unknown>();
    for await (const [value] of stream) {
      seen.add(value?.value);
      if (value?.value === 7) break;
    }
    expect([...seen].at(-1)).toBe(7);
    abort.abort();
    await vi.waitFor(() => expect(services.watches).toBe(0));
  });

  test('a read that was asked while nobody listened is answered', async () => {
    const client = rendererClient();
    await client.app.info();
    const { port } = new URL(server.url);
    await server.close();
    const read = client.tags.get({ paths: [path] });
    await delay(50);
    server = await start(Number(port));
    expect(await read).toEqual([{ path, value: 0, quality: 'Good', type: 'Double' }]);
  });

  test('a save under way fails once, and is never sent again by itself', async () => {
    const client = rendererClient();
    await client.app.info();
    const entered = Promise.withResolvers<void>();
    services.scripts.save = () => {
      entered.resolve();
      return new Promise(() => {});
    };
    const save = client.scripts.save(script);
    const failure = save.then(
      () => null,
      (error: unknown) => error,
    );
    await entered.promise;
    await restart();
    expect(await failure).toBeInstanceOf(ConnectionLostError);
    // The connection is back: what could be repeated has been.
    expect(await client.scripts.list()).toMatchObject({ scripts: [] });
    expect(services.saves).toBe(0);
    await client.scripts.save(script);
    expect(services.saves).toBe(1);
  });
});

describe('a slow reader', () => {
  test('stops the stream instead of filling the memory of the server, and goes on when it reads', async () => {
    const paths = Array.from({ length: 20_000 }, (_, at) => `Plant.Area.Machine${at}.Value`);
    for (const one of paths) services.values.set(one, { path: one, value: 1.5, quality: 'Good', type: 'Double' });
    const { WebSocket: PausableWebSocket } = await import('ws');
    const socket = new PausableWebSocket(`${server.url.replace('http', 'ws')}/rpc`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    cleanUp.push(() => socket.terminate());
    // @ts-expect-error The types of `ws` differ from the DOM's in their events; the link uses what they share.
    const client = createORPCClient<Client>(new RPCLink({ websocket: socket }));
    const stream = await client.tags.watch({ paths });
    expect((await stream.next()).done).toBe(false);

    socket.pause();
    await vi.waitFor(
      async () => {
        const before = services.batches;
        await delay(200);
        expect(services.batches).toBe(before);
      },
      { timeout: 10_000 },
    );
    const stoppedAt = services.batches;
    // About 1.6 MB a batch: what is under way fills the buffers of the two sockets, and no more.
    expect(stoppedAt).toBeLessThan(20);

    socket.resume();
    await vi.waitFor(() => expect(services.batches).toBeGreaterThan(stoppedAt + 3));
    await stream.return();
    await vi.waitFor(() => expect(services.watches).toBe(0));
  });
});

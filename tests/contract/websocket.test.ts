import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/websocket';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket as FarSocket } from 'ws';
import type { HostServer } from '../../src-main/host/host-server.ts';
import { startHostServer } from '../../src-main/host/host-server.ts';
import type { InstanceClient } from '../../src-main/host/instance-client.ts';
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
  // Authorizes the client of the renderer: with a bearer token here, with a cookie in a browser.
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

function rendererClient(): InstanceClient {
  const url = `${server.url.replace('http', 'ws')}/rpc`;
  return createClient(connectWebSocket({ url, sessionKnown: async () => true }));
}

/** Another process at the same address, with its own services. */
async function restart(prepare: (services: FakeServices) => void = () => {}): Promise<void> {
  const { port } = new URL(server.url);
  await server.close();
  services = fakeServices();
  prepare(services);
  server = await start(Number(port));
}

describe('the server is restarted', () => {
  test('a stream continues with the values of the new server', async () => {
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

  test('a read requested while no server listens gets its response', async () => {
    const client = rendererClient();
    await client.app.info();
    const { port } = new URL(server.url);
    await server.close();
    const read = client.tags.get({ paths: [path] });
    await delay(50);
    server = await start(Number(port));
    expect(await read).toEqual([{ path, value: 0, quality: 'Good', type: 'Double' }]);
  });

  test('a save in progress fails once, and is never repeated automatically', async () => {
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
    // The connection is back, and everything repeatable has been repeated.
    expect(await client.scripts.list()).toMatchObject({ scripts: [] });
    expect(services.saves).toBe(0);
    await client.scripts.save(script);
    expect(services.saves).toBe(1);
  });
});

describe('the connection is closing', () => {
  test('cancelled calls reject nothing else; others are retried when reconnected', async () => {
    const far = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    cleanUp.push(() => far.close());
    await once(far, 'listening');
    const requests = [Promise.withResolvers<FarSocket>(), Promise.withResolvers<FarSocket>()];
    let connections = 0;
    far.on('connection', (socket) => {
      cleanUp.push(() => socket.terminate());
      const mine = requests[connections];
      connections += 1;
      socket.once('message', () => mine?.resolve(socket));
    });
    const opened: WebSocket[] = [];
    class WatchedWebSocket extends NodeWebSocket {
      constructor(url: string) {
        super(url);
        opened.push(this);
        cleanUp.push(() => this.close());
      }
    }
    vi.stubGlobal('WebSocket', WatchedWebSocket);
    const unheard: unknown[] = [];
    const hear = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', hear);
    cleanUp.push(() => process.off('unhandledRejection', hear));
    const address = far.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const url = `ws://127.0.0.1:${address.port}`;
    const client = createClient(connectWebSocket({ url, sessionKnown: async () => true }));
    const given = new AbortController();
    const first = client.app.info(undefined, { signal: given.signal }).catch((error: unknown) => error);
    const socket = await requests[0]?.promise;
    // Announces a close, and leaves the connection open.
    socket?.close();
    socket?.pause();
    await vi.waitFor(() => expect(opened[0]?.readyState).toBe(WebSocket.CLOSING));
    const later = new AbortController();
    const second = client.app.info(undefined, { signal: later.signal }).catch((error: unknown) => error);
    given.abort();
    expect(await first).toBe(given.signal.reason);
    socket?.terminate();
    await requests[1]?.promise;
    later.abort();
    expect(await second).toBe(later.signal.reason);
    expect(unheard).toEqual([]);
  });
});

describe('a slow reader', () => {
  test('pauses the stream before server memory fills, and resumes it on reading', async () => {
    const paths = Array.from({ length: 20_000 }, (_, at) => `Plant.Area.Machine${at}.Value`);
    for (const one of paths) services.values.set(one, { path: one, value: 1.5, quality: 'Good', type: 'Double' });
    const { WebSocket: PausableWebSocket } = await import('ws');
    const socket = new PausableWebSocket(`${server.url.replace('http', 'ws')}/rpc`, {
      headers: { Authorization: `Bearer ${server.token}` },
    });
    cleanUp.push(() => socket.terminate());
    // @ts-expect-error The types of `ws` differ from the DOM's in their events; the link uses what they share.
    const client = createORPCClient<InstanceClient>(new RPCLink({ websocket: socket }));
    const stream = await client.tags.watch({ paths });
    expect((await stream.next()).done).toBe(false);

    socket.pause();
    await vi.waitFor(async () => {
      const before = services.batches;
      await delay(200);
      expect(services.batches).toBe(before);
    });
    const stoppedAt = services.batches;
    // About 1.6 MB per batch: the data in transit fills only the buffers of the two sockets.
    expect(stoppedAt).toBeLessThan(20);

    socket.resume();
    await vi.waitFor(() => expect(services.batches).toBeGreaterThan(stoppedAt + 3));
    await stream.return();
    await vi.waitFor(() => expect(services.watches).toBe(0));
  });
});

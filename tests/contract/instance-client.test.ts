import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import type { WebSocket as FarSocket } from 'ws';
import { connectInstance } from '../../src-main/host/instance-client.ts';

test('a cancelled command rejects no other promise when its connection closes', async () => {
  const far = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => far.close());
  await once(far, 'listening');
  const requested = Promise.withResolvers<FarSocket>();
  far.on('connection', (socket) => socket.on('message', () => requested.resolve(socket)));
  const opened: WebSocket[] = [];
  const Original = WebSocket;
  vi.stubGlobal(
    'WebSocket',
    class extends Original {
      constructor(...args: ConstructorParameters<typeof Original>) {
        super(...args);
        opened.push(this);
      }
    },
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  process.on('unhandledRejection', hear);
  onTestFinished(() => void process.off('unhandledRejection', hear));
  const address = far.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const connection = await connectInstance({ url: `http://127.0.0.1:${address.port}`, token: 'any' });
  onTestFinished(() => connection.close());

  const given = new AbortController();
  const first = connection.client.app.info(undefined, { signal: given.signal }).catch((error: unknown) => error);
  const socket = await requested.promise;
  // Announces a close, and leaves the connection open.
  socket.close();
  socket.pause();
  await vi.waitFor(() => expect(opened[0]?.readyState).toBe(WebSocket.CLOSING));
  given.abort();
  expect(await first).toBe(given.signal.reason);

  const later = new AbortController();
  const second = connection.client.app.info(undefined, { signal: later.signal }).catch((error: unknown) => error);
  socket.terminate();
  await vi.waitFor(() => expect(connection.lost.aborted).toBe(true));
  later.abort();
  expect(await second).toBeInstanceOf(Error);
  expect(unheard).toEqual([]);
});

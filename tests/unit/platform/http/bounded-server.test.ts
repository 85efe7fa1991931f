import type { RequestListener, Server } from 'node:http';
import { createConnection, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ServerLimits } from '../../../../src-main/platform/http/bounded-server.ts';
import { createBoundedServer, SERVER_LIMITS } from '../../../../src-main/platform/http/bounded-server.ts';
import { createRequestGuard, REFUSAL_STATUS } from '../../../../src-main/platform/http/request-guard.ts';
import { listenOnLoopback, loopbackUrl } from '../../../../src-main/platform/http/loopback.ts';

async function start(handler: RequestListener, limits: Partial<ServerLimits> = {}) {
  const { server } = createBoundedServer({ ...SERVER_LIMITS, connections: 10, ...limits });
  server.on('request', handler);
  const port = await listenOnLoopback(server, 0);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  /** Opens connections one by one; each sends only this. */
  const open = async (count: number, text = '') => {
    const opened: Socket[] = [];
    for (let at = 0; at < count; at += 1) {
      const socket = createConnection(port, '127.0.0.1');
      socket.on('error', () => {});
      await new Promise((resolve) => socket.once('connect', resolve));
      socket.pause();
      if (text !== '') await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
      sockets.push(socket);
      opened.push(socket);
    }
    return opened;
  };
  const isGone = (socket: Socket) =>
    new Promise<void>((resolve) => {
      if (socket.closed) resolve();
      else socket.once('close', () => resolve()).resume();
    });
  const fetchIt = () => fetch(loopbackUrl(port), { headers: { Connection: 'close' } });
  return { server, port, open, isGone, fetchIt };
}

const slowBody = 'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{';
const slowHeaders = 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ';

test.each([
  ['idle connections', ''],
  ['slow headers', slowHeaders],
  ['slow bodies', slowBody],
])('%s block no client, however many there are: the oldest is dropped first', async (_what, text) => {
  const { open, isGone, fetchIt } = await start((request, response) => {
    request.resume();
    request.once('end', () => response.end('ok'));
  });
  const first = await open(1, text);
  for (let batch = 0; batch < 5; batch += 1) {
    await open(12, text);
    expect(await (await fetchIt()).text()).toBe('ok');
  }
  await Promise.all(first.map(isGone));
});

test('a request in progress is never dropped, but an unread response is', async () => {
  const working: (() => void)[] = [];
  let answered = 0;
  const { open, isGone, fetchIt } = await start((request, response) => {
    if (request.url === '/work') working.push(() => response.end('done'));
    else if (request.url === '/much') {
      answered += 1;
      response.end(Buffer.alloc(40_000_000));
    } else response.end('ok');
  });
  const workers = await open(5, 'GET /work HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(working).toHaveLength(5));
  const unread = await open(5, 'GET /much HTTP/1.1\r\nHost: x\r\n\r\n');
  await vi.waitFor(() => expect(answered).toBe(5));
  await vi.waitFor(async () => expect(await (await fetchIt()).text()).toBe('ok'));
  await isGone(unread[0] ?? new Socket());
  await open(20);
  for (const done of working) done();
  for (const worker of workers) {
    const reply = await new Promise<string>(
      (resolve) => void worker.once('data', (chunk: Buffer) => resolve(chunk.toString())).resume(),
    );
    expect(reply).toContain('done');
  }
});

test('a response that its client does not read ends in time', async () => {
  const { open, server } = await start((_request, response) => response.end(Buffer.alloc(40_000_000)), {
    keepAliveMs: 200,
  });
  const [socket] = await open(1, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket?.pause();
  await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
});

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

test.each([
  ['another host', (_port: number): string => 'example.com:443', 421, 'host'],
  ['this port', (port: number): string => `127.0.0.1:${port}`, 400, 'target'],
] as const)('CONNECT to %s is answered, reported, and its connection closed', async (_, hostOf, status, reason) => {
  const reports: string[] = [];
  const guard = createRequestGuard((refused) => reports.push(refused.reason));
  const { port, open } = await start((request, response): void => {
    const guarded = guard.check(request);
    response.writeHead(guarded.ok ? 200 : REFUSAL_STATUS[guarded.reason]).end('why');
  });
  const host = hostOf(port);
  const [socket] = await open(1, `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  let text = '';
  socket?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  await new Promise<void>((resolve) => void socket?.once('close', () => resolve()).resume());
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [^]*Connection: close[^]*why`));
  expect(reports).toEqual([reason]);
});

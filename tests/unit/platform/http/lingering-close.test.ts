import type { Server } from 'node:http';
import { createConnection, Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBoundedServer, SERVER_LIMITS } from '../../../../src-main/platform/http/bounded-server.ts';
import type { ServerLimits } from '../../../../src-main/platform/http/bounded-server.ts';
import { listenOnLoopback } from '../../../../src-main/platform/http/loopback.ts';

const HEAD = 'PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
/** More than the buffers of a connection hold. */
const LARGE = 12_000_000;

/** Responds to every request without reading its body, and to invalid HTTP. */
async function start(limits: Partial<ServerLimits> = {}) {
  const bounded = createBoundedServer({ ...SERVER_LIMITS, ...limits });
  const { server } = bounded;
  server.on('request', (_request, response) => void response.writeHead(413).end('too large'));
  server.on('clientError', (_error, socket) => {
    if (socket instanceof Socket && socket.writable)
      bounded.endWith(socket, 'HTTP/1.1 400 Bad Request\r\n\r\nnot HTTP');
  });
  const port = await listenOnLoopback(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It decides itself when it closes its side.
  const socket = createConnection({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return { server, socket };
}

/** How the connection of a client ended. */
interface Ended {
  text: string;
  error: string | null;
}

/** Collects what the server sends, until it ends its side. */
const read = (socket: Socket) =>
  new Promise<Ended>((resolve) => {
    const ended: Ended = { text: '', error: null };
    socket.on('data', (chunk: Buffer) => void (ended.text += chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => void (ended.error = error.code ?? ''));
    for (const end of ['end', 'close']) socket.once(end, () => resolve(ended));
    socket.resume();
  });

test.each([
  ['its whole body', `${HEAD}Content-Length: ${LARGE}\r\n\r\n`, '413 Payload Too Large', 'too large'],
  ['no HTTP', 'no HTTP\r\n\r\n', '400 Bad Request', 'not HTTP'],
  ['endless headers', HEAD, '400 Bad Request', 'not HTTP'],
])('a client that first sends %s gets the response', async (_, head, status, body) => {
  const { server, socket } = await start();
  socket.pause();
  const sent = new Promise<unknown>((resolve) => {
    socket.once('error', resolve);
    socket.write(head);
    socket.write(Buffer.alloc(LARGE, 'x'), resolve);
  });
  expect((await sent) ?? null).toBe(null);
  const { text, error } = await read(socket);
  expect([text.split('\r\n')[0], text.includes(body), error]).toEqual([`HTTP/1.1 ${status}`, true, null]);
  socket.end();
  await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
});

/** Sends forever, however much is read. */
function sendForever(socket: Socket, text: string): void {
  const part = Buffer.alloc(65_536, 'x');
  const more = (): void => {
    if (socket.writable) socket.write(part, more);
  };
  socket.write(text, more);
}

test.each([
  [`${HEAD}Content-Length: 900000000000\r\n\r\n`, /^HTTP\/1\.1 413 [^]*too large/],
  ['no HTTP\r\n\r\n', /^HTTP\/1\.1 400 [^]*not HTTP/],
])('a client that never stops sending is cut off, by bytes and by time: %j', async (head, response) => {
  for (const limits of [
    { lingerBytes: 1_000_000, lingerMs: 60_000 },
    { lingerBytes: 1e15, lingerMs: 300 },
  ]) {
    const { server, socket } = await start(limits);
    const ended = read(socket);
    sendForever(socket, head);
    expect((await ended).text).toMatch(response);
    await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
  }
});

test('a client that sends nothing more is cut off in time', async () => {
  const { server, socket } = await start({ lingerMs: 300 });
  const ended = read(socket);
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
  expect((await ended).text).toMatch(/^HTTP\/1\.1 413 [^]*too large/);
  await vi.waitFor(async () => expect(await connectionsOf(server)).toBe(0));
});

test('a connection that lingers takes no place from others', async () => {
  const { server, socket } = await start({ connections: 1, lingerMs: 60_000 });
  socket.write(`${HEAD}Content-Length: 1000\r\n\r\n{`);
  await new Promise((resolve) => void socket.once('data', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(413);
});

const connectionsOf = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));

import type { Socket } from 'node:net';
import { createConnection } from 'node:net';
import type { Side } from './compare.ts';

const END_OF_HEAD = '\r\n\r\n';

/**
 * Requests over plain sockets, one by one on each: a client that costs a fifth of node:http, so that the
 * server is measured. Responses must have a Content-Length and the status 200.
 * @param next the head and the body of the next request
 */
export function lanesOf(url: string, lanes: number, next: (host: string) => string): Side {
  const { host, port } = new URL(url);
  return async (ms) => {
    const sockets = Array.from({ length: lanes }, () => createConnection(Number(port), '127.0.0.1').setNoDelay());
    const until = performance.now() + ms;
    const began = performance.now();
    const counts = await Promise.all(sockets.map((socket) => exchange(socket, () => next(host), until)));
    const elapsed = performance.now() - began;
    return (counts.reduce((sum, count) => sum + count, 0) * 1_000) / elapsed;
  };
}

/** Sends and receives on one connection until the time is over; resolves with the number of responses. */
function exchange(socket: Socket, next: () => string, until: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let received = '';
    let count = 0;
    socket.on('error', reject);
    socket.setEncoding('latin1').on('data', (data: string) => {
      received += data;
      const head = received.indexOf(END_OF_HEAD);
      if (head < 0) return;
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(received)?.[1]);
      if (!received.startsWith('HTTP/1.1 200 ') || Number.isNaN(length)) {
        reject(new Error(`an unexpected response: ${received.slice(0, 200)}`));
        return;
      }
      if (received.length < head + END_OF_HEAD.length + length) return;
      received = '';
      count += 1;
      if (performance.now() < until) socket.write(next());
      else socket.end(() => resolve(count));
    });
    socket.write(next());
  });
}

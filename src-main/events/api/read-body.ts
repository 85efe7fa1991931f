import type { IncomingMessage } from 'node:http';

/** On the request itself: each garbage collection examines all entries of a WeakMap. */
const BODY = Symbol('body');

/** The body of a request, if `readBody` has read it. */
export function bodyOf(request: IncomingMessage): Buffer | null {
  return BODY in request && Buffer.isBuffer(request[BODY]) ? request[BODY] : null;
}

/** The whole body, or null as soon as it exceeds `limit` bytes. Rejects if the client disconnects. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    if (Number(request.headers['content-length']) > limit) {
      request.resume();
      resolve(null);
      return;
    }
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      // The rest is read and discarded: closing the connection could overtake the response.
      if (size > limit) resolve(null);
      else chunks.push(chunk);
    });
    request.once('end', () => {
      const body = Buffer.concat(chunks);
      if (size <= limit) Object.assign(request, { [BODY]: body });
      resolve(body);
    });
    request.once('error', reject);
    request.once('close', () => {
      if (!request.readableEnded) reject(new Error('the client disconnected'));
    });
  });
}

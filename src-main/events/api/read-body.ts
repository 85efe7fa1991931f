import type { IncomingMessage } from 'node:http';

/** The whole body, or null as soon as it turns out to be larger than `limit` bytes. Rejects when the client goes away. */
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
      // What comes after the limit is thrown away as it comes: an end of the connection could overtake the answer.
      if (size > limit) resolve(null);
      else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client went away')));
  });
}

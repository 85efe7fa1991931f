import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { resolve as at } from 'node:path';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export interface Taken {
  status: number;
  bytes: number;
  ms: number;
  etag: string;
}

/** A request whose response is counted and discarded. */
export function take(url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) {
  return new Promise<Taken>((resolve, reject) => {
    const began = performance.now();
    const { method = 'GET', headers = {}, body } = init;
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const call = request(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => void (bytes += chunk.length));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          bytes,
          ms: performance.now() - began,
          etag: response.headers.etag ?? '',
        }),
      );
    });
    call.once('error', reject);
    call.end(body);
  });
}

/** A GET whose response is read by a separate process. */
export async function takeApart(url: string, headers: Record<string, string> = {}): Promise<void> {
  const reader = fork(at(import.meta.dirname, 'servers/reader.ts'), [url, JSON.stringify(headers)]);
  const [code]: unknown[] = await once(reader, 'exit');
  if (code !== 0) throw new Error(`reading ${url} failed`);
}

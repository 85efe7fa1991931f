import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:http';

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
}

/** Sends a request with exactly these headers, including those that `fetch` forbids or adds. */
export function send(url: string, { method = 'GET', headers = {} }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** Tries to open a WebSocket, and resolves to the status of the response: 101 if it was opened. */
export function upgrade(url: string, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url.replace(/^ws/, 'http'), {
      agent: false,
      headers: {
        Connection: 'Upgrade',
        Upgrade: 'websocket',
        'Sec-WebSocket-Version': '13',
        'Sec-WebSocket-Key': Buffer.alloc(16, 1).toString('base64'),
        ...headers,
      },
    });
    outgoing.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('response', (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

/** The cookie that a response sets, as a browser sends it back. */
export function cookieSetBy({ headers }: Received): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? '';
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FarRequest {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
  bytes: Buffer;
}

export interface RemoteServer {
  /** `http://127.0.0.1:port` */
  base: string;
  /** The received requests, oldest first. */
  requests: FarRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on loopback. */
export async function startRemoteServer(
  respond: (request: FarRequest, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<RemoteServer> {
  const requests: FarRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const one = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: bytes.toString(),
        bytes,
      };
      requests.push(one);
      respond(one, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    base: baseOf(host, server.address()),
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Like startRemoteServer, but closed when the test ends. */
export async function remoteServer(
  respond: (request: FarRequest, response: ServerResponse) => void,
  host?: string,
): Promise<RemoteServer> {
  const end = await startRemoteServer(respond, host);
  onTestFinished(() => end.close());
  return end;
}

/** A server that sends arbitrary bytes; closed when the test ends. */
export async function rawRemoteServer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return baseOf('127.0.0.1', server.address());
}

function baseOf(host: string, address: AddressInfo | string | null): string {
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

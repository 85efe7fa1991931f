import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

/** What clients of a port may take. Times in ms. */
export interface ServerLimits {
  headerBytes: number;
  /** From the opening of a connection, or the first byte of a request, to the end of its headers. */
  headersMs: number;
  /** To the end of its body. */
  requestMs: number;
  /** Between two requests of a connection, and while a client takes nothing of its answer. */
  keepAliveMs: number;
  /** How often the limits of time are checked. */
  checkMs: number;
  connections: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 30_000,
  checkMs: 1_000,
  connections: 512,
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

export interface BoundedServer {
  readonly server: Server;
  /** The answer that a connection waits for. */
  answerTo(socket: Socket): ServerResponse | null;
  /** Takes a connection that was upgraded by an authorized client out of all limits. */
  exempt(socket: Socket): void;
  /** Destroys the connections that wait for no answer. */
  destroyIdle(): void;
}

/**
 * An HTTP server with bounds on headers, time and connections, the same for every port. When all connections are taken,
 * a new one replaces the oldest one that this process is not working for: it is idle, or its client has not yet sent
 * the whole request. Where there is none, it replaces the oldest one whose client has not taken its answer. Exempted
 * connections, such as the WebSocket of an open window, do not count and are never dropped.
 */
export function createBoundedServer(limits: ServerLimits): BoundedServer {
  const server = createServer({
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    // Node would answer itself: the guard refuses a request without Host, and reports it.
    requireHostHeader: false,
  });
  server.timeout = limits.keepAliveMs;
  /** Those that were used last at the end; null: idle. */
  const connections = new Map<Socket, Exchange | null>();
  const put = (socket: Socket, exchange: Exchange | null) => {
    connections.delete(socket);
    connections.set(socket, exchange);
  };

  const began = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    put(socket, { request, response });
    response.once('close', () => {
      if (connections.get(socket)?.response === response) put(socket, null);
    });
  };
  server.on('request', began);
  // Without a listener Node answers 417 itself.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connection', (socket: Socket) => {
    if (connections.size >= limits.connections && !makeRoom()) {
      socket.destroy();
      return;
    }
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
  });

  function makeRoom(): boolean {
    const all = [...connections];
    const [socket] =
      all.find(([, exchange]) => !exchange?.request.complete) ??
      all.find(([, exchange]) => exchange?.response.writableEnded) ??
      [];
    if (!socket) return false;
    connections.delete(socket);
    socket.destroy();
    return true;
  }

  return {
    server,
    answerTo: (socket) => connections.get(socket)?.response ?? null,
    exempt: (socket) => {
      connections.delete(socket);
      socket.setTimeout(0);
    },
    destroyIdle: () => {
      for (const [socket, exchange] of connections) if (!exchange) socket.destroy();
    },
  };
}

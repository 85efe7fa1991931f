import type { Server } from 'node:http';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/** The resources that clients of a port can use. Times in ms. */
export interface ServerLimits {
  headerBytes: number;
  /** From the opening of a connection, or the first byte of a request, to the end of its headers. */
  headersMs: number;
  /** To the end of its body. */
  requestMs: number;
  /** Between two requests of a connection, and while a client does not read its response. */
  keepAliveMs: number;
  /** How often the time limits are checked. */
  checkMs: number;
  connections: number;
  /** How long, and how many bytes, a client may still send after the last response of its connection. */
  lingerMs: number;
  lingerBytes: number;
}

export const SERVER_LIMITS: ServerLimits = {
  headerBytes: 16_384,
  headersMs: 10_000,
  requestMs: 15_000,
  keepAliveMs: 30_000,
  checkMs: 1_000,
  connections: 512,
  lingerMs: 5_000,
  lingerBytes: 16_777_216,
};

/** How often the limits of a lingering connection are checked, ms. */
const LINGER_CHECK_MS = 50;

/** What requests and responses of a server are. */
export interface MessageClasses {
  IncomingMessage: typeof IncomingMessage;
  ServerResponse: typeof ServerResponse;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** For HTTPS, in PEM. */
export interface ServerCertificate {
  cert: Buffer;
  key: Buffer;
}

export interface BoundedServer {
  readonly server: Server;
  /** The pending response of a connection. */
  collectResponse(socket: Socket): ServerResponse | null;
  /** Sends the last bytes of a connection whose request cannot be read, and closes it. */
  endWith(socket: Socket, bytes: string): void;
  /** Exempts a connection from all limits after its upgrade by an authorized client. */
  exempt(socket: Socket): void;
  /** Destroys the connections without a pending response. */
  destroyIdle(): void;
}

/**
 * An HTTP server with limits on headers, time and connections, the same for every port. When all connections are taken,
 * a new one replaces the oldest one for which this process is not working: it is idle, or its client has not yet sent
 * the whole request. If there is none, it replaces the oldest one whose client has not read its response. Exempted
 * connections, such as the WebSocket of an open window, do not count and are never dropped.
 */
export function createBoundedServer(
  limits: ServerLimits,
  certificate?: ServerCertificate,
  messages: MessageClasses = { IncomingMessage, ServerResponse },
): BoundedServer {
  const options = {
    ...messages,
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkMs,
    // Otherwise Node would respond itself: the guard rejects a request without Host, and reports it.
    requireHostHeader: false,
  };
  const server = certificate
    ? // Loaded here: most servers have no certificate, and commands that start no server pay for loading TLS.
      process
        .getBuiltinModule('node:https')
        .createServer({ ...options, ...certificate, handshakeTimeout: limits.headersMs })
    : createServer(options);
  // Connections whose handshake is not complete have no place yet.
  if (certificate) server.maxConnections = 2 * limits.connections;
  server.timeout = limits.keepAliveMs;
  /** Most recently used last; null: idle. */
  const connections = new Map<Socket, Exchange | null>();
  const put = (socket: Socket, exchange: Exchange | null) => {
    connections.delete(socket);
    connections.set(socket, exchange);
  };

  const began = (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    put(socket, { request, response });
    response.on('close', () => {
      if (connections.get(socket)?.response === response) put(socket, null);
    });
  };
  server.on('request', began);
  // Without a listener, Node itself responds with 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  // Without a listener, Node closes the connection silently. The guard rejects it like any request, and reports it.
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    if (!(socket instanceof Socket)) {
      socket.destroy();
      return;
    }
    const response = new messages.ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.end(() => socket.destroy()));
    server.emit('request', request, response);
  });
  server.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
    if (connections.size >= limits.connections && !makeRoom()) {
      socket.destroy();
      return;
    }
    connections.set(socket, null);
    socket.once('close', () => connections.delete(socket));
    // Node calls it after the last response of a connection.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      const request = connections.get(socket)?.request;
      if (!request || request.complete || socket.destroyed) destroySoon();
      else void linger(socket, request, limits).then(destroySoon);
    };
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
    collectResponse: (socket) => connections.get(socket)?.response ?? null,
    endWith: (socket, bytes) => {
      // Its parser, which would report each further byte as an error.
      socket.removeAllListeners('data');
      socket.on('data', () => {});
      socket.write(bytes);
      void linger(socket, socket, limits).then(() => socket.destroy());
    },
    exempt: (socket) => {
      connections.delete(socket);
      socket.setTimeout(0);
    },
    destroyIdle: () => {
      for (const [socket, exchange] of connections) if (!exchange) socket.destroy();
    },
  };
}

/**
 * Ends the response side of a connection, then reads and discards the rest of the request: a connection that is closed with
 * unread bytes is reset, and the client can lose the response. Resolves when the client has sent it all, or reached a limit.
 */
function linger(
  socket: Socket,
  request: IncomingMessage | Socket,
  { lingerMs, lingerBytes }: ServerLimits,
): Promise<void> {
  return new Promise((resolve) => {
    const [began, before] = [performance.now(), socket.bytesRead];
    // A request without a reader emits no data.
    const timer = setInterval(() => {
      if (socket.bytesRead - before > lingerBytes || performance.now() - began > lingerMs) done();
    }, LINGER_CHECK_MS);
    const done = (): void => {
      clearInterval(timer);
      resolve();
    };
    request.once('end', done);
    socket.once('close', done);
    socket.end();
  });
}

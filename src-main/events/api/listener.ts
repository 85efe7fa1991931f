import type { RequestListener, ServerResponse } from 'node:http';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Clock } from '../../platform/clock.ts';
import { createBoundedServer } from '../../platform/http/bounded-server.ts';
import type { MessageClasses, ServerCertificate } from '../../platform/http/bounded-server.ts';
import { listenOn, LOOPBACK } from '../../platform/http/loopback.ts';
import type { ApiLimits } from './limits.ts';
import type { ProblemName } from './problem.ts';
import { rawProblem, sendProblem } from './problem.ts';
import { capturedOf, CapturedResponse } from './requests/captured-messages.ts';
import { injectedInto } from './faults/inject.ts';
import type { RequestLog } from './requests/request-log.ts';

/** How long clients have to read the rest of their responses when the server stops, ms. */
const GOODBYE_MS = 300;
const MAX_LOGGED = 300;

export interface ListenerOptions {
  /** 0 picks a free one. */
  port: number;
  handler: RequestListener;
  /** What its requests and responses are: responses that keep what they send, for the log. */
  messages?: MessageClasses | undefined;
  limits: ApiLimits;
  /** The log of its requests; null: none. */
  requests: Pick<RequestLog, 'add'> | null;
  clock: Clock;
  /** The address to listen on; loopback by default. */
  address?: string;
  /** Serves HTTPS. */
  certificate?: ServerCertificate | undefined;
}

export interface Listener {
  /** `http://127.0.0.1:PORT`, or with the other address and protocol. */
  readonly url: string;
  /** Closes open connections and frees the port. */
  close(): Promise<void>;
}

/**
 * The Node server of the API: listens on loopback, limits the resources of clients, responds to invalid HTTP with a
 * problem, and logs every request if there is a log.
 * @throws TagwrightError PORT_TAKEN
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const { port, handler, limits, requests, clock, address = LOOPBACK, certificate } = options;
  const { messages = { IncomingMessage, ServerResponse: CapturedResponse } } = options;
  const bounded = createBoundedServer(limits, certificate, messages);
  const { server } = bounded;
  server.on('request', (request, response) => {
    if (requests) {
      const record = recorderOf(request, clock);
      response.on('close', () => requests.add(record(response), capturedOf(request, response)));
    }
    handler(request, response);
  });

  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const [name, detail] = problemOfClient(error, limits);
    const client = socket instanceof Socket ? socket : undefined;
    const response = client && bounded.collectResponse(client);
    if (response) {
      response.shouldKeepAlive = false;
      sendProblem(response, name, detail);
      return;
    }
    if (!client?.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const bytes = rawProblem(name, detail);
    requests?.add(
      {
        at: clock.iso(),
        method: '',
        path: '',
        status: Number(bytes.slice(9, 12)),
        ms: 0,
        bytes: Buffer.byteLength(bytes),
        client: clientOf(client),
        userAgent: '',
        outcome: 'answered',
      },
      null,
    );
    bounded.endWith(client, bytes);
  });

  const bound = await listenOn(server, port, address);
  const host = address.includes(':') ? `[${address}]` : address;
  return {
    url: `${certificate ? 'https' : 'http'}://${host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), GOODBYE_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        bounded.destroyIdle();
      }),
  };
}

function problemOfClient({ code }: NodeJS.ErrnoException, limits: ApiLimits): [ProblemName, string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return ['headers-too-large', `Send headers (with the path) of at most ${limits.headerBytes} bytes.`];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const [headers, whole] = [limits.headersMs / 1_000, limits.requestMs / 1_000];
    return ['request-timeout', `Send the headers within ${headers} s and the whole request within ${whole} s.`];
  }
  return ['malformed-request', 'Send an HTTP/1.1 request with a method, a path, and a Host header.'];
}

function recorderOf(request: IncomingMessage, clock: Clock) {
  const { socket } = request;
  const [at, began, before, client] = [isoOf(clock), performance.now(), socket.bytesWritten, clientOf(socket)];
  const method = (request.method ?? '').slice(0, MAX_LOGGED);
  const path = (request.url ?? '').slice(0, MAX_LOGGED);
  const userAgent = (request.headers['user-agent'] ?? '').slice(0, MAX_LOGGED);
  return (response: ServerResponse) => {
    const injected = injectedInto(request);
    return {
      at,
      method,
      path,
      status: response.headersSent ? response.statusCode : 0,
      ms: Math.round((performance.now() - began) * 10) / 10,
      bytes: Math.max(0, socket.bytesWritten - before),
      client,
      userAgent,
      outcome: response.writableFinished ? ('answered' as const) : ('aborted' as const),
      ...(injected !== null && { injected }),
    };
  };
}

let last = { ms: Number.NaN, iso: '' };

/** The time as text, which is made once a millisecond. */
function isoOf(clock: Clock): string {
  const ms = clock.now();
  if (ms !== last.ms) last = { ms, iso: clock.iso() };
  return last.iso;
}

function clientOf(socket: Socket | undefined): string {
  return socket?.remoteAddress ? `${socket.remoteAddress}:${socket.remotePort}` : '';
}

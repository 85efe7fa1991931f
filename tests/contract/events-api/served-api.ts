import { createConnection } from 'node:net';
import type { AggregationEvent } from '#domain/event/event';
import type { ApiLimits } from '../../../src-main/events/api/limits.ts';
import type { EventStreamClient } from '../../support/hub/event-stream.ts';

export interface CallInit {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** An events API under test, with what a plant does at its site. */
export interface ServedApi {
  /** The path before `/api`: '' at a site, `/sites/leeds` at a gateway. */
  base: string;
  call: (path: string, init?: CallInit) => Promise<Response>;
  put: (id: number | string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  /** The bytes of a response. `headers` are lines that end with CRLF. */
  raw: (method: string, path: string, headers?: string, body?: string) => Promise<string>;
  stream: (query?: string, lastId?: string) => Promise<EventStreamClient>;
  /** Changes at the site itself; they resolve when clients of this API can see them. */
  site: {
    add: (event: AggregationEvent) => Promise<void>;
    setActive: (id: number, active: boolean) => Promise<void>;
    delete: (id: number) => Promise<void>;
  };
}

/** Serves events with the ids from 1, as `eventOf` makes them; it ends with the test. */
export type StartServedApi = (options?: { events?: number; limits?: Partial<ApiLimits> }) => Promise<ServedApi>;

/** The ids of a list. */
export async function idsOf(response: Response): Promise<number[]> {
  const events: AggregationEvent[] = await response.json();
  return events.map((event) => event.AggregationEventId);
}

/**
 * Sends a request on a connection of its own, reads only when all of it was sent, and resolves with the bytes of the
 * response, each as a character; '' if it could not be sent.
 */
export function sendRaw(
  url: string,
  { method, path, headers, body }: { method: string; path: string; headers: string; body: string },
): Promise<string> {
  const { host, port } = new URL(url);
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), '127.0.0.1').setEncoding('latin1');
    let response = '';
    socket.on('data', (text: string) => void (response += text));
    socket.on('error', () => {});
    socket.on('close', () => resolve(response));
    socket.pause();
    // HTTP 1.0: the body comes as it is, without chunks.
    const isHead = method === 'HEAD';
    socket.write(
      `${method} ${path} HTTP/1.${isHead ? 1 : 0}\r\nHost: ${host}\r\n${headers}${length}Connection: close\r\n\r\n${body}`,
      (error) => void (error ? socket.destroy() : socket.resume()),
    );
  });
}

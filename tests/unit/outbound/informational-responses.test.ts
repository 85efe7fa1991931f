import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import { HttpClient } from '../../../src-main/outbound/http/http-client.ts';
import { rawRemoteServer } from '../../support/services/remote-server.ts';

const RULES = { timeoutMs: 10_000, maxRedirects: 5, maxBytes: 100_000, allowedHosts: [] };
const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody';

function client(): HttpClient {
  const http = new HttpClient({ caFiles: [], proxy: '', noProxy: [], allowOwnPorts: false });
  onTestFinished(() => http.close());
  return http;
}

function request(method: 'GET' | 'POST', url: string, body: string | null = null): HttpRequest {
  return { method, url: new URL(url), headers: [], body, bodyIsSecret: false, secrets: [], named: [] };
}

async function response(base: string, http = client()) {
  const { status, body } = await http.send(
    request('POST', base, 'sent'.repeat(10_000)),
    RULES,
    new AbortController().signal,
  );
  return { status, body: body.toString() };
}

/** Answers complete requests, whole or with each character in a packet. */
function answering(bytes: (calls: number) => string, inPieces = false) {
  let calls = 0;
  return (socket: Socket) => {
    let text = '';
    socket.setNoDelay(true).on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      text = '';
      calls += 1;
      void send(socket, inPieces ? bytes(calls).split('') : [bytes(calls)]);
    });
  };
}

async function send(socket: Socket, pieces: readonly string[]): Promise<void> {
  for (const piece of pieces) {
    socket.write(piece);
    // oxlint-disable-next-line no-await-in-loop -- one by one
    await turn();
  }
}

test.each([
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 Continue with headers', 'HTTP/1.1 100 Continue\r\nDate: today\r\nX-Status: HTTP/1.1 100\r\n\r\n'],
  ['100 without a reason', 'HTTP/1.1 100\r\n\r\n'],
  ['102 Processing', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n'],
  ['several', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
])('an unrequested informational response is skipped: %s', async (_, informational) => {
  const base = await rawRemoteServer(answering(() => informational + FINAL));
  const http = client();
  // The second call has the same connection.
  expect(await response(base, http)).toEqual({ status: 200, body: 'body' });
  expect(await response(base, http)).toEqual({ status: 200, body: 'body' });
});

test('an informational response may arrive in pieces, and early', async () => {
  const informational = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\nX-A: b\r\n\r\n';
  const base = await rawRemoteServer(answering(() => informational + FINAL, true));
  expect(await response(base)).toEqual({ status: 200, body: 'body' });
  const early = await rawRemoteServer((socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    answering(() => FINAL)(socket);
  });
  expect(await response(early)).toEqual({ status: 200, body: 'body' });
});

test('a body is not changed, whatever it contains', async () => {
  const text = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
  const base = await rawRemoteServer(
    answering((calls) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n`;
      return calls === 1 ? head + text : `HTTP/1.1 100 Continue\r\n\r\n${head}${text}`;
    }),
  );
  const http = client();
  expect(await response(base, http)).toEqual({ status: 200, body: text });
  expect(await response(base, http)).toEqual({ status: 200, body: text });
});

import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { HttpFailure } from '../../../src-main/outbound/http/http-failure.ts';
import { remoteServer, rawRemoteServer } from '../../support/services/remote-server.ts';
import { RULES, NEVER, client, get, post, failure, send } from './client.ts';

describe('answers', () => {
  test('status, headers and body arrive as sent', async () => {
    const end = await remoteServer((_, response) => {
      response.writeHead(418, { 'X-Note': 'grün', 'Set-Cookie': ['a=1', 'b=2'] });
      response.end('short and stout');
    });
    const { status, statusText, headers, body } = await send(get(`${end.base}/pot?x=1`, [['X-Sent', 'yes']]));
    expect({ status, statusText, body: body.toString() }).toEqual({
      status: 418,
      statusText: "I'm a Teapot",
      body: 'short and stout',
    });
    expect(headers.filter(([name]) => /^set-cookie$/i.test(name)).map(([, value]) => value)).toEqual(['a=1', 'b=2']);
    expect(end.requests[0]).toMatchObject({ method: 'GET', url: '/pot?x=1' });
    expect(end.requests[0]?.headers).toMatchObject({ 'x-sent': 'yes', 'user-agent': 'Tagwright' });
  });

  test('a long body arrives whole, and a shorter one than announced as it was sent', async () => {
    const long = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
    const end = await remoteServer((request, response) => {
      const isUnchanged = request.url === '/unchanged';
      response.writeHead(isUnchanged ? 304 : 200, { 'Content-Length': long.length });
      response.end(isUnchanged ? '' : long);
    });
    const rules = { maxBytes: 4_000_000 };
    expect((await send(get(`${end.base}/long`), rules)).body.equals(long)).toBe(true);
    expect(await send(get(`${end.base}/unchanged`), rules)).toMatchObject({ status: 304, body: Buffer.alloc(0) });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['br, gzip', (text: string) => gzipSync(brotliCompressSync(text))],
  ])('%s is decompressed', async (encoding, compress) => {
    const end = await remoteServer((_, response) => {
      response.writeHead(200, { 'Content-Encoding': encoding }).end(compress('plain text'));
    });
    expect((await send(get(end.base))).body.toString()).toBe('plain text');
  });

  test('compressions may be listed in one header or in several', async () => {
    const end = await remoteServer((_, response) => {
      response.writeHead(200, { 'Content-Encoding': ['br', 'gzip'] }).end(gzipSync(brotliCompressSync('plain text')));
    });
    expect((await send(get(end.base))).body.toString()).toBe('plain text');
  });

  test('an empty body may claim to be compressed, and 204 has none', async () => {
    const end = await remoteServer(({ url }, response) => {
      response.writeHead(url === '/204' ? 204 : 200, { 'Content-Encoding': 'gzip' }).end();
    });
    expect((await send(get(end.base))).body).toHaveLength(0);
    expect(await send(get(`${end.base}/204`))).toMatchObject({ status: 204 });
  });

  test('a 204 with a body does not affect the next call', async () => {
    let calls = 0;
    const base = await rawRemoteServer((socket) =>
      socket.on('data', () => {
        calls += 1;
        socket.write(`HTTP/1.1 ${calls === 1 ? '204 No Content' : '200 OK'}\r\nContent-Length: 4\r\n\r\nbody`);
      }),
    );
    const one = client();
    expect((await one.send(get(base), RULES, NEVER)).body).toHaveLength(0);
    expect((await one.send(get(base), RULES, NEVER)).body.toString()).toBe('body');
  });

  test('data after the end of a compressed body is ignored, the connection closed', async () => {
    const closed = Promise.withResolvers<void>();
    const base = await rawRemoteServer((socket) => {
      socket.on('close', () => closed.resolve()).on('error', () => undefined);
      socket.on('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n');
        socket.write(Buffer.concat([gzipSync('plain text'), Buffer.alloc(8)]));
      });
    });
    expect((await send(get(base))).body.toString()).toBe('plain text');
    await closed.promise;
  });

  test('a large body in many chunks, compressed or not, is complete', async () => {
    const text = Array.from({ length: 60_000 }, (_, index) => `${index * 7_919},`).join('');
    const end = await remoteServer(({ url }, response) => {
      const coded = url === '/gzip';
      const bytes = coded ? gzipSync(text) : Buffer.from(text);
      response.writeHead(200, coded ? { 'Content-Encoding': 'gzip' } : {});
      for (let from = 0; from < bytes.length; from += 5_000) response.write(bytes.subarray(from, from + 5_000));
      response.end();
    });
    for (const path of ['/plain', '/gzip']) {
      expect((await send(get(end.base + path), { maxBytes: 1_000_000 })).body.toString()).toBe(text);
    }
  });

  test('IPv6 addresses and international names work', async () => {
    const end = await remoteServer((_, response) => response.end('six'), '::1');
    expect((await send(get(end.base))).body.toString()).toBe('six');
    expect((await failure(send(get('http://grün.invalid/')))).name).toBe('HostNotFound');
  });
});

describe('failures', () => {
  test('there is no server, no such host, or the connection is lost', async () => {
    expect((await failure(send(get('http://127.0.0.1:1/')))).name).toBe('ConnectionRefused');
    expect((await failure(send(get('http://no-such-host.invalid/')))).name).toBe('HostNotFound');
    const base = await rawRemoteServer((socket) => socket.on('data', () => socket.destroy()));
    expect((await failure(send(get(base)))).name).toBe('ConnectionReset');
  });

  test.each<[string, string, string]>([
    ['announces more than it sends', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort', 'ConnectionReset'],
    ['is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'InvalidResponse'],
    ['announces a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n', 'InvalidResponse'],
    ['has a chunk of no length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'InvalidResponse'],
    [
      'announces two lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort',
      'InvalidResponse',
    ],
    [
      'announces a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'InvalidResponse',
    ],
    ['announces no number', 'HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nshort', 'InvalidResponse'],
    [
      'ends in the middle of a chunk',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab',
      'ConnectionReset',
    ],
    ['ends in the middle of its headers', 'HTTP/1.1 200 OK\r\nX-Half', 'ConnectionReset'],
    ['has a NUL in a header', 'HTTP/1.1 200 OK\r\nX-A: b\u0000c\r\n\r\n', 'InvalidResponse'],
    ['has a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', 'InvalidResponse'],
    ['says nothing and ends', '', 'ConnectionReset'],
    ['is not gzip', 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope', 'InvalidResponse'],
    [
      'is of an unknown coding',
      'HTTP/1.1 200 OK\r\nContent-Encoding: lzw\r\nContent-Length: 4\r\n\r\nnope',
      'UnsupportedEncoding',
    ],
    ['has a status below 100', 'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n', 'InvalidResponse'],
    [
      'switches to another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
      'InvalidResponse',
    ],
    ['has endless headers', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(20_000)}\r\n`, 'InvalidResponse'],
  ])('a response that %s', async (_, bytes, name) => {
    const base = await rawRemoteServer((socket) => socket.on('data', () => socket.end(bytes)));
    expect((await failure(send(get(base)))).name).toBe(name);
  });

  test('a response longer than announced is cut off, and the next call not affected', async () => {
    const smuggled = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil';
    const base = await rawRemoteServer((socket) =>
      socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood${smuggled}`)),
    );
    const http = client();
    for (let again = 0; again < 3; again += 1) {
      const reply = await http.send(get(base), RULES, NEVER).catch((thrown: unknown) => thrown);
      // The connection is dropped, or the response is the requested one, but never the injected one.
      if (reply instanceof HttpFailure) expect(['ConnectionReset', 'InvalidResponse']).toContain(reply.name);
      else expect(reply).toMatchObject({ status: 200, body: Buffer.from('good') });
    }
  });

  test('an endless informational response', async () => {
    const base = await rawRemoteServer((socket) => {
      const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failure(send(get(base), { timeoutMs: 200 }))).name).toBe('Timeout');
  });

  test('half of a gzip body', async () => {
    const end = await remoteServer((_, response) => {
      const whole = gzipSync('x'.repeat(1_000));
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(whole.subarray(0, whole.length - 9));
    });
    expect((await failure(send(get(end.base)))).name).toBe('InvalidResponse');
  });

  test('a silent server, and a response that never ends', async () => {
    const silent = await rawRemoteServer(() => undefined);
    expect(await failure(send(get(silent), { timeoutMs: 150 }))).toMatchObject({
      name: 'Timeout',
      message: expect.stringContaining('api.timeoutMs'),
    });
    const endless = await rawRemoteServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const timer = setInterval(() => socket.write('1\r\nx\r\n'), 5);
      socket.on('close', () => clearInterval(timer));
    });
    expect((await failure(send(get(endless), { timeoutMs: 150 }))).name).toBe('Timeout');
  });

  test.each([
    ['announced', { 'Content-Length': '1000000000' }, () => Buffer.alloc(1_000)],
    ['not announced', {}, () => Buffer.alloc(300_000)],
    ['hidden in gzip', { 'Content-Encoding': 'gzip' }, () => gzipSync(Buffer.alloc(50_000_000))],
    ['hidden in brotli', { 'Content-Encoding': 'br' }, () => brotliCompressSync(Buffer.alloc(10_000_000))],
    ['hidden in zstd', { 'Content-Encoding': 'zstd' }, () => zstdCompressSync(Buffer.alloc(50_000_000))],
    [
      'hidden in gzip in gzip',
      { 'Content-Encoding': 'gzip, gzip' },
      () => gzipSync(gzipSync(Buffer.alloc(50_000_000))),
    ],
  ])('a response that is too large, %s', async (_, headers, body) => {
    const bytes = body();
    const end = await remoteServer((_asked, response) => void response.writeHead(200, headers).write(bytes));
    expect((await failure(send(get(end.base)))).name).toBe('ResponseTooLarge');
  });

  test('a cancelled call ends at once, and so does its connection', async () => {
    const closed = Promise.withResolvers<void>();
    const base = await rawRemoteServer((socket) => socket.resume().on('close', () => closed.resolve()));
    const stop = new AbortController();
    const call = failure(send(get(base), {}, stop.signal));
    setTimeout(() => stop.abort(), 50);
    expect((await call).name).toBe('Cancelled');
    await closed.promise;
    expect((await failure(send(get(base), {}, AbortSignal.abort()))).name).toBe('Cancelled');
  });

  const half = gzipSync(Buffer.alloc(100_000)).subarray(0, 50);
  test.each<[string, string, (socket: Socket) => void]>([
    ['that shakes hands', 'https:', () => undefined],
    ['that begins its answer', 'http:', (socket) => void socket.write('HTTP/1.1 200')],
    ['that is in its body', 'http:', (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')],
    [
      'that unfolds its body',
      'http:',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 900\r\n\r\n');
        socket.write(half);
      },
    ],
  ])('a call %s is cancelled at once', async (_, scheme, talk) => {
    const heard = Promise.withResolvers<void>();
    const base = await rawRemoteServer((socket) =>
      socket.once('data', () => {
        talk(socket);
        heard.resolve();
      }),
    );
    const stop = new AbortController();
    const call = failure(send(get(base.replace('http:', scheme)), { timeoutMs: 100_000 }, stop.signal));
    await heard.promise;
    stop.abort();
    expect((await call).name).toBe('Cancelled');
  });

  test('only allowed hosts are called, including redirects', async () => {
    const other = await remoteServer((_, response) => response.end('other'));
    const end = await remoteServer((_, response) => response.writeHead(302, { Location: other.base }).end());
    const { port } = new URL(end.base);
    const rules = { allowedHosts: [`127.0.0.1:${port}`] };
    expect((await failure(send(get(end.base), rules))).name).toBe('HostNotAllowed');
    expect(other.requests).toHaveLength(0);
    expect(end.requests).toHaveLength(1);
  });
});

describe('a kept connection that ends when the next call starts', () => {
  /** Responds once on each connection. The next request on it finds it closed. */
  async function endingRemoteServer() {
    const requests: string[] = [];
    const base = await rawRemoteServer((socket) => {
      let answered = false;
      socket.on('data', (data: Buffer) => {
        requests.push(data.toString().split(' ', 1)[0] ?? '');
        if (answered) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        answered = true;
      });
    });
    return { base, requests };
  }

  test('makes a GET repeat', async () => {
    const { base, requests } = await endingRemoteServer();
    const http = client();
    for (let call = 0; call < 5; call += 1) {
      expect((await http.send(get(base), RULES, NEVER)).body.toString()).toBe('ok');
      await turn();
    }
    expect(requests.length).toBeGreaterThan(5);
  });

  test('fails a request that may change something', async () => {
    const { base, requests } = await endingRemoteServer();
    const http = client();
    await http.send(get(base), RULES, NEVER);
    await turn();
    expect((await failure(http.send(post(base, 'x'), RULES, NEVER))).name).toBe('ConnectionReset');
    expect(requests).toEqual(['GET', 'POST']);
  });

  test('makes a GET repeat only once', async () => {
    let requests = 0;
    const base = await rawRemoteServer((socket) =>
      socket.on('data', () => {
        requests += 1;
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        else socket.destroy();
      }),
    );
    const http = client();
    await http.send(get(base), RULES, NEVER);
    await turn();
    expect((await failure(http.send(get(base), RULES, NEVER))).name).toBe('ConnectionReset');
    expect(requests).toBe(3);
  });
});

test('a retired client completes its calls with redirects, then keeps no connection', async () => {
  const requests = Promise.withResolvers<() => void>();
  const end = await remoteServer(({ url }, response) => {
    if (url === '/there') response.end('there');
    else requests.resolve(() => void response.writeHead(302, { Location: '/there' }).end());
  });
  const http = client();
  const call = http.send(get(`${end.base}/here`), RULES, NEVER);
  const redirect = await requests.promise;
  const retired = http.retire();
  redirect();
  expect((await call).body.toString()).toBe('there');
  await retired;
  expect((await failure(http.send(get(`${end.base}/there`), RULES, NEVER))).name).toBe('NetworkError');
});

test('an unknown coding is not shown: it may repeat parts of the request', async () => {
  const end = await remoteServer((_, response) => response.writeHead(200, { 'Content-Encoding': 'Hunter22' }).end('x'));
  expect((await failure(send(get(end.base)))).message).not.toMatch(/hunter/i);
});

import { writeFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../../src-main/outbound/build-request.ts';
import { HttpClient } from '../../../src-main/outbound/http-client.ts';
import { farEnd } from '../../support/far-end.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const RULES = { timeoutMs: 5_000, maxRedirects: 5, maxBytes: 100_000, allowedHosts: [] };

function ask(url: string, options: Partial<ConstructorParameters<typeof HttpClient>[0]>) {
  const client = new HttpClient({ caFiles: [], proxy: '', noProxy: [], ...options });
  onTestFinished(() => client.close());
  const request: HttpRequest = {
    method: 'GET',
    url: new URL(url),
    headers: [],
    body: null,
    bodyIsSecret: false,
    secrets: [],
    named: [],
  };
  return client.send(request, RULES, new AbortController().signal);
}

async function port(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A server with a certificate that nobody signed, and the file of that. */
async function secureEnd(): Promise<{ base: string; certificate: string }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const certificate = join(temporaryFolder(), 'certificate.pem');
  writeFileSync(certificate, cert);
  const server = createTlsServer({ key, cert }, (_, response) => response.end('secure'));
  return { base: `https://127.0.0.1:${await port(server)}`, certificate };
}

/** A real proxy: it forwards nothing that is plain, and tunnels what is not. */
async function proxyEnd() {
  const asked: string[] = [];
  const noted = ({ method, url, headers }: IncomingMessage) =>
    asked.push([method, url, headers['proxy-authorization'] ?? ''].join(' ').trim());
  const server = createServer((request, response) => {
    noted(request);
    response.end('by proxy');
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    noted(request);
    const [host, to] = (request.url ?? '').split(':');
    const far = connect(Number(to), host, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    const end = () => {
      far.destroy();
      client.destroy();
    };
    for (const socket of [far, client]) socket.on('error', end);
    onTestFinished(() => void far.destroy());
  });
  return { host: `127.0.0.1:${await port(server)}`, asked };
}

describe('a certificate that nobody signed', () => {
  test('is refused, and names the setting that would trust it; trusted by that', async () => {
    const { base, certificate } = await secureEnd();
    await expect(ask(base, {})).rejects.toMatchObject({
      name: 'TlsError',
      message: expect.stringContaining('api.caFiles'),
    });
    expect((await ask(base, { caFiles: [certificate] })).body.toString()).toBe('secure');
  });
});

describe('a proxy', () => {
  test('forwards plain calls and tunnels secure ones, with its user', async () => {
    const { base, certificate } = await secureEnd();
    const { host, asked } = await proxyEnd();
    const proxy = `http://plant:p%40ss@${host}`;
    const user = `Basic ${Buffer.from('plant:p@ss').toString('base64')}`;
    expect((await ask('http://far.invalid/x?y=1', { proxy })).body.toString()).toBe('by proxy');
    expect((await ask(base, { proxy, caFiles: [certificate] })).body.toString()).toBe('secure');
    expect(asked).toEqual([`GET http://far.invalid/x?y=1 ${user}`, `CONNECT ${new URL(base).host} ${user}`]);
  });

  test.each([
    ['100%', '100%'],
    ['100%25', '100%'],
    ['%FF%FE', '%FF%FE'],
    ['a:b', 'a:b'],
    ['ü%C3%BC', 'üü'],
  ])('takes the password %s as it is meant', async (written, password) => {
    const { host, asked } = await proxyEnd();
    await ask('http://far.invalid/', { proxy: `http://plant:${written}@${host}` });
    expect(asked).toEqual([`GET http://far.invalid/ Basic ${Buffer.from(`plant:${password}`).toString('base64')}`]);
  });

  test('is left out for the hosts of the setting', async () => {
    const end = await farEnd((_, response) => response.end('direct'));
    const { host, asked } = await proxyEnd();
    const options = { proxy: `http://${host}`, noProxy: ['127.0.0.1'] };
    expect((await ask(end.base, options)).body.toString()).toBe('direct');
    expect(asked).toEqual([]);
  });

  test('that is not there is what the failure names, without its password', async () => {
    const failed = await ask('http://far.example/', { proxy: 'http://plant:pa55word@127.0.0.1:1' }).catch(String);
    expect(failed).toContain('the proxy 127.0.0.1:1 of setting api.proxy');
    expect(failed).toContain('ConnectionRefused');
    expect(failed).not.toContain('far.example');
    expect(failed).not.toContain('pa55word');
  });
});

import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { Http2SecureServer } from 'node:http2';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { HttpRequest } from '../../../src-main/outbound/http/build-request.ts';
import { Connections } from '../../../src-main/outbound/http/connections.ts';
import { HttpClient } from '../../../src-main/outbound/http/http-client.ts';
import { failureOf } from '../../../src-main/outbound/http/http-failure.ts';
import { InvalidArgument } from '../../../src-main/outbound/invalid-argument.ts';
import { SentSecrets } from '../../../src-main/outbound/secrets/sent-secrets.ts';
import { remoteServer, rawRemoteServer } from '../../support/services/remote-server.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';

const RULES = { timeoutMs: 20_000, maxRedirects: 5, maxBytes: 100_000, allowedHosts: [] };

type Options = Partial<ConstructorParameters<typeof HttpClient>[0]>;

function clientOf(options: Options): HttpClient {
  const client = new HttpClient({ caFiles: [], proxy: '', noProxy: [], allowOwnPorts: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

function send(client: HttpClient, url: string, timeoutMs = RULES.timeoutMs) {
  const request: HttpRequest = {
    method: 'GET',
    url: new URL(url),
    headers: [],
    body: null,
    bodyIsSecret: false,
    secrets: [],
    named: [],
  };
  return client.send(request, { ...RULES, timeoutMs }, new AbortController().signal);
}

const sendTo = (url: string, options: Options, timeoutMs?: number) => send(clientOf(options), url, timeoutMs);

async function port(server: Server | Http2SecureServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A self-signed certificate of the folder `certificates`, and its file without the key. */
function certificateFor(name = 'here') {
  const text = readFileSync(join(import.meta.dirname, 'certificates', `${name}.pem`), 'utf8');
  const [key, cert] = text.split(/(?=-----BEGIN CERTIFICATE)/) as [string, string];
  return { key, cert, certificate: fileOf(cert) };
}

function fileOf(text: string): string {
  const file = join(temporaryFolder(), 'certificate.pem');
  writeFileSync(file, text);
  return file;
}

/** A server with a self-signed certificate, and its file. Like some servers, it sends an unrequested 100. */
async function secureEnd(name?: string): Promise<{ base: string; certificate: string }> {
  const { key, cert, certificate } = certificateFor(name);
  const server = createTlsServer({ key, cert }, (_, response) => {
    response.writeContinue();
    response.end('secure');
  });
  return { base: `https://127.0.0.1:${await port(server)}`, certificate };
}

/** A real proxy that only tunnels, and does not forward plain requests. It sends an unrequested 100. */
async function proxyEnd() {
  const requests: string[] = [];
  const noted = ({ method, url, headers }: IncomingMessage) =>
    requests.push([method, url, headers['proxy-authorization'] ?? ''].join(' ').trim());
  const server = createServer((request, response) => {
    noted(request);
    response.writeContinue();
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
  return { host: `127.0.0.1:${await port(server)}`, requests };
}

/** A network that can be down: then it is silent, and earlier connections stay silent forever. */
async function network(to: string) {
  let connections = 0;
  let lost = 0;
  let down = false;
  const base = await rawRemoteServer((socket) => {
    connections += 1;
    const own = connections;
    const far = connect(Number(new URL(to).port), '127.0.0.1');
    onTestFinished(() => void far.destroy());
    far.on('error', () => socket.destroy());
    const isLost = () => down || own <= lost;
    socket.on('data', (data) => isLost() || far.write(data));
    far.on('data', (data) => isLost() || socket.write(data));
  });
  return {
    base: base.replace('http:', new URL(to).protocol),
    set down(is: boolean) {
      down = is;
      lost = connections;
    },
  };
}

describe('a self-signed certificate', () => {
  test('is rejected with the setting that would trust it; trusted with that setting', async () => {
    const { base, certificate } = await secureEnd();
    await expect(sendTo(base, {})).rejects.toMatchObject({
      name: 'TlsError',
      message: expect.stringContaining('api.caFiles'),
    });
    expect((await sendTo(base, { caFiles: [certificate] })).body.toString()).toBe('secure');
  });
});

describe('a trusted certificate that is still invalid', () => {
  test.each([
    ['is for another name', 'other-name', 'is for another name'],
    ['has expired', 'expired', 'has expired'],
    ['is of the future', 'future', 'is not valid yet'],
  ])('because it %s is rejected with that reason', async (_, name, words) => {
    const { base, certificate } = await secureEnd(name);
    const failed = sendTo(base, { caFiles: [certificate] });
    await expect(failed).rejects.toMatchObject({ name: 'TlsError', message: expect.stringContaining(words) });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining('api.caFiles') });
  });

  test('a port without TLS is reported as such', async () => {
    const end = await remoteServer((_, response) => response.end('plain'));
    await expect(sendTo(end.base.replace('http:', 'https:'), {})).rejects.toMatchObject({
      name: 'TlsError',
      message: expect.stringContaining('does not use TLS'),
    });
  });
});

describe('an unusable file of certificates', () => {
  const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

  test('fails only the calls whose certificate is not trusted, and is named', async () => {
    const { cert } = certificateFor('another');
    const { base } = await secureEnd();
    const plain = await remoteServer((_, response) => response.end('plain'));
    const files: [file: string, words: string][] = [
      ['/no/such.pem', 'cannot be read'],
      [temporaryFolder(), 'cannot be read'],
      ['/dev/zero', 'cannot be read: it is missing, or not a file'],
      [fileOf('a'.repeat(4 * 1024 * 1024 + 1)), 'is larger than 4 MB'],
      [fileOf('a text'), 'contains no certificate'],
      [fileOf(damaged), 'its 1. certificate'],
      [fileOf(cert.slice(0, cert.length / 2)), 'its 1. certificate'],
      [fileOf(`${cert}\n${damaged}`), 'its 2. certificate'],
    ];
    await Promise.all(
      files.map(async ([file, words]) => {
        const client = clientOf({ caFiles: [file] });
        expect((await send(client, plain.base)).body.toString()).toBe('plain');
        const failed = await send(client, base).catch((thrown: unknown) => thrown);
        expect(failed).toMatchObject({ name: 'ConfigurationError', message: expect.stringContaining(words) });
        expect(failed).toMatchObject({ message: expect.stringContaining(`api.caFiles: "${file}"`) });
        expect(failed).toMatchObject({ message: expect.stringContaining(new URL(base).host) });
      }),
    );
  });

  test('is skipped where the others suffice, and so is a damaged certificate', async () => {
    const { base, certificate } = await secureEnd();
    const caFiles = ['/no/such.pem', fileOf(damaged + readFileSync(certificate, 'utf8')), fileOf('a text')];
    expect((await sendTo(base, { caFiles })).body.toString()).toBe('secure');
  });

  test('is not blamed for a certificate that has another problem', async () => {
    const { base, certificate } = await secureEnd('other-name');
    const failed = sendTo(base, { caFiles: [certificate, '/no/such.pem'] });
    await expect(failed).rejects.toMatchObject({ name: 'TlsError', message: expect.stringContaining('another name') });
  });

  test('is named for the certificate of a proxy', async () => {
    const { key, cert } = certificateFor('localhost');
    const server = createTlsServer({ key, cert }, (_, response) => response.end());
    const failed = sendTo('http://far.invalid/x', {
      proxy: `https://localhost:${await port(server)}`,
      caFiles: ['/no.pem'],
    });
    await expect(failed).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('"/no.pem"'),
    });
  });
});

describe('a proxy', () => {
  test('forwards plain calls and tunnels secure ones, with its user', async () => {
    const { base, certificate } = await secureEnd();
    const { host, requests } = await proxyEnd();
    const proxy = `http://plant:p%40ss@${host}`;
    const user = `Basic ${Buffer.from('plant:p@ss').toString('base64')}`;
    expect((await sendTo('http://far.invalid/x?y=1', { proxy })).body.toString()).toBe('by proxy');
    expect((await sendTo(base, { proxy, caFiles: [certificate] })).body.toString()).toBe('secure');
    expect(requests).toEqual([`GET http://far.invalid/x?y=1 ${user}`, `CONNECT ${new URL(base).host} ${user}`]);
  });

  test.each([
    ['100%', '100%'],
    ['100%25', '100%'],
    ['%FF%FE', '%FF%FE'],
    ['a:b', 'a:b'],
    ['ü%C3%BC', 'üü'],
  ])('decodes the password %s', async (written, password) => {
    const { host, requests } = await proxyEnd();
    await sendTo('http://far.invalid/', { proxy: `http://plant:${written}@${host}` });
    expect(requests).toEqual([`GET http://far.invalid/ Basic ${Buffer.from(`plant:${password}`).toString('base64')}`]);
  });

  test('is not used for the excluded hosts', async () => {
    const end = await remoteServer((_, response) => response.end('direct'));
    const { host, requests } = await proxyEnd();
    const options = { proxy: `http://${host}`, noProxy: ['127.0.0.1'] };
    expect((await sendTo(end.base, options)).body.toString()).toBe('direct');
    expect(requests).toEqual([]);
  });

  test('that does not exist is named by the failure, without its password', async () => {
    const failed = await sendTo('http://far.example/', { proxy: 'http://plant:pa55word@127.0.0.1:1' }).catch(String);
    expect(failed).toContain('the proxy 127.0.0.1:1 of setting api.proxy');
    expect(failed).toContain('ConnectionRefused');
    expect(failed).not.toContain('far.example');
    expect(failed).not.toContain('pa55word');
  });

  test.each<[string, string, string]>([
    ['wants a user', '407 Proxy Authentication Required', 'requires another user or password (407)'],
    ['refuses', '403 Forbidden', 'it responded with 403'],
    ['leads elsewhere', '302 Found\r\nLocation: http://evil.example/', 'it responded with 302'],
  ])('that %s is the reason of a failed tunnel', async (_, status, words) => {
    const proxy = await rawRemoteServer((socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\n\r\n`)),
    );
    const failed = await sendTo('https://far.invalid/', { proxy: proxy.replace('//', '//plant:pa55word@') }).catch(
      String,
    );
    expect(failed).toContain('NetworkError: the proxy of setting api.proxy');
    expect(failed).toContain(words);
  });

  test.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => undefined, 'Timeout'],
    ['is not a file', (socket) => void socket.end('SSH-2.0-x\r\n'), 'InvalidResponse'],
    ['connects to nothing', (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'), 'Timeout'],
  ])('that %s ends the call', async (_, talk, name) => {
    const proxy = await rawRemoteServer((socket) => socket.once('data', () => talk(socket)));
    await expect(sendTo('https://far.invalid/', { proxy }, 500)).rejects.toMatchObject({ name });
  });

  test.each([
    ['UND_ERR_CONNECT_TIMEOUT', 'did not accept the connection in time'],
    ['UND_ERR_HEADERS_TIMEOUT', 'did not respond in time'],
  ])('that does not respond (%s) is named by the failure', (code, words) => {
    const { name, message } = failureOf(Object.assign(new Error('late'), { code }), 'far.example', 'proxy:3128');
    expect(name).toBe('Timeout');
    expect(message).toContain(`the proxy proxy:3128 of setting api.proxy ${words}`);
  });

  test('can also be reached by TLS, under its name', async () => {
    const { key, cert, certificate } = certificateFor('localhost');
    const server = createTlsServer({ key, cert }, ({ url }, response) => response.end(`by proxy: ${url}`));
    const proxy = `https://localhost:${await port(server)}`;
    const response = await sendTo('http://far.invalid/x', { proxy, caFiles: [certificate] });
    expect(response.body.toString()).toBe('by proxy: http://far.invalid/x');
    const byAddress = sendTo('http://far.invalid/x', { proxy: proxy.replace('localhost', '127.0.0.1') });
    await expect(byAddress).rejects.toMatchObject({
      name: 'ConfigurationError',
      message: expect.stringContaining('needs the name of the proxy'),
    });
  });
});

test('a proxy whose password cannot be opened fails only the calls through it', async () => {
  const { base } = await remoteServer((_, response) => response.end('direct'));
  let closed: string | null = 'The secret in setting api.proxy cannot be opened here. Set it again.';
  const onChange = () => () => undefined;
  const sent = new SentSecrets({ value: () => '' });
  const settings = { onChange, closedBecause: () => closed };
  const connections = new Connections({ settings, vault: { onChange }, sent, fault: () => undefined });
  onTestFinished(() => connections.close());
  const { host } = await proxyEnd();
  const call = async (url: string) =>
    send(
      await connections.client({ ...DEFAULT_SETTINGS, 'api.proxy': `http://${host}`, 'api.noProxy': ['127.0.0.1'] }),
      url,
    );
  await expect(call('http://far.invalid/')).rejects.toMatchObject({ name: 'ConfigurationError', message: closed });
  expect((await call(base)).body.toString()).toBe('direct');
  closed = null;
  expect((await call('http://far.invalid/')).body.toString()).toBe('by proxy');
});

function connectionsOf(value: (name: string) => string): Connections {
  const onChange = () => () => undefined;
  const sent = new SentSecrets({ value });
  const connections = new Connections({ settings: { onChange }, vault: { onChange }, sent, fault: () => undefined });
  onTestFinished(() => connections.close());
  return connections;
}

test('a renewed file of certificates is used from the next call on', async () => {
  const [{ base, certificate }, other] = [await secureEnd(), certificateFor('another')];
  const file = fileOf(other.cert);
  const connections = connectionsOf(() => '');
  const client = () => connections.client({ ...DEFAULT_SETTINGS, 'api.caFiles': [file] });
  const call = async () => send(await client(), base);
  await expect(call()).rejects.toMatchObject({ name: 'TlsError' });
  writeFileSync(file, `${readFileSync(certificate, 'utf8')}\n`);
  expect((await call()).body.toString()).toBe('secure');
  expect(await client()).toBe(await client());
});

test('a missing secret of the proxy is reported as a problem of the setting', async () => {
  const connections = connectionsOf((name) => {
    throw new InvalidArgument(`there is no secret ${name}`);
  });
  const settings = { ...DEFAULT_SETTINGS, 'api.proxy': 'http://plant:{{secret:PROXY}}@proxy.example:3128' };
  await expect(connections.client(settings)).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: 'setting api.proxy: there is no secret PROXY',
  });
});

describe('a silent network', () => {
  test('during a handshake delays no later call', async () => {
    const { base, certificate } = await secureEnd();
    const through = await network(base);
    const client = clientOf({ caFiles: [certificate] });
    through.down = true;
    await expect(send(client, through.base, 300)).rejects.toMatchObject({ name: 'Timeout' });
    through.down = false;
    expect((await send(client, through.base)).body.toString()).toBe('secure');
  });

  test('while a proxy connects delays no later call', async () => {
    const { base, certificate } = await secureEnd();
    const { host } = await proxyEnd();
    const through = await network(`http://${host}`);
    const client = clientOf({ caFiles: [certificate], proxy: through.base });
    through.down = true;
    await expect(send(client, base, 300)).rejects.toMatchObject({ name: 'Timeout' });
    through.down = false;
    expect((await send(client, base)).body.toString()).toBe('secure');
  });

  test('on existing connections fails one call each, also over HTTP/2', async () => {
    const { key, cert, certificate } = certificateFor();
    const server = createHttp2Server({ key, cert, allowHTTP1: true }, (_, response) => response.end('secure'));
    const through = await network(`https://127.0.0.1:${await port(server)}`);
    const client = clientOf({ caFiles: [certificate] });
    expect((await send(client, through.base)).body.toString()).toBe('secure');
    through.down = true;
    await expect(send(client, through.base, 300)).rejects.toMatchObject({ name: 'Timeout' });
    through.down = false;
    const again = () =>
      send(client, through.base, 2_000).then(
        ({ body }) => body.toString(),
        () => 'nothing',
      );
    await expect.poll(again).toBe('secure');
  });
});

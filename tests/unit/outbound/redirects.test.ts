import { describe, expect, test } from 'vitest';
import type { HeaderPair } from '#domain/mock/api-call';
import { remoteServer } from '../../support/services/remote-server.ts';
import { get, post, failure, send } from './client.ts';

describe('redirects', () => {
  test('are followed, at most as often as the setting says', async () => {
    const end = await remoteServer(({ url }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { Location: `/${left - 1}` }).end();
    });
    expect((await send(get(`${end.base}/5`))).body.toString()).toBe('there');
    expect((await failure(send(get(`${end.base}/6`)))).name).toBe('TooManyRedirects');
    expect(await send(get(`${end.base}/1`), { maxRedirects: 0 })).toMatchObject({ status: 302 });
  });

  test('credentials are dropped only when the origin changes', async () => {
    const other = await remoteServer((_, response) => response.end('other'));
    const end = await remoteServer(({ url }, response) => {
      response.writeHead(307, { Location: url === '/here' ? '/there' : `${other.base}/away` }).end();
    });
    const headers: HeaderPair[] = [
      ['Authorization', 'Bearer t0ken-value'],
      ['X-API-Key', 'key-value'],
      ['X-Session', 'session-value'],
      ['Accept', 'text/plain'],
    ];
    await send(get(`${end.base}/here`, headers));
    expect(end.requests[1]?.headers).toMatchObject({ authorization: 'Bearer t0ken-value', 'x-api-key': 'key-value' });
    expect(other.requests[0]?.headers).toMatchObject({ accept: 'text/plain' });
    expect(JSON.stringify(other.requests[0])).not.toMatch(/value/);
    // In whatever header it is.
    const named = ['named-value'];
    await send({ ...get(`${end.base}/away`, [['User-Agent', 'plant named-value']]), named });
    expect(end.requests.at(-1)?.headers['user-agent']).toBe('plant named-value');
    expect(other.requests.at(-1)?.headers['user-agent']).toBe('Tagwright');
  });

  test('a POST becomes a GET on 303, and keeps its body on 307 without credentials', async () => {
    const other = await remoteServer((_, response) => response.end('other'));
    const end = await remoteServer(({ url }, response) => {
      response.writeHead(Number(url.slice(1)), { Location: `${other.base}/away` }).end();
    });
    await send(post(`${end.base}/303`, 'text'));
    await send(post(`${end.base}/307`, 'text'));
    expect(other.requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['POST', 'text'],
    ]);
    expect((await failure(send(post(`${end.base}/307`, 'client_secret=x', true)))).name).toBe('RedirectRefused');
    expect(other.requests).toHaveLength(2);
  });

  test('a user and a password in the address of a redirect are not sent', async () => {
    const end = await remoteServer(({ url }, response) => {
      const { host } = new URL(end.base);
      if (url === '/there') response.end('there');
      else response.writeHead(302, { Location: `http://user:hunter22@${host}/there#part` }).end();
    });
    const { url, body } = await send(get(`${end.base}/here`));
    expect([url.href, body.toString()]).toEqual([`${end.base}/there`, 'there']);
    expect(end.requests[1]?.headers.authorization).toBeUndefined();
  });

  test('a redirect back and forth between two origins ends', async () => {
    const ends = await Promise.all(
      [1, 0].map((other) =>
        remoteServer((_, response) => response.writeHead(302, { Location: `${ends[other]?.base}/` }).end()),
      ),
    );
    expect((await failure(send(get(`${ends[0]?.base}/`)))).name).toBe('TooManyRedirects');
    expect(ends.flatMap(({ requests }) => requests)).toHaveLength(6);
  });

  test.each(['ftp://example.com/', 'javascript:alert(1)', 'http://'])('to %s is rejected', async (location) => {
    const end = await remoteServer((_, response) => response.writeHead(302, { Location: location }).end());
    expect((await failure(send(get(end.base)))).name).toBe('RedirectRefused');
  });
});

import { describe, expect, test } from 'vitest';
import { remoteServer } from '../../support/services/remote-server.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

describe('ResponseHeaders', () => {
  test('are those of a live response, of its recording, and of a mock', async () => {
    const { base: url } = await remoteServer((_, response) => {
      response.writeHead(201, {
        'Content-Type': 'text/plain',
        Location: '/orders/8',
        'X-Total-Count': '7',
        'Set-Cookie': ['a=1', 'b=2'],
      });
      response.end('made');
    });
    const { add, call, mocks, settings } = wiredOutbound({ 'api.mode': 'live', 'api.record': true });
    const live = (await call('Fetch', [`${url}/orders`, 'get'])).result;
    expect(live.responseHeaders).toMatchObject({
      'content-type': 'text/plain',
      'x-total-count': '7',
      'set-cookie': 'a=1, b=2',
    });
    await expect.poll(() => mocks.list().mocks.length).toBe(1);
    settings['api.mode'] = 'offline';
    const recorded = (await call('Fetch', [`${url}/orders`, 'get'])).result;
    expect(recorded).toMatchObject({
      statusCode: '201',
      responseHeaders: { 'x-total-count': '7', location: '/orders/8' },
    });
    await add('Limited', {
      request: { url: `${url}/limited` },
      answer: { status: 429, headers: [['Retry-After', '30']], body: { kind: 'text', text: 'later' } },
    });
    const mocked = (await call('Fetch', [`${url}/limited`, 'get'])).result;
    expect(mocked).toMatchObject({ success: false, statusCode: '429', responseHeaders: { 'retry-after': '30' } });
    expect((await call('Fetch', [`${url}/none`, 'get'])).result.responseHeaders).toBeUndefined();
  });

  test('a secret in the name of a header is hidden before its case is lost', async () => {
    const { base: url } = await remoteServer((request, response) => {
      response.writeHead(200, { [`X-${String(request.headers['x-api-key'])}`]: 'name' }).end('{}');
    });
    const { call, secrets } = wiredOutbound({ 'api.mode': 'live' });
    await secrets.set({ name: 'KEY', value: 'Pl4ntSecretABCxyz' });
    const { result } = await call('FetchWithApiKey', [`${url}/x`, 'get', null, '{{secret:KEY}}']);
    expect(result.responseHeaders).toMatchObject({ 'x-***': 'name' });
    expect(JSON.stringify(result)).not.toMatch(/pl4ntsecretabcxyz/i);
  });

  test('of a server that returns the request hide its secrets, and are bounded', async () => {
    const { base: url } = await remoteServer((request, response) => {
      const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`X-Many-${index}`, 'v']));
      const key = String(request.headers['x-api-key']);
      response.writeHead(200, { 'X-Echo': `key ${key}`, [`X-${key}`]: 'name', 'X-Long': 'x'.repeat(9_000), ...many });
      response.end('{}');
    });
    const { call, secrets } = wiredOutbound({ 'api.mode': 'live' });
    await secrets.set({ name: 'KEY', value: 'p4ssw0rd-of-plant' });
    const { result } = await call('FetchWithApiKey', [`${url}/x`, 'get', null, '{{secret:KEY}}']);
    const headers = result.responseHeaders ?? {};
    expect(JSON.stringify(result)).not.toContain('p4ssw0rd');
    expect(headers['x-echo']).toMatch(/^key /);
    expect(Object.keys(headers)).toHaveLength(100);
    expect(headers['x-long']?.length).toBeLessThanOrEqual(8_000);
  });
});

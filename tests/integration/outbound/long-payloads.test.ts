import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { remoteServer } from '../../support/services/remote-server.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const ROWS = Array.from({ length: 40_000 }, (_, at) => ({
  path: `Plant.Line${at}.Level`,
  text: 'grün 50 % "€" \u{1f600}',
}));
const JSON_TEXT = JSON.stringify(ROWS);

describe('a long payload', () => {
  test('arrives as the script wrote it, with the values of its secrets', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    await outbound.secrets.set({ name: 'LINE', value: 'a "secret" value' });
    const shown = JSON.stringify([...ROWS, { line: '{{secret:LINE}}', password: 'hunter22' }]);
    const { result, exchange } = await outbound.call('Fetch', [base, 'post', shown]);
    expect(result.success).toBe(true);
    const sent = JSON.stringify([...ROWS, { line: 'a "secret" value', password: 'hunter22' }]);
    expect(requests[0]?.body === sent).toBe(true);
    expect(requests[0]?.headers['content-length']).toBe(String(Buffer.byteLength(sent)));
    expect(exchange.request.bytes).toBe(Buffer.byteLength(shown));
  });

  test('hides its members with names of secrets from the log', async () => {
    const { base } = await remoteServer((_, response) => response.end('{"echo":"hunter22"}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const { exchange } = await outbound.call('Fetch', [
      base,
      'post',
      JSON.stringify([...ROWS, { password: 'hunter22' }]),
    ]);
    expect(exchange.response?.body).toBe('{"echo":"***"}');
  });

  test('is encoded in the charset of its type', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const send = (text: string) => outbound.call('Fetch', [base, 'post', text, null, 'text/plain; charset=iso-8859-1']);
    const { exchange } = await send('grün '.repeat(100_000));
    expect(exchange.request.bytes).toBe(500_000);
    const { result } = await send(`${'grün '.repeat(100_000)}€`);
    expect(result.errorMessage).toContain('U+20AC) at position 500001');
    expect(requests.map(({ headers }) => headers['content-length'])).toEqual(['500000']);
  });

  test('with the placeholder of no secret is rejected', async () => {
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const { result } = await outbound.call('Fetch', ['http://127.0.0.1:1', 'post', `${JSON_TEXT}{{secrets:LINE}}`]);
    expect(result.errorMessage).toContain('is not the placeholder of a secret');
  });

  test('is not sent if the run ends while it is searched', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const stop = new AbortController();
    const payload = `[${Array(12).fill(JSON_TEXT).join(',')},{"password":"hunter22"}]`;
    const call = outbound.call('Fetch', [base, 'post', payload], stop.signal);
    await turn();
    stop.abort();
    const { result, exchange } = await call;
    expect(exchange.error).toBe('Cancelled');
    expect(result.errorMessage).toContain('the run ended before the request was sent');
    expect(requests).toEqual([]);
  });

  test('does not hold up a short call that a script makes in the meantime', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const payload = `[${Array(12).fill(JSON_TEXT).join(',')},{"password":"hunter22"}]`;
    const long = outbound.call('Fetch', [`${base}/long`, 'post', payload]);
    await outbound.call('Fetch', [`${base}/short`, 'get']);
    await long;
    expect(requests.map(({ url }) => url)).toEqual(['/short', '/long']);
  });

  test.each([
    [
      'its JSON',
      { json: [{ path: 'a' }, { path: 'b' }] },
      JSON.stringify([{ path: 'a', long: JSON_TEXT }, { path: 'b' }]),
      true,
    ],
    ['other JSON', { json: [{ path: 'a' }] }, JSON.stringify([{ path: 'b', long: JSON_TEXT }]), false],
    ['a field of its form', { json: { a: 'x y' } }, `a=x+y&b=${'c'.repeat(300_000)}`, true],
    ['cut JSON', { json: { a: 1 } }, JSON_TEXT.slice(0, -1), false],
  ])('is matched by %s', async (_, body, payload, isMatched) => {
    const outbound = wiredOutbound({ 'api.mode': 'offline' });
    await outbound.add('by body', {
      request: { method: 'POST', url: 'https://plant.test/*', body },
      answer: { status: 200, body: { kind: 'json', json: 'matched' } },
    });
    const { result } = await outbound.call('Fetch', ['https://plant.test/x', 'post', payload]);
    expect(result.responseObject).toBe(isMatched ? '"matched"' : null);
  });
});

describe('a long error page', () => {
  const pageOf = async (page: string) => {
    const { base } = await remoteServer((_, response) => response.writeHead(500).end(page));
    return (await wiredOutbound({ 'api.mode': 'live' }).call('Fetch', [base, 'get'])).result;
  };

  test('is passed on as received if it is JSON', async () => {
    expect((await pageOf(JSON_TEXT)).errorMessage === JSON_TEXT).toBe(true);
    const spaced = `\n${JSON.stringify(ROWS, null, 2)}\n`;
    expect((await pageOf(spaced)).errorMessage === spaced).toBe(true);
  });

  test('is described if it is none', async () => {
    const { errorMessage } = await pageOf(JSON_TEXT.slice(0, -1));
    expect(JSON.parse(errorMessage ?? '')).toMatchObject({ error: 'Http500', status: 500 });
  });
});

import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TextBuilder, type TextInParts } from '../../../src-main/platform/long-texts/text-in-parts.ts';
import { remoteServer } from '../../support/services/remote-server.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const ROWS = Array.from({ length: 40_000 }, (_, at) => ({
  path: `Plant.Line${at}.Level`,
  text: 'grün 50 % "€" \u{1f600}',
}));
const JSON_TEXT = JSON.stringify(ROWS);

/** As the call of a script arrives: in pieces that end anywhere. */
function inParts(text: string): TextInParts {
  const builder = new TextBuilder();
  for (let at = 0; at < text.length; at += 99_991) builder.add(text.slice(at, at + 99_991));
  return builder.build();
}

describe.each([
  ['as one text', (text: string) => text],
  ['in parts', inParts],
])('a long payload %s', (_form, given) => {
  test('arrives as the script wrote it, with the values of its secrets', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    await outbound.secrets.set({ name: 'LINE', value: 'a "secret" value' });
    const shown = JSON.stringify([...ROWS, { line: '{{secret:LINE}}', password: 'hunter22' }]);
    const { result, exchange } = await outbound.call('Fetch', [base, 'post', given(shown)]);
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
      given(JSON.stringify([...ROWS, { password: 'hunter22' }])),
    ]);
    expect(exchange.response?.body).toBe('{"echo":"***"}');
  });

  test('is encoded in the charset of its type', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const send = (text: string) =>
      outbound.call('Fetch', [base, 'post', given(text), null, 'text/plain; charset=iso-8859-1']);
    const { exchange } = await send('grün '.repeat(100_000));
    expect(exchange.request.bytes).toBe(500_000);
    const { result } = await send(`${'grün '.repeat(100_000)}€`);
    expect(result.errorMessage).toContain('U+20AC) at position 500001');
    expect(requests.map(({ headers }) => headers['content-length'])).toEqual(['500000']);
  });

  test.each<[string, 'utf16le' | 'utf8']>([
    ['utf-16', 'utf16le'],
    ['utf-16be', 'utf16le'],
    ['utf-8', 'utf8'],
  ])('is sent in %s byte by byte, with lone halves of characters', async (charset, encoding) => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const text = `\ufeff${'\u{1f600}x'.repeat(90_000)}\ud83d${'é'.repeat(100_000)}\ude00`;
    const { exchange } = await outbound.call('Fetch', [
      base,
      'post',
      given(text),
      null,
      `text/plain; charset=${charset}`,
    ]);
    const bytes = Buffer.from(charset === 'utf-16' ? `\ufeff${text}` : text, encoding);
    if (charset === 'utf-16be') bytes.swap16();
    expect(requests[0]?.bytes.equals(bytes)).toBe(true);
    expect(exchange.request.bytes).toBe(bytes.length);
  });

  test('is not redirected to another origin with a secret that spans two parts', async () => {
    const other = await remoteServer((_, response) => response.end('{}'));
    const { base } = await remoteServer((_, response) => response.writeHead(307, { location: other.base }).end());
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const sent = (text: string, token: string) =>
      outbound.call('FetchWithBearerToken', [base, 'post', given(text), token]);
    const text = `${'x'.repeat(131_068)}a-secret${'y'.repeat(300_000)}`;
    expect((await sent(text, 'a-secret')).exchange.error).toBe('RedirectRefused');
    expect((await sent(text, 'another-one')).exchange.error).toBeNull();
    expect(other.requests.map(({ body }) => body === text)).toEqual([true]);
  });

  test('with the placeholder of no secret is rejected', async () => {
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const { result } = await outbound.call('Fetch', [
      'http://127.0.0.1:1',
      'post',
      given(`${JSON_TEXT}{{secrets:LINE}}`),
    ]);
    expect(result.errorMessage).toContain('is not the placeholder of a secret');
  });

  test('is not sent if the run ends while it is searched', async () => {
    const { base, requests } = await remoteServer((_, response) => response.end('{}'));
    const outbound = wiredOutbound({ 'api.mode': 'live' });
    const stop = new AbortController();
    const payload = `[${Array(12).fill(JSON_TEXT).join(',')},{"password":"hunter22"}]`;
    const call = outbound.call('Fetch', [base, 'post', given(payload)], stop.signal);
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
    const long = outbound.call('Fetch', [`${base}/long`, 'post', given(payload)]);
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
    ['a text at the border of two parts', { contains: 'abcd' }, `${'x'.repeat(131_070)}abcd${JSON_TEXT}`, true],
    ['no such text', { contains: 'abcd' }, `${'x'.repeat(131_070)}abc-d${JSON_TEXT}`, false],
  ])('is matched by %s', async (_, body, payload, isMatched) => {
    const outbound = wiredOutbound({ 'api.mode': 'offline' });
    await outbound.add('by body', {
      request: { method: 'POST', url: 'https://plant.test/*', body },
      answer: { status: 200, body: { kind: 'json', json: 'matched' } },
    });
    const { result } = await outbound.call('Fetch', ['https://plant.test/x', 'post', given(payload)]);
    expect(result.responseObject).toBe(isMatched ? '"matched"' : null);
  });
});

test('a call with a long payload becomes a mock that matches it', async () => {
  const { base, requests } = await remoteServer((_, response) => response.end('"from there"'));
  const outbound = wiredOutbound({ 'api.mode': 'live', 'api.record': true });
  const send = (...last: object[]) =>
    outbound.call('Fetch', [base, 'post', inParts(JSON.stringify([...ROWS, { password: 'hunter22' }, ...last]))]);
  await send();
  await expect.poll(() => outbound.mocks.list().mocks.length).toBe(1);
  outbound.settings['api.mode'] = 'offline';
  expect((await send()).result.responseObject).toBe('"from there"');
  expect((await send({})).exchange.error).toBe('NoMock');
  expect(requests).toHaveLength(1);
});

test.each([
  ['response', 'get', null],
  ['payload', 'post', JSON_TEXT],
])('a call with a long %s becomes a mock also if the workspace is closed at once', async (_, method, payload) => {
  const { base } = await remoteServer((_request, response) => response.end(payload === null ? JSON_TEXT : '{}'));
  const directory = join(temporaryFolder(), 'plant');
  const outbound = wiredOutbound({ 'api.mode': 'live', 'api.record': true }, directory);
  await outbound.call('Fetch', [base, method, payload]);
  expect(outbound.mocks.list().mocks).toHaveLength(0);
  await outbound.close();
  expect(wiredOutbound({}, directory).mocks.list().mocks).toHaveLength(1);
});

describe('a long error page', () => {
  const pageOf = async (page: string) => {
    const { base } = await remoteServer((_, response) => response.writeHead(500).end(page));
    const { result } = await wiredOutbound({ 'api.mode': 'live' }).call('Fetch', [base, 'get']);
    expect(result).toMatchObject({ success: false, statusCode: '500', errorMessage: null, responseObject: null });
    return new TextDecoder(result.text?.charset).decode(result.text?.bytes);
  };

  test('is passed on as received if it is JSON', async () => {
    expect((await pageOf(JSON_TEXT)) === JSON_TEXT).toBe(true);
    const spaced = `\n${JSON.stringify(ROWS, null, 2)}\n`;
    expect((await pageOf(spaced)) === spaced).toBe(true);
  });

  test('is described if it is none', async () => {
    expect(JSON.parse(await pageOf(JSON_TEXT.slice(0, -1)))).toMatchObject({ error: 'Http500', status: 500 });
  });
});

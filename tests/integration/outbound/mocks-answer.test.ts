import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { MocksChange } from '#domain/mock/mock';
import { MOCK_FAULTS } from '#domain/mock/mock';
import { remoteServer } from '../../support/services/remote-server.ts';
import { temporaryFolder } from '../../support/temp-folder.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const URL_TEXT = 'http://far.invalid/x';

function outboundOf(...args: Parameters<typeof wiredOutbound>) {
  const wired = wiredOutbound(...args);
  const call = async (...given: Parameters<typeof wired.call>) => (await wired.call(...given)).result;
  return { ...wired, call };
}

const get = [URL_TEXT, 'get'];
const text = (value: string) => ({ body: { kind: 'text', text: value } });
const reason = ({ errorMessage }: { errorMessage: string | null }): string =>
  (JSON.parse(errorMessage ?? 'null') as { error: string }).error;

describe('a fault of a mock', () => {
  const NAMES = {
    refused: 'ConnectionRefused',
    reset: 'ConnectionReset',
    timeout: 'Timeout',
    badTls: 'TlsError',
    truncated: 'ConnectionReset',
  } as const;

  test.each(MOCK_FAULTS)('%s is like that of a remote server', async (fault) => {
    const { add, call, calls } = outboundOf({ 'api.mode': 'offline', 'api.timeoutMs': 100 });
    await add('Broken', { request: { url: URL_TEXT }, answer: { fault } });
    const reply = await call('Fetch', get);
    expect(reply).toMatchObject({ success: false, statusCode: '0', responseObject: null });
    expect(reason(reply)).toBe(NAMES[fault]);
    expect(reason(await call('GetImage', [URL_TEXT]))).toBe(NAMES[fault]);
    expect(calls.list({}).calls[0]).toMatchObject({ source: 'mock', mock: 'Broken', error: NAMES[fault] });
  });

  test('comes after its delay, and a delay over the time limit is a timeout', async () => {
    const { add, call } = outboundOf({ 'api.mode': 'offline', 'api.timeoutMs': 150 });
    await add('Late', { request: { url: URL_TEXT }, answer: { fault: 'reset', delayMs: 60 } });
    await add('Too late', { request: { url: `${URL_TEXT}/slow` }, answer: { ...text('never'), delayMs: 60_000 } });
    const started = performance.now();
    expect(reason(await call('Fetch', get))).toBe('ConnectionReset');
    expect(performance.now() - started).toBeGreaterThan(50);
    expect(reason(await call('Fetch', [`${URL_TEXT}/slow`, 'get']))).toBe('Timeout');
  });

  test('ends at once with its run', async () => {
    const { add, call } = outboundOf({ 'api.mode': 'offline' });
    await add('Endless', { request: { url: URL_TEXT }, answer: { fault: 'timeout' } });
    const stop = new AbortController();
    const reply = call('Fetch', get, stop.signal);
    stop.abort();
    expect(reason(await reply)).toBe('Cancelled');
  });
});

describe('of several mocks', () => {
  test('the highest priority responds, then the oldest, never a disabled one', async () => {
    const { add, call } = outboundOf({ 'api.mode': 'offline' });
    await add('Off', { enabled: false, priority: 99, request: { url: URL_TEXT }, answer: text('off') });
    await add('Old', { request: { url: URL_TEXT }, answer: text('old') });
    await add('New', { request: { url: URL_TEXT }, answer: text('new') });
    expect((await call('Fetch', get)).responseObject).toBe('old');
    await add('High', { priority: 5, request: { url: 'http://far.invalid/*' }, answer: text('high') });
    expect((await call('Fetch', get)).responseObject).toBe('high');
  });

  test('the one whose method, query, headers and body match responds', async () => {
    const { add, call } = outboundOf({ 'api.mode': 'offline' });
    const only = (name: string, request: object) =>
      add(name, { request: { url: URL_TEXT, ...request }, answer: text(name) });
    await only('post', { method: 'POST', body: { json: { kind: 'cap' } } });
    await only('query', { url: `${URL_TEXT}?line=Line1` });
    await only('header', { headers: [['X-Plant', 'Nor*']] });
    const custom = JSON.stringify([{ headerKey: 'x-plant', headerValue: 'North' }]);
    expect((await call('Fetch', [URL_TEXT, 'post', '{"kind":"cap","boxes":2}'])).responseObject).toBe('post');
    expect(reason(await call('Fetch', [URL_TEXT, 'post', '{"kind":"lid"}']))).toBe('NoMock');
    expect((await call('Fetch', [`${URL_TEXT}?a=1&line=Line1`, 'get'])).responseObject).toBe('query');
    expect((await call('Fetch', [URL_TEXT, 'get', null, custom])).responseObject).toBe('header');
  });
});

describe('a response of a mock', () => {
  test.each([
    ['json', { body: { kind: 'json', json: { a: 1 } } }, '{"a":1}'],
    ['text', { body: { kind: 'text', text: 'grün' } }, 'grün'],
    ['bytes', { body: { kind: 'base64', base64: Buffer.from('bytes').toString('base64') } }, 'bytes'],
    ['empty', { status: 204, body: { kind: 'none' } }, ''],
  ])('is %s', async (_, reply, expected) => {
    const { add, call } = outboundOf({ 'api.mode': 'offline' });
    await add('One', { request: { url: URL_TEXT }, answer: reply });
    expect(await call('Fetch', get)).toMatchObject({ success: true, responseObject: expected });
    expect((await call('GetImage', [URL_TEXT])).image).toEqual(Buffer.from(expected));
  });

  test('has its status and is an error like that of a remote server', async () => {
    const { add, call } = outboundOf({ 'api.mode': 'offline' });
    await add('Busy', { request: { url: URL_TEXT }, answer: { status: 503, ...text('try later') } });
    const reply = await call('Fetch', get);
    expect(reply).toMatchObject({ success: false, statusCode: '503', responseObject: null });
    expect(JSON.parse(reply.errorMessage ?? '')).toMatchObject({ error: 'Http503', status: 503, body: 'try later' });
  });
});

describe('a response in another charset', () => {
  test('is recorded and repeated with the same text', async () => {
    const { mocks, call } = outboundOf({ 'api.record': true });
    const end = await remoteServer(({ url }, response) => {
      const [charset, body] =
        url === '/latin' ? ['iso-8859-1', Buffer.from('grün', 'latin1')] : ['utf-16', Buffer.from('grün €', 'utf16le')];
      response.writeHead(200, { 'Content-Type': `text/plain; charset=${charset}` }).end(body);
    });
    const texts = async () =>
      [await call('Fetch', [`${end.base}/latin`, 'get']), await call('Fetch', [`${end.base}/wide`, 'get'])].map(
        ({ responseObject }) => responseObject,
      );
    expect(await texts()).toEqual(['grün', 'grün €']);
    await expect.poll(() => mocks.list().mocks.length).toBe(2);
    expect(await texts()).toEqual(['grün', 'grün €']);
    expect(end.requests).toHaveLength(2);
  });

  test('is that of the mock, and a character that it does not have is an error', async () => {
    const { call, add } = outboundOf({ 'api.mode': 'offline' });
    const headers = [['content-type', 'application/json; charset=iso-8859-1']];
    await add('Green', {
      request: { url: `${URL_TEXT}/green` },
      answer: { headers, body: { kind: 'json', json: 'ü' } },
    });
    await add('Euro', {
      request: { url: `${URL_TEXT}/euro` },
      answer: { headers, body: { kind: 'text', text: '"€"' } },
    });
    expect(await call('Fetch', [`${URL_TEXT}/green`, 'get'])).toMatchObject({ responseObject: '"ü"' });
    expect(await call('Fetch', [`${URL_TEXT}/euro`, 'get'])).toMatchObject({
      statusCode: '0',
      errorMessage: expect.stringMatching(/MockError.*the mock has the character.*U\+20AC/),
    });
  });
});

describe('a template', () => {
  test('keeps JSON and headers valid for any call', async () => {
    const { add, call, calls } = outboundOf({ 'api.mode': 'offline' });
    const json = { p: '{{request.path.p}}', q: '{{request.query.q}}', b: '{{request.body.a}}' };
    const body = { kind: 'text', text: JSON.stringify({ ...json, proto: '{{request.path.__proto__}}' }) };
    const headers = [['X-Echo', 'q={{request.query.q}}']];
    await add('Echo', { request: { url: 'http://far.invalid/{p}/x' }, answer: { template: true, headers, body } });
    const [p, q, b] = ['a"\\\n{{uuid}}$&', '"\r\nSet-Cookie: x{{hits}}', '"} \u2028 {{now}}'];
    const url = `http://far.invalid/${encodeURIComponent(p)}/x?q=${encodeURIComponent(q)}`;
    const { responseObject } = await call('Fetch', [url, 'post', JSON.stringify({ a: b })]);
    expect(JSON.parse(responseObject ?? '')).toEqual({ p, q, b, proto: '' });
    expect(calls.list({}).calls[0]?.response?.headers[0]).toEqual(['X-Echo', 'q=" Set-Cookie: x{{hits}}']);
  });

  test.each<[string, object]>([
    ['a text', { kind: 'text', text: '{{request.body}}'.repeat(100) }],
    ['JSON', { kind: 'json', json: Array.from({ length: 100 }, () => '{{request.body}}') }],
  ])('does not make %s larger than the limit of a response', async (_, body) => {
    const { add, call } = outboundOf({ 'api.mode': 'offline', 'api.maxResponseMb': 4 });
    await add('Echoes', { request: { url: URL_TEXT }, answer: { template: true, body } });
    const small = await call('Fetch', [URL_TEXT, 'post', JSON.stringify('x'.repeat(10_000))]);
    // A long text is passed on as bytes.
    expect(small.text?.bytes.length).toBeGreaterThan(1_000_000);
    expect(reason(await call('Fetch', [URL_TEXT, 'post', JSON.stringify('x'.repeat(1_000_000))]))).toBe(
      'ResponseTooLarge',
    );
  });
});

test('hits are counted, survive a restart, and can be reset', async () => {
  const directory = join(temporaryFolder(), 'plant');
  const first = outboundOf({ 'api.mode': 'offline' }, directory);
  const counted = { body: { kind: 'text', text: '{{hits}}' }, template: true };
  await first.add('Counted', { request: { url: URL_TEXT }, answer: counted });
  expect((await first.call('Fetch', get)).responseObject).toBe('1');
  expect((await first.call('Fetch', get)).responseObject).toBe('2');
  await first.close();
  const again = outboundOf({ 'api.mode': 'offline' }, directory);
  expect(again.mocks.list().mocks).toMatchObject([{ hits: 2, lastHitAt: expect.stringMatching(/Z$/) }]);
  expect((await again.call('Fetch', get)).responseObject).toBe('3');
  await again.mocks.resetHits();
  expect(again.mocks.list().mocks).toMatchObject([{ hits: 0, lastHitAt: null }]);
});

test('subscribers of mocks get hits only as counters', async () => {
  const { add, call, mocks } = outboundOf({ 'api.mode': 'offline' });
  const { id } = await add('One', { request: { url: URL_TEXT } });
  await add('Other', { request: { url: 'http://other.invalid/' } });
  const notified: MocksChange[] = [];
  onTestFinished(mocks.onChange((change) => void notified.push(change)));
  await call('Fetch', get);
  await call('Fetch', get);
  await expect
    .poll(() => notified)
    .toEqual([{ total: 2, hits: [{ id, hits: 2, lastHitAt: expect.any(String), position: 2 }] }]);
  await mocks.delete({ ids: [id] });
  expect(notified.at(-1)).toEqual({ total: 1, hits: null });
});

describe('the mode', () => {
  test.each([
    ['live', 'remote server', 'live'],
    ['mockFirst', 'mock', 'mock'],
    ['offline', 'mock', 'mock'],
  ] as const)('%s: a call that a mock matches gets a response of the %s', async (mode, expected, source) => {
    const end = await remoteServer((_, response) => response.end('remote server'));
    const { add, call, calls } = outboundOf({ 'api.mode': mode });
    await add('Mock', { request: { url: `${end.base}/x` }, answer: text('mock') });
    expect((await call('Fetch', [`${end.base}/x`, 'get'])).responseObject).toBe(expected);
    expect(calls.list({}).calls[0]?.source).toBe(source);
  });

  test.each([
    ['live', true],
    ['mockFirst', true],
    ['offline', false],
  ] as const)('%s: a call that no mock matches reaches the remote server: %s', async (mode, reaches) => {
    const end = await remoteServer((_, response) => response.end('remote server'));
    const { call } = outboundOf({ 'api.mode': mode });
    const reply = await call('Fetch', [`${end.base}/x`, 'get']);
    expect(reply.success).toBe(reaches);
    expect(end.requests).toHaveLength(reaches ? 1 : 0);
    if (!reaches) expect(reply.errorMessage).toContain(`no mock matches GET ${end.base}/x`);
  });
});

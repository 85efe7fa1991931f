import { expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

test('the bytes of an event: with GET, HEAD, and a condition', async () => {
  const { url } = await startApi();
  const { host } = new URL(url());
  const send = (method: string, headers = '') =>
    raw(url(), `${method} /api/events/2 HTTP/1.1\r\nHost: ${host}\r\n${headers}Connection: close\r\n\r\n`);
  const body = JSON.stringify(eventOf(2));
  const policy = `default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  const secure = [
    'X-Content-Type-Options: nosniff',
    'X-Frame-Options: DENY',
    'Referrer-Policy: no-referrer',
    'Cross-Origin-Resource-Policy: same-origin',
    `Content-Security-Policy: ${policy}`,
    'Cache-Control: no-store',
  ];
  const sized = ['Content-Type: application/json; charset=utf-8', `Content-Length: ${Buffer.byteLength(body)}`];
  const textOf = (status: string, headers: string[], text: string) =>
    ['HTTP/1.1 ' + status, ...headers, 'Date: …', 'Connection: close', '', text].join('\r\n');
  const undated = async (response: Promise<string>) => (await response).replace(/^Date: .*$/m, 'Date: …');
  expect(await undated(send('GET'))).toBe(textOf('200 OK', [...secure, ...sized], body));
  expect(await undated(send('HEAD'))).toBe(textOf('200 OK', [...secure, ...sized], ''));
  expect(await undated(send('GET', 'If-None-Match: *\r\n'))).toBe(textOf('304 Not Modified', secure, ''));
  expect(await undated(send('GET', 'If-None-Match: "x"\r\n'))).toBe(textOf('200 OK', [...secure, ...sized], body));
});

test('faults of the store: the disk is full, the workspace is closing, anything else', async () => {
  const { put, source, logged } = await startApi();
  source.failNext = new TagwrightError('STORAGE_FULL', 'The disk is full.');
  const full = await put(1, { Active: false });
  expect([full.status, await full.json()]).toMatchObject([507, { type: '/api/docs#problem-storage-full' }]);
  source.failNext = new TagwrightError('UNAVAILABLE', 'The workspace is closed.');
  const closed = await put(1, { Active: false });
  expect([closed.status, closed.headers.get('retry-after')]).toEqual([503, '1']);
  source.failNext = new Error('secret detail');
  const fault = await put(1, { Active: false });
  expect(fault.status).toBe(500);
  expect(await fault.text()).not.toContain('secret detail');
  expect(logged.join('')).toContain('secret detail');
});

import { expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { eventOf } from './fake-event-source.ts';
import { raw, startApi } from './start-api.ts';

test('GET returns the event, active or not', async () => {
  const { call, source } = await startApi();
  await source.setActive(2, false);
  expect(await (await call('/api/events/2')).json()).toEqual({ ...eventOf(2), Active: false });
});

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

test('PUT changes only Active, is idempotent, and can re-activate', async () => {
  const { put, source, call } = await startApi();
  const disabled = { ...eventOf(2), Active: false };
  const body = { ...eventOf(3), Active: false, RuleId: 99, extra: { deep: [1] } };
  for (let time = 0; time < 2; time += 1) {
    const response = await put(2, body);
    expect([response.status, await response.json()]).toEqual([200, disabled]);
  }
  expect(source.events.get(2)).toEqual(disabled);
  expect(await (await call('/api/events')).json()).toHaveLength(2);
  expect(await (await put(2, { Active: true })).json()).toEqual(eventOf(2));
});

test.each([
  ['nothing', '', /empty/],
  ['no JSON', '{"Active": false', /not valid JSON/],
  ['bytes that are not UTF-8', '\u00ff', /not valid JSON|not an object/],
  ['an array', [{ Active: false }], /not an object/],
  ['a boolean', 'false', /not an object/],
  ['null', 'null', /not an object/],
  ['another case', { active: false }, /no member Active/],
  ['a string', { Active: 'false' }, /not "false"\./],
  ['a number', { Active: 0 }, /not 0\./],
  ['null as Active', { Active: null }, /not null\./],
  ['Active twice', '{"Active": true, "Active": false}', /Send Active once/],
  ['Active twice, escaped', '{"Active": false, "\\u0041ctive": true}', /Send Active once/],
  ['another member twice', '{"Active": false, "a": [{"b": 1, "b": 2}]}', /member "b" more than once/],
  ['a prototype', '{"__proto__": {"Active": false}}', /no member Active/],
  ['a constructor', '{"constructor": {"prototype": {"Active": false}}}', /no member Active/],
])('PUT of %s is refused with what to send', async (_what, body, detail) => {
  const { put, source } = await startApi();
  const response = await put(1, body);
  expect(response.status).toBe(400);
  const problem: unknown = await response.json();
  expect(problem).toMatchObject({ type: '/api/docs#problem-invalid-body', detail: expect.stringMatching(detail) });
  expect(problem).toMatchObject({ detail: expect.stringContaining('{"Active": false}') });
  expect(source.events.get(1)?.Active).toBe(true);
  expect(Object.prototype).not.toHaveProperty('Active');
});

test.each([
  [undefined, 415],
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/json; charset=latin1', 415],
  ['application/jsonp', 415],
  ['application/json', 200],
  ['Application/JSON ; charset="UTF-8"', 200],
])('PUT with the content type %s returns %i', async (type, status) => {
  const { url } = await startApi();
  const header = type === undefined ? '' : `Content-Type: ${type}\r\n`;
  const response = await raw(
    url(),
    `PUT /api/events/1 HTTP/1.1\r\nHost: ${new URL(url()).host}\r\n${header}Content-Length: 17\r\nConnection: close\r\n\r\n{"Active": false}`,
  );
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test('a compressed body is refused', async () => {
  const { put } = await startApi();
  expect((await put(1, { Active: false }, { 'Content-Encoding': 'gzip' })).status).toBe(415);
});

test('DELETE removes the event', async () => {
  const { call, source } = await startApi();
  const response = await call('/api/events/2', { method: 'DELETE' });
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(source.events.has(2)).toBe(false);
  expect((await call('/api/events/2', { method: 'DELETE' })).status).toBe(404);
});

test('an event that does not exist is 404 for every method', async () => {
  const { call, put } = await startApi();
  for (const response of [
    await call('/api/events/99'),
    await call('/api/events/9007199254740991'),
    await put(99, { Active: false }),
    await call('/api/events/99', { method: 'DELETE' }),
  ]) {
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      type: '/api/docs#problem-no-such-event',
      detail: /Event \d+ does not exist/,
    });
  }
});

test.each([
  '0',
  '-1',
  '+1',
  '1.0',
  '1e3',
  '0x1',
  '007',
  '%31',
  '1%00',
  '٣',
  '%zz',
  '9007199254740992',
  '1'.repeat(400),
  'abc',
  '1;2',
  '1,2',
  ' 1',
  '__proto__',
])('the id %s is refused for every method', async (id) => {
  const { url, source } = await startApi();
  const path = `/api/events/${id.replaceAll(' ', '%20').replaceAll('٣', '%D9%A3')}`;
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const response = await raw(
      url(),
      `${method} ${path} HTTP/1.1\r\nHost: ${new URL(url()).host}\r\nContent-Type: application/json\r\nContent-Length: 17\r\nConnection: close\r\n\r\n{"Active": false}`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('invalid-id');
    expect(response).toContain('positive integer');
  }
  expect([...source.events.values()]).toEqual([eventOf(1), eventOf(2), eventOf(3)]);
});

test('unknown paths are 404, unknown methods 405 with Allow', async () => {
  const { call } = await startApi();
  for (const path of ['/', '/api', '/api/events/', '/API/EVENTS', '/api/events/1/2', '//api/events', '/api/health/']) {
    expect([path, (await call(path)).status]).toEqual([path, 404]);
  }
  for (const [path, method, allow] of [
    ['/api/events', 'POST', 'GET, HEAD, OPTIONS'],
    ['/api/events', 'DELETE', 'GET, HEAD, OPTIONS'],
    ['/api/events/1', 'PATCH', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/api/events/x', 'POST', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/api/health', 'PUT', 'GET, HEAD, OPTIONS'],
  ] as const) {
    const response = await call(path, { method });
    expect([path, method, response.status, response.headers.get('allow')]).toEqual([path, method, 405, allow]);
    expect(await response.json()).toMatchObject({ type: '/api/docs#problem-method-not-allowed' });
    const options = await call(path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  }
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

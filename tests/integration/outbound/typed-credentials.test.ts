import type { IncomingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import type { ApiOperation } from '#domain/mock/api-call';
import { remoteServer } from '../../support/services/remote-server.ts';
import { wiredOutbound } from '../../support/services/wired-outbound.ts';

const TYPED = 'my+s3cret/"Word';
const HELD = /s3cret/;
const set = (...entries: [string, string][]) =>
  JSON.stringify(entries.map(([headerKey, headerValue]) => ({ headerKey, headerValue })));
const encoded = encodeURIComponent(TYPED);

/** With or without recorded mocks. */
const outbound = (record = true) => wiredOutbound({ 'api.mode': 'mockFirst', 'api.record': record });

/** Echoes the values of a request where nothing names them: in texts of JSON and in a header. */
const echo = () =>
  remoteServer(({ url, headers, body }, response) => {
    const values = [decodeURIComponent(url.replaceAll('+', '%20')), body, ...Object.values(headers), basicOf(headers)];
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ETag: JSON.stringify(encodeURIComponent(values.join(' '))),
    });
    response.end(JSON.stringify({ seen: values, again: JSON.stringify(values) }));
  });

const basicOf = ({ authorization = '' }: IncomingHttpHeaders) =>
  Buffer.from(authorization.replace('Basic ', ''), 'base64').toString();

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const XML_TYPE = 'application/xml';
const basic = `Basic ${Buffer.from(`plant:${TYPED}`).toString('base64')}`;

test.each<[string, ApiOperation, (base: string) => (string | null)[]]>([
  ['an Authorization header', 'Fetch', (base) => [base, 'get', null, set(['Authorization', `Bearer ${TYPED}`])]],
  ['a user and password in a header', 'Fetch', (base) => [base, 'get', null, set(['Authorization', basic])]],
  ['a header of another scheme', 'Fetch', (base) => [base, 'get', null, set(['Authorization', `Custom ${TYPED}`])]],
  ['the header of an API key', 'Fetch', (base) => [base, 'get', null, set(['X-API-Key', TYPED])]],
  ['a cookie', 'Fetch', (base) => [base, 'get', null, set(['Cookie', `theme=dark; sid=${TYPED}`])]],
  ['a header of a GetImage', 'GetImage', (base) => [base, set(['X-Auth-Token', TYPED])]],
  ['a parameter', 'Fetch', (base) => [`${base}?api_key=${encoded}&x=1`, 'get', null]],
  ['a parameter of a form', 'Fetch', (base) => [`${base}?${new URLSearchParams({ api_key: TYPED })}`, 'get', null]],
  [
    'a member of JSON',
    'Fetch',
    (base) => [base, 'post', JSON.stringify({ user: 'x', list: [{ password: TYPED }] }), null, JSON_TYPE],
  ],
  ['a member with members', 'Fetch', (base) => [base, 'post', JSON.stringify({ credentials: { of: [TYPED] } })]],
  ['a set of headers in JSON', 'Fetch', (base) => [base, 'post', set(['client_secret', TYPED])]],
  ['a field of a form', 'Fetch', (base) => [base, 'put', `user=x&password=${encoded}`, null, FORM_TYPE]],
  [
    'an element of XML',
    'Fetch',
    (base) => [base, 'post', '<a><password>my+s3cret/Word</password></a>', null, XML_TYPE],
  ],
  ['the argument of a bearer token', 'FetchWithBearerToken', (base) => [base, 'get', null, TYPED]],
  ['the argument of a password', 'FetchWithUserCredentials', (base) => [base, 'get', null, 'plant', TYPED]],
  ['the fields for a token', 'GetOauthToken', (base) => [base, set(['client_secret', TYPED])]],
  ...['jwt', 'bearer', 'private_key', 'session_id', 'pin'].map(
    (name): [string, ApiOperation, (base: string) => string[]] => [
      `a member named ${name}`,
      'Fetch',
      (base) => [base, 'post', JSON.stringify({ [name]: TYPED })],
    ],
  ),
])('a credential in %s is masked in everything that a call leaves', async (_, operation, args) => {
  const { mocks, calls, call } = outbound();
  const end = await echo();
  const { result, exchange } = await call(operation, args(`${end.base}/x`));
  // The script gets what the server sent, and the server what the script sent.
  expect(result.responseObject ?? Buffer.from(result.image ?? []).toString()).toMatch(HELD);
  expect(exchange.response?.body ?? '').toContain('seen');
  await expect.poll(() => mocks.list().mocks.length).toBe(1);
  const shown = JSON.stringify([exchange, calls.list({}), mocks.ofCall({ seq: 1 })]);
  expect(shown + mocks.export().text).not.toMatch(HELD);
  // The recorded mock repeats nothing either.
  const { exchange: mocked } = await call(operation, args(`${end.base}/x`));
  expect(mocked.source).toBe('mock');
  expect(JSON.stringify(mocked)).not.toMatch(HELD);
});

test('a pin of digits is masked as a whole number, and a mock stays JSON', async () => {
  const { mocks, call } = outbound();
  const end = await remoteServer((_, response) =>
    response.end('{"pin_was":1234,"order":12345,"note":"pin 1234 of 91234","list":[1234.5,1234]}'),
  );
  await call('Fetch', [end.base, 'post', '{"pin":1234}']);
  await expect.poll(() => mocks.list().mocks.length).toBe(1);
  expect(mocks.list().mocks[0]?.answer.body).toEqual({
    kind: 'text',
    text: '{"pin_was":"***","order":12345,"note":"pin *** of 91234","list":[1234.5,"***"]}',
  });
});

test('a HAR file whose responses repeat a credential is imported without it', async () => {
  const { mocks } = outbound();
  const entry = {
    request: {
      method: 'POST',
      url: `https://far.example/x?api_key=${encoded}-1`,
      headers: [{ name: 'Authorization', value: `Bearer ${TYPED}-2` }],
      postData: { text: JSON.stringify({ password: `${TYPED}-3` }) },
    },
    response: { status: 200, content: { text: JSON.stringify([`${TYPED}-1`, `${TYPED}-2`, `${TYPED}-3`]) } },
  };
  await mocks.import({ format: 'har', text: JSON.stringify({ log: { entries: [entry] } }), replace: true });
  expect(mocks.list().mocks[0]?.answer.body).toEqual({ kind: 'text', text: '["***","***","***"]' });
  expect(mocks.export().text).not.toMatch(HELD);
});

test.each<[string, string, string]>([
  ['JSON', '{"user":"x","password":"pw"}', JSON_TYPE],
  ['a form', 'user=x&password=pw', FORM_TYPE],
  ['XML', '<password>pw</password>', XML_TYPE],
  ['a text', '{"note":"the-key-in-a-header"}', JSON_TYPE],
])('a redirect to another origin gets no credential that was typed into %s', async (_, payload, type) => {
  const { call } = outbound(false);
  const other = await remoteServer((_request, response) => response.end('sent'));
  const end = await remoteServer(({ url }, response) => {
    response
      .writeHead(Number(url.slice(1)), { Location: url === '/303' ? `${other.base}/got` : `${other.base}/` })
      .end();
  });
  const headers = set(['X-API-Key', 'the-key-in-a-header'], ['User-Agent', 'of the-key-in-a-header']);
  for (const status of [307, 308]) {
    const { result } = await call('Fetch', [`${end.base}/${status}`, 'post', payload, headers, type]);
    expect(result).toMatchObject({ statusCode: '0', errorMessage: expect.stringContaining('RedirectRefused') });
  }
  expect(other.requests).toEqual([]);
  const { result } = await call('Fetch', [`${end.base}/303`, 'post', payload, headers, type]);
  expect(result.responseObject).toBe('sent');
  expect(JSON.stringify(other.requests)).not.toContain('the-key');
  // Another payload is sent again.
  await call('Fetch', [`${end.base}/307`, 'post', '{"user":"x"}', headers, type]);
  expect(other.requests.at(-1)?.body).toBe('{"user":"x"}');
});

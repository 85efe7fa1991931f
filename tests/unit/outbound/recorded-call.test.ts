import { expect, test } from 'vitest';
import type { ApiArgument, ApiOperation, ApiResponse } from '#domain/mock/api-call';
import { maskArguments, maskedApi, recordedApi } from '../../../src-main/outbound/recorded-call.ts';
import { SecretMask } from '../../../src-main/outbound/secrets/secret-mask.ts';

const CALLS: [ApiOperation, ApiArgument[], ApiArgument[]][] = [
  [
    'FetchWithBearerToken',
    [
      'https://me:pass@erp.test/a?api_key=one&x=1',
      'post',
      '{"password":"two","order":1}',
      'three',
      null,
      'application/json',
    ],
    ['https://***@erp.test/a?api_key=***&x=1', 'post', '{"password":"***","order":1}', '***', null, 'application/json'],
  ],
  [
    'FetchWithUserCredentials',
    ['not a url?token=four', 'get', null, 'me', '{{secret:erp}}', '[{"headerKey":"X-Token","headerValue":"five"}]'],
    ['not a url?…', 'get', null, 'me', '{{secret:erp}}', '[{"headerKey":"X-Token","headerValue":"***"}]'],
  ],
  ['Fetch', ['', { not: 'a number' }], ['', { not: 'a number' }]],
];

/** A short call, which is masked at once. */
function maskedNow(...[call, ended]: [Parameters<typeof recordedApi>[0], Parameters<typeof recordedApi>[2]]) {
  const recorded = recordedApi(call, null, ended);
  if ('unmasked' in recorded) throw new Error('the call is long');
  return recorded;
}

test('arguments have no secrets, and are the same when they are masked again', () => {
  for (const [operation, args, masked] of CALLS) {
    expect(maskArguments(operation, args)).toEqual(masked);
    expect(maskArguments(operation, masked)).toEqual(masked);
  }
});

test('known secrets are masked in every argument', () => {
  const mask = new SecretMask(['hidden-value']);
  expect(maskArguments('Fetch', ['https://erp.test/hidden-value', 'get', 'x hidden-value'], mask)).toEqual([
    'https://erp.test/***',
    'get',
    'x ***',
  ]);
});

test('a response is masked, and names the secrets that the script saw', () => {
  const result: ApiResponse = {
    success: true,
    statusCode: '200',
    errorMessage: null,
    responseObject: null,
    text: { bytes: Buffer.from('{"access_token":"given","name":"x"}'), charset: 'utf-8' },
    responseHeaders: { 'set-cookie': 'session=abcdefgh', 'content-type': 'application/json' },
  };
  const ended = {
    source: 'mock' as const,
    mock: 'm',
    error: null,
    reason: null,
    mask: new SecretMask([]),
    result,
    response: {
      status: 200,
      statusText: '',
      headers: [['Set-Cookie', 'session=abcdefgh'] as [string, string]],
      body: Buffer.from(''),
    },
  };
  const call = { operation: 'FetchWithApiKey' as const, args: ['https://erp.test/', 'get', null, 'passed-key'] };
  const recorded = maskedNow(call, ended);
  expect(recorded.response).toEqual({
    success: true,
    statusCode: '200',
    errorMessage: null,
    responseObject: '{"access_token":"***","name":"x"}',
    responseHeaders: { 'set-cookie': '***', 'content-type': 'application/json' },
  });
  expect(recorded.secrets).toEqual(expect.arrayContaining(['passed-key', 'given', 'abcdefgh']));
  expect(recorded.args).toEqual(['https://erp.test/', 'get', null, '***']);
  expect(recorded.masked).toEqual(['args[3]', 'response']);
});

test('a long call is masked later, from JSON, as if it were short', () => {
  const hidden = new SecretMask(['hidden value', 'hidden-value']);
  const text = '{"access_token":"given","name":"hidden%20value"}';
  const responseHeaders = { 'x-token': 'one' };
  const result = { success: true, statusCode: '200', errorMessage: null, responseObject: null, responseHeaders };
  const withText = (body: string): ApiResponse => ({
    ...result,
    text: { bytes: Buffer.from(body, 'utf16le'), charset: 'utf-16le' },
  });
  const withImage: ApiResponse = { ...result, image: Buffer.alloc(200_000, 7) };
  const response = {
    status: 200,
    statusText: '',
    headers: [['X-Token', 'one'] as [string, string]],
    body: Buffer.from(''),
  };
  const ended = { source: 'live' as const, mock: null, error: null, reason: null, mask: hidden, response };
  const args = ['https://erp.test/?token=two', 'post', '{"a":"hidden-value"}', 'passed-key'];
  const call = { operation: 'FetchWithApiKey' as const, args };
  const short = maskedNow(call, { ...ended, result: withText(text) });
  const padding = ' '.repeat(200_000);
  for (const [given, expected] of [
    [withText(text.replace('{', `{${padding}`)), short.response],
    [withImage, { ...short.response, responseObject: null, image: Buffer.alloc(200_000, 7).toString('base64') }],
  ] as const) {
    const recorded = recordedApi(call, null, { ...ended, result: given });
    if (!('unmasked' in recorded)) throw new Error('the call is short');
    const masked = maskedApi(JSON.parse(JSON.stringify(recorded.unmasked)), recorded.bytes);
    expect(masked.response).toEqual(expected);
    expect(masked.args).toEqual(short.args);
    expect(masked.secrets).toEqual(expect.arrayContaining(['passed-key', 'one']));
  }
});

test('a placeholder is no secret, an image is Base64', () => {
  const result: ApiResponse = {
    success: true,
    statusCode: '200',
    errorMessage: null,
    responseObject: null,
    image: Uint8Array.of(1, 2),
  };
  const ended = {
    source: 'none' as const,
    mock: null,
    error: null,
    reason: null,
    mask: new SecretMask([]),
    result,
    response: null,
  };
  const call = { operation: 'GetImageWithApiKey' as const, args: ['https://erp.test/', '{{ secret:erp }}'] };
  expect(maskedNow(call, ended)).toMatchObject({
    args: ['https://erp.test/', '{{ secret:erp }}'],
    secrets: [],
    response: { image: 'AQI=' },
  });
});

import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { hubError } from '../../../../src-main/storage/hub/hub-error.ts';

test.each([
  ['28P01', /role or its password/],
  ['42P01', /tagwright hub init/],
  ['53100', /disk of the database is full/, 'STORAGE_FULL'],
  ['53300', /no memory or connections/],
  ['25006', /read-only/],
  ['XX000', /is running/],
])('code %s says what to do', (code, words, error = 'UNAVAILABLE') => {
  const thrown = Object.assign(new DatabaseError('failed', 1, 'error'), { code });
  expect(hubError(thrown)).toMatchObject({ code: error, data: { reason: code } });
  expect(hubError(thrown).message).toMatch(words);
});

test('the code of a failed connection is none of the database', () => {
  const thrown = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(hubError(thrown)).toMatchObject({ code: 'UNAVAILABLE', data: { reason: '' } });
});

test.each([
  ['SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string', /has no password/],
  ['Invalid URL', /Check the address/],
  ['URI malformed', /Check the address/],
  ['The server does not support SSL connections', /Turn on "ssl"/],
  ['self-signed certificate', /a certificate that this machine trusts/],
  ["Hostname/IP does not match certificate's altnames: Host: db.", /names the host/],
  ['getaddrinfo ENOTFOUND db.example', /Check the host/],
  ['connect ECONNREFUSED 127.0.0.1:1', /is running/],
])('%s: it says what to do', (message, words) => {
  expect(hubError(new Error(message)).message).toMatch(words);
});

test('an error of the closed set stays', () => {
  const error = new TagwrightError('CONFLICT', 'x');
  expect(hubError(error)).toBe(error);
});

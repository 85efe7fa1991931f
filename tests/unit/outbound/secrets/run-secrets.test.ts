import { expect, test } from 'vitest';
import { answeredCall } from '../../../../src-main/scripting/debug/api-answer.ts';
import { credentialsInLongText } from '../../../../src-main/outbound/secrets/long-credentials.ts';
import { credentialsIn } from '../../../../src-main/outbound/secrets/masking.ts';
import { RunSecrets } from '../../../../src-main/outbound/secrets/run-secrets.ts';

const long = (token: string, length: number) => JSON.stringify({ filler: 'x'.repeat(length), access_token: token });

test.each([200_000, 2_000_000])('a text of %i characters hides everything until it is searched', async (length) => {
  const secrets = new RunSecrets();
  secrets.add({ values: [], unread: [long('token-4711', length)] });
  expect(secrets.mask?.('any text')).toBe('***');
  expect(secrets.isReadyFor([{ value: 12 }, { value: null }, { value: true }])).toBe(true);
  expect(secrets.isReadyFor([{ value: 'text' }])).toBe(false);
  // A long number may be a secret, too.
  expect([secrets.isReadyFor([{ value: 123_456 }]), secrets.hasNumber(123_456)]).toEqual([false, true]);
  await secrets.prepare([{ value: 'text' }]);
  expect(secrets.isReadyFor([{ value: 'text' }])).toBe(true);
  expect(secrets.hasNumber(123_456)).toBe(false);
  expect(secrets.mask?.('any token-4711')).toBe('any ***');
  expect(secrets.placesIn('"é token-4711"')).toEqual([4, 14]);
});

test('a thread finds the same values as main, in the same order', async () => {
  const rows = Array.from({ length: 30_000 }, (_, row) => ({ token: `tök-\u{1f600}-${row}`, half: row % 7, pin: row }));
  const text = JSON.stringify([...rows, { secret: 'half \ud83d' }, { secret: '\ude00 half' }]);
  const expected = credentialsIn([], '', text).map((value) => value.toWellFormed());
  expect(text.length).toBeGreaterThan(1_048_576);
  expect(await credentialsInLongText(text)).toEqual(expected);
});

test('texts that nothing records are not kept', () => {
  const secrets = new RunSecrets(null, false);
  secrets.add({ values: ['known-4711'], unread: [long('token-4711', 200_000)] });
  expect([secrets.hasUnread, secrets.mask?.('known-4711 x')]).toEqual([false, '*** x']);
});

test('many secrets are hidden as they are', () => {
  const secrets = new RunSecrets();
  secrets.add({ values: Array.from({ length: 5_000 }, (_, id) => `key-of-item-${id}-`), unread: [] });
  expect(secrets.areMany).toBe(true);
  expect(secrets.mask?.('a key-of-item-3- and key-of-item-4999-key-of-item-17-')).toBe('a *** and ******');
  expect(secrets.values).toHaveLength(5_000);
});

test('a response that a person gives in the debugger has secrets', () => {
  const headers = '[{"headerKey":"X-Token","headerValue":"of-header-2"}]';
  const call = {
    operation: 'FetchWithBearerToken' as const,
    args: ['https://erp.test/?api_key=of-url-1', 'get', null, 'passed-3', headers],
  };
  const answer = { status: 200, headers: { 'Set-Cookie': 'session=abcdefgh' }, body: '{"access_token":"typed-4"}' };
  const secrets = new RunSecrets();
  secrets.add(answeredCall(call, answer).secrets());
  for (const secret of ['of-url-1', 'of-header-2', 'passed-3', 'typed-4', 'session=abcdefgh'])
    expect({ secret, shown: secrets.mask?.(`is ${secret}`) }).toEqual({ secret, shown: 'is ***' });
});

test('numbers are secrets as a whole, from six digits', () => {
  const secrets = new RunSecrets();
  secrets.add({ values: ['4711081', '0047110', '12345', '12.34567'], unread: [] });
  const found = [4_711_081, 47_110, 12_345, 12.34567, 4_711_082, 47_110.81].filter((value) => secrets.hasNumber(value));
  expect(found).toEqual([4_711_081]);
});

test('a password after a user in Base64 is a secret of a value without places', () => {
  const secrets = new RunSecrets({ mayHave: true, mask: null, secretsIn: () => [] });
  secrets.seeValue(btoa('me:password-0815'));
  expect(secrets.mask?.('is password-0815, me:password-0815')).toBe('is ***, ***');
});

import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { keyOf, newSecret, signatureOf } from '../../../../src-main/events/webhooks/signature.ts';

const ofBytes = (count: number) => `whsec_${Buffer.alloc(count, 7).toString('base64')}`;

test('the vector of the reference libraries has the same signature', () => {
  const key = keyOf('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  expect(key).not.toBeNull();
  const signature = signatureOf(
    key ? [key] : [],
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1_614_265_330,
    '{"test": 2432232314}',
  );
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('the reference library verifies signatures with new secrets', () => {
  const secret = newSecret();
  const key = keyOf(secret);
  const at = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({ text: 'ü 😀', random: randomBytes(100).toString('hex') });
  const headers = (signature: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at),
    'webhook-signature': signature,
  });
  const signature = signatureOf(key ? [key] : [], 'msg_1', at, body);
  expect(new Webhook(secret).verify(body, headers(signature))).toEqual(JSON.parse(body));
  expect(new Webhook(secret).sign('msg_1', new Date(at * 1_000), body)).toBe(signature);
  expect(() => new Webhook(secret).verify(`${body} `, headers(signature))).toThrow('No matching signature');
  expect(() => new Webhook(newSecret()).verify(body, headers(signature))).toThrow('No matching signature');
});

test('with two keys, the holder of either secret can verify', () => {
  const [one, other] = [newSecret(), newSecret()];
  const keys = [one, other].flatMap((secret) => keyOf(secret) ?? []);
  const at = Math.floor(Date.now() / 1_000);
  const headers = {
    'webhook-id': 'msg_2',
    'webhook-timestamp': String(at),
    'webhook-signature': signatureOf(keys, 'msg_2', at, '{}'),
  };
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of [one, other]) expect(new Webhook(secret).verify('{}', headers)).toEqual({});
});

test('a secret has 24 to 64 bytes in Base64', () => {
  expect(keyOf(ofBytes(23))).toBeNull();
  expect(keyOf(ofBytes(24))).toHaveLength(24);
  expect(keyOf(ofBytes(64))).toHaveLength(64);
  expect(keyOf(ofBytes(65))).toBeNull();
  expect(keyOf(ofBytes(32).slice('whsec_'.length))).toBeNull();
  expect(keyOf(`${ofBytes(32).slice(0, -4)}*===`)).toBeNull();
  expect(keyOf(ofBytes(32).replace(/=+$/, ''))).toHaveLength(32);
});

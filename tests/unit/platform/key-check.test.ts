import { expect, test } from 'vitest';
import { hashKey, KeyCheck } from '../../../src-main/platform/key-check.ts';

const KEY = 'correct-horse-battery';

test('a hash does not hold the key, and two of one key differ', () => {
  const [one, two] = [hashKey(KEY), hashKey(KEY)];
  expect(one).toMatch(/^scrypt:[\w+/=]+:[\w+/=]+$/);
  expect(one).not.toBe(two);
  expect(one).not.toContain(KEY);
});

test('without a key every call is right', () => {
  const check = new KeyCheck();
  expect(check.check([])).toBe(true);
  check.use(hashKey(KEY));
  check.use(null);
  expect(check.check(['anything'])).toBe(true);
});

test('after a restart the first right key is hashed, later ones are compared at once', async () => {
  const check = new KeyCheck();
  check.use(hashKey(KEY));
  expect(check.check([])).toBe(false);
  const first = check.check(['wrong-key-1', KEY]);
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toBe(true);
  expect(check.check([KEY])).toBe(true);
  expect(check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['wrong-key-2'])).toBe(false);
});

test('a key that was just set needs no hash, and its predecessor is wrong', () => {
  const check = new KeyCheck();
  check.use(hashKey(KEY), KEY);
  expect(check.check([KEY])).toBe(true);
  check.use(hashKey('the-next-key'), 'the-next-key');
  expect(check.check([KEY])).toBe(false);
  expect(check.check(['the-next-key'])).toBe(true);
});

test('a wrong key is hashed once, one that no setting takes never', async () => {
  const check = new KeyCheck();
  check.use(hashKey(KEY));
  expect(await check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['x'.repeat(201)])).toBe(false);
});

test('a key that changes while another is hashed lets nobody in', async () => {
  const check = new KeyCheck();
  check.use(hashKey(KEY));
  const slow = check.check([KEY]);
  check.use(hashKey('the-next-key'), 'the-next-key');
  expect(await slow).toBe(false);
  expect(check.check(['the-next-key'])).toBe(true);
});

test('a flood of unknown keys is refused, not queued, and ends with the right one', async () => {
  const check = new KeyCheck();
  check.use(hashKey(KEY));
  const waiting = Array.from({ length: 64 }, async (_, n) => check.check([n === 3 ? KEY : `wrong-key-${n}`]));
  expect(() => check.check(['wrong-key-64'])).toThrow('Too many calls');
  const results = await Promise.all(waiting.map(async (right) => right));
  expect(results.map((right, n) => (right ? n : -1)).filter((n) => n >= 0)).toEqual([3]);
  expect(check.check(['wrong-key-64'])).toBe(false);
});

test('a hash that is none fits no key', async () => {
  const check = new KeyCheck();
  check.use('scrypt::');
  expect(await check.check([KEY])).toBe(false);
});

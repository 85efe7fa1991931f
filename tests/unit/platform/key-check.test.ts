import { expect, test } from 'vitest';
import { hashKey, KeyCheck, quickHash } from '../../../src-main/platform/key-check.ts';

const KEY = 'correct-horse-battery';

test('a hash does not contain the key, and two of one key differ', () => {
  const [one, two] = [hashKey(KEY), hashKey(KEY)];
  expect(one).toMatch(/^scrypt:[\w+/=]+:[\w+/=]+$/);
  expect(one).not.toBe(two);
  expect(one).not.toContain(KEY);
});

test('without a key, every call is accepted', () => {
  const check = new KeyCheck();
  expect(check.check([])).toBe(true);
  check.use({ hash: hashKey(KEY), quick: null });
  check.use(null);
  expect(check.check(['anything'])).toBe(true);
});

test('without a quick hash, the first valid key is slow, later ones are quick', async () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: null });
  expect(check.check([])).toBe(false);
  const first = check.check(['wrong-key-1', KEY]);
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toBe(true);
  expect(check.check([KEY])).toBe(true);
  expect(check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['wrong-key-2'])).toBe(false);
});

test('a key with a quick hash needs no slow one, and its predecessor is invalid', () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: quickHash(KEY) });
  expect(check.check([KEY])).toBe(true);
  check.use({ hash: hashKey('the-next-key'), quick: quickHash('the-next-key') });
  expect(check.check([KEY])).toBe(false);
  expect(check.check(['the-next-key'])).toBe(true);
});

test('a wrong key is hashed once, one that no setting accepts never', async () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: null });
  expect(await check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['wrong-key-1'])).toBe(false);
  expect(check.check(['x'.repeat(201)])).toBe(false);
});

test('a key that changes while another is hashed accepts neither', async () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: null });
  const slow = check.check([KEY]);
  check.use({ hash: hashKey('the-next-key'), quick: quickHash('the-next-key') });
  expect(await slow).toBe(false);
  expect(check.check(['the-next-key'])).toBe(true);
});

test('a flood of unknown keys is refused, not queued, and ends with the valid one', async () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: null });
  const waiting = Array.from({ length: 64 }, async (_, n) => check.check([n === 3 ? KEY : `wrong-key-${n}`]));
  expect(() => check.check(['wrong-key-64'])).toThrow('Too many calls');
  const results = await Promise.all(waiting.map(async (right) => right));
  expect(results.map((right, n) => (right ? n : -1)).filter((n) => n >= 0)).toEqual([3]);
  expect(check.check(['wrong-key-64'])).toBe(false);
});

test('an invalid hash matches no key', async () => {
  const check = new KeyCheck();
  check.use({ hash: 'scrypt::', quick: null });
  expect(await check.check([KEY])).toBe(false);
});

test('a flood of unknown keys after a restart neither refuses nor delays a valid one', () => {
  const check = new KeyCheck();
  check.use({ hash: hashKey(KEY), quick: quickHash(KEY) });
  // A check that waits for a hash returns a promise, so none of these did.
  const responses = Array.from({ length: 5_000 }, (_, n) => check.check([`wrong-key-${n}`]));
  expect(new Set(responses)).toEqual(new Set([false]));
  expect(check.check(['wrong-key', KEY])).toBe(true);
});

test('the first valid key creates the quick hash for the next start, once', async () => {
  const hash = hashKey(KEY);
  const given: [string, string][] = [];
  const check = new KeyCheck((...both) => given.push(both));
  check.use({ hash, quick: null });
  await Promise.all([check.check(['wrong-key-1']), check.check([KEY]), check.check([KEY])]);
  expect(given).toEqual([[hash, expect.stringMatching(/^hmac:[\w+/=]+:[\w+/=]+$/)]]);
  const next = new KeyCheck();
  next.use({ hash, quick: given[0]?.[1] ?? null });
  expect(next.check([KEY])).toBe(true);
  expect(next.check([`${KEY}x`])).toBe(false);
});

test.each(['', 'hmac:', 'hmac:AAAA:AAAA', 'scrypt:AAAA:AAAA'])(
  'an invalid quick hash (%s) is not used',
  async (quick) => {
    const check = new KeyCheck();
    check.use({ hash: hashKey(KEY), quick });
    expect(await check.check([KEY])).toBe(true);
  },
);

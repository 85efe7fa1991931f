import { expect, test } from 'vitest';
import { decodedParts } from '../../../../src-main/outbound/secrets/decoded-parts.ts';
import { numberOf } from '../../../../src-main/outbound/secrets/secret-numbers.ts';
import { SecretMask } from '../../../../src-main/outbound/secrets/secret-mask.ts';

const SECRET = 'tök/en+of "me"\n4711';
const utf8 = (text: string) => Buffer.from(text).toString('base64');
const FORMS: [string, (text: string) => string][] = [
  ['as it is', (text) => text],
  ['within a text', (text) => `is ${text} now`],
  ['as JSON', (text) => JSON.stringify({ text })],
  ['as a parameter', (text) => `?key=${encodeURIComponent(text)}`],
  ['as a field of a form', (text) => new URLSearchParams({ text }).toString()],
  ['in Base64', utf8],
  ...['u', 'me', 'you', 'user'].map((user): [string, (text: string) => string] => [
    `in Base64 after ${user}`,
    (text) => `Basic ${utf8(`${user}:${text}, and more`)}`,
  ]),
  ['in Base64 of a URL', (text) => Buffer.from(`u:${text}`).toString('base64url')],
  ['in Base64 with percent codes', (text) => encodeURIComponent(utf8(`u:${text}`))],
  ['in Base64 in JSON in JSON', (text) => JSON.stringify({ a: JSON.stringify([encodeURIComponent(utf8(text))]) })],
];

/** The hidden parts of a stored text, as the journal has them. */
function partsOf(stored: string) {
  const bytes = Buffer.from(JSON.stringify(stored));
  const places = new SecretMask([SECRET]).placesIn(bytes);
  return places.flatMap((from, at) => {
    const to = places[at + 1] ?? 0;
    const [before, text, after] = [
      bytes.subarray(Math.max(0, from - 36), from),
      bytes.subarray(from, to),
      bytes.subarray(to),
    ];
    return at % 2 === 0 ? [{ before: before.toString(), text: text.toString(), after: after.toString() }] : [];
  });
}

test.each(FORMS)('a secret %s is found when it is decoded', (_, stored) => {
  const parts = partsOf(stored(SECRET));
  expect(parts).toHaveLength(1);
  expect(parts.flatMap(decodedParts)).toContain(SECRET);
});

test('a text that nothing decodes is only itself', () => {
  expect(decodedParts({ before: 'is ', text: 'key of the line', after: ' now' })).toEqual(['key of the line']);
});

test.each([
  ['123456', 123_456],
  ['0012345678', 12_345_678],
  ['12345678901234567890', 12_345_678_901_234_567_000],
  ['12345', null],
  ['000012', null],
  ['1234.56', null],
  ['1'.repeat(30), null],
])('the secret %s as a number is %s', (secret, number) => {
  expect(numberOf(secret)).toBe(number);
});

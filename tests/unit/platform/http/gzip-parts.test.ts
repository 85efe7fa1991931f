import { crc32, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  deflated,
  GzipJoin,
  inflated,
  joinedCrc,
  shiftOf,
  stored,
} from '../../../../src-main/platform/http/gzip-parts.ts';
import { fc } from '../../../support/run/random.ts';

const text = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.nat({ max: 60_000 }))
    .map(([some, times]) => Buffer.from(some.repeat(times))),
);

test('joined parts are the gzip stream of the joined texts', () => {
  const property = fc.property(fc.array(fc.oneof(text, fc.string({ maxLength: 20 })), { maxLength: 12 }), (texts) => {
    const gzip = new GzipJoin();
    const pieces = texts.map((one) => gzip.add(typeof one === 'string' ? stored(Buffer.from(one)) : deflated(one)));
    const stream = Buffer.concat([gzip.begin(), ...pieces, gzip.end()]);
    const whole = Buffer.concat(texts.map((one) => Buffer.from(one)));
    expect(gunzipSync(stream).equals(whole)).toBe(true);
  });
  fc.assert(property, { numRuns: 200 });
});

test('parts are inflated to their joined texts', () => {
  const property = fc.property(fc.array(fc.oneof(text, fc.string({ maxLength: 20 })), { maxLength: 6 }), (texts) => {
    const parts = texts.map((one) => (typeof one === 'string' ? stored(Buffer.from(one)) : deflated(one)));
    const whole = Buffer.concat(texts.map((one) => Buffer.from(one)));
    expect(Buffer.from(inflated(parts)).equals(whole)).toBe(true);
  });
  fc.assert(property);
});

test('the CRC of two texts follows from theirs', () => {
  const property = fc.property(text, text, (first, second) => {
    const joined = joinedCrc(crc32(first), { crc: crc32(second), shift: shiftOf(second.length) });
    expect(joined).toBe(crc32(Buffer.concat([first, second])));
  });
  fc.assert(property);
  // Longer than 2^32 bytes: zeros added in steps are the same as at once.
  const zeros = (crc: number, length: number) => joinedCrc(crc, { crc: 0, shift: shiftOf(length) });
  expect(zeros(zeros(7, 2 ** 33), 5)).toBe(zeros(7, 2 ** 33 + 5));
});

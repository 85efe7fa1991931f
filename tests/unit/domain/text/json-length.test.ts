import { expect, test } from 'vitest';
import { type Json, lengthOfJson, parseJson } from '#domain/text/json';
import { fc } from '../../../support/run/random.ts';

const values = fc.jsonValue().map((value) => parseJson(JSON.stringify(value)));

/** Texts, 4 for other parts, and 8 for each member. */
function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  return Object.values(value).reduce<number>((sum, member) => sum + 8 + lengthOf(member), 0);
}

test('the length of JSON has all of its parts', () => {
  fc.assert(
    fc.property(values, (value) => {
      expect(lengthOfJson(value, Infinity)).toBe(lengthOf(value));
    }),
  );
});

test('counting stops beyond a length, and not before', () => {
  fc.assert(
    fc.property(values, fc.nat(200), (value, enough) => {
      expect(lengthOfJson(value, enough) > enough).toBe(lengthOf(value) > enough);
    }),
  );
  const endless = Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(100) }));
  expect(lengthOfJson({ first: 'y'.repeat(20), endless }, 10)).toBeLessThan(100);
});

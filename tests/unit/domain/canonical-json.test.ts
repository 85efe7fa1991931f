import { expect, test } from 'vitest';
import { canonicalJson } from '#domain/text/canonical-json';
import type { Json } from '#domain/text/json';
import { fc } from '../../support/run/random.ts';

test('members are sorted by UTF-16 units, numbers and texts are those of JSON', () => {
  // The example of RFC 8785, section 3.2.3.
  const text =
    '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}';
  const value: Json = JSON.parse(text);
  const names = [...canonicalJson(value).matchAll(/:"([^"]*)"/g)].map(([, name]) => name);
  expect(names).toEqual([
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ]);
  expect(canonicalJson([1e21, -0, Number('333333333.33333329'), 'a/"\u0007'])).toBe(
    '[1e+21,0,333333333.3333333,"a/\\"\\u0007"]',
  );
});

test('is the same for equal values, whatever the order of their members', () => {
  const shuffled = (value: Json): Json =>
    typeof value !== 'object' || value === null
      ? value
      : Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([name, member]) => [name, shuffled(member)]),
          );
  fc.assert(
    fc.property(fc.jsonValue(), (given) => {
      const value: Json = JSON.parse(JSON.stringify(given));
      expect(canonicalJson(shuffled(value))).toBe(canonicalJson(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(value);
    }),
  );
});

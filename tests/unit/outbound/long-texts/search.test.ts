import { describe, expect, test } from 'vitest';
import { bytesOfText, eachMatch, jsonInSteps } from '../../../../src-main/outbound/long-text.ts';
import {
  checkPlaceholders,
  fillSecrets,
  placeholdersChecked,
  secretsFilled,
} from '../../../../src-main/outbound/placeholders.ts';
import { credentialsInBody } from '../../../../src-main/outbound/secrets/body-credentials.ts';
import { credentialsIn } from '../../../../src-main/outbound/secrets/masking.ts';
import { TextBuilder, type TextInParts, wholeOf } from '../../../../src-main/platform/long-texts/text-in-parts.ts';
import { atOnce } from '../../../../src-main/platform/turns.ts';
import { fc } from '../../../support/run/random.ts';

/** A text of some 600,000 characters with these parts at random places, some of them across the parts of a search. */
const longText = (parts: readonly string[], filler: string) =>
  fc
    .array(fc.tuple(fc.constantFrom(...parts), fc.integer({ min: 1, max: 140_000 })), { minLength: 4, maxLength: 9 })
    .map((placed) => {
      const text = placed.map(([part, length]) => filler.repeat(length / filler.length) + part).join('');
      return text + filler.repeat(Math.max(0, 300_000 - text.length) / filler.length);
    });

/** The same text in parts that end anywhere. */
function inParts(text: string): TextInParts {
  const builder = new TextBuilder();
  for (let at = 0; at < text.length; at += 77_777) builder.add(text.slice(at, at + 77_777));
  return builder.build();
}

describe('a search in a long text', () => {
  const parts = [
    '{{secret:A}}',
    `{{${' '.repeat(3_000)}secret:B${' '.repeat(900)}}}`,
    '{{secret:',
    'ab'.repeat(90_000),
    ' '.repeat(200_000),
  ];

  test('finds what matchAll finds', () => {
    fc.assert(
      fc.property(longText(parts, 'x y'), (text) => {
        for (const pattern of [/\{\{\s*secret:\s*([^{}\s]{1,64})\s*\}\}/g, /(?<![\w-])ab[ab]+/g, /y/g]) {
          const found: [number, string][] = [];
          atOnce(eachMatch(text, pattern, ({ index, 0: whole }) => found.push([index, whole])));
          const inOther: number[] = [];
          atOnce(eachMatch(inParts(text), pattern, ({ index }) => inOther.push(index)));
          expect(inOther.join() === found.map(([index]) => index).join()).toBe(true);
          const all = Array.from(text.matchAll(pattern), ({ index, 0: whole }): [number, string] => [index, whole]);
          expect(found.length).toBe(all.length);
          expect(found.every(([at, whole], n) => at === all[n]?.[0] && whole === all[n]?.[1])).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  test('has the same bytes and value as the whole text', () => {
    const text = JSON.stringify(['\u{1f600}'.repeat(200_000), 'x', '\u{1f600}'.repeat(100_000), '\ud83d']);
    expect(atOnce(bytesOfText(text)).equals(Buffer.from(text))).toBe(true);
    expect(atOnce(bytesOfText(inParts(text))).equals(Buffer.from(text))).toBe(true);
    expect(atOnce(jsonInSteps(inParts(text)))).toEqual(JSON.parse(text));
    expect(atOnce(jsonInSteps(text))).toEqual(JSON.parse(text));
    expect(atOnce(jsonInSteps(text.slice(0, -1)))).toBeUndefined();
  });
});

describe('placeholders in a long text', () => {
  const lookup = (name: string) => `value of ${name}`;

  test.each(['plain', 'json', 'form'] as const)('are filled as in a short one: %s', (encoding) => {
    const parts = [
      '{{secret:A}}',
      '{{ secret: B }}',
      '%7B%7Bsecret%3AC%7D%7D',
      '%7b%7b++secret:D+%7d%7d',
      '{{secret:}}',
    ];
    fc.assert(
      fc.property(longText(parts, 'filled '), (text) => {
        const filled = fillSecrets(text, lookup, encoding);
        for (const form of [text, inParts(text)])
          expect(wholeOf(atOnce(secretsFilled(form, lookup, encoding))) === filled).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  test.each(['{{secrets:A}}', '{{secret:A', '{{ Secret : A }}', '{{secret:-}}'])(
    'are rejected as in a short one: %s',
    (wrong) => {
      const text = `${'x'.repeat(300_000)}{{secret:A}}${'x'.repeat(100)}${wrong}${'x'.repeat(300_000)}`;
      const messageOf = (check: () => void) => {
        try {
          check();
          return null;
        } catch (thrown) {
          return String(thrown);
        }
      };
      const message = messageOf(() => atOnce(placeholdersChecked('payload', text)));
      expect(message).toBe(messageOf(() => checkPlaceholders('payload', text)));
      expect(message).toContain('payload has');
      expect(message).toBe(messageOf(() => atOnce(placeholdersChecked('payload', inParts(text)))));
    },
  );
});

describe('credentials in a long body', () => {
  const found = (body: string) => {
    const values = atOnce(credentialsInBody(body));
    expect(atOnce(credentialsInBody(inParts(body)))).toEqual(values);
    return values;
  };
  const expected = (body: string) => credentialsIn([], '', body);
  const rows = Array.from({ length: 20_000 }, (_, at) => ({ path: `Plant.Line${at}`, value: at }));

  test.each<[string, unknown, number]>([
    ['in a row', [...rows, { password: 'hunter22', code: 7 }, ...rows], 1],
    ['in a member', { rows, access_token: { a: 'abcdef', b: [1, 'ghijkl'] }, code: 'x', state: rows }, 4],
    ['in a set of headers', { rows, set: [{ headerKey: 'client_secret', headerValue: 'abcdefgh' }] }, 1],
    ['with many parts', { rows, credentials: rows.map(({ path }) => path) }, 20_000],
    ['nested', { rows, a: { rows, b: [{ rows, c: { token: 'abcdefgh' } }] } }, 1],
    ['none', { rows, code: 'ItemGone' }, 0],
  ])('of JSON are found as in a short one: %s', (_, value, count) => {
    const json = JSON.stringify(value);
    expect(found(json)).toHaveLength(count);
    // Cut JSON is text.
    for (const body of [json, JSON.stringify(value, null, 2), json.slice(0, -1)])
      expect(found(body)).toEqual(expected(body));
  });

  test('in deep JSON are found as in a short one', () => {
    const deep = `${'{"a":['.repeat(1_000)}{"token":"abcdefgh"}${']}'.repeat(1_000)}`;
    const body = `{"token":"ijklmnop","x":"${'x'.repeat(300_000)}","b":${deep}}`;
    expect(found(body)).toEqual(expected(body));
  });

  test('of a form are found as in a short one', () => {
    const form = `${'name=value%20x&empty&b=&'.repeat(15_000)}password=abc%20def&x=1&client%5Fsecret=g+h&`;
    expect(found(form)).toEqual(['abc%20def', 'abc def', 'g+h', 'g h']);
    const long = `token=${'x%20'.repeat(90_000)}&${'y'.repeat(200_000)}&secret=${'z'.repeat(200_000)}`;
    for (const body of [form, `${form} and a blank`, long, `${' '.repeat(300_000)}${form}`])
      expect(found(body)).toEqual(expected(body));
  });

  test('of other texts are found as in a short one', () => {
    const parts = [
      'password: "abc"',
      'Bearer abcdefgh',
      'token: Bearer ijkl',
      `bearer${' '.repeat(700)}mnopqr`,
      '<pin>1234</pin>',
      'max_token=5',
      'bearer token=abcd',
    ];
    fc.assert(
      fc.property(longText(parts, 'a word '), (text) => {
        expect(found(text)).toEqual(expected(text));
      }),
      { numRuns: 30 },
    );
  });
});

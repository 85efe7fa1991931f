import { describe, expect, test } from 'vitest';
import { SecretMask } from '../../../../src-main/outbound/secrets/secret-mask.ts';
import { atOnce } from '../../../../src-main/platform/turns.ts';
import { TextFinder } from '../../../../src-main/outbound/secrets/text-finder.ts';
import { fc } from '../../../support/run/random.ts';

type Escape = (text: string) => string;

const units = (text: string, of: (unit: number) => string) =>
  Array.from({ length: text.length }, (_, at) => of(text.charCodeAt(at))).join('');
const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0');
const points = (text: string, of: (point: number) => string) =>
  Array.from(text, (mark) => of(mark.codePointAt(0) ?? 0)).join('');

const JSON_TEXT: Escape = (text) => JSON.stringify(text).slice(1, -1);
const PLAIN = /[\w .~-]/;
const ESCAPES: Record<string, Escape> = {
  JSON: JSON_TEXT,
  'JSON of ASP.NET': (text) =>
    units(text, (unit) => {
      const mark = String.fromCharCode(unit);
      if (mark === '\\') return '\\\\';
      return unit > 126 || /["&'+<>`]/.test(mark) ? `\\u${hex(unit, 4)}` : JSON_TEXT(mark);
    }),
  'JSON of PHP': (text) => JSON_TEXT(text).replaceAll('/', '\\/'),
  'JSON of escapes alone': (text) => units(text, (unit) => `\\u${hex(unit, 4).toLowerCase()}`),
  'HTML of ASP.NET': (text) =>
    points(text, (point) =>
      point < 127 && PLAIN.test(String.fromCodePoint(point)) ? String.fromCodePoint(point) : `&#x${hex(point, 1)};`,
    ),
  'HTML in decimal numbers': (text) => points(text, (point) => `&#${point};`),
  XML: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;'),
  'percent codes': (text) => encodeURIComponent(text),
  'percent codes alone': (text) => Array.from(Buffer.from(text), (byte) => `%${hex(byte, 2)}`).join(''),
  'percent codes of old pages': (text) =>
    units(text, (unit) => {
      const mark = String.fromCharCode(unit);
      if (unit > 255) return `%u${hex(unit, 4)}`;
      return unit > 127 || /[\w@*+./-]/.test(mark) ? mark : `%${hex(unit, 2)}`;
    }),
  'Python bytes': (text) => Array.from(Buffer.from(text), (byte) => `\\x${hex(byte, 2)}`).join(''),
  'a form': (text) => new URLSearchParams([['', text]]).toString().slice(1),
};
const escape = fc.constantFrom(...Object.values(ESCAPES));
const secret = fc
  .string({ unit: 'grapheme', minLength: 5, maxLength: 30 })
  .filter((text) => text.isWellFormed() && !text.includes('*') && !/^(.)\1*$/u.test(text));

describe('a secret in a response', () => {
  test.each(Object.entries(ESCAPES))('is masked in %s, and everything else stays', (_, escaped) => {
    for (const value of ['k+y/"s<&>\'e=cr et', 'aü€😀-key', 'back\\slash\\', 'two\nlines\t.', '100%41"&amp;\\u0041x']) {
      const mask = new SecretMask([value]);
      const [before, after] = [escaped('{"läng": "50% \\ C:\\new\\x &co'), escaped(' \\n& %zz \\u00 "}')];
      expect(mask.text(before + escaped(value) + after)).toBe(`${before}***${after}`);
      const bytes = mask.bytes(Buffer.from(before + escaped(value) + after + escaped(value)));
      expect(bytes.toString()).toBe(`${before}***${after}***`);
      expect(mask.text(before + after)).toBe(before + after);
    }
  });

  test('is masked in any escapes inside others', () => {
    fc.assert(
      fc.property(secret, fc.array(escape, { minLength: 1, maxLength: 4 }), (value, escapes) => {
        const escaped = (text: string) => escapes.reduce((inner, one) => one(inner), text);
        const masked = new SecretMask([value]).text(`${escaped('{"a": "')}${escaped(value)}${escaped('", ')}`);
        expect(masked).toBe(`${escaped('{"a": "')}***${escaped('", ')}`);
      }),
    );
  });

  test('is masked with each of its characters in another escape', () => {
    fc.assert(
      fc.property(secret, fc.infiniteStream(escape), (value, escapes) => {
        const marks = Array.from(value, (mark) => {
          const escaped = escapes.next().value(mark);
          // As it is, it would change what the escape after it means.
          return escaped === mark && /[\\%&]/.test(mark) ? `&#${mark.charCodeAt(0)};` : escaped;
        });
        expect(new SecretMask([value]).text(`<${marks.join('')}>`)).toBe('<***>');
      }),
    );
  });

  test.each([
    ['with a backslash before it', 'C:\\n0t%2Bsecret', 'C:***'],
    [
      'in XML in JSON',
      '{"xml":"\\u003Cp\\u003En0t&#x2B;secret\\u003c\\/p\\u003e"}',
      '{"xml":"\\u003Cp\\u003E***\\u003c\\/p\\u003e"}',
    ],
    ['in named entities', 'n0t&plus;secret', '***'],
    ['in entities without an end', 'n0t&#43secret', '***'],
    ['in escapes of characters', 'n0t\\u{2b}secret n0t\\U0000002bsecret', '*** ***'],
    ['in Base64 in a URL', encodeURIComponent(Buffer.from('u:n0t+secret').toString('base64')), 'dTp***'],
  ])('is masked %s', (_, text, masked) => {
    expect(new SecretMask(['n0t+secret']).text(text)).toBe(masked);
  });

  test.each(['a+few blanks', 'a few+blanks', 'a+few%20blanks', 'a+few blanks &amp;'])(
    'is masked with some of its blanks as in a form: %s',
    (text) => {
      expect(new SecretMask(['a few blanks']).text(text)).toBe(text.endsWith(';') ? '*** &amp;' : '***');
    },
  );

  test('is masked in a header in UTF-8, which is read as Latin-1', () => {
    expect(new SecretMask(['gehüim']).text(Buffer.from('x gehüim').toString('latin1'))).toBe('x ***');
  });

  test('is masked where it overlaps another one', () => {
    expect(new SecretMask(['abcdef', 'defghi']).text('abcdefghi abcdef')).toBe('*** ***');
  });
});

describe('a finder of texts', () => {
  test('finds the same as a search for each text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 4, maxLength: 40 });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1 }),
        fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 400 }),
        (texts, all) => {
          const hidden = Buffer.from(all);
          for (const one of texts) {
            for (let at = all.indexOf(one); at >= 0; at = all.indexOf(one, at + 1))
              hidden.fill('*', at, at + one.length);
          }
          const found = atOnce(new TextFinder(texts.map((one) => Buffer.from(one))).find(Buffer.from(all)));
          const shown = Buffer.from(all);
          for (let index = 0; index < found.length; index += 2) shown.fill('*', found[index], found[index + 1]);
          expect(shown.toString()).toBe(hidden.toString());
        },
      ),
    );
  });
});

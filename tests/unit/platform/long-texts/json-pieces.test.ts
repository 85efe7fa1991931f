import { describe, expect, test } from 'vitest';
import {
  parseInPieces,
  parseWithParts,
  writtenInPieces,
} from '../../../../src-main/platform/long-texts/json-pieces.ts';
import { atOnce, inTurns } from '../../../../src-main/platform/turns.ts';
import { fc } from '../../../support/run/random.ts';

/** With and without parts. */
function parsed(text: string): unknown {
  const value = atOnce(parseInPieces(Buffer.from(text)));
  expect(JSON.stringify(atOnce(parseWithParts(Buffer.from(text)))) === JSON.stringify(value)).toBe(true);
  return value;
}
/** Longer than one piece. */
const PADDING = 'x"\\é,[{}]:'.repeat(20_000);

const LONG = JSON.stringify(PADDING);

/** The value as JSON; that it is no JSON. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    return JSON.stringify(parse());
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return 'no JSON';
    throw thrown;
  }
}

/** A place in a text near the end of one of its parts. */
function nearMark(text: string, from: number): number {
  const at = text.slice(from).search(/[\]}][,:\]}]|",|":/);
  return at < 0 ? text.length : from + at + 1;
}

describe('JSON that is parsed in pieces', () => {
  test('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'grapheme' }), (value, name) => {
        const text = JSON.stringify({
          before: value,
          [name]: [PADDING, value, [value, [PADDING]]],
          after: { a: value },
        });
        expect(parsed(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  test('has the same value or is rejected, wherever it is long, blank, cut or wrong', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    const blanks = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
    const marks = fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '\\', 'x', '\u0001', '1', 'null');
    const places = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), marks), { maxLength: 2 });
    fc.assert(
      fc.property(json, json, blanks, places, fc.boolean(), (one, other, blank, wrong, isList) => {
        const parts = [
          JSON.stringify(one, null, blank),
          JSON.stringify(PADDING),
          JSON.stringify([other, PADDING, one]),
        ];
        const members = isList ? parts : parts.map((part, at) => `"${'ab'[at % 2]}"${blank}:${part}`);
        let text = `${blank}${isList ? '[' : '{'}${blank}${members.join(`${blank},`)}${isList ? ']' : '}'}${blank}`;
        // Next to the members, where it matters.
        for (const [place, mark] of wrong) {
          const at = nearMark(text, Math.floor(place * text.length));
          text = text.slice(0, at) + mark + text.slice(at + (mark === '' ? 1 : 0));
        }
        expect(outcomeOf(() => parsed(text)) === outcomeOf(() => JSON.parse(text))).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test.each<[string, string]>([
    ['the same name twice', `{"a":1,"b":${LONG},"a":2}`],
    ['the same long name twice', `{"a":${LONG},"b":0,"a":[${LONG}],"1":1,"0":0}`],
    ['many levels', `${'[1,'.repeat(60)}${LONG}${']'.repeat(60)}`],
    ['more levels than are divided', `[${LONG},${'['.repeat(2_000)}${']'.repeat(2_000)}]`],
    ['blanks alone', `[${' '.repeat(300_000)}]`],
    ['blanks alone in an object', `{${'\n'.repeat(300_000)}}`],
    ['nothing', ' '.repeat(300_000)],
    ['a page', '<p>a page</p>'.repeat(30_000)],
    ['a page in a list', `[${'<p>a page</p>'.repeat(30_000)}]`],
    ['a number of many digits', '1'.repeat(300_000)],
    ['a negative number of many digits', `[-0.${'1'.repeat(300_000)}]`],
    ['a word that goes on', `true${'e'.repeat(300_000)}`],
    ['a missing first item', `[,${LONG}]`],
    ['a missing last item', `[${LONG},]`],
    ['a missing item', `[${LONG},,1]`],
    ['a missing member', `{"a":${LONG},}`],
    ['a bracket of the other kind', `[{"a":${LONG}]`],
    ['an end of the other kind', `[${LONG}}`],
    ['two values', `[${LONG}],[${LONG}]`],
    ['a text after the end', `[${LONG}] x`],
    ['a long text of quotes', JSON.stringify(['"'.repeat(300_000)])],
    ['a long text of backslashes', JSON.stringify({ a: '\\'.repeat(300_001) })],
    ['a text that ends in a backslash', `["${'x'.repeat(300_000)}\\"]`],
    ['a long name', `{${LONG}:${LONG}}`],
    ['a name that is none', `{${LONG},${LONG}}`],
    ['a long number', `[${'1'.repeat(300_000)}]`],
    ['a control character', `["${'x'.repeat(200_000)}\n${'x'.repeat(200_000)}"]`],
    ['halves of characters', JSON.stringify(['\ud83d'.repeat(50_000), '\u{1f600}'.repeat(90_000)])],
  ])('has the same value or is rejected: %s', (_, text) => {
    expect(outcomeOf(() => parsed(text)) === outcomeOf(() => JSON.parse(text))).toBe(true);
  });

  test('invalid UTF-8 becomes the same characters as in a whole text', () => {
    const bytes = Buffer.concat([
      Buffer.from('["'),
      ...Array.from({ length: 60_000 }, (_, at) =>
        Buffer.from([0x61, 0xc3, 0xe2, 0x82, at % 2 ? 0x80 : 0xff, 0xf0, 0x9f]),
      ),
      Buffer.from('"]'),
    ]);
    expect(atOnce(parseInPieces(bytes))).toEqual(JSON.parse(bytes.toString()));
  });

  test('keeps members that are named like those of every object', () => {
    const text = `{"__proto__":{"polluted":true},"constructor":1,"padding":${JSON.stringify(PADDING)}}`;
    const value = parsed(text);
    expect(Object.keys(value ?? {})).toEqual(['__proto__', 'constructor', 'padding']);
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.hasOwn({}, 'polluted')).toBe(false);
  });

  test.each(['{"a":1', '["a",', '{"a":[1,2}', '{1:2}', '[]]'])('rejects %s', (text) => {
    const long = text.replace(/^(.)/, `$1${text.startsWith('{') ? '"padding":' : ''}${JSON.stringify(PADDING)},`);
    expect(() => parsed(long)).toThrow(SyntaxError);
  });

  test('takes turns with everything else', async () => {
    const item = { text: 'y'.repeat(1_000) };
    const text = Buffer.from(JSON.stringify({ calls: Array.from({ length: 40_000 }, () => item) }));
    let others = 0;
    const timer = setInterval(() => (others += 1), 0);
    const value = await inTurns(parseInPieces(text));
    clearInterval(timer);
    expect(value).toEqual({ calls: Array.from({ length: 40_000 }, () => item) });
    expect(others).toBeGreaterThan(1);
  });
});

describe('JSON that is written in pieces', () => {
  const written = (value: unknown) => Buffer.concat(atOnce(writtenInPieces(value))).toString();

  test('is what JSON.stringify makes of it, and is read again', () => {
    const unit = fc.constantFrom('x', '"', '\\', '\n', 'é', '€', '\u{1f600}', '\ud83d', '\u0001');
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(unit, { minLength: 1, maxLength: 7 }), (value, units) => {
        const long = units.join('').repeat(90_000);
        const whole = {
          undefined: undefined,
          value,
          long: [[[[[long, value]]]], { [long.slice(0, 20)]: long }],
          none: [{}],
        };
        const text = written(whole);
        expect(text === JSON.stringify(whole)).toBe(true);
        expect(JSON.stringify(parsed(text)) === text).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test('may have texts in parts, whose pieces end in characters and escapes', () => {
    for (const unit of ['\\ud83d\\ude00', '\\ud83d', '\u{1f600}', 'é\\u00e9', '\\\\\\"x']) {
      for (const before of ['', 'x', 'xx', 'xxxxx']) {
        const text = `[1,{"a":"${before}${unit.repeat(40_000)}${unit.repeat(30_000)}"}]`;
        const value: unknown = JSON.parse(text);
        const parts = atOnce(parseWithParts(Buffer.from(text)));
        expect(written(parts) === JSON.stringify(value)).toBe(true);
      }
    }
  });

  test.each(['"a"b"', '"ab', 'a"'])('a long text that is wrong is rejected: %s', (wrong) => {
    expect(() => parsed(wrong.replace('a', 'a'.repeat(200_000)))).toThrow(SyntaxError);
  });
});

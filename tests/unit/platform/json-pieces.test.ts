import { describe, expect, test } from 'vitest';
import { parseInPieces } from '../../../src-main/platform/json-pieces.ts';
import { atOnce, inTurns } from '../../../src-main/platform/turns.ts';
import { fc } from '../../support/random.ts';

const parsed = (text: string) => atOnce(parseInPieces(Buffer.from(text)));
/** Longer than one piece. */
const PADDING = 'x"\\é,[{}]:'.repeat(20_000);

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

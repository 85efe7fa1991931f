import { describe, expect, test } from 'vitest';
import {
  placeIn,
  replacedIn,
  TextBuilder,
  type TextInParts,
} from '../../../../src-main/platform/long-texts/text-in-parts.ts';
import { atOnce } from '../../../../src-main/platform/turns.ts';
import { fc } from '../../../support/run/random.ts';

function inParts(pieces: readonly string[]): TextInParts {
  const builder = new TextBuilder();
  for (const piece of pieces) builder.add(piece);
  return builder.build();
}

const units = fc.constantFrom('x', 'é', '€', '\u{1f600}', '\ud83d', '\ude00', '{{', '');
/** Pieces that end anywhere, also between the halves of a character. */
const pieces = fc.array(
  fc.tuple(units, fc.integer({ min: 1, max: 90_000 })).map(([unit, times]) => unit.repeat(times)),
  { maxLength: 8 },
);

describe('a text in parts', () => {
  test('is read like the text', () => {
    fc.assert(
      fc.property(pieces, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(300_000), (given, place, length) => {
        const whole = given.join('');
        const text = inParts(given);
        const from = Math.floor(place * whole.length);
        expect(text.whole === whole).toBe(true);
        expect(JSON.stringify(text) === JSON.stringify(whole)).toBe(true);
        expect([text.length, text.bytes]).toEqual([whole.length, Buffer.byteLength(whole)]);
        expect(text.slice(from, from + length) === whole.slice(from, from + length)).toBe(true);
        expect(text.slice(from) === whole.slice(from)).toBe(true);
        for (const at of [from, 0, whole.length - 1, whole.length]) if (at >= 0) expect(text.at(at)).toBe(whole.at(at));
      }),
      { numRuns: 30 },
    );
  });

  test('has no part that ends between the halves of a character', () => {
    const high = '\ud83d';
    const low = '\ude00';
    const { parts, whole } = inParts([
      `${'x'.repeat(131_071)}${high}`,
      low,
      high,
      `${low}${'y'.repeat(200_000)}${high}`,
    ]);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts.slice(0, -1)) expect(part.isWellFormed()).toBe(true);
    // The last half has no other one.
    expect(whole.slice(131_071, 131_075)).toBe('\u{1f600}\u{1f600}');
    expect(whole.at(-1)).toBe(high);
  });

  test('may be empty', () => {
    const text = inParts(['', '']);
    expect([text.whole, text.length, text.bytes, text.slice(0), text.at(0)]).toEqual(['', 0, 0, '', undefined]);
    expect(atOnce(placeIn(text, 'a'))).toBe(-1);
    expect(atOnce(placeIn(text, ''))).toBe(0);
  });

  test('is searched like the text', () => {
    const wanted = fc.constantFrom('x', '&', 'xé', '\ude00', '\u{1f600}\u{1f600}', 'y'.repeat(200_000), '{{x', '€x');
    fc.assert(
      fc.property(pieces, wanted, fc.nat(200_000), (given, search, from) => {
        const whole = given.join('');
        const expected = whole.indexOf(search, from);
        const start = Math.min(from, whole.length);
        expect(atOnce(placeIn(inParts(given), search, start))).toBe(expected);
        expect(atOnce(placeIn(whole, search, start))).toBe(expected);
        const end = Math.floor((start + whole.length) / 2);
        const before = whole.slice(0, end).indexOf(search, start);
        expect(atOnce(placeIn(inParts(given), search, start, end))).toBe(before);
      }),
      { numRuns: 40 },
    );
  });

  test('is replaced like the text', () => {
    fc.assert(
      fc.property(pieces, (given) => {
        const whole = given.join('');
        const found = Array.from(whole.matchAll(/é{1,60000}|\{\{/g), ({ 0: text, index }) => ({
          from: index,
          to: index + text.length,
          text: `<${text.length}>`,
        }));
        const expected = whole.replaceAll(/é{1,60000}|\{\{/g, (text) => `<${text.length}>`);
        expect(atOnce(replacedIn(inParts(given), found)).whole === expected).toBe(true);
        expect(atOnce(replacedIn(whole, found)).whole === expected).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});

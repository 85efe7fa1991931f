import { expect, test } from 'vitest';
import { longTextMatches } from '../../../../src-preload/domain/search/long-text.ts';
import { compileQuery } from '../../../../src-preload/domain/search/query.ts';
import { fc } from '../../../support/run/random.ts';

const starts = (text: string, searched: string, matchCase: boolean): number[] =>
  [...longTextMatches(text, matchCase)(searched)].map(({ start, end }) => {
    expect(end - start).toBe(text.length);
    return start;
  });

const CHARACTERS = [
  'a',
  'A',
  'k',
  'K',
  '\u212a',
  'ſ',
  's',
  'ς',
  'σ',
  'Σ',
  'ß',
  'ẞ',
  'İ',
  'ı',
  'µ',
  'μ',
  'Ǆ',
  'ǅ',
  '𐐀',
  '𐐨',
  '\ud801',
];
const text = fc.array(fc.constantFrom(...CHARACTERS), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
const searched = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 60 }).map((all) => all.join(''));

test('finds what an expression finds', () => {
  fc.assert(
    fc.property(text, searched, fc.boolean(), (wanted, around, matchCase) => {
      const expression = new RegExp(wanted, matchCase ? 'gu' : 'giu');
      const expected = [...around.matchAll(expression)].map(({ index }) => index);
      expect(starts(wanted, around, matchCase)).toEqual(expected);
    }),
  );
});

test('a text that repeats itself, and does not overlap', () => {
  expect(starts('abab', 'ababababa', true)).toEqual([0, 4]);
  expect(starts('aab', 'aaaabaab', true)).toEqual([2, 5]);
});

test('a long text is found by a search', () => {
  const long = `${'a'.repeat(5_000)}b${'a'.repeat(4_000)}`;
  const around = `${'A'.repeat(100_000)}${long.toUpperCase()}${'A'.repeat(100_000)}`;
  for (const matchCase of [false, true]) {
    const compiled = compileQuery({ text: long, regex: false, matchCase, wholeWord: false });
    const found = compiled.ok && [...compiled.matcher(around)];
    expect(found).toEqual(matchCase ? [] : [{ start: 100_000, end: 109_001 }]);
  }
});

import { expect, test } from 'vitest';
import { foundText, MatchPlaces, SEARCH_KINDS, searchKindName } from '../../../../src-preload/domain/search/found.ts';
import { nameFilter } from '../../../../src-preload/domain/search/name-filter.ts';

test('a match has its line, column and the text around it', () => {
  const text = 'first\n  const speed = 1;\r\nlast speed';
  const places = new MatchPlaces(text);
  expect(places.matchOf({ start: 14, end: 19 })).toEqual({
    start: 14,
    end: 19,
    line: 2,
    column: 9,
    before: 'const ',
    text: 'speed',
    after: ' = 1;',
  });
  expect(places.matchOf({ start: 31, end: 36 })).toMatchObject({ line: 3, column: 6, before: 'last ', after: '' });
});

test('a match at the start of a line, of several lines, and in a long line', () => {
  const places = new MatchPlaces('a\nb\nc');
  expect(places.matchOf({ start: 2, end: 5 })).toMatchObject({
    line: 2,
    column: 1,
    text: 'b\nc',
    before: '',
    after: '',
  });
  const long = `${'x'.repeat(5_000)}y${'z'.repeat(5_000)}`;
  const match = new MatchPlaces(long).matchOf({ start: 5_000, end: 5_001 });
  expect(match).toMatchObject({ line: 1, column: 5_001, before: `…${'x'.repeat(80)}`, after: 'z'.repeat(200) });
  expect(new MatchPlaces(long).matchOf({ start: 0, end: 5_000 }).text).toBe(`${'x'.repeat(300)}…`);
});

test('names are included and excluded by patterns', () => {
  const passes = (include: string, exclude: string, name: string) => nameFilter(include, exclude)(name);
  expect(passes('', '', 'Line 2/Fill')).toBe(true);
  expect(passes('line 2', '', 'Line 2/Fill')).toBe(true);
  expect(passes('Line 2/*', '', 'Line 2/Fill')).toBe(true);
  expect(passes('Line 2/*', '', 'Old Line 2/Fill')).toBe(false);
  expect(passes('*/Fill, */Cap', '', 'Line 2/Cap')).toBe(true);
  expect(passes('L*2*F*l', '', 'Line 2/Fill')).toBe(true);
  expect(passes('L*l*l*l*l', '', 'Line 2/Fill')).toBe(false);
  expect(passes('', 'Line 2/*', 'Line 2/Fill')).toBe(false);
  expect(passes('Line*', '*fill', 'Line 2/Fill')).toBe(false);
  expect(passes(' , ', ',', 'Line 2/Fill')).toBe(true);
});

test('kinds have names, and results a summary', () => {
  expect(SEARCH_KINDS.map((kind) => searchKindName(kind, 2))).toEqual([
    'scripts',
    'drafts',
    'tests',
    'tags',
    'rules',
    'mocks',
  ]);
  expect(searchKindName('mocks')).toBe('mock');
  const end = { matches: 1_200, items: 1, more: 0, capped: false };
  expect(foundText(end)).toBe('1,200 matches in 1 item');
  expect(foundText({ ...end, more: 200 })).toBe('1,200 matches in 1 item; the first 1,000 are listed');
  expect(foundText({ ...end, matches: 0, items: 0 })).toBe('No matches');
});

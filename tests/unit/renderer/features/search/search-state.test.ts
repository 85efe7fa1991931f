import { expect, test } from 'vitest';
import type { FoundItem, Match } from '#domain/search/found';
import {
  EMPTY_FORM,
  idAfter,
  adjacentMatch,
  matchesOf,
  requestFor,
  shownResults,
} from '../../../../../src-renderer/features/search/model/search-state.ts';

const match = (start: number, text = 'abc'): Match => ({
  start,
  end: start + text.length,
  line: 1,
  column: start + 1,
  before: '',
  text,
  after: '',
});
const item = (key: string, ...starts: number[]): FoundItem => ({
  kind: 'scripts',
  key,
  name: key,
  scriptId: 1,
  readOnly: null,
  texts: [
    { field: 'body', hash: `h${key}`, matches: starts.map((start) => match(start)) },
    { field: 'other', hash: 'h', matches: [match(0)] },
  ],
});
const items = [item('1', 0, 10), item('2', 5)];

test('excluded items and matches are not shown; an item without matches neither', () => {
  const ids = (...excluded: string[]) =>
    shownResults({ items, excluded: new Set(excluded) }).map(({ matches }) => matches.map(({ id }) => id));
  expect(ids('scripts:1')).toEqual([['scripts:2:body:5', 'scripts:2:other:0']]);
  expect(ids('scripts:1:body:0', 'scripts:2:body:5', 'scripts:2:other:0')).toEqual([
    ['scripts:1:body:10', 'scripts:1:other:0'],
  ]);
});

test('the next and the previous match, around the end', () => {
  const shown = shownResults({ items, excluded: new Set() });
  expect(adjacentMatch(shown, null, 1)?.id).toBe('scripts:1:body:0');
  expect(adjacentMatch(shown, 'scripts:1:other:0', 1)?.id).toBe('scripts:2:body:5');
  expect(adjacentMatch(shown, 'scripts:2:other:0', 1)?.id).toBe('scripts:1:body:0');
  expect(adjacentMatch(shown, null, -1)?.id).toBe('scripts:2:other:0');
  expect(adjacentMatch([], null, 1)).toBeNull();
});

test('a request has the chosen matches of each text', () => {
  const [first, , other] = matchesOf(item('1', 0, 10));
  expect(requestFor([first, other].filter((one) => one !== undefined))).toEqual([
    {
      kind: 'scripts',
      key: '1',
      texts: [
        { field: 'body', hash: 'h1', starts: [0] },
        { field: 'other', hash: 'h', starts: [0] },
      ],
    },
  ]);
});

test('matches after a replaced one in the same text have moved', () => {
  const form = { ...EMPTY_FORM, text: 'abc', replacement: 'longer' };
  const replaced = matchesOf(item('1', 0, 20)).slice(0, 1);
  expect(idAfter('scripts:1:body:10', replaced, form)).toBe('scripts:1:body:13');
  expect(idAfter('scripts:1:other:0', replaced, form)).toBe('scripts:1:other:0');
  expect(idAfter('scripts:2:body:10', replaced, form)).toBe('scripts:2:body:10');
  expect(idAfter('scripts:1:body:0', replaced, form)).toBe('scripts:1:body:0');
});

import { expect, test } from 'vitest';
import { EMPTY_CONTEXT, sameContext, withUsed } from '#domain/run/saved-context';
import type { SavedContext } from '#domain/run/saved-context';
import {
  contextOf,
  contextOfUse,
  contextParts,
  sampleContext,
} from '../../../src-renderer/features/scripts/model/run-context.ts';

const formOf = (tagName: string): SavedContext => ({ ...EMPTY_CONTEXT, tagName });

test('scripts of the sample have a context, with the value in a suitable form', () => {
  const order = sampleContext('Line 1', 'Start an order');
  expect(order).toMatchObject({ diagram: 'Line overview', location: 'Line1', valueMode: 'json' });
  expect(order && contextOf(order)?.tagValue).toMatchObject({ number: 4720 });
  expect(sampleContext('Line 1', 'Set the speed set point')).toMatchObject({ valueMode: 'number', valueText: '430' });
  expect(sampleContext('Line 1', 'OEE of the shift')).toMatchObject({ valueMode: 'none', diagram: '' });
  expect(sampleContext('Line 1', 'Another')).toBeNull();
});

test('a tag with the script provides its path, and whether it is a write', () => {
  const use = { path: 'A.b.c', kind: 'script' as const, member: 'writeScript', line: null, column: null };
  const typed: SavedContext = { ...EMPTY_CONTEXT, location: 'W1', valueMode: 'number', valueText: '5' };
  expect(contextOfUse(use, typed)).toEqual({ ...typed, tagName: 'A.b.c' });
  expect(contextOfUse(use, EMPTY_CONTEXT).valueMode).toBe('json');
  expect(contextOfUse({ ...use, member: 'readScript' }, typed)).toMatchObject({ tagName: 'A.b.c', valueMode: 'none' });
});

test('the last used one is first, without duplicates and empty ones', () => {
  const first = withUsed([], formOf('A'));
  expect(withUsed(withUsed(first, formOf('B')), formOf('A'))).toEqual([formOf('A'), formOf('B')]);
  expect(withUsed(first, EMPTY_CONTEXT)).toEqual(first);
  const many = Array.from({ length: 20 }, (_, index) => formOf(String(index)));
  expect(many.reduce<SavedContext[]>(withUsed, []).map(({ tagName }) => tagName)).toEqual([
    '19',
    '18',
    '17',
    '16',
    '15',
    '14',
    '13',
    '12',
  ]);
});

test('an unused value makes no difference', () => {
  expect(sameContext({ ...formOf('A'), valueText: '5' }, formOf('A'))).toBe(true);
  expect(sameContext({ ...formOf('A'), valueMode: 'text' }, formOf('A'))).toBe(false);
});

test('a context is described part by part', () => {
  const form: SavedContext = {
    tagName: 'A.b.c',
    diagram: 'D',
    location: 'W1',
    valueMode: 'json',
    valueText: '{"a": 1}',
  };
  expect(contextParts(form).map(({ name, text }) => `${name}: ${text}`)).toEqual([
    ': A.b.c',
    'Diagram: D',
    'workcenter: W1',
    'tagValue: {"a": 1}',
  ]);
  expect(contextParts(EMPTY_CONTEXT)).toEqual([{ name: '', text: 'no tag' }]);
});

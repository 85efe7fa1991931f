import { expect, test } from 'vitest';
import {
  contextOf,
  EMPTY_CONTEXT,
  NO_CONTEXTS,
  problemOfContextName,
  sameContext,
  withoutSaved,
  withSaved,
  withUsed,
} from '#domain/run/saved-context';
import { shownContext } from '../../../../../src-renderer/features/scripts/model/open-contexts.ts';
import type { NamedContext, SavedContext, ScriptContexts } from '#domain/run/saved-context';
import {
  contextOfUse,
  contextParts,
  sampleContext,
} from '../../../../../src-renderer/features/scripts/model/run-context.ts';

const formOf = (tagName: string): SavedContext => ({ ...EMPTY_CONTEXT, tagName });

test('scripts of the sample have a context, with the value in a suitable form', () => {
  const order = sampleContext('Line 1', 'Start an order');
  expect(order).toMatchObject({ name: 'Order 4720', diagram: 'Line overview', location: 'Line1', valueMode: 'json' });
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
  expect(many.reduce<SavedContext[]>((used, one) => withUsed(used, one), []).map(({ tagName }) => tagName)).toEqual([
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

const named = (name: string, tagName = name): NamedContext => ({ ...formOf(tagName), name });
const namesOf = (contexts: ScriptContexts | null) => contexts?.named.map(({ name }) => name);

test('saved contexts are added, replaced, renamed and moved', () => {
  const one = withSaved({ ...NO_CONTEXTS, used: [formOf('A'), formOf('B')] }, { context: named('A') });
  expect(one).toMatchObject({ chosen: 'A', named: [named('A')], used: [formOf('B')] });
  const two = withSaved(one ?? NO_CONTEXTS, { context: named('B') }) ?? NO_CONTEXTS;
  expect(two).toMatchObject({ chosen: 'B', used: [] });
  expect(withSaved(two, { context: named('a', 'C'), before: 'A' })?.named).toEqual([named('a', 'C'), named('B')]);
  expect(namesOf(withSaved(two, { context: named('B'), before: 'b', at: 0 }))).toEqual(['B', 'A']);
  expect(namesOf(withSaved(two, { context: named('C'), at: 1 }))).toEqual(['A', 'C', 'B']);
  expect(withSaved(two, { context: named('C'), before: 'other' })).toBeNull();
  expect(withoutSaved(two, 'b')).toMatchObject({ chosen: null, named: [named('A')] });
  expect(withoutSaved(two, 'A')).toMatchObject({ chosen: 'B', named: [named('B')] });
});

test('names of saved contexts are unique regardless of case', () => {
  const all = [named('Order 1'), named('Order 2')];
  expect(problemOfContextName(all, 'ORDER 1')).toContain('already has a context named "Order 1"');
  expect(problemOfContextName(all, 'order 1', 'Order 1')).toBeNull();
  expect(problemOfContextName(all, 'order 1', 'Order 2')).not.toBeNull();
  expect(problemOfContextName(all, ' ')).toBe('Enter a name');
  expect(problemOfContextName(all, 'x'.repeat(101))).toBe('At most 100 characters');
});

test('the first saved context is preselected until something is typed', () => {
  const two = { ...NO_CONTEXTS, named: [named('A'), named('B')] };
  expect(shownContext(NO_CONTEXTS)).toEqual({ context: EMPTY_CONTEXT, chosen: null });
  expect(shownContext(NO_CONTEXTS, named('S', 'T'))).toMatchObject({ context: { tagName: 'T' }, chosen: null });
  expect(shownContext(two, named('S'))).toEqual({ context: formOf('A'), chosen: 'A' });
  expect(shownContext({ ...two, current: EMPTY_CONTEXT })).toEqual({ context: EMPTY_CONTEXT, chosen: null });
  expect(shownContext({ ...two, current: formOf('X'), chosen: 'b' })).toEqual({ context: formOf('X'), chosen: 'B' });
});

test('a used context that is saved is not also a recent one', () => {
  expect(withUsed([], formOf('A'), [named('One', 'A')])).toEqual([]);
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

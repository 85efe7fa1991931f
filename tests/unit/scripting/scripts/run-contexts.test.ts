import { expect, test } from 'vitest';
import { CONTEXT_LIMITS, EMPTY_CONTEXT, NO_CONTEXTS } from '#domain/run/saved-context';
import { RunContexts } from '../../../../src-main/scripting/scripts/run-contexts.ts';
import { CHECK, openLibrary } from './open-library.ts';

const of = (tagName: string) => ({ ...EMPTY_CONTEXT, tagName });

test('run contexts are stored with the script: the typed one and used ones', async () => {
  const { library, store } = openLibrary();
  const { id } = await library.save(CHECK);
  const contexts = new RunContexts({ store, scripts: library });
  expect(contexts.get({ id })).toEqual(NO_CONTEXTS);
  await contexts.keep({ id, context: of('A'), used: true });
  await contexts.keep({ id, context: of('B'), used: true });
  expect(await contexts.keep({ id, context: of('unfinished {'), used: false })).toEqual({
    ...NO_CONTEXTS,
    current: of('unfinished {'),
    used: [of('B'), of('A')],
  });
  expect(contexts.get({ id }).used).toEqual([of('B'), of('A')]);
  expect(await contexts.replace({ id, used: [of('C')] })).toEqual({
    ...NO_CONTEXTS,
    current: of('unfinished {'),
    used: [of('C')],
  });

  await library.delete({ id });
  await expect(contexts.keep({ id, context: of('A'), used: true })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await library.restore({ id });
  expect(contexts.get({ id }).used).toEqual([of('C')]);
});

test('windows that use contexts concurrently lose none of them', async () => {
  const { library, store } = openLibrary();
  const { id } = await library.save(CHECK);
  const [one, other] = [new RunContexts({ store, scripts: library }), new RunContexts({ store, scripts: library })];
  await Promise.all([one.keep({ id, context: of('A'), used: true }), other.keep({ id, context: of('B'), used: true })]);
  expect(one.get({ id }).used).toEqual([of('B'), of('A')]);
});

test('saved contexts have unique names, a limit, and the chosen one', async () => {
  const { library, store } = openLibrary();
  const { id } = await library.save(CHECK);
  const contexts = new RunContexts({ store, scripts: library });
  const named = (name: string) => ({ ...of(name), name });
  expect((await contexts.save({ id, context: named('One') })).chosen).toBe('One');
  await expect(contexts.save({ id, context: named('ONE') })).rejects.toMatchObject({ code: 'CONFLICT' });
  await contexts.save({ id, context: named('Two') });
  await contexts.keep({ id, context: of('One'), used: true });
  expect(await contexts.keep({ id, context: of('typed'), used: false, chosen: 'One' })).toEqual({
    current: of('typed'),
    chosen: 'One',
    named: [named('One'), named('Two')],
    used: [],
  });
  expect((await contexts.save({ id, context: named('First'), before: 'two', at: 0 })).named).toEqual([
    named('First'),
    named('One'),
  ]);
  await expect(contexts.save({ id, context: named('X'), before: 'Two' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await contexts.delete({ id, name: 'first' })).toMatchObject({ chosen: null, named: [named('One')] });
  const twice = contexts.replace.bind(contexts, { id, used: [], named: [named('A'), named('a')] });
  await expect(Promise.resolve().then(twice)).rejects.toMatchObject({ code: 'CONFLICT' });
  const many = Array.from({ length: CONTEXT_LIMITS.named }, (_, index) => named(`C${index}`));
  await contexts.replace({ id, used: [], named: many });
  await expect(contexts.save({ id, context: named('more') })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

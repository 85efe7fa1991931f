import { expect, test } from 'vitest';
import { EMPTY_CONTEXT } from '#domain/run/saved-context';
import { RunContexts } from '../../../../src-main/scripting/scripts/run-contexts.ts';
import { CHECK, openLibrary } from './open-library.ts';

const of = (tagName: string) => ({ ...EMPTY_CONTEXT, tagName });

test('run contexts are stored with the script: the typed one and used ones', async () => {
  const { library, store } = openLibrary();
  const { id } = await library.save(CHECK);
  const contexts = new RunContexts({ store, scripts: library });
  expect(contexts.get({ id })).toEqual({ current: null, used: [] });
  await contexts.keep({ id, context: of('A'), used: true });
  await contexts.keep({ id, context: of('B'), used: true });
  expect(await contexts.keep({ id, context: of('unfinished {'), used: false })).toEqual({
    current: of('unfinished {'),
    used: [of('B'), of('A')],
  });
  expect(contexts.get({ id }).used).toEqual([of('B'), of('A')]);
  expect(await contexts.replace({ id, used: [of('C')] })).toEqual({ current: of('unfinished {'), used: [of('C')] });

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

import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { TagService } from '../../../../src-main/plant/tags/tag-service.ts';
import { openStore } from '../../../support/services/open-store.ts';
import { tagsOver } from '../../../support/services/wired-tags.ts';
import { storage, tagOf } from './tag-workspace.ts';

const TARGET = 'Line1.Filler.Target.Value';
const SUM = tagOf('Line1.Filler.Sum.Value', 'calculation', 'Double', { expression: `tag('${TARGET}') + 1` });

/** The tags of a workspace as a short command has them, and how often they were read from the file. */
async function lateTags() {
  const store = openStore();
  onTestFinished(() => store.close());
  const { tags: before } = tagsOver(store);
  const level = tagOf('Line1.Filler.Level.Value', 'machine', 'Double', { signal: { kind: 'constant', value: 4 } });
  for (const tag of [storage(TARGET, 'Double', { initial: 1 }), level, SUM]) await before.definitions.save(tag);
  await before.set({ items: [{ tag: TARGET, value: 2 }], location: 'Line 1' });
  const all = vi.spyOn(store.tags, 'all');
  const values = vi.spyOn(store.values, 'of');
  const { tags, logged } = tagsOver(store, { loadsLate: true });
  return { tags, before, logged, all, values, reads: () => all.mock.calls.length };
}

/** Something that a command does first, and what it returns. */
const FIRST: [string, (tags: TagService) => unknown][] = [
  ['the number of tags', (tags) => tags.definitions.size],
  ['a list', (tags) => tags.definitions.list({})],
  ['a search', (tags) => tags.definitions.list({ filter: 'target' })],
  ['a Get', (tags) => tags.get({ paths: [TARGET], location: 'Line 1' })],
  ['a kind', (tags) => tags.kindOf(SUM.path)],
  ['the locations', (tags) => [...tags.storedLocations()]],
  ['the dependencies', (tags) => tags.definitions.inputsOf(SUM.path)],
  ['the scopes of a tag', (tags) => tags.scopes({ path: TARGET })],
  ['an unknown path', (tags) => tags.definitions.check({ paths: ['Line1.Filler.Targe.Value'] })],
  ['a Set', (tags) => tags.set({ items: [{ tag: TARGET, value: 3 }] })],
  ['a changed tag', (tags) => tags.definitions.save(storage(TARGET, 'Double', { initial: 5 }))],
  ['a new tag', (tags) => tags.definitions.save(storage('Line1.Filler.New.Value'))],
];

describe('tags that are loaded when they are first asked for', () => {
  test('are not read before', async () => {
    const { tags, reads } = await lateTags();
    tags.session({ dryRun: false });
    expect(reads()).toBe(0);
    expect(tags.definitions.size).toBe(3);
    expect(tags.definitions.size).toBe(3);
    expect(reads()).toBe(1);
  });

  test('are read again if the file could not be read', async () => {
    const { tags, all, values } = await lateTags();
    all.mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    expect(() => tags.kindOf(TARGET)).toThrow('disk I/O error');
    values.mockImplementationOnce(() => {
      throw new Error('another error');
    });
    expect(() => tags.kindOf(TARGET)).toThrow('another error');
    expect(tags.get({ paths: [TARGET], location: 'Line 1' })).toMatchObject([{ value: 2 }]);
  });

  test.each(FIRST)('are complete for %s', async (_what, act) => {
    const late = await lateTags();
    const { before } = await lateTags();
    expect(await act(late.tags)).toEqual(await act(before));
    expect(late.reads()).toBe(1);
    expect(late.tags.definitions.list({})).toEqual(before.definitions.list({}));
    expect(late.logged).toEqual([]);
  });

  test('follow a change of a tag that nothing read before', async () => {
    const { tags } = await lateTags();
    const touched: (readonly string[])[] = [];
    tags.onValues((paths) => touched.push(paths));
    await tags.set({ items: [{ tag: TARGET, value: 3 }] });
    expect(touched).toEqual([[TARGET, SUM.path]]);
  });
});

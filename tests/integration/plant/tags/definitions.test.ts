import { describe, expect, test } from 'vitest';
import type { TagDefinition, TagValue } from '#domain/tag/tag';
import type { MaybePromise } from '../../../../src-main/platform/maybe-promise.ts';
import { createKinds } from '../../../../src-main/plant/tags/kinds/index.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { machine, storage, tagOf, tagWorkspace } from './tag-workspace.ts';

const PATH = 'Line1.Filler.Target.Value';
const valuesOf = (values: MaybePromise<TagValue[]>) => {
  if (values instanceof Promise) throw new Error('values in memory need no promise');
  return values.map(({ value }) => value);
};

describe('definitions', () => {
  test('are saved, replaced, listed and deleted', async () => {
    const { tags, reopen } = tagWorkspace();
    const totals: number[] = [];
    const stop = tags.definitions.onChange(({ total }) => totals.push(total));
    const definition: TagDefinition = { ...storage(PATH, 'Double', { initial: 1 }), unit: '°C', description: 'a\nb' };
    await tags.definitions.save(definition);
    await tags.definitions.save(storage('Line1.Filler.Actual.Value'));
    await tags.definitions.save({ ...definition, description: 'Set point' });
    expect(tags.definitions.list({})).toEqual({
      tags: [storage('Line1.Filler.Actual.Value'), { ...definition, description: 'Set point' }],
      total: 2,
      next: null,
    });
    expect(reopen().definitions.list({})).toEqual(tags.definitions.list({}));
    await tags.definitions.delete({ paths: [PATH, PATH] });
    expect(totals).toEqual([1, 2, 2, 1]);
    stop();
    expect(tags.get({ paths: [PATH] })).toMatchObject([{ quality: 'BadNodeIdUnknown', type: 'Unknown' }]);
    expect(reopen().definitions.list({}).total).toBe(1);
  });

  test.each<[string, Partial<TagDefinition>, string, (string | number)[]]>([
    ['a short path', { path: 'Line1.Speed' }, 'at least three segments', ['path']],
    ['an empty segment', { path: 'Line1..Speed.Value' }, 'empty segment', ['path']],
    ['a path of 1 MB', { path: `A.B.${'c'.repeat(1_000_000)}` }, 'at most 512 characters', ['path']],
    ['half a character', { path: 'A.B.\ud800' }, 'unpaired surrogate', ['path']],
    ['a long description', { description: 'x'.repeat(4_001) }, 'at most 4000 characters', ['description']],
    ['a line break in the unit', { unit: 'm\ns' }, 'no control characters', ['unit']],
    [
      'an unknown setting',
      { settings: { inital: 1 } },
      '"inital" is not a field here: remove it, or write initial',
      ['settings'],
    ],
    [
      'an initial value of another type',
      { settings: { initial: 'x' } },
      'cannot be converted to Double',
      ['settings', 'initial'],
    ],
  ])('reject %s', async (_what, part, message, path) => {
    const { tags } = tagWorkspace();
    const error = await thrownBy(() => tags.definitions.save({ ...storage(PATH), ...part }));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toContain(message);
    expect(error.message.length).toBeLessThan(1_000);
    expect(error.data['issues']).toEqual([{ path, message: expect.stringContaining(message) }]);
    expect(tags.definitions.size).toBe(0);
  });

  test('may have a path that is also a group of other tags', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage('A.B.C', 'Int', { initial: 1 }));
    await tags.definitions.save(storage('A.B.C.D', 'Int', { initial: 2 }));
    expect(valuesOf(tags.get({ paths: ['A.B.C', 'A.B.C.D'] }))).toEqual([1, 2]);
  });

  test('accept names with a meaning in JavaScript', async () => {
    const { tags, reopen } = tagWorkspace();
    for (const path of ['__proto__.__proto__.__proto__', 'constructor.prototype.toString']) {
      await tags.definitions.save(storage(path, 'String'));
      await tags.set({ items: [{ tag: path, value: path }] });
      expect(valuesOf(reopen().get({ paths: [path] }))).toEqual([path]);
    }
  });

  test('keep convertible values of every scope on a new type, and drop the others', async () => {
    const { tags, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'String', { initial: '0' }));
    await tags.set({ items: [{ tag: PATH, value: '12.5' }] });
    await tags.set({ items: [{ tag: PATH, value: 'off' }], diagram: 'Filler' });
    await tags.set({ items: [{ tag: PATH, value: '7' }], location: 'Hall 1' });
    await tags.definitions.save(storage(PATH, 'Double', { initial: 0 }));
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([{ path: PATH, value: 12.5, quality: 'Good', type: 'Double' }]);
      expect(valuesOf(service.get({ paths: [PATH], diagram: 'Filler' }))).toEqual([12.5]);
      expect(valuesOf(service.get({ paths: [PATH], location: 'Hall 1' }))).toEqual([7]);
    }
    await tags.definitions.save(machine(PATH, { kind: 'constant', value: 3 }));
    await tags.set({ items: [{ tag: PATH, value: 4 }] });
    await tags.force({ path: PATH, quality: 'UncertainSubNormal' });
    await tags.definitions.save(machine(PATH, { kind: 'constant', value: true }, 'Boolean'));
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toMatchObject([
        { path: PATH, value: true, quality: 'UncertainSubNormal', type: 'Boolean' },
      ]);
    }
  });

  test('start without values when the kind changes', async () => {
    const { tags, reopen, database } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Double', { initial: 1 }));
    await tags.set({ items: [{ tag: PATH, value: 2 }] });
    await tags.definitions.save(machine(PATH, { kind: 'constant', value: 3 }));
    expect(valuesOf(tags.get({ paths: [PATH] }))).toEqual([3]);
    await tags.definitions.save(storage(PATH, 'Double', { initial: 1 }));
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths: [PATH] }))).toEqual([1]);
    expect(database.prepare('SELECT count(*) AS n FROM storage_values').get()).toEqual({ n: 0 });
  });

  test('stay unchanged if a save fails', async () => {
    const { tags, database, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Double', { initial: 1 }));
    database.exec("CREATE TRIGGER full BEFORE UPDATE ON tags BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await expect(tags.definitions.save(storage(PATH, 'String'))).rejects.toThrow('no room');
    database.exec('DROP TRIGGER full');
    await tags.set({ items: [{ tag: PATH, value: 2 }] });
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths: [PATH] }))).toEqual([2]);
  });

  test('are changed in the order of requests', async () => {
    const { tags, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Double', { initial: 0 }));
    await Promise.all([
      tags.definitions.delete({ paths: [PATH] }),
      tags.definitions.save(storage(PATH, 'Int', { initial: 5 })),
      tags.definitions.save(storage(PATH, 'String', { initial: 'x' })),
    ]);
    for (const service of [tags, reopen()]) {
      expect(service.get({ paths: [PATH] })).toEqual([{ path: PATH, value: 'x', quality: 'Good', type: 'String' }]);
      expect(service.definitions.size).toBe(1);
    }
    await Promise.all([
      tags.definitions.save(storage('Line1.New.Tag.Value', 'Int', { initial: 1 })),
      tags.definitions.save(storage('Line1.New.Tag.Value', 'Int', { initial: 2 })),
    ]);
    for (const service of [tags, reopen()])
      expect(valuesOf(service.get({ paths: ['Line1.New.Tag.Value'] }))).toEqual([2]);
  });

  test('are rejected if unknown, with the nearest paths', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage(PATH));
    await tags.definitions.save(storage('Line1.Filler.Actual.Value'));
    for (const action of [
      () => tags.definitions.definition({ path: 'line1.filler.target.value' }),
      () => tags.definitions.delete({ paths: ['Line1.Filler.Actual.Value', 'line1.filler.target.value'] }),
      () => tags.force({ path: 'line1.filler.target.value', quality: 'Bad' }),
    ]) {
      const error = await thrownBy(action);
      expect(error.code).toBe('NOT_FOUND');
      expect(error.message).toContain(`did you mean "${PATH}"`);
    }
    expect(tags.definitions.size).toBe(2);
    const far = await thrownBy(() => tags.definitions.definition({ path: 'x'.repeat(1_000_000) }));
    expect(far.message.length).toBeLessThan(300);
    expect(far.message).toContain('the tag does not exist');
  });

  test('that are unknown among many are listed, with suggestions for the first 32', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage(PATH));
    const odd = ['', 'x'.repeat(1_000_000), 'no path'];
    expect(
      tags.definitions.check({ paths: [PATH, 'Line1.Filler.Tarket.Value', PATH, 'Line1.Filler.Tarket.Value', ...odd] }),
    ).toEqual({
      unknown: [{ path: 'Line1.Filler.Tarket.Value', nearest: [PATH] }, ...odd.map((path) => ({ path, nearest: [] }))],
    });
    const many = Array.from({ length: 40 }, (_, index) => `Line1.Filler.Target.Value${index}`);
    const { unknown } = tags.definitions.check({ paths: many });
    expect(unknown.filter(({ nearest }) => nearest.length > 0)).toHaveLength(32);
  });

  test('of unknown kinds are kept, read as misconfigured and reject writes', async () => {
    const { tags, reopen, logged } = tagWorkspace({
      kinds: (parts) => createKinds(parts).filter(({ kind }) => kind !== 'erp'),
    });
    const erp = tagOf('Erp.Orders.Confirm.Record', 'erp', 'Json', {
      schema: { type: 'object' },
      any: [1, { thing: null }],
    });
    await tags.definitions.save(erp);
    for (const service of [tags, reopen()]) {
      expect(service.definitions.definition({ path: erp.path })).toEqual(erp);
      expect(service.get({ paths: [erp.path] })).toMatchObject([
        { path: erp.path, value: null, quality: 'BadConfigurationError', type: 'Json' },
      ]);
    }
    const error = await thrownBy(() => tags.set({ items: [{ tag: erp.path, value: {} }] }));
    expect(error.message).toContain('tags of kind erp are not available in this version of Tagwright');
    expect(logged).toEqual([]);
  });

  test('with unreadable settings are kept, logged and can be repaired', async () => {
    const { tags, reopen, logged, database } = tagWorkspace();
    await tags.definitions.save(machine(PATH, { kind: 'constant', value: 1 }));
    database.prepare(`UPDATE tags SET settings = '{"signal":{"kind":"tide"}}'`).run();
    const reopened = reopen();
    expect(reopened.get({ paths: [PATH] })).toMatchObject([{ quality: 'BadConfigurationError' }]);
    expect(logged).toEqual([expect.stringContaining('settings.signal.kind: write one of constant, sine')]);
    await reopened.definitions.save(machine(PATH, { kind: 'constant', value: 2 }));
    expect(valuesOf(reopened.get({ paths: [PATH] }))).toEqual([2]);
  });
});

describe('list', () => {
  test('are listed in pages, ordered by path and filtered by words', async () => {
    const { tags } = tagWorkspace();
    const text = JSON.stringify(
      Array.from({ length: 25 }, (_, index) => storage(`Line${index % 3}.Motor${index}.Speed`)),
    );
    await tags.definitions.import({ format: 'json', text });
    const all = tags.definitions.list({}).tags.map(({ path }) => path);
    expect(all).toEqual(all.toSorted());
    const paged: string[] = [];
    let after: string | undefined;
    for (;;) {
      const page = tags.definitions.list({ limit: 10, after });
      expect(page.total).toBe(25);
      paged.push(...page.tags.map(({ path }) => path));
      if (page.next === null) break;
      after = page.next;
    }
    expect(paged).toEqual(all);
    const filtered = tags.definitions.list({ filter: ' SPEED line1 ', limit: 3 });
    expect(filtered.total).toBe(8);
    expect(filtered.tags.map(({ path }) => path)).toEqual(all.filter((path) => path.startsWith('Line1')).slice(0, 3));
    expect(tags.definitions.list({ filter: 'line1', after: 'Line9' })).toEqual({ tags: [], total: 8, next: null });
    expect(tags.definitions.list({ filter: 'no such word' }).total).toBe(0);
  });
});

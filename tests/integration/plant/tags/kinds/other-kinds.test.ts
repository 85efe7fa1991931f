import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { JsonObject } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import type { TagValue } from '#domain/tag/tag';
import { messageOf } from '../../../../../src-main/platform/errors.ts';
import type { BatchKind, WriteView } from '../../../../../src-main/plant/tags/kinds/kind.ts';
import { createKinds } from '../../../../../src-main/plant/tags/kinds/index.ts';
import { thrownBy } from '../../../../support/thrown-by.ts';
import { storage, tagOf, tagWorkspace } from '../tag-workspace.ts';

/*
 * * Kinds that wait, read other tags and write further ones, like database, calculation and script tags. They only use
 *   the interface, so these tests check the interface's guarantees.
 */

const turn = () => new Promise((resolve) => setImmediate(resolve));
const nothing = { attach() {}, detach() {}, erase() {}, retype() {}, changesAt: () => Infinity } as const;

/** Reads many tags in one asynchronous call, and records the calls. */
function batchKind(calls: string[][]): BatchKind {
  return {
    ...nothing,
    kind: 'db',
    mode: 'batch',
    parse: (settings) => ({ ok: true, settings }),
    async read(tags) {
      calls.push(tags.map((tag) => tag.path));
      await turn();
      if (tags.some((tag) => tag.path.includes('Broken'))) throw new Error('the database is gone');
      return tags.map(({ definition }) => ({
        path: definition.path,
        value: definition.path.length,
        quality: 'Good',
        type: definition.type,
      }));
    },
    prepare: () => ({ ok: false, reason: 'this tag has no write SQL' }),
  };
}

const membersOf = (settings: JsonObject) => z.array(z.string()).parse(settings['of']);

/** Its value is the sum of the tags in its settings. A write writes each of them, and then itself. */
function sumKind(log: string[]): BatchKind {
  return {
    ...nothing,
    kind: 'script',
    mode: 'batch',
    parse: (settings) => ({ ok: true, settings }),
    read: (tags, scope, view) =>
      Promise.all(
        tags.map(async ({ path, definition }): Promise<TagValue> => {
          if (view.chain.includes(path)) {
            log.push([...view.chain, path].join(' > '));
            return { path, value: null, quality: 'BadConfigurationError', type: definition.type };
          }
          const values = await view.within(path).get(membersOf(definition.settings), scope);
          const value = values.reduce((sum, one) => sum + Number(one.value), 0);
          return { path, value, quality: 'Good', type: definition.type };
        }),
      ),
    async prepare({ tag, value, scope }, view: WriteView) {
      await turn();
      const items = membersOf(tag.definition.settings).map((member) => ({ tag: member, value }));
      try {
        await view.within(tag.path).set(items, scope);
      } catch (thrown) {
        return { ok: false, reason: `its write script failed: ${messageOf(thrown)}` };
      }
      const written: TagValue = { path: tag.path, value, quality: 'Good', type: tag.definition.type };
      return {
        ok: true,
        write: {
          before: null,
          written,
          apply: () => log.push(`apply ${tag.path}`),
          committed: () => log.push(`committed ${tag.path}`),
        },
      };
    },
  };
}

async function workspace() {
  const calls: string[][] = [];
  const log: string[] = [];
  const made = tagWorkspace({ kinds: (parts) => [...createKinds(parts), batchKind(calls), sumKind(log)] });
  await made.tags.definitions.save(storage('Plant.A.Value', 'Int', { initial: 1 }));
  await made.tags.definitions.save(storage('Plant.B.Value', 'Int', { initial: 2 }));
  await made.tags.definitions.save(
    tagOf('Plant.Sum.Value', 'script', 'Int', { of: ['Plant.A.Value', 'Plant.B.Value'] }),
  );
  return { ...made, calls, log };
}
const valuesOf = (values: TagValue[]) => values.map(({ value }) => value);

describe('a kind that fetches its values', () => {
  test('is called once for all its tags of a Get, which keep their order', async () => {
    const { tags, calls } = await workspace();
    await tags.definitions.save(tagOf('Db.Orders.Count', 'db', 'Int'));
    await tags.definitions.save(tagOf('Db.Orders.Latest', 'db', 'Int'));
    const paths = ['Db.Orders.Latest', 'Plant.A.Value', 'No.Such.Tag', 'Db.Orders.Count', 'Db.Orders.Latest'];
    expect(valuesOf(await tags.get({ paths }))).toEqual([16, 1, null, 15, 16]);
    expect(calls).toEqual([['Db.Orders.Latest', 'Db.Orders.Count', 'Db.Orders.Latest']]);
  });

  test('that fails makes its own tags bad and does not affect others', async () => {
    const { tags, logged } = await workspace();
    await tags.definitions.save(tagOf('Db.Broken.Count', 'db', 'Int'));
    expect(await tags.get({ paths: ['Plant.A.Value', 'Db.Broken.Count'] })).toMatchObject([
      { path: 'Plant.A.Value', value: 1, quality: 'Good', type: 'Int' },
      { path: 'Db.Broken.Count', value: null, quality: 'BadInternalError', type: 'Int' },
    ]);
    expect(logged).toEqual(['reading tags of kind db: the database is gone']);
  });

  test('is evaluated only if it is read: values in memory need no promise', async () => {
    const { tags } = await workspace();
    expect(tags.get({ paths: ['Plant.A.Value'] })).toBeInstanceOf(Array);
    expect(tags.get({ paths: ['Plant.Sum.Value'] })).toBeInstanceOf(Promise);
  });

  test('is watched like any other', async () => {
    const { tags } = await workspace();
    const stop = new AbortController();
    const watch = tags.watch({ paths: ['Plant.Sum.Value'] }, stop.signal);
    expect((await watch.next()).value).toMatchObject([{ value: 3 }]);
    stop.abort();
    expect((await watch.next()).done).toBe(true);
  });
});

describe('a kind that reads and writes others', () => {
  test('sees the pending writes of the run that reads it, in its scope', async () => {
    const { tags } = await workspace();
    const session = tags.session({ dryRun: true });
    const hall = { diagram: '', location: 'Hall 1' };
    await session.set([{ tag: 'Plant.A.Value', value: 10 }], hall);
    expect(valuesOf(await session.get(['Plant.Sum.Value'], hall))).toEqual([12]);
    expect(valuesOf(await session.get(['Plant.Sum.Value'], DEFAULT_SCOPE))).toEqual([3]);
    expect(valuesOf(await tags.get({ paths: ['Plant.Sum.Value'], location: 'Hall 1' }))).toEqual([3]);
  });

  test('detects a cycle in its chain of calls', async () => {
    const { tags, log } = await workspace();
    await tags.definitions.save(tagOf('Loop.One.Value', 'script', 'Int', { of: ['Loop.Two.Value'] }));
    await tags.definitions.save(tagOf('Loop.Two.Value', 'script', 'Int', { of: ['Loop.One.Value'] }));
    await tags.get({ paths: ['Loop.One.Value'] });
    expect(log).toEqual(['Loop.One.Value > Loop.Two.Value > Loop.One.Value']);
  });

  test('writes in the transaction of its Set, before later items', async () => {
    const { tags, log, reopen } = await workspace();
    const session = tags.session({ dryRun: false });
    const written = await session.set(
      [
        { tag: 'Plant.Sum.Value', value: 5 },
        { tag: 'Plant.A.Value', value: 6 },
      ],
      DEFAULT_SCOPE,
    );
    expect(valuesOf(written.values)).toEqual([5, 6]);
    expect(written.before).toEqual([null, 5]);
    expect(log).toEqual(['apply Plant.Sum.Value', 'committed Plant.Sum.Value']);
    for (const service of [tags, reopen()]) {
      expect(valuesOf(await service.get({ paths: ['Plant.A.Value', 'Plant.B.Value'] }))).toEqual([6, 5]);
    }
  });

  test('writes nothing if another item of the Set is invalid', async () => {
    const { tags, log } = await workspace();
    const items = [
      { tag: 'Plant.Sum.Value', value: 5 },
      { tag: 'Plant.A.Value', value: 'x' },
    ];
    const error = await thrownBy(() => tags.set({ items }));
    expect(error.message).toContain('1 of 2 items');
    expect(log).toEqual([]);
    expect(valuesOf(await tags.get({ paths: ['Plant.A.Value', 'Plant.Sum.Value'] }))).toEqual([1, 3]);
  });

  test('fails the Set with the reason if one of its writes is rejected', async () => {
    const { tags } = await workspace();
    await tags.definitions.save(tagOf('Plant.Bad.Value', 'script', 'Int', { of: ['Plant.A.Value', 'Plant.C.Value'] }));
    const error = await thrownBy(() => tags.set({ items: [{ tag: 'Plant.Bad.Value', value: 5 }] }));
    expect(error.data['failures']).toEqual([
      {
        tag: 'Plant.Bad.Value',
        index: 0,
        reason: expect.stringMatching(/^its write script failed: .*"Plant\.C\.Value".*did you mean/),
      },
    ]);
    expect(valuesOf(await tags.get({ paths: ['Plant.A.Value'] }))).toEqual([1]);
  });

  test('writes nothing in a dry run, and the run sees it', async () => {
    const { tags, log } = await workspace();
    const session = tags.session({ dryRun: true });
    await session.set([{ tag: 'Plant.Sum.Value', value: 5 }], DEFAULT_SCOPE);
    expect(valuesOf(await session.get(['Plant.Sum.Value', 'Plant.A.Value'], DEFAULT_SCOPE))).toEqual([10, 5]);
    expect(valuesOf(await tags.get({ paths: ['Plant.A.Value'] }))).toEqual([1]);
    expect(log).toEqual([]);
  });
});

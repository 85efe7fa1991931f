import { describe, expect, test } from 'vitest';
import { parseJson } from '#domain/text/json';
import { DEFAULT_SCOPE } from '#domain/tag/scope';
import { z } from 'zod';
import { writeFailure } from '#contract/schemas';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../../../src-main/platform/maybe-promise.ts';
import { TagwrightError } from '../../../../src-main/platform/errors.ts';
import { turnsDuring } from '../../../support/turns.ts';
import { thrownBy } from '../../../support/thrown-by.ts';
import { machine, storage, tagWorkspace } from './tag-workspace.ts';

const INT = 'Line1.Shift.Count.Value';
const TEXT = 'Line1.Shift.Note.Value';

async function workspace() {
  const made = tagWorkspace();
  await made.tags.definitions.save(storage(INT, 'Int', { initial: 0 }));
  await made.tags.definitions.save(storage(TEXT, 'String', { initial: '' }));
  await made.tags.definitions.save(machine('Line1.Filler.Motor.Speed', { kind: 'constant', value: 1 }));
  return made;
}
const valuesOf = (values: MaybePromise<TagValue[]>) => {
  if (values instanceof Promise) throw new Error('values in memory need no promise');
  return values.map(({ value }) => value);
};
const nested = (levels: number) => parseJson('['.repeat(levels) + ']'.repeat(levels));
const failuresOf = (error: TagwrightError) => z.array(writeFailure).parse(error.data['failures']);

describe('Set', () => {
  test('writes all items, converted, and returns them as written', async () => {
    const { tags } = await workspace();
    const items = [
      { tag: INT, value: '12' },
      { tag: TEXT, value: 7.5 },
    ];
    expect(await tags.set({ items })).toEqual([
      { path: INT, value: 12, quality: 'Good', type: 'Int' },
      { path: TEXT, value: '7.5', quality: 'Good', type: 'String' },
    ]);
    expect(await tags.set({ items: [] })).toEqual([]);
  });

  test('writes nothing if an item is invalid, and lists each invalid item', async () => {
    const { tags, reopen } = await workspace();
    const error = await thrownBy(() =>
      tags.set({
        items: [
          { tag: INT, value: 1 },
          { tag: INT, value: 1.5 },
          { tag: 'Line1.Shift.Cuont.Value', value: 1 },
          { tag: TEXT, value: 'written?' },
          { tag: TEXT, value: { no: 'text' } },
          { tag: '__proto__', value: 1 },
        ],
      }),
    );
    expect(error.code).toBe('WRITE_REFUSED');
    expect(failuresOf(error)).toEqual([
      { tag: INT, index: 1, reason: 'the number 1.5 cannot be converted to Int: use a whole number' },
      {
        tag: 'Line1.Shift.Cuont.Value',
        index: 2,
        reason: expect.stringContaining(`the tag does not exist; did you mean "${INT}"`),
      },
      { tag: TEXT, index: 4, reason: expect.stringContaining('the object {no} cannot be converted to String') },
      { tag: '__proto__', index: 5, reason: 'the tag does not exist' },
    ]);
    expect(error.message).toMatch(
      /^Nothing was written: 4 of 6 items rejected: tags\[1\] "Line1\.Shift\.Count\.Value": .*; and 1 more$/,
    );
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths: [INT, TEXT] }))).toEqual([0, '']);
  });

  test('writes duplicates in order: each sees the previous one, the last stays', async () => {
    const { tags, reopen } = await workspace();
    const session = tags.session({ dryRun: false });
    const items = [1, 2, 3].map((value) => ({ tag: INT, value }));
    const written = await session.set(items, DEFAULT_SCOPE);
    expect(valuesOf(written.values)).toEqual([1, 2, 3]);
    expect(written.before).toEqual([0, 1, 2]);
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths: [INT] }))).toEqual([3]);
  });

  test('keeps the order of concurrent Sets, in memory and in the file', async () => {
    const { tags, reopen } = await workspace();
    await Promise.all(Array.from({ length: 50 }, (_, value) => tags.set({ items: [{ tag: INT, value }] })));
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths: [INT] }))).toEqual([49]);
  });

  test('is visible only once it is durable', async () => {
    const { tags } = await workspace();
    const writing = tags.set({ items: [{ tag: INT, value: 5 }] });
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([0]);
    await writing;
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([5]);
  });

  test('limits its message for 1 MB names and 100,000 invalid items', async () => {
    const { tags } = await workspace();
    const name = `Line1.${'x'.repeat(1_000_000)}.Value`;
    const one = await thrownBy(() => tags.set({ items: [{ tag: name, value: 'y'.repeat(1_000_000) }] }));
    expect(one.message.length).toBeLessThan(1_000);
    expect(failuresOf(one)[0]?.tag.length).toBe(512);
    const items = Array.from({ length: 100_000 }, (_, index) => ({ tag: `No.Such.Tag${index}`, value: 1 }));
    const all = await thrownBy(() => tags.set({ items }));
    expect(all.message.length).toBeLessThan(1_000);
    expect(all.message).toContain('and 99997 more');
    expect(failuresOf(all)).toHaveLength(100_000);
  });

  test('rejects 100,000 items for a single invalid one, and writes them without it', async () => {
    const { tags, reopen } = await workspace();
    const items = Array.from({ length: 100_000 }, (_, value): TagWrite => ({ tag: INT, value }));
    items[99_999] = { tag: INT, value: 'many' };
    const refusal = thrownBy(() => tags.set({ items, location: 'Hall 1' }));
    // Checking them takes at least 100 ms, without blocking others.
    expect(await turnsDuring(() => refusal)).toBeGreaterThan(4);
    const error = await refusal;
    expect(failuresOf(error)).toEqual([
      { tag: INT, index: 99_999, reason: expect.stringContaining('the text "many"') },
    ]);
    expect(error.message).toContain(`tags[99999] "${INT}": the text "many"`);
    expect(valuesOf(tags.get({ paths: [INT], location: 'Hall 1' }))).toEqual([0]);
    await tags.set({ items: items.slice(0, -1), location: 'Hall 1' });
    for (const service of [tags, reopen()]) {
      expect(valuesOf(service.get({ paths: [INT], location: 'Hall 1' }))).toEqual([99_998]);
      expect(valuesOf(service.get({ paths: [INT] }))).toEqual([0]);
    }
  });

  test('writes many tags in one transaction and short turns: all appear at once', async () => {
    const { tags, reopen } = await workspace();
    const paths = Array.from({ length: 20_000 }, (_, n) => `Line2.Cell${n}.Value`);
    const text = JSON.stringify(
      paths.map((path) => ({ path, kind: 'storage', type: 'Int', settings: { initial: 0 } })),
    );
    await tags.definitions.import({ format: 'json', text });
    const ends = [paths[0] ?? '', paths.at(-1) ?? ''];
    const seen = new Set<string>();
    let over = false;
    const look = (): void => {
      seen.add(JSON.stringify(valuesOf(tags.get({ paths: ends }))));
      if (!over) setImmediate(look);
    };
    look();
    await tags.set({ items: paths.map((tag) => ({ tag, value: 7 })) });
    over = true;
    look();
    expect([...seen]).toEqual(['[0,0]', '[7,7]']);
    expect(valuesOf(reopen().get({ paths: ends }))).toEqual([7, 7]);
  });

  test('runs Sets of one tag in request order, however large they are', async () => {
    const { tags, reopen } = await workspace();
    const note = (value: string) => ({ tag: TEXT, value });
    const many = Array.from({ length: 50_000 }, (_, value) => ({ tag: INT, value }));
    const finished: string[] = [];
    const set = async (name: string, items: TagWrite[]) => {
      await tags.set({ items });
      finished.push(name);
    };
    await Promise.all([
      set('large', [...many, note('first')]),
      set('other tag', [{ tag: 'Line1.Filler.Motor.Speed', value: 5 }]),
      set('small', [note('second'), { tag: INT, value: -1 }]),
      set('last', [note('third')]),
    ]);
    // Sets of other tags do not wait.
    expect(finished).toEqual(['other tag', 'large', 'small', 'last']);
    for (const service of [tags, reopen()]) {
      expect(valuesOf(service.get({ paths: [INT, TEXT] }))).toEqual([-1, 'third']);
    }
  });

  test('releases, forces and clears after the Sets that were requested before', async () => {
    const { tags, reopen } = await workspace();
    const MOTOR = 'Line1.Filler.Motor.Speed';
    const many = Array.from({ length: 50_000 }, (_, value) => ({ tag: INT, value }));
    await Promise.all([
      tags.set({ items: [...many, { tag: MOTOR, value: 5 }] }),
      tags.release({ paths: [MOTOR] }),
      tags.clear({ path: INT }),
    ]);
    for (const service of [tags, reopen()]) {
      expect(valuesOf(service.get({ paths: [MOTOR, INT] }))).toEqual([1, 0]);
    }
  });

  test('continues with the next Set of a tag when the previous one is rejected', async () => {
    const { tags } = await workspace();
    const many = Array.from({ length: 50_000 }, (_, value) => ({ tag: INT, value }));
    const [refused, kept] = await Promise.allSettled([
      tags.set({ items: [...many, { tag: INT, value: 'none' }] }),
      tags.set({ items: [{ tag: INT, value: 3 }] }),
    ]);
    expect([refused.status, kept.status]).toEqual(['rejected', 'fulfilled']);
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([3]);
  });

  test('rejects a write to a tag that was deleted or has another type now', async () => {
    const { tags } = await workspace();
    const [first, second] = [
      tags.definitions.delete({ paths: [INT] }),
      thrownBy(() => tags.set({ items: [{ tag: INT, value: 1 }] })),
    ];
    await first;
    expect(failuresOf(await second)).toEqual([
      { tag: INT, index: 0, reason: 'its definition was changed in the meantime; write it again' },
    ]);
    const third = tags.definitions.save(storage(TEXT, 'Boolean'));
    const fourth = thrownBy(() => tags.set({ items: [{ tag: TEXT, value: 'no Boolean' }] }));
    await third;
    expect((await fourth).code).toBe('WRITE_REFUSED');
    expect(valuesOf(tags.get({ paths: [TEXT] }))).toEqual([null]);
  });

  test('writes a tag whose description is changed at the same time', async () => {
    const { tags, reopen } = await workspace();
    await Promise.all([
      tags.definitions.save({ ...storage(INT, 'Int', { initial: 0 }), description: 'Bottles of this shift' }),
      tags.set({ items: [{ tag: INT, value: 8 }] }),
    ]);
    for (const service of [tags, reopen()]) {
      expect(valuesOf(service.get({ paths: [INT] }))).toEqual([8]);
      expect(service.definitions.definition({ path: INT }).description).toBe('Bottles of this shift');
    }
  });

  test('changes nothing in memory if the disk fails', async () => {
    const { tags, database } = await workspace();
    database.exec("CREATE TRIGGER full BEFORE INSERT ON storage_values BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await expect(tags.set({ items: [{ tag: INT, value: 5 }] })).rejects.toThrow('no room');
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([0]);
    database.exec('DROP TRIGGER full');
    await tags.set({ items: [{ tag: INT, value: 6 }] });
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([6]);
  });
});

test('accepts values up to the depth limit, and none deeper, over a restart', async () => {
  const { tags, reopen } = tagWorkspace();
  await tags.definitions.save(storage(TEXT, 'Json'));
  await tags.set({ items: [{ tag: TEXT, value: nested(500) }] });
  expect(valuesOf(reopen().get({ paths: [TEXT] }))).toEqual([nested(500)]);
  const error = await thrownBy(() => tags.set({ items: [{ tag: TEXT, value: nested(5_000) }] }));
  expect(error.message).toContain('nested more than 500 levels deep');
  await tags.definitions.save(storage(TEXT, 'Json', { initial: nested(500) }));
  const refused = await thrownBy(() => tags.definitions.save(storage(TEXT, 'Json', { initial: nested(501) })));
  expect(refused.code).toBe('BAD_REQUEST');
});

describe('a dry run', () => {
  test('sees its own writes, by scope, and saves nothing', async () => {
    const { tags, reopen, database } = await workspace();
    const session = tags.session({ dryRun: true });
    const paths = [INT, TEXT, 'Line1.Filler.Motor.Speed'];
    const hall = { diagram: '', location: 'Hall 1' };
    const both = { diagram: 'Filler', location: 'Hall 1' };
    await session.set([{ tag: INT, value: 5 }], DEFAULT_SCOPE);
    const written = await session.set(
      [
        { tag: INT, value: 6 },
        { tag: TEXT, value: 'hall' },
        { tag: 'Line1.Filler.Motor.Speed', value: 9 },
      ],
      hall,
    );
    expect(written.before).toEqual([5, '', 1]);
    expect(session.get(paths, DEFAULT_SCOPE)).toMatchObject([{ value: 5 }, { value: '' }, { value: 9 }]);
    expect(session.get(paths, both)).toMatchObject([{ value: 6 }, { value: 'hall' }, { value: 9 }]);
    for (const service of [tags, reopen()]) expect(valuesOf(service.get({ paths, ...hall }))).toEqual([0, '', 1]);
    expect(valuesOf(tags.session({ dryRun: true }).get(paths, hall))).toEqual([0, '', 1]);
    expect(database.prepare('SELECT count(*) AS n FROM storage_values').get()).toEqual({ n: 0 });
    expect(database.prepare('SELECT count(*) AS n FROM machine_overrides').get()).toEqual({ n: 0 });
  });

  test('undoes the whole of a rejected Set', async () => {
    const { tags } = await workspace();
    const session = tags.session({ dryRun: true });
    await session.set([{ tag: INT, value: 1 }], DEFAULT_SCOPE);
    await thrownBy(() =>
      session.set(
        [
          { tag: INT, value: 2 },
          { tag: INT, value: 'x' },
        ],
        DEFAULT_SCOPE,
      ),
    );
    expect(valuesOf(session.get([INT], DEFAULT_SCOPE))).toEqual([1]);
  });

  test('a saving run sees its earlier writes', async () => {
    const { tags } = await workspace();
    const session = tags.session({ dryRun: false });
    await session.set([{ tag: INT, value: 1 }], DEFAULT_SCOPE);
    expect(valuesOf(session.get([INT], { diagram: 'Any', location: 'Where' }))).toEqual([1]);
    expect(valuesOf(tags.get({ paths: [INT] }))).toEqual([1]);
  });
});

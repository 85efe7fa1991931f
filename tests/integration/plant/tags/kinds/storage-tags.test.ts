import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import { inheritanceOf, scopeOf } from '#domain/tag/scope';
import type { TagType, TagValue } from '#domain/tag/tag';
import { TAG_TYPES } from '#domain/tag/tag';
import { thrownBy } from '../../../../support/thrown-by.ts';
import { readNow, readOne, storage, tagWorkspace } from '../tag-workspace.ts';

const PATH = 'Recipe.Filler.Target.Value';

const missing = (path: string) => ({ path, value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' });

describe('storage tags', () => {
  test('return their initial value until the first write', async () => {
    const { tags, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Double', { initial: '12.5' }));
    await tags.definitions.save(storage('Recipe.Filler.Note.Value', 'String'));
    expect(tags.definitions.definition({ path: PATH }).settings).toEqual({ initial: 12.5 });
    const paths = [PATH, 'Recipe.Filler.Note.Value'];
    expect(tags.get({ paths })).toMatchObject([
      { path: PATH, value: 12.5, quality: 'Good', type: 'Double' },
      { path: paths[1], value: null, quality: 'UncertainInitialValue', type: 'String' },
    ]);
    await tags.set({ items: [{ tag: PATH, value: 13 }] });
    expect(tags.get({ paths: [PATH] })).toEqual([{ path: PATH, value: 13, quality: 'Good', type: 'Double' }]);
    expect(reopen().get({ paths: [PATH] })).toEqual(tags.get({ paths: [PATH] }));
  });

  test('return elements in order, with duplicates and unknown paths', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Int', { initial: 7 }));
    const known: TagValue = { path: PATH, value: 7, quality: 'Good', type: 'Int' };
    const paths = [PATH, 'No.Such.Tag', PATH, '__proto__', 'constructor', ''];
    expect(tags.get({ paths })).toEqual([
      known,
      missing('No.Such.Tag'),
      known,
      ...['__proto__', 'constructor', ''].map((path) => missing(path)),
    ]);
    expect(tags.get({ paths: [] })).toEqual([]);
    expect(tags.get({ paths: [PATH.toLowerCase()] })).toEqual([missing(PATH.toLowerCase())]);
  });

  test('inherit values: a read takes the first that exists, in the order of scopes', async () => {
    const part = fc.constantFrom('', 'Filler', 'Packer', 'Hall "1"', '__proto__', '["",""]');
    const scope = fc.record({ diagram: part, location: part });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(scope, fc.integer()), { maxLength: 8 }), scope, async (writes, from) => {
        const { tags, reopen } = tagWorkspace();
        await tags.definitions.save(storage(PATH, 'Int', { initial: -1 }));
        const written = new Map<string, number>();
        for (const [at, value] of writes) {
          await tags.set({ items: [{ tag: PATH, value }], ...at });
          written.set(JSON.stringify(at), value);
        }
        const expected = inheritanceOf(scopeOf(from.diagram, from.location))
          .map((at) => written.get(JSON.stringify(at)))
          .find((value) => value !== undefined);
        for (const service of [tags, reopen()]) {
          expect(readOne(service, PATH, from)).toEqual({
            path: PATH,
            value: expected ?? -1,
            quality: 'Good',
            type: 'Int',
          });
        }
      }),
      { numRuns: 25 },
    );
  });

  test('keep values of every type over a restart', async () => {
    const { tags, reopen } = tagWorkspace();
    const values: Record<TagType, Json> = {
      Boolean: true,
      Int: Number.MAX_SAFE_INTEGER,
      Double: 0.1 + 0.2,
      String: 'zero\u0000, half \ud800, ☃ and 😀',
      DateTime: '2026-01-31T06:00:00.000Z',
      Json: { list: [1, null, { __proto__x: 1 }] },
      Bytes: 'AAECAw==',
    };
    const items = Object.entries(values).map(([type, value]) => ({ tag: `Types.${type}.Value`, value }));
    for (const type of TAG_TYPES) await tags.definitions.save(storage(`Types.${type}.Value`, type));
    await tags.set({ items });
    const paths = items.map(({ tag }) => tag);
    for (const service of [tags, reopen()]) {
      expect(readNow(service, { paths }).map(({ value }) => value)).toEqual(Object.values(values));
    }
    await tags.set({ items: paths.map((tag) => ({ tag, value: null })) });
    for (const service of [tags, reopen()]) {
      expect(readNow(service, { paths }).every(({ value, quality }) => value === null && quality === 'Good')).toBe(
        true,
      );
    }
  });

  test('list their values by scope, and clear a value permanently', async () => {
    const { tags, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Int', { initial: 1 }));
    expect(tags.scopes({ path: PATH })).toEqual({ values: [] });
    const write = (value: number, diagram: string, location: string) =>
      tags.set({ items: [{ tag: PATH, value }], diagram, location });
    await write(4, 'Overview', 'Line2');
    await write(3, 'Overview', '');
    await write(2, '', '');
    await write(5, '', 'Line2');
    const values = [
      { diagram: '', location: '', value: 2 },
      { diagram: '', location: 'Line2', value: 5 },
      { diagram: 'Overview', location: '', value: 3 },
      { diagram: 'Overview', location: 'Line2', value: 4 },
    ];
    expect(tags.scopes({ path: PATH })).toEqual({ values });
    await tags.clear({ path: PATH, diagram: 'Overview', location: 'Line2' });
    await tags.clear({ path: PATH, diagram: 'Never', location: 'written' });
    await tags.clear({ path: PATH });
    for (const service of [tags, reopen()]) {
      expect(service.scopes({ path: PATH })).toEqual({ values: [values[1], values[2]] });
      const at = (diagram: string, location: string) =>
        readNow(service, { paths: [PATH], diagram, location })[0]?.value;
      expect([at('Overview', 'Line2'), at('', 'Line2'), at('', '')]).toEqual([3, 5, 1]);
    }
    expect((await thrownBy(() => tags.scopes({ path: 'Recipe.Filler.Target.Valu' }))).message).toContain(
      'did you mean',
    );
  });

  test('reject invalid scopes with the reason', async () => {
    const { tags } = tagWorkspace();
    await tags.definitions.save(storage(PATH));
    const items = [{ tag: PATH, value: 1 }];
    const long = 'x'.repeat(1_000_000);
    expect((await thrownBy(() => tags.get({ paths: [PATH], diagram: long }))).message).toContain(
      'at most 512 characters',
    );
    const error = await thrownBy(() => tags.set({ items, location: long }));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toBe('the name of a location has at most 512 characters, but this one has 1000000');
    expect((await thrownBy(() => tags.set({ items, diagram: '\ud800' }))).code).toBe('BAD_REQUEST');
  });

  test('reject a value that is too large for one tag, and accept a large one', async () => {
    const { tags, reopen } = tagWorkspace();
    await tags.definitions.save(storage(PATH, 'Bytes'));
    const image = 'A'.repeat(8 * 1_048_576);
    await tags.set({ items: [{ tag: PATH, value: image }] });
    expect(readNow(reopen(), { paths: [PATH] })[0]?.value).toBe(image);
    const error = await thrownBy(() => tags.set({ items: [{ tag: PATH, value: 'A'.repeat(49 * 1_048_576) }] }));
    expect(error.message).toContain('a value has at most 50331648 characters');
  });
});

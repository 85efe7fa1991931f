import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TagValue } from '#domain/tag/tag';
import { orderTags } from '../../../../src-main/plant/tags/values/order-tags.ts';
import type { ScriptPlant } from './script-plant.ts';
import { scriptPlant } from './script-plant.ts';
import { storage, tagWorkspace } from './tag-workspace.ts';

describe('the order of tags by one reading', () => {
  let plant: ScriptPlant;
  const path = (name: string) => `Plant.${name}.Value`;
  beforeAll(async () => {
    plant = await scriptPlant();
    const initial = (
      name: string,
      type: Parameters<ScriptPlant['tag']>[2],
      value: number | string | boolean | object,
    ) => plant.tag(path(name), 'storage', type, { initial: JSON.parse(JSON.stringify(value)) });
    await initial('Ten', 'Int', 10);
    await initial('Two', 'Double', 2.5);
    await initial('Minus', 'Int', -1);
    await initial('Text10', 'String', 'Valve 10');
    await initial('Text2', 'String', 'Valve 2');
    await initial('Rows', 'Json', [{ a: 1 }]);
    await plant.tag(path('Empty'), 'storage', 'Double');
    await plant.tag(path('Forced'), 'machine', 'Double', { signal: { kind: 'constant', value: 5 } });
    await plant.tags.force({ path: path('Forced'), quality: 'BadNotConnected' });
    await plant.tag(path('Sum'), 'calculation', 'Double', { expression: `tag('${path('Ten')}') + 1` });
  });
  afterAll(() => plant.close());

  const names = ['Empty', 'Forced', 'Minus', 'Rows', 'Sum', 'Ten', 'Text10', 'Text2', 'Two'];
  const orderBy = async (by: 'value' | 'quality' | 'time', descending = false) => {
    const { order, unread } = await plant.tags.order({ paths: names.map(path), by, descending });
    expect(unread).toBe(0);
    return order.map((place) => names[place]).join(' ');
  };

  test('numbers, texts in natural order, structures; without a value last', async () => {
    expect(await orderBy('value')).toBe('Minus Two Ten Sum Text2 Text10 Rows Empty Forced');
    expect(await orderBy('value', true)).toBe('Rows Text10 Text2 Sum Ten Two Minus Empty Forced');
  });

  test('the worst quality first, and equal ones in their order', async () => {
    expect(await orderBy('quality')).toBe('Forced Empty Minus Rows Sum Ten Text10 Text2 Two');
    expect(await orderBy('quality', true)).toBe('Minus Rows Sum Ten Text10 Text2 Two Empty Forced');
  });

  test('by the time of the last change; unknown ones last in both directions', async () => {
    const paths = ['Empty', 'Minus', 'Two'].map(path);
    await plant.tags.set({ items: [{ tag: path('Two'), value: 2.25 }] });
    await setTimeout(20);
    await plant.tags.set({ items: [{ tag: path('Minus'), value: -2 }] });
    expect((await plant.tags.order({ paths, by: 'time' })).order).toEqual([2, 1, 0]);
    expect((await plant.tags.order({ paths, by: 'time', descending: true })).order).toEqual([1, 2, 0]);
  });

  test('a tag that does not exist is last', async () => {
    const { order } = await plant.tags.order({ paths: ['No.Such.Tag', path('Ten')], by: 'value' });
    expect(order).toEqual([1, 0]);
  });

  test('ends when it is cancelled', async () => {
    const input = { paths: [path('Ten')], by: 'value' as const };
    await expect(plant.tags.order(input, AbortSignal.abort())).rejects.toThrow(/abort/);
  });

  test('reads each tag once, those in memory first, and stops after its time', async () => {
    const paths = Array.from({ length: 700 }, (_, index) => `Plant.Tag${index}.${index % 7 === 0 ? 'Slow' : 'Value'}`);
    const reads: string[][] = [];
    const read = (some: readonly string[]) => {
      reads.push([...some]);
      return some.map((one): TagValue => ({ path: one, value: -paths.indexOf(one), quality: 'Good', type: 'Int' }));
    };
    const options = {
      by: 'value',
      descending: false,
      isImmediate: (one: string) => one.endsWith('Value'),
      read,
    } as const;
    expect(await orderTags(paths, options)).toEqual({ order: [...paths.keys()].toReversed(), unread: 0 });
    expect(reads.map(({ length }) => length)).toEqual([500, 100, 50, 50]);
    expect(reads.flat().toSorted()).toEqual(paths.toSorted());
    expect(await orderTags(paths, { ...options, patienceMs: -1 })).toEqual({ order: [...paths.keys()], unread: 700 });
  });

  test('50,000 tags in memory are ordered', async () => {
    const { tags } = tagWorkspace();
    const all = Array.from({ length: 50_000 }, (_, index) =>
      storage(`Plant.Tag${String(index).padStart(5, '0')}.Value`, 'Int', { initial: (index * 7919) % 50_000 }),
    );
    await tags.definitions.import({ format: 'json', text: JSON.stringify(all) });
    const { order, unread } = await tags.order({ paths: all.map((one) => one.path), by: 'value' });
    expect(unread).toBe(0);
    expect(order.map((place) => (place * 7919) % 50_000)).toEqual([...order.keys()]);
  });
});

import { fc } from '../../../support/run/random.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { TagCatalog } from '../../../../src-main/plant/tags/definitions/catalog.ts';
import { completionsOf } from '../../../../src-main/plant/tags/definitions/completion.ts';
import { inertKind } from '../../../../src-main/plant/tags/kinds/inert.ts';
import { nearestPaths } from '../../../../src-main/plant/tags/definitions/nearest.ts';
import { Tag } from '../../../../src-main/plant/tags/definitions/tag.ts';

const kind = inertKind('storage', 'not needed here');
let id = 0;
const tagOf = (path: string) =>
  new Tag(++id, { path, kind: 'storage', type: 'Int', description: '', unit: '', settings: {} }, kind);
function catalogOf(paths: readonly string[]): TagCatalog {
  const catalog = new TagCatalog();
  catalog.add(paths.map(tagOf));
  return catalog;
}
const completed = (catalog: TagCatalog, text: string, limit = 100) =>
  completionsOf(catalog, text, limit).tags.map(({ path }) => path);

const PLANT = [
  'Line1.Filler.Motor.Speed',
  'Line1.Filler.Tank.Level',
  'Line1.Packer.Motor.Speed',
  'Line2.Filler.Motor.Speed',
  'Recipe.line1.Set point.Value',
  'line1.Extra.Tag.Value',
];

describe('catalog', () => {
  test('stays ordered, however tags are added and removed', () => {
    const paths = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 120 });
    fc.assert(
      fc.property(paths, paths, paths, (bulk, single, removed) => {
        const catalog = catalogOf(bulk);
        for (const path of single) catalog.add([tagOf(path)]);
        catalog.remove(removed);
        const expected = [...new Set([...bulk, ...single])].filter((path) => !removed.includes(path)).toSorted();
        expect(catalog.ordered.map(({ path }) => path)).toEqual(expected);
        expect(expected.every((path) => catalog.byPath.get(path)?.path === path)).toBe(true);
        expect(catalog.size).toBe(expected.length);
      }),
    );
  });

  test('finds paths that contain every word, also after a change', () => {
    const catalog = catalogOf(PLANT);
    const holding = (...words: string[]) => [...catalog.holding(words)].map(({ path }) => path);
    expect(holding('speed', 'line1')).toEqual([PLANT[0], PLANT[2]]);
    catalog.add([tagOf('Line1.New.Pump.Speed')]);
    expect(holding('speed', 'line1')).toHaveLength(3);
    catalog.remove(['Line1.New.Pump.Speed']);
    expect(holding('speed', 'line1')).toHaveLength(2);
    expect(holding()).toEqual(catalog.ordered.map(({ path }) => path));
    expect([...new TagCatalog().holding(['x'])]).toEqual([]);
  });

  test('the index finds the same as a scan', () => {
    const path = fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom('a', 'b', 'A', '.', ' ') });
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 100 }), path, (paths, word) => {
        const catalog = catalogOf(paths);
        const fragment = word.toLowerCase();
        const expected = [...paths].toSorted().filter((one) => `.${one.toLowerCase()}`.includes(fragment));
        expect([...catalog.holding([fragment])].map((tag) => tag.path)).toEqual(expected);
      }),
    );
  });
});

describe('completion', () => {
  const catalog = catalogOf(PLANT);

  test('ranks an exact prefix first, then another case, then segments, then words', () => {
    expect(completed(catalog, 'Line1')).toEqual([
      'Line1.Filler.Motor.Speed',
      'Line1.Filler.Tank.Level',
      'Line1.Packer.Motor.Speed',
      'line1.Extra.Tag.Value',
      'Recipe.line1.Set point.Value',
    ]);
    expect(completed(catalog, 'Line1.Filler.M')).toEqual(['Line1.Filler.Motor.Speed']);
    expect(completed(catalog, 'motor.sp')).toEqual([PLANT[0], PLANT[2], PLANT[3]]);
    expect(completed(catalog, 'speed line2')).toEqual(['Line2.Filler.Motor.Speed']);
    expect(completed(catalog, 'set point')).toEqual(['Recipe.line1.Set point.Value']);
    expect(completed(catalog, 'oin alu')).toEqual(['Recipe.line1.Set point.Value']);
    expect(completed(catalog, 'nothing like it')).toEqual([]);
  });

  test('reports whether there is more', () => {
    expect(completionsOf(catalog, '', 2)).toMatchObject({ tags: { length: 2 }, incomplete: true });
    expect(completionsOf(catalog, 'filler', 3)).toMatchObject({ tags: { length: 3 }, incomplete: false });
    expect(completionsOf(catalog, 'filler', 2)).toMatchObject({ tags: { length: 2 }, incomplete: true });
  });

  test('treats any input as text', () => {
    for (const text of ['\n', 'a\nline1', '(', '\\', '__proto__', '. .', 'x'.repeat(1_000_000)]) {
      expect(completionsOf(catalog, text, 5).tags.length).toBeLessThanOrEqual(5);
    }
  });
});

describe('nearest paths', () => {
  test('correct mistakes in case, letters and segments, and nothing else', () => {
    const catalog = catalogOf(PLANT);
    expect(nearestPaths(catalog, 'LINE1.filler.motor.speed')[0]).toBe('Line1.Filler.Motor.Speed');
    expect(nearestPaths(catalog, 'Line1.Filer.Moter.Sped')[0]).toBe('Line1.Filler.Motor.Speed');
    expect(nearestPaths(catalog, 'Recipe.line1.Setpoint.Value')).toEqual(['Recipe.line1.Set point.Value']);
    expect(nearestPaths(catalog, 'Erp.Orders.Confirm.Record')).toEqual([]);
    expect(nearestPaths(catalog, 'x'.repeat(1_000_000))).toEqual([]);
    expect(nearestPaths(new TagCatalog(), 'A.B.C')).toEqual([]);
  });
});

describe('with 50,000 tags', () => {
  let catalog: TagCatalog;
  beforeAll(() => {
    catalog = catalogOf(
      Array.from({ length: 50_000 }, (_, n) => `Plant.Area${n % 20}.Line${n % 50}.Machine${n}.Motor.Speed`),
    );
  });

  test.each([
    ['Plant.Area1', 200],
    ['machine4711', 11],
    ['motor.sp', 200],
    ['zzz', 0],
    ['area1 line7', 200],
  ])('completes %j', (text, found) => {
    expect(completionsOf(catalog, text, 200).tags).toHaveLength(found);
  });

  test('finds the nearest path, with mistakes at either end', () => {
    expect(nearestPaths(catalog, 'Plant.Area5.Line5.Machine5.Moter.Sped')[0]).toBe(
      'Plant.Area5.Line5.Machine5.Motor.Speed',
    );
  });
});

import { expect, test } from 'vitest';
import { compareNaturally, inNaturalOrder, NaturalOrder } from '#domain/tag/tag-order';
import { fc } from '../../support/run/random.ts';

const ordered = (...paths: string[]) => inNaturalOrder(paths, (path) => path);

test('numbers in names are ordered by value', () => {
  expect(ordered('P.Valve10.V', 'P.Valve2.V', 'P.Valve1.V')).toEqual(['P.Valve1.V', 'P.Valve2.V', 'P.Valve10.V']);
  expect(ordered('P.L10.S2.V', 'P.L2.S10.V', 'P.L2.S9.V')).toEqual(['P.L2.S9.V', 'P.L2.S10.V', 'P.L10.S2.V']);
});

test('case and accents only decide between equal names', () => {
  expect(ordered('P.b.V', 'P.B.V', 'P.A.V', 'P.ä.V')).toEqual(['P.A.V', 'P.ä.V', 'P.B.V', 'P.b.V']);
});

test('the tags of a group stay together', () => {
  expect(ordered('P.A B.X.V', 'P.A.Z.V', 'P.A-1.X.V')).toEqual(['P.A.Z.V', 'P.A B.X.V', 'P.A-1.X.V']);
});

test('it is an order, and sorting uses it', () => {
  const path = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', '1', '0', '9', '.', ' ') });
  fc.assert(
    fc.property(path, path, path, (a, b, c) => {
      expect(Math.sign(compareNaturally(a, b))).toBe(0 - Math.sign(compareNaturally(b, a)));
      if (compareNaturally(a, b) <= 0 && compareNaturally(b, c) <= 0) expect(compareNaturally(a, c)).toBeLessThan(1);
      expect(ordered(a, b, c)).toEqual([a, b, c].toSorted(compareNaturally));
    }),
  );
});

test('a list that comes in parts has the order of the whole', () => {
  const path = fc.string({ unit: fc.constantFrom('a', 'B', 'ä', '1', '0', '9', '.', ' ') });
  fc.assert(
    fc.property(fc.array(fc.array(path)), (parts) => {
      const items = parts.map((part, number) => part.map((text) => ({ text, number })));
      const order = new NaturalOrder<{ text: string; number: number }>(({ text }) => text);
      for (const part of items) order.add(part);
      expect(order.items()).toEqual(inNaturalOrder(items.flat(), ({ text }) => text));
    }),
  );
});

import { expect, test } from 'vitest';
import { rowsIn, topFor } from '../../../../src-renderer/ui/lists/fixed-rows.ts';
import { fc } from '../../../support/run/random.ts';

const sizes = { row: 26, head: 26 };
const views = fc.record({ top: fc.nat({ max: 30_000_000 }), height: fc.integer({ min: 60, max: 2_000 }) });
const counts = fc.integer({ min: 1, max: 1_250_000 });

/** The place of a row in the window, in px: below the header and above the end if it is visible as a whole. */
const placeOf = (index: number, top: number) => sizes.head + index * sizes.row - top;

test('rows that are visible, even in part, are in the range, and no others', () => {
  const property = fc.property(views, counts, (view, count) => {
    const { first, last } = rowsIn(view, count, sizes);
    const isVisible = (index: number) => {
      const place = placeOf(index, view.top);
      return index >= 0 && index < count && place + sizes.row > sizes.head && place < view.height;
    };
    const visible = Math.floor(view.top / sizes.row) < count;
    expect([isVisible(first), isVisible(last)]).toEqual([visible, visible]);
    expect([isVisible(first - 1), isVisible(last + 1)]).toEqual([false, false]);
  });
  fc.assert(property);
});

test('a row that is scrolled to is visible as a whole, and one that is does not move', () => {
  const property = fc.property(views, counts, (view, index) => {
    const to = topFor(index, view, sizes);
    const top = to ?? view.top;
    const place = placeOf(index, top);
    expect(place).toBeGreaterThanOrEqual(sizes.head);
    expect(place + sizes.row).toBeLessThanOrEqual(view.height);
    expect(topFor(index, { ...view, top }, sizes)).toBeNull();
  });
  fc.assert(property);
});

test('nothing is visible in a view without a height, or without rows', () => {
  expect(rowsIn({ top: 0, height: 0 }, 10, sizes)).toEqual({ first: 0, last: -1 });
  expect(rowsIn({ top: 0, height: 500 }, 0, sizes)).toEqual({ first: 0, last: -1 });
  // Scrolled beyond rows that are gone.
  expect(rowsIn({ top: 2_600, height: 500 }, 10, sizes)).toEqual({ first: 9, last: 9 });
});

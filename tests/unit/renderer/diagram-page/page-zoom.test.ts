import { expect, test } from 'vitest';
import { fittingZoom, nextZoom, wheelZoom, withZoom } from '../../../../src-renderer/diagram-page/page-zoom.ts';

test('a page fits the width, but is neither unreadable nor out of proportion', () => {
  expect([300, 700, 1_000, 1_555, 9_000].map((room) => fittingZoom(room, 1_000))).toEqual([0.5, 0.7, 1, 1.55, 2]);
});

test('steps lead from any zoom to the next round one, up to the limits', () => {
  expect([0.82, 1, 1.55, 4].map((scale) => nextZoom(scale, 1))).toEqual([0.9, 1.1, 1.75, 4]);
  expect([0.82, 1, 1.55, 0.25].map((scale) => nextZoom(scale, -1))).toEqual([0.75, 0.9, 1.5, 0.25]);
});

test('a notch of the wheel changes the zoom by about a fifth, in px and in lines', () => {
  const turned = (deltaY: number, deltaMode = 0) => wheelZoom(1, { deltaY, deltaMode });
  expect([turned(-100), turned(100), turned(-3, 1), turned(-5_000), turned(5_000)]).toEqual([1.22, 0.82, 1.1, 4, 0.25]);
});

test('the zooms of the last Diagrams are kept; one that fits is not', () => {
  expect(withZoom(withZoom({}, 7, 1.5), 3, 2)).toEqual({ d7: 1.5, d3: 2 });
  expect(withZoom({ d7: 1.5, d3: 2 }, 7, 'fit')).toEqual({ d3: 2 });
  let kept = {};
  for (let id = 1; id <= 300; id += 1) kept = withZoom(kept, id, 1);
  kept = withZoom(kept, 150, 2);
  const ids = Object.keys(kept);
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([200, 'd101', 'd150']);
});

import { describe, expect, test } from 'vitest';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import {
  ALIGNMENTS,
  AXES,
  alignParts,
  distributeParts,
} from '../../../../../src-renderer/features/diagrams/model/align-parts.ts';
import { fc } from '../../../../support/run/random.ts';

const part = (id: string, x: number, y: number, width = 40, height = 20): DiagramPart => ({
  id,
  kind: 'text',
  x,
  y,
  width,
  height,
  label: id,
  tag: '',
  value: null,
});
const page = (...parts: DiagramPart[]): DiagramText => ({ name: 'Page', width: 400, height: 300, parts });
const THREE = page(part('a', 0, 0), part('b', 48, 100, 80, 40), part('c', 200, 30), part('d', 300, 200));
const ABC = new Set(['a', 'b', 'c']);
const xs = ({ parts }: DiagramText) => parts.map(({ x }) => x);
const ys = ({ parts }: DiagramText) => parts.map(({ y }) => y);

describe('aligning parts', () => {
  test('moves them to a common edge or center line, and no other part', () => {
    expect(xs(alignParts(THREE, ABC, 'left'))).toEqual([0, 0, 0, 300]);
    expect(xs(alignParts(THREE, ABC, 'right'))).toEqual([200, 160, 200, 300]);
    expect(xs(alignParts(THREE, ABC, 'center'))).toEqual([100, 80, 100, 300]);
    expect(ys(alignParts(THREE, ABC, 'top'))).toEqual([0, 0, 0, 200]);
    expect(ys(alignParts(THREE, ABC, 'bottom'))).toEqual([120, 100, 120, 200]);
    expect(ys(alignParts(THREE, ABC, 'middle'))).toEqual([60, 50, 60, 200]);
  });

  test('distributing makes the gaps between them equal; the outer two stay', () => {
    expect(xs(distributeParts(THREE, ABC, 'horizontal'))).toEqual([0, 80, 200, 300]);
    expect(ys(distributeParts(THREE, ABC, 'vertical'))).toEqual([0, 100, 50, 200]);
    expect(distributeParts(THREE, new Set(['a', 'b']), 'horizontal')).toBe(THREE);
  });

  test('nothing changes for a single part, or a second time', () => {
    expect(alignParts(THREE, new Set(['a']), 'right')).toBe(THREE);
    const once = alignParts(THREE, ABC, 'middle');
    expect(alignParts(once, ABC, 'middle')).toBe(once);
  });

  test('parts stay inside the page, at whole px', () => {
    const { assert, array, constantFrom, integer, property, record } = fc;
    const anyPart = record({
      x: integer({ min: 0, max: 300 }),
      y: integer({ min: 0, max: 200 }),
      width: integer({ min: 16, max: 100 }),
      height: integer({ min: 16, max: 100 }),
    });
    assert(
      property(
        array(anyPart, { maxLength: 6 }),
        constantFrom(...ALIGNMENTS),
        constantFrom(...AXES),
        (all, edge, axis) => {
          const given = page(...all.map(({ x, y, width, height }, index) => part(`p${index}`, x, y, width, height)));
          const ids = new Set(given.parts.map(({ id }) => id));
          for (const next of [alignParts(given, ids, edge), distributeParts(given, ids, axis)]) {
            for (const { x, y, width, height } of next.parts) {
              expect([x, y].every((place) => Number.isInteger(place) && place >= 0)).toBe(true);
              expect(x + width <= given.width && y + height <= given.height).toBe(true);
            }
          }
        },
      ),
    );
  });
});

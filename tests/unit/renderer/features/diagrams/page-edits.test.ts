import { describe, expect, test } from 'vitest';
import type { DiagramPart, DiagramText } from '#domain/tag/diagram';
import { DIAGRAM_GRID, DIAGRAM_LIMITS, PART_KINDS } from '#domain/tag/diagram';
import {
  addPart,
  changePart,
  coveredParts,
  duplicateParts,
  moveParts,
  nextPartAt,
  pasteParts,
  removeParts,
  resizePage,
  resizeParts,
  stackParts,
} from '../../../../../src-renderer/features/diagrams/model/page-edits.ts';
import { changed, historyOf, redone, undone } from '../../../../../src-renderer/features/diagrams/model/history.ts';
import { fc } from '../../../../support/run/random.ts';

const { array, assert, constantFrom, integer, property, record } = fc;

const EMPTY: DiagramText = { name: 'Overview', width: 800, height: 600, parts: [] };
const pageOf = (...ids: string[]) => ids.reduce((page, id) => addPart(page, 'value', id), EMPTY);
const idsOf = (page: DiagramText) => page.parts.map(({ id }) => id);
const all = (page: DiagramText) => new Set(idsOf(page));

function isInside(page: DiagramText, part: DiagramPart): boolean {
  return part.x >= 0 && part.y >= 0 && part.x + part.width <= page.width && part.y + part.height <= page.height;
}

describe('edits of a page', () => {
  test('parts are pasted at their position if they fit, and next to others', () => {
    const page = pageOf('a', 'b');
    const newId = () => crypto.randomUUID();
    const small: DiagramText = { ...EMPTY, width: 200, height: 100 };
    const inSmall = pasteParts(small, page.parts, newId).page;
    expect(inSmall.parts).toHaveLength(2);
    expect(inSmall.parts.every((part) => isInside(inSmall, part))).toBe(true);
    const once = pasteParts(page, page.parts, newId);
    const twice = pasteParts(once.page, page.parts, newId);
    expect(new Set(twice.page.parts.map(({ x, y }) => `${x} ${y}`)).size).toBe(6);
    expect(new Set(idsOf(twice.page)).size).toBe(6);
    expect([...twice.copies]).toEqual(idsOf(twice.page).slice(4));
    const full = {
      ...page,
      parts: Array.from({ length: DIAGRAM_LIMITS.parts }, (_, at) => ({ ...once.page.parts[0]!, id: `${at}` })),
    };
    expect(pasteParts(full, page.parts, newId)).toEqual({ page: full, copies: new Set() });
  });

  test('new parts are placed next to each other while there is room', () => {
    const page = pageOf('a', 'b', 'c', 'd');
    const covered = page.parts.some((one) =>
      page.parts.some(
        (other) =>
          one.id !== other.id &&
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
    );
    expect(covered).toBe(false);
  });

  test('parts always stay on the grid, inside the page, and visible', () => {
    const step = record({
      sort: constantFrom('add', 'move', 'resize', 'duplicate', 'page'),
      kind: constantFrom(...PART_KINDS),
      dx: integer({ min: -5_000, max: 5_000 }),
      dy: integer({ min: -5_000, max: 5_000 }),
    });
    assert(
      property(array(step, { maxLength: 25 }), (steps) => {
        let page = EMPTY;
        let next = 0;
        for (const { sort, kind, dx, dy } of steps) {
          const some = new Set(idsOf(page).slice(0, 2));
          if (sort === 'add') page = addPart(page, kind, `p${(next += 1)}`);
          else if (sort === 'move') page = moveParts(page, some, dx, dy);
          else if (sort === 'resize') page = resizeParts(page, some, dx, dy);
          else if (sort === 'duplicate') page = duplicateParts(page, some, () => `p${(next += 1)}`).page;
          else page = resizePage(page, dx, dy);
        }
        expect(new Set(idsOf(page)).size).toBe(page.parts.length);
        for (const part of page.parts) {
          expect(isInside(page, part)).toBe(true);
          expect(Math.min(part.width, part.height)).toBeGreaterThanOrEqual(DIAGRAM_LIMITS.smallest);
          expect([part.x % DIAGRAM_GRID, part.y % DIAGRAM_GRID]).toEqual([0, 0]);
        }
      }),
    );
  });

  test('a group keeps its shape at the edge', () => {
    const page = pageOf('a', 'b');
    const [a, b] = page.parts;
    const moved = moveParts(page, all(page), -5_000, 40);
    const [c, d] = moved.parts;
    expect(c?.x).toBe(0);
    expect((d?.x ?? 0) - (c?.x ?? 0)).toBe((b?.x ?? 0) - (a?.x ?? 0));
    expect(moved.parts.map(({ y }) => y)).toEqual([56, 56]);
  });

  test('changes, stacks and removes only the selected parts', () => {
    const page = pageOf('a', 'b', 'c');
    expect(changePart(page, 'b', { label: 'B' }).parts.map(({ label }) => label)).toEqual(['', 'B', '']);
    expect(idsOf(stackParts(page, new Set(['a']), 'front'))).toEqual(['b', 'c', 'a']);
    expect(idsOf(stackParts(page, new Set(['c']), 'back'))).toEqual(['c', 'a', 'b']);
    expect(idsOf(removeParts(page, new Set(['b', 'x'])))).toEqual(['a', 'c']);
  });
});

describe('parts behind others', () => {
  const at = (page: DiagramText, id: string, x: number, y: number) => changePart(page, id, { x, y });
  const spread = pageOf('a', 'b', 'c');

  test('are those that one in front covers by half or more', () => {
    expect(coveredParts(spread)).toEqual([]);
    const half = at(at(spread, 'a', 0, 0), 'b', 0, 36);
    expect(coveredParts(half).map(({ id }) => id)).toEqual(['a']);
    expect(coveredParts(at(half, 'b', 0, 40))).toEqual([]);
    expect(coveredParts(stackParts(half, new Set(['a']), 'front')).map(({ id }) => id)).toEqual(['b']);
  });

  test('are reached one by one at their place', () => {
    const piled = ['a', 'b', 'c'].reduce((page, id) => at(page, id, 8, 8), spread);
    const next = (...selected: string[]) => nextPartAt(piled, new Set(selected), 10, 10);
    expect([next(), next('c'), next('b'), next('a')]).toEqual(['c', 'b', 'a', 'c']);
    expect(nextPartAt(piled, new Set(), 700, 500)).toBeNull();
  });

  test('stay as they are, without a step to undo, when they have no one to pass', () => {
    expect(stackParts(spread, new Set(['c']), 'front')).toBe(spread);
    expect(stackParts(spread, new Set(['a', 'b']), 'back')).toBe(spread);
  });
});

describe('history', () => {
  test('undoes and redoes; related changes are one step', () => {
    let history = changed(historyOf(0), 1);
    for (const x of [2, 3, 4]) history = changed(history, x, 'drag');
    history = changed(history, 5, 'other drag');
    expect(history.past).toEqual([0, 1, 4]);
    history = undone(undone(history));
    expect(history.now).toBe(1);
    expect(redone(history).now).toBe(4);
    // After an undo the same drag is another change.
    expect(changed(redone(history), 9, 'drag').past).toEqual([0, 1, 4]);
    expect(redone(changed(history, 7)).now).toBe(7);
    expect(undone(undone(undone(history))).now).toBe(0);
  });
});

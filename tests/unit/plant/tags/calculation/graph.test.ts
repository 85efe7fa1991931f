import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { orderOf } from '../../../../../src-main/plant/tags/calculation/graph.ts';

/** A graph: the numbers of the nodes that each node needs. */
const graphs = fc.integer({ min: 1, max: 25 }).chain((size) =>
  fc.array(fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 }), {
    minLength: size,
    maxLength: size,
  }),
);
const needsIn = (graph: readonly (readonly number[])[]) => (node: number) => graph[node] ?? [];

/** The nodes that a node needs, directly or indirectly. */
function reachable(graph: readonly (readonly number[])[], from: number): Set<number> {
  const found = new Set<number>(graph[from]);
  for (const node of found) for (const need of graph[node] ?? []) found.add(need);
  return found;
}

describe('the order of nodes', () => {
  test('has each node once, after all nodes that it needs, or in a cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { levels, circles, reachedFrom } = orderOf([0], needsIn(graph));
        const all = new Set([0, ...reachable(graph, 0)]);
        const placed = levels.flat();
        expect(new Set(reachedFrom.keys())).toEqual(all);
        expect(placed.length + circles.size).toBe(all.size);
        expect(new Set([...placed, ...circles.keys()])).toEqual(all);
        const levelOf = new Map(levels.flatMap((level, index) => level.map((node) => [node, index] as const)));
        for (const [node, level] of levelOf) {
          for (const need of graph[node] ?? []) expect(levelOf.get(need) ?? -1).toBeLessThan(level);
        }
      }),
    );
  });

  test('finds exactly the nodes that need themselves, each with an actual cycle', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { circles } = orderOf(graph.keys(), needsIn(graph));
        const onCircles = [...graph.keys()].filter((node) => reachable(graph, node).has(node));
        expect(new Set(circles.keys())).toEqual(new Set(onCircles));
        for (const circle of circles.values()) {
          for (const [index, node] of circle.entries()) {
            expect(graph[node]).toContain(circle[(index + 1) % circle.length]);
          }
          expect(new Set(circle).size).toBe(circle.length);
        }
      }),
    );
  });

  test('handles a chain and a cycle of 100,000 nodes', () => {
    const chain = orderOf([0], (node: number) => (node < 100_000 ? [node + 1] : []));
    expect(chain.levels).toHaveLength(100_001);
    const ring = orderOf([0], (node: number) => [(node + 1) % 100_000]);
    expect(ring.circles.size).toBe(100_000);
    expect(ring.circles.get(5)).toHaveLength(100_000);
  });

  test('returns the path by which a node was first reached', () => {
    const { reachedFrom } = orderOf(['a'], (node) => ({ a: ['b'], b: ['c'] })[node] ?? []);
    expect([...reachedFrom]).toEqual([
      ['a', null],
      ['b', 'a'],
      ['c', 'b'],
    ]);
  });
});

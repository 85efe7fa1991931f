import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import {
  allWithin,
  canOpen,
  childrenOf,
  openAtFirst,
  peek,
  plainText,
  rootOf,
  seenNodes,
} from '../../../../src-renderer/ui/json/json-nodes.ts';

const result: Json = { orders: [{ number: 7, 'due date': null }], 'a"b': {}, é: 'x', '': [[1, 2]] };

test('every part has the path that a script would use', () => {
  const paths = seenNodes(result, () => true).map(({ path }) => path);
  expect(paths).toEqual([
    '',
    'orders',
    'orders[0]',
    'orders[0].number',
    'orders[0]["due date"]',
    '["a\\"b"]',
    'é',
    '[""]',
    '[""][0]',
    '[""][0][0]',
    '[""][0][1]',
  ]);
  for (const { path, value } of seenNodes(result, () => true).slice(1)) {
    expect(runInNewContext(`it${path.startsWith('[') ? '' : '.'}${path}`, { it: result })).toEqual(value);
  }
});

test('a collapsed node hides its content; an empty one cannot be expanded', () => {
  const seen = seenNodes(result, (path) => path !== 'orders');
  expect(seen.some(({ path }) => path.startsWith('orders['))).toBe(false);
  expect(seen.filter(canOpen).map(({ path }) => path)).toEqual(['', 'orders', '[""]', '[""][0]']);
});

test('long arrays and objects expand in ranges, without gaps', () => {
  const long = Array.from({ length: 12_345 }, (_none, index) => index);
  const ranges = childrenOf(rootOf(long));
  expect(ranges.map(({ path }) => path)).toEqual(['[0…4999]', '[5000…9999]', '[10000…12344]']);
  expect(ranges.flatMap(childrenOf).map(({ value }) => value)).toEqual(long);
  expect(ranges.flatMap(childrenOf).at(-1)).toMatchObject({ path: '[12344]', name: 12_344, level: 3 });
  const members: Json = { all: Object.fromEntries(long.map((index) => [`k${index}`, index])) };
  const [all] = childrenOf(rootOf(members));
  expect(all && childrenOf(all).flatMap(childrenOf)[5_001]).toMatchObject({ path: 'all.k5001', value: 5_001 });
});

test('initially a readable part is expanded; everything on demand', () => {
  const table: Json = Array.from({ length: 400 }, (_none, index) => ({ index, inner: [index] }));
  expect([...openAtFirst(result)]).toHaveLength(5);
  const open = openAtFirst(table);
  expect(open.has('')).toBe(true);
  expect(open.size).toBeLessThan(401);
  expect(seenNodes(table, (path) => open.has(path)).length).toBeLessThanOrEqual(1_001);
  expect(allWithin(rootOf(table))).toHaveLength(801);
  const wide: Json = Array.from({ length: 3_000 }, () => [1]);
  expect([...openAtFirst(wide)]).toEqual(['']);
});

test('a collapsed node is summarized in one line', () => {
  expect(peek([1, 'two', null, [], [3], {}, 7])).toBe('1, "two", null, [], […], {}, …');
  expect(peek({ a: 1, b: { c: 2 } })).toBe('a: 1, b: {…}');
  expect(plainText('a "quoted"\ntext', 100)).toBe('"a \\"quoted\\" text"');
});

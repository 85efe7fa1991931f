import { expect, test } from 'vitest';
import { remembered } from '../../../../src-renderer/support/local-storage.ts';

/** A storage that has one text under every key. */
const storageWith = (text: string): Storage => ({
  length: 1,
  key: () => null,
  getItem: () => text,
  setItem: () => undefined,
  removeItem: () => undefined,
  clear: () => undefined,
});
const read = <T>(text: string, fallback: T): T => remembered(text, fallback, storageWith(text));

test.each([
  ['null', {}],
  ['[1]', { a: 1 }],
  ['{"a":1}', ['b']],
  ['"5"', 5],
  ['null', 5],
  ['1', 'light'],
  ['"yes"', false],
  ['{', 'light'],
])('%s in place of %j is ignored', (text, fallback) => {
  expect(read(text, fallback)).toBe(fallback);
});

test('a value of the same kind as the fallback is returned', () => {
  expect(read('{"a":2}', { a: 1 })).toEqual({ a: 2 });
  expect(read('[]', ['b'])).toEqual([]);
  expect(read('true', false)).toBe(true);
  expect(read<unknown>('[3]', null)).toEqual([3]);
});

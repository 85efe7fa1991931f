/** Digits in a row; longer runs are compared by their first digits. */
const DIGITS = /\d+/g;
const WIDTH = 16;
const MARKS = /\p{M}+/gu;

/**
 * The natural order of tag paths and names, everywhere that tags are listed for people: `Valve2` before `Valve10`,
 * letters in any case and with any accent side by side, and the tags of a group before those of a group whose name only
 * begins like it. Paths that differ in nothing else are ordered by their characters.
 */
export function compareNaturally(a: string, b: string): number {
  return byKey(naturalKey(a), naturalKey(b)) || byKey(a, b);
}

/** The items in the natural order of their paths; 50,000 of them take about 0.1 s. */
export function inNaturalOrder<T>(items: readonly T[], pathOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, path: pathOf(item), key: naturalKey(pathOf(item)) }))
    .toSorted((a, b) => byKey(a.key, b.key) || byKey(a.path, b.path))
    .map(({ item }) => item);
}

/** A text that is compared by its characters in the natural order. */
export function naturalKey(path: string): string {
  const plain = path.normalize('NFD').replaceAll(MARKS, '').toLowerCase();
  return plain.replaceAll(DIGITS, (digits) => digits.padStart(WIDTH, '0')).replaceAll('.', '\u0001');
}

const byKey = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** What orders tags by one reading: it changes all the time, so the order is that of a moment. */
export const ORDERS_BY = ['value', 'quality', 'time'] as const;
export type OrderBy = (typeof ORDERS_BY)[number];

/** Maximum number of tags that are read for an order. */
export const MOST_ORDERED = 50_000;

/** The order of given tags. */
export interface TagOrder {
  /** Their places in the given list, from 0. */
  order: number[];
  /** How many could not be read in time; they are last. */
  unread: number;
}

/** Digits in a row; longer runs are compared by their first digits. */
const DIGITS = /\d+/g;
const WIDTH = 16;
const MARKS = /\p{M}+/gu;
const PLAIN = /^[ -~]*$/;

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
  return entriesOf(items, pathOf).map(({ item }) => item);
}

/** Items in natural order that come in parts: adding one takes much less than sorting all of them when they are there. */
export class NaturalOrder<T> {
  readonly #pathOf: (item: T) => string;
  #entries: readonly OrderedItem<T>[] = [];

  constructor(pathOf: (item: T) => string) {
    this.#pathOf = pathOf;
  }

  /** Items with equal paths keep the order in which they were added. */
  add(items: readonly T[]): void {
    this.#entries = merged(this.#entries, entriesOf(items, this.#pathOf));
  }

  items(): T[] {
    return this.#entries.map(({ item }) => item);
  }
}

interface OrderedItem<T> {
  item: T;
  path: string;
  key: string;
}

const compareEntries = (a: OrderedItem<unknown>, b: OrderedItem<unknown>): number =>
  byKey(a.key, b.key) || byKey(a.path, b.path);

function entriesOf<T>(items: readonly T[], pathOf: (item: T) => string): OrderedItem<T>[] {
  return items.map((item) => ({ item, path: pathOf(item), key: naturalKey(pathOf(item)) })).toSorted(compareEntries);
}

function merged<T>(first: readonly OrderedItem<T>[], second: readonly OrderedItem<T>[]): readonly OrderedItem<T>[] {
  const [last, begin] = [first.at(-1), second[0]];
  // Parts that come in the order of characters mostly follow each other.
  if (last === undefined || begin === undefined || compareEntries(last, begin) <= 0) return first.concat(second);
  const all: OrderedItem<T>[] = [];
  let next = 0;
  for (const entry of first) {
    for (let other = second[next]; other !== undefined && compareEntries(other, entry) < 0; other = second[next]) {
      all.push(other);
      next += 1;
    }
    all.push(entry);
  }
  return next < second.length ? all.concat(second.slice(next)) : all;
}

/** A text that is compared by its characters in the natural order. */
export function naturalKey(path: string): string {
  // Most paths have no other characters, and need no normalization, which takes half of the time.
  const letters = PLAIN.test(path) ? path : path.normalize('NFD').replaceAll(MARKS, '');
  return letters
    .toLowerCase()
    .replaceAll(DIGITS, (digits) => digits.padStart(WIDTH, '0'))
    .replaceAll('.', '\u0001');
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

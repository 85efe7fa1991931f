import { setImmediate as turn } from 'node:timers/promises';
import { isUsable } from '#domain/tag/quality';
import type { OrderBy, TagOrder } from '#domain/tag/tag-order';
import { naturalKey } from '#domain/tag/tag-order';
import type { TagValue } from '#domain/tag/tag';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** Tags that are read at once; fewer if their kind runs scripts or SQL. */
const PART = 500;
const SLOW_PART = 50;
/** After this time, in ms, no further part is read. */
const PATIENCE_MS = 15_000;
/** Number of characters of a text that are compared: values can have megabytes. */
const KEY = 100;

/** The sort key of a tag: its class is compared first, then a number or a text. */
interface Key {
  class: number;
  /** Sorts after all others in both directions. */
  isLast?: true;
  number?: number;
  text?: string;
}

interface OrderReading {
  by: OrderBy;
  descending: boolean;
  isImmediate: (path: string) => boolean;
  read: (paths: readonly string[]) => MaybePromise<TagValue[]>;
  signal?: AbortSignal | undefined;
  patienceMs?: number;
}

/**
 * Sorts tags by one reading of each. Tags in memory are read first, then the others, in parts, so that no other read
 * waits long for them. Tags that could not be read in time are last, and counted. Ends when the signal aborts.
 */
export async function orderTags(paths: readonly string[], reading: OrderReading): Promise<TagOrder> {
  const { by, descending, isImmediate, read, signal, patienceMs = PATIENCE_MS } = reading;
  const keys: (Key | undefined)[] = [];
  const places = [...paths.keys()];
  const sizeOf = (place: number): number => (isImmediate(paths[place] ?? '') ? PART : SLOW_PART);
  const placesOf = Map.groupBy(places, sizeOf);
  const end = performance.now() + patienceMs;
  for (const size of [PART, SLOW_PART]) {
    const all = placesOf.get(size) ?? [];
    for (let from = 0; from < all.length && performance.now() < end; from += size) {
      signal?.throwIfAborted();
      const part = all.slice(from, from + size);
      // oxlint-disable-next-line no-await-in-loop -- the parts follow each other, to leave room for other reads
      const values = await read(part.map((place) => paths[place] ?? ''));
      for (const [index, value] of values.entries()) keys[part[index] ?? 0] = KEYS[by](value);
      // oxlint-disable-next-line no-await-in-loop -- values in memory are read without waiting
      await turn();
    }
  }
  signal?.throwIfAborted();
  const order = places.toSorted((a, b) => compare(keys[a] ?? UNREAD, keys[b] ?? UNREAD, descending) || a - b);
  return { order, unread: places.filter((place) => keys[place] === undefined).length };
}

const UNREAD: Key = { class: 9, isLast: true };

const KEYS: Readonly<Record<OrderBy, (value: TagValue) => Key>> = {
  /** Numbers, then texts, then structures. */
  value({ value, quality }) {
    if (!isUsable(quality)) return { class: 8, isLast: true };
    if (value === null) return { class: 7, isLast: true };
    if (typeof value === 'number') return { class: 0, number: value };
    return typeof value === 'object' ? { class: 2 } : { class: 1, text: naturalKey(String(value).slice(0, KEY)) };
  },
  /** Worst first; equal qualities together. */
  quality: ({ quality }) => ({
    class: quality === 'Good' ? 3 : quality.startsWith('Good') ? 2 : isUsable(quality) ? 1 : 0,
    text: quality,
  }),
  /** Oldest first. */
  time: ({ changedAt }) =>
    changedAt === undefined ? { class: 1, isLast: true } : { class: 0, number: Date.parse(changedAt) },
};

function compare(a: Key, b: Key, descending: boolean): number {
  const last = Number(a.isLast ?? false) - Number(b.isLast ?? false);
  if (last !== 0) return last;
  const classes = a.class - b.class;
  // Tags at the end have one order.
  if (a.isLast) return classes;
  const { number: first = 0, text = '' } = a;
  const { number: second = 0, text: other = '' } = b;
  const ascending = classes || first - second || (text < other ? -1 : Number(text > other));
  return descending ? -ascending : ascending;
}

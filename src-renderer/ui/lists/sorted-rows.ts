import { useMemo } from 'react';
import { naturalKey } from '#domain/tag/tag-order';
import { useStore } from '../../support/store.ts';
import { type ColumnSort, type GridSort, type KeptLook, idOf } from './grid-look.ts';
import type { GridColumn } from './virtual-grid.tsx';

export interface RowOrder<Row> {
  /** Identifies a row. */
  keyOf: (row: Row) => string;
  /** Rows that are above all others in any order: new ones, which would move while their names are typed. */
  isFirst?: (row: Row) => boolean;
  /**
   * Rows arrive on their own, the newest at the top of the given ones. If the table is sorted by another column than at
   * first, they are added at the end, in the order in which they came, until it is sorted again: so no row moves another.
   */
  arrives?: boolean;
}

/** A column of times: the first click sorts the newest first. */
export const TIME_SORT = {
  titles: ['Sort, the oldest first', 'Sort, the newest first'],
  descendingFirst: true,
} as const satisfies ColumnSort;

/** Rows without a value are last in both directions. */
type Value = string | number | null;

/**
 * The rows in the chosen order of a table whose columns have `sort.by`; equal ones stay in the given order. Texts are in
 * natural order. By a column whose values change on their own, rows are ordered once: when they are sorted, and when
 * rows or first values are added. So a row does not move away from the pointer.
 */
export function useSortedRows<Row>(
  rows: readonly Row[],
  kept: KeptLook,
  columns: readonly GridColumn<Row>[],
  order: RowOrder<Row>,
): readonly Row[] {
  const { keyOf, isFirst, arrives } = order;
  const sort = useStore(kept.store, ({ sort: chosen }) => chosen);
  const column = columns.find((one) => idOf(one) === sort?.name)?.sort;
  const by = column?.by;
  const moment = stays(arrives, sort, kept)
    ? String(rows.length === 0)
    : by && column?.changes === true
      ? momentOf(rows, keyOf, by)
      : null;
  const keys = useMemo(
    () => (sort && by ? sortedRows(rows, sort, by, isFirst).map(keyOf) : null),
    // oxlint-disable-next-line react/exhaustive-deps -- `moment` stands for the rows whose changes count
    [sort, by, isFirst, keyOf, moment ?? rows],
  );
  return useMemo(() => {
    return keys ? inPlaces(rows, keys, keyOf) : rows;
  }, [rows, keys, keyOf]);
}

/** Whether rows keep the order that they had when the table was sorted, or when its first rows came. */
const stays = (arrives: boolean | undefined, sort: GridSort | null, { first }: KeptLook): boolean =>
  arrives === true && sort?.name !== first?.name;

/** The tooltip of the sorted header if arriving rows are not sorted; null for other headers. */
export function arrivalsHint(kept: KeptLook, what: string): (id: string) => string | null {
  return (id) => {
    const { sort } = kept.store.get();
    return sort?.name === id && stays(true, sort, kept) ? `New ${what} are at the end until you sort again` : null;
  };
}

/** Rows in the order of these keys. Others follow in reverse order: rows that arrive are given on top. */
export function inPlaces<Row>(
  rows: readonly Row[],
  keys: readonly string[],
  keyOf: (row: Row) => string,
): readonly Row[] {
  const places = new Map(keys.map((key, place) => [key, place]));
  return rows
    .map((row, index) => ({ row, place: places.get(keyOf(row)) ?? keys.length + rows.length - index }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ row }) => row);
}

/** Changes when rows or first values are added or removed. */
function momentOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string, by: (row: Row) => Value): string {
  return rows.map((row) => `${keyOf(row)} ${by(row) === null ? '' : 'has a value'}`).join('\n');
}

export function sortedRows<Row>(
  rows: readonly Row[],
  { descending }: GridSort,
  by: (row: Row) => Value,
  isFirst: (row: Row) => boolean = () => false,
): Row[] {
  const direction = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, rank: isFirst(row) ? 0 : by(row) === null ? 2 : 1, value: comparable(by(row)) }))
    .toSorted((a, b) => a.rank - b.rank || (a.rank === 1 ? direction * compare(a.value, b.value) : 0))
    .map(({ row }) => row);
}

const comparable = (value: Value): Value => (typeof value === 'string' ? naturalKey(value) : value);

/** Numbers before texts. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return typeof a === 'number' ? -1 : 1;
}

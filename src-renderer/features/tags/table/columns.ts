import { useMemo } from 'react';
import { inNaturalOrder, type OrderBy } from '#domain/tag/tag-order';
import type { TagDefinition } from '#domain/tag/tag';
import type { ColumnSort, GridSort } from '../../../ui/lists/grid-look.ts';
import { TIME_SORT } from '../../../ui/lists/sorted-rows.ts';
import { KIND_NAMES } from '../../../ui/text/tag-kind.tsx';

/** The columns of the table, in their order. */
export type ColumnName = 'Path' | 'Value' | 'Unit' | 'Quality' | 'Time' | 'Trend' | 'Kind' | 'Type';

/** The order of the table. */
export interface TagSort extends GridSort {
  name: ColumnName;
}

export const FIRST_SORT: TagSort = { name: 'Path', descending: false };

/** What a column is ordered by, if it is a part of the definition. */
const SORT_TEXTS: Partial<Record<ColumnName, (tag: TagDefinition) => string>> = {
  Path: ({ path }) => path,
  Unit: ({ unit }) => unit,
  Kind: ({ kind }) => KIND_NAMES[kind],
  Type: ({ type }) => type,
};

/** How columns are sorted. */
const SORTS: Partial<Record<ColumnName, ColumnSort>> = {
  Path: {},
  Value: {},
  Unit: {},
  Quality: { titles: ['Sort, the worst first', 'Sort, the best first'] },
  Time: TIME_SORT,
  Kind: {},
  Type: {},
};

/** Columns whose order is that of a moment: all tags are read for it. */
const LIVE_ORDERS: Partial<Record<ColumnName, OrderBy>> = { Value: 'value', Quality: 'quality', Time: 'time' };

const isColumn = (name: string): name is keyof typeof SORTS => Object.hasOwn(SORTS, name);

/** How the column with this name is sorted; undefined if it is not. */
export const sortOf = (name: string): ColumnSort | undefined => (isColumn(name) ? SORTS[name] : undefined);

/** What main orders by for a column; null for columns that are ordered here. */
export const liveOrderOf = (name: string): OrderBy | null => (isColumn(name) ? (LIVE_ORDERS[name] ?? null) : null);

/** A stored order, which another version may have written. */
export const checkedSort = (sort: GridSort | null): TagSort => {
  if (!sort || !isColumn(sort.name)) return FIRST_SORT;
  return { name: sort.name, descending: sort.descending };
};

/**
 * The tags, which are in natural order, ordered by a column of the definition; equal ones stay in natural order. For
 * another column they stay as they are.
 */
export function useSorted(tags: readonly TagDefinition[], { name, descending }: TagSort) {
  return useMemo(() => {
    const textOf = SORT_TEXTS[name];
    if (!textOf) return tags;
    const sorted = name !== 'Path' ? inNaturalOrder(tags, (tag) => `${textOf(tag)}\n${tag.path}`) : tags;
    return descending ? sorted.toReversed() : sorted;
  }, [tags, name, descending]);
}

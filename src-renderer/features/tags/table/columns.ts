import { useMemo, useState } from 'react';
import { inNaturalOrder, type OrderBy } from '#domain/tag/tag-order';
import type { TagDefinition } from '#domain/tag/tag';
import { remember, remembered } from '../../../support/local-storage.ts';
import { KIND_NAMES } from '../../../ui/text/tag-kind.tsx';

/** The columns of the table, in their order. */
export const COLUMNS = ['Path', 'Value', 'Unit', 'Quality', 'Time', 'Trend', 'Kind', 'Type'] as const;
export type ColumnName = (typeof COLUMNS)[number];

/** The look of the table that a user has chosen, kept in this browser. */
export interface TableLook {
  sort: { name: ColumnName; descending: boolean };
  /** In px; other columns share the space. */
  widths: Partial<Record<ColumnName, number>>;
  hidden: readonly ColumnName[];
  /** Times are shown as ages. */
  ages: boolean;
}

export const DEFAULT_LOOK: TableLook = {
  sort: { name: 'Path', descending: false },
  widths: {},
  hidden: [],
  ages: false,
};

const KEY = 'tags.columns';
const LEAST_WIDTH = 48;
const MOST_WIDTH = 800;

/** What a column is ordered by, if it is a part of the definition. */
const SORT_TEXTS: Partial<Record<ColumnName, (tag: TagDefinition) => string>> = {
  Path: ({ path }) => path,
  Unit: ({ unit }) => unit,
  Kind: ({ kind }) => KIND_NAMES[kind],
  Type: ({ type }) => type,
};

/** Columns whose order is that of a moment: all tags are read for it. */
const LIVE_ORDERS: Partial<Record<ColumnName, OrderBy>> = { Value: 'value', Quality: 'quality', Time: 'time' };

/** What main orders by for a column; null for those that are ordered here. */
export const liveOrderOf = (name: ColumnName): OrderBy | null => LIVE_ORDERS[name] ?? null;

export const canSort = (name: string): boolean => name in SORT_TEXTS || name in LIVE_ORDERS;

/** The sort after a click on a header: the other direction, or that of most use. The newest time, for example. */
export function nextSort(name: ColumnName, sort: TableLook['sort']): TableLook['sort'] {
  return { name, descending: sort.name === name ? !sort.descending : name === 'Time' };
}

export const columnOf = (name: string): ColumnName => COLUMNS.find((one) => one === name) ?? 'Path';

export const widthWithin = (width: number): number => Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));

/** The chosen look, and what changes a part of it. */
export function useTableLook(): [TableLook, (change: Partial<TableLook>) => void] {
  const [look, setLook] = useState(() => checkedLook(remembered<unknown>(KEY, null)));
  const change = (part: Partial<TableLook>) => {
    const next = { ...look, ...part };
    remember(KEY, next);
    setLook(next);
  };
  return [look, change];
}

/** A stored look, which another version may have written. */
export function checkedLook(stored: unknown): TableLook {
  const given: Partial<Record<keyof TableLook, unknown>> = typeof stored === 'object' && stored !== null ? stored : {};
  const { sort, widths, hidden } = given;
  const kept: TableLook['widths'] = {};
  if (typeof widths === 'object' && widths !== null) {
    for (const [name, width] of Object.entries(widths)) {
      if (typeof width === 'number' && Number.isFinite(width)) kept[columnOf(name)] = widthWithin(width);
    }
  }
  const by = typeof sort === 'object' && sort !== null && 'name' in sort ? columnOf(String(sort.name)) : 'Path';
  const descending = typeof sort === 'object' && sort !== null && 'descending' in sort && sort.descending === true;
  return {
    sort: { name: canSort(by) ? by : 'Path', descending },
    widths: kept,
    hidden: Array.isArray(hidden) ? COLUMNS.filter((name) => name !== 'Path' && hidden.includes(name)) : [],
    ages: given.ages === true,
  };
}

/**
 * The tags, which are in natural order, ordered by a column of the definition; equal ones stay in natural order. For
 * another column they stay as they are.
 */
export function useSorted(tags: readonly TagDefinition[], { name, descending }: TableLook['sort']) {
  return useMemo(() => {
    const textOf = SORT_TEXTS[name];
    if (!textOf) return tags;
    const sorted = name !== 'Path' ? inNaturalOrder(tags, (tag) => `${textOf(tag)}\n${tag.path}`) : tags;
    return descending ? sorted.toReversed() : sorted;
  }, [tags, name, descending]);
}

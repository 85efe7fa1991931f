import { useEffect, useState } from 'react';
import { onRemembered, remember, remembered } from '../../support/local-storage.ts';
import { Store } from '../../support/store.ts';

/** The column that rows are ordered by, and the direction. */
export interface GridSort {
  /** The id of the column. */
  name: string;
  descending: boolean;
}

/** The look of a table that a user has chosen. */
export interface GridLook {
  /** null for the order in which the rows are given. */
  sort: GridSort | null;
  /** In px, by id; other columns share the space. */
  widths: Readonly<Record<string, number>>;
  /** Ids. */
  hidden: readonly string[];
  /** Times are shown as ages. */
  ages: boolean;
}

/** How a column is sorted. */
export interface ColumnSort {
  /** The first click sorts descending: times, with the newest first. */
  descendingFirst?: boolean;
  /** The entries of its menu; default: `Sort ascending`, `Sort descending`. */
  titles?: readonly [ascending: string, descending: string];
}

/** A column as its header sees it. */
export interface HeadColumn {
  name: string;
  /** What its width and its visibility are stored under; default: its name. Unique in the table. */
  id?: string;
  /** `shown`: it can't be hidden. `fixed`: its width can't be changed either. */
  keep?: 'shown' | 'fixed';
  /** Without it, the table is not sorted by this column. */
  sort?: ColumnSort;
  /** Its times can be shown as ages. */
  hasAges?: boolean;
  look?: 'number' | 'code';
}

const LEAST_WIDTH = 32;
const MOST_WIDTH = 800;
/** Maximum number of stored names: the outputs of rules are columns, too. */
const MOST_NAMES = 200;

export const idOf = ({ name, id = name }: HeadColumn): string => id;

export const widthWithin = (width: number): number => Math.round(Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, width)));

/** The chosen width, px; undefined for that of the table. An output can have any name, such as `constructor`. */
export function widthOf({ widths }: GridLook, column: HeadColumn): number | undefined {
  const id = idOf(column);
  return column.keep !== 'fixed' && Object.hasOwn(widths, id) ? widths[id] : undefined;
}

export const isHidden = ({ hidden }: GridLook, column: HeadColumn): boolean =>
  column.keep === undefined && hidden.includes(idOf(column));

/** A stored look, which another version may have written. `first` is the order without another choice. */
export function checkedLook(stored: unknown, first: GridSort | null): GridLook {
  const given: Partial<Record<keyof GridLook, unknown>> = typeof stored === 'object' && stored !== null ? stored : {};
  const { widths, hidden, ages } = given;
  const kept = typeof widths === 'object' && widths !== null ? Object.entries(widths) : [];
  const names = Array.isArray(hidden) ? hidden.filter((name) => typeof name === 'string') : [];
  return {
    sort: checkedSort(given.sort) ?? first,
    widths: Object.fromEntries(
      kept
        .flatMap(([name, width]) =>
          typeof width === 'number' && Number.isFinite(width) ? [[name, width] as const] : [],
        )
        .map(([name, width]) => [name, widthWithin(width)] as const)
        .slice(-MOST_NAMES),
    ),
    hidden: [...new Set(names)].slice(-MOST_NAMES),
    ages: ages === true,
  };
}

function checkedSort(sort: unknown): GridSort | null {
  if (typeof sort !== 'object' || sort === null || !('name' in sort) || typeof sort.name !== 'string') return null;
  return { name: sort.name, descending: 'descending' in sort && sort.descending === true };
}

/**
 * The sort after a click on a header: that of most use, then the other direction, then the order without a sort if the
 * table has one.
 */
export function nextSort(column: HeadColumn, sort: GridSort | null, first: GridSort | null): GridSort | null {
  const name = idOf(column);
  const begin = column.sort?.descendingFirst === true;
  if (sort?.name !== name) return { name, descending: begin };
  return sort.descending !== begin && first === null ? null : { name, descending: !sort.descending };
}

/** The look without what was chosen for these columns. Columns of other rules keep theirs. */
export function resetLook(
  { widths, hidden }: GridLook,
  columns: readonly HeadColumn[],
  first: GridSort | null,
): GridLook {
  const here = new Set(columns.map(idOf));
  return {
    sort: first,
    widths: Object.fromEntries(Object.entries(widths).filter(([name]) => !here.has(name))),
    hidden: hidden.filter((name) => !here.has(name)),
    ages: false,
  };
}

/** The look of one table, kept in this browser. */
export class KeptLook {
  readonly store: Store<GridLook>;
  /** The order without another choice; null for that of the given rows, which no column has. */
  readonly first: GridSort | null;
  readonly #key: string;

  /** `table` names the table in the storage, such as `events`. */
  constructor(table: string, first: GridSort | null) {
    this.#key = `${table}.columns`;
    this.first = first;
    this.store = new Store(this.#stored());
  }

  /** Shows what other windows of this browser choose, so that no window overwrites it; returns how to stop that. */
  follow(): () => void {
    return onRemembered(this.#key, () => {
      const [now, next] = [this.store.get(), this.#stored()];
      const isSame = now.sort?.name === next.sort?.name && now.sort?.descending === next.sort?.descending;
      this.store.set(isSame ? { ...next, sort: now.sort } : next);
    });
  }

  /** Each sort is a new object, so that the same one can be requested again. */
  readonly change = (part: Partial<GridLook>): void => {
    const next = { ...this.store.get(), ...part };
    remember(this.#key, next);
    this.store.set(next);
  };

  #stored(): GridLook {
    return checkedLook(remembered<unknown>(this.#key, null), this.first);
  }
}

/** `table` and `first` are those of the first render. */
export function useKeptLook(table: string, first: GridSort | null = null): KeptLook {
  const [kept] = useState(() => new KeptLook(table, first));
  useEffect(() => kept.follow(), [kept]);
  return kept;
}

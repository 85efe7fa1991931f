import { useMemo, useState } from 'react';
import type { RowChoice } from '../../../ui/lists/row-events.ts';
import type { ListRow } from '../model/folder-rows.ts';
import type { MocksModel } from '../model/mocks-model.ts';

const NONE: ReadonlySet<string> = new Set();

export interface MarkedRows {
  /** The keys of all selected rows: one has the focus, the others were selected with Shift, Ctrl or Ctrl+A. */
  marked: ReadonlySet<string>;
  choose: (index: number, choice: RowChoice) => void;
  chooseAll: () => void;
  /** Only the one with the focus stays selected. */
  unmark: () => void;
}

/** The selection of the list. */
export function useMarkedRows(
  rows: readonly ListRow[],
  selected: string | null,
  model: Pick<MocksModel, 'select'>,
): MarkedRows {
  const [also, setAlso] = useState(NONE);
  const marked = useMemo(() => new Set(selected === null ? also : [...also, selected]), [also, selected]);
  const choose = (index: number, { extend, toggle }: RowChoice) => {
    const row = rows[index];
    if (!row) return;
    const from = rows.findIndex(({ key }) => key === selected);
    if (extend && from >= 0) {
      const between = rows.slice(Math.min(from, index), Math.max(from, index) + 1);
      setAlso(new Set([...also, ...between.map(({ key }) => key)]));
    } else if (toggle) {
      const next = new Set(marked);
      if (row.key !== selected && next.has(row.key)) {
        next.delete(row.key);
        setAlso(next);
        return;
      }
      setAlso(next.add(row.key));
    } else setAlso(NONE);
    model.select(row.key);
  };
  return {
    marked,
    choose,
    chooseAll: () => setAlso(new Set(rows.map(({ key }) => key))),
    unmark: () => setAlso(NONE),
  };
}

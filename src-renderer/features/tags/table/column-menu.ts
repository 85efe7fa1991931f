import { COLUMNS, type ColumnName, DEFAULT_LOOK, type TableLook, canSort } from './columns.ts';

/** The directions of columns in which "ascending" says too little. */
const DIRECTIONS: Partial<Record<ColumnName, readonly [string, string]>> = {
  Quality: ['Sort, the worst first', 'Sort, the best first'],
  Time: ['Sort, the oldest first', 'Sort, the newest first'],
};

/** Entries of the menu of a column, for `RowMenu`. */
export function columnEntries(name: ColumnName, look: TableLook, change: (part: Partial<TableLook>) => void) {
  const { hidden } = look;
  const [ascending, descending] = DIRECTIONS[name] ?? ['Sort ascending', 'Sort descending'];
  return [
    ...(canSort(name)
      ? [
          { title: ascending, run: () => change({ sort: { name, descending: false } }) },
          { title: descending, run: () => change({ sort: { name, descending: true } }) },
        ]
      : []),
    ...(name === 'Time'
      ? [{ title: look.ages ? 'Show times' : 'Show ages', run: () => change({ ages: !look.ages }) }]
      : []),
    ...(name === 'Path' ? [] : [{ title: `Hide ${name}`, run: () => change({ hidden: [...hidden, name] }) }]),
    ...COLUMNS.filter((one) => hidden.includes(one)).map((one, index) => ({
      title: `Show ${one}`,
      apart: index === 0,
      run: () => change({ hidden: hidden.filter((other) => other !== one) }),
    })),
    { title: 'Reset the columns', apart: true, run: () => change(DEFAULT_LOOK) },
  ];
}

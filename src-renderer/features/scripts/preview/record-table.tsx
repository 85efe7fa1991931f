import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { shownValue } from '../../../ui/shown-value.ts';
import type { ResultTable } from '../model/table.ts';
import styles from './preview.module.css';

const ROW = 24;

/** Records as a table of any length; long values are cut, and whole in their tooltip. */
export function RecordTable({ table: { columns, rows } }: { table: ResultTable }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
    initialRect: { width: 400, height: 600 },
  });
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <div ref={scroller} className={styles.table} role="region" aria-label="Result as table" tabIndex={0}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden="true" style={{ height: before }} />}
          {items.map(({ index }) => (
            <tr key={index} aria-rowindex={index + 2}>
              <td className={styles.rowNumber}>{index + 1}</td>
              {columns.map((column) => {
                const value = rows[index]?.[column];
                const text = value === undefined ? '' : shownValue(value);
                return (
                  <td key={column} title={text.length > 30 ? text : undefined} data-number={typeof value === 'number'}>
                    {text}
                  </td>
                );
              })}
            </tr>
          ))}
          {after > 0 && <tr aria-hidden="true" style={{ height: after }} />}
        </tbody>
      </table>
    </div>
  );
}

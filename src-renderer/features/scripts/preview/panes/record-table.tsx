import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { JsonObject } from '#domain/text/json';
import { shownValue } from '../../../../support/shown-value.ts';
import type { TableOrder } from './table.ts';
import styles from './result.module.css';

const ROW = 24;
const ROWS_JUDGED = 50;

interface Props {
  columns: readonly string[];
  /** In display order. */
  rows: readonly JsonObject[];
  order: TableOrder | null;
  onOrder: (column: string) => void;
}

/**
 * A table of records of any length; long values are cut off, with the full value in the tooltip. Click a column header
 * to sort.
 */
export function RecordTable({ columns, rows, order, onOrder }: Props) {
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
            {columns.map((column) => {
              const sort = order?.column !== column ? 'none' : order.falling ? 'descending' : 'ascending';
              return (
                <th key={column} scope="col" aria-sort={sort} data-number={holdsNumbers(rows, column)}>
                  <button type="button" className={styles.sort} title="Sort" onClick={() => onOrder(column)}>
                    {column}
                    {sort !== 'none' && <span aria-hidden="true">{sort === 'ascending' ? ' ▲' : ' ▼'}</span>}
                  </button>
                </th>
              );
            })}
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

/** Decided by the first rows: a header is aligned with its numbers. */
function holdsNumbers(rows: readonly JsonObject[], column: string): boolean {
  const values = rows.slice(0, ROWS_JUDGED).map((row) => row[column] ?? null);
  return values.some((value) => value !== null) && values.every((value) => value === null || typeof value === 'number');
}

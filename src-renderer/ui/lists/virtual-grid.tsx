import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useRef } from 'react';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import styles from './virtual-grid.module.css';

const ROW = 26;
const OVERSCAN = 12;

export interface GridColumn<Row> {
  name: string;
  /** A track of CSS grid: `90px`, `minmax(120px, 2fr)`. */
  width: string;
  /** What a row shows; plain text is cut with an ellipsis. */
  cell: (row: Row, index: number) => ReactNode;
  /** Shown while the pointer rests on the cell; absent: its text, which may be cut. */
  hint?: (row: Row) => string;
  /** Numbers stand to the right, machine text (paths, ids, JSON) in the monospace font. */
  look?: 'number' | 'code';
}

/** How a row was chosen. */
export interface RowChoice {
  /** With Shift: everything between the row that was active and this one. */
  extend: boolean;
  /** With Ctrl: this one too, or not any more. */
  toggle: boolean;
}

interface Props<Row> {
  label: string;
  columns: readonly GridColumn<Row>[];
  count: number;
  /** undefined while the row is being fetched: an empty row of the same height stands there. */
  rowAt: (index: number) => Row | undefined;
  /** The row that the keys move from; -1 for none. */
  activeIndex: number;
  /** What the active row is, where rows move by themselves: it is brought into sight when that changes, not its place. */
  activeKey?: string | number | undefined;
  /** Absent: only the active row is selected. */
  isSelected?: (index: number) => boolean;
  /** By pointer, arrows, Page Up and Down, Home and End; with Space as a toggle. */
  onChoose: (index: number, choice: RowChoice) => void;
  /** With a double click or Enter. */
  onOpen?: (index: number) => void;
  /** With Ctrl+A; the grid allows several rows where this is given. */
  onChooseAll?: () => void;
  /** Keys that the grid does not use itself. */
  onKey?: (event: KeyboardEvent) => void;
  /** Asked for with the right button, Shift+F10 or the menu key. */
  onMenu?: (index: number, at: { x: number; y: number }) => void;
  /** Which rows are in sight, each time that changes: to fetch or to follow them. `last` is -1 for none. */
  onRange?: (first: number, last: number) => void;
}

/**
 * A table of any length in one tab stop. Only rows in sight are in the document; `columns` and `rowAt` should stay the
 * same objects while nothing changed, so that scrolling draws new rows only.
 */
export function VirtualGrid<Row>(props: Props<Row>) {
  const { label, columns, count, rowAt, activeIndex, isSelected, onChoose, onOpen, onChooseAll, onKey, onMenu } = props;
  const { onRange, activeKey = activeIndex } = props;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    scrollPaddingStart: ROW,
    initialRect: { width: 800, height: 800 },
  });
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  const tracks = columns.map(({ width }) => width).join(' ');

  useEffect(() => {
    onRange?.(first, last);
  }, [onRange, first, last]);
  const active = useRef(activeIndex);
  active.current = activeIndex;
  useEffect(() => {
    if (active.current >= 0) virtual.scrollToIndex(active.current, { align: 'auto' });
  }, [virtual, activeKey]);

  const menuAtActive = () => {
    const row = scroller.current?.querySelector(`#${CSS.escape(`${gridId}-${activeIndex}`)}`);
    const box = row?.getBoundingClientRect();
    if (box) onMenu?.(activeIndex, { x: box.left + 24, y: box.bottom });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const several = onChooseAll !== undefined;
    const control = event.ctrlKey || event.metaKey;
    const use = (done: () => void) => {
      event.preventDefault();
      done();
    };
    if (several && control && event.key.toLowerCase() === 'a') return use(onChooseAll);
    if (onMenu && (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10'))) return use(menuAtActive);
    const to = control || event.altKey ? undefined : moveOf(event.key, activeIndex, count, scroller.current);
    if (to !== undefined) {
      if (count > 0) use(() => onChoose(to, { extend: several && event.shiftKey, toggle: false }));
      return undefined;
    }
    if (activeIndex >= 0 && event.key === 'Enter' && onOpen) return use(() => onOpen(activeIndex));
    if (activeIndex >= 0 && event.key === ' ' && several) {
      return use(() => onChoose(activeIndex, { extend: false, toggle: true }));
    }
    onKey?.(event);
    return undefined;
  };

  return (
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onChooseAll !== undefined}
      aria-activedescendant={activeIndex >= first && activeIndex <= last ? `${gridId}-${activeIndex}` : undefined}
      tabIndex={0}
      data-pane-focus
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: tracks }}>
        {columns.map(({ name, look }) => (
          <span key={name} role="columnheader" data-look={look} title={name}>
            {name}
          </span>
        ))}
      </div>
      <div role="rowgroup" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {items.map(({ index, start }) => (
          <GridRow
            key={index}
            id={`${gridId}-${index}`}
            index={index}
            start={start}
            tracks={tracks}
            columns={columns}
            row={rowAt(index)}
            active={index === activeIndex}
            selected={isSelected ? isSelected(index) : index === activeIndex}
            several={onChooseAll !== undefined}
            onChoose={onChoose}
            onOpen={onOpen}
            onMenu={onMenu}
          />
        ))}
      </div>
    </div>
  );
}

/** Where a key moves to from `from` in a list of `count` rows; undefined for keys that do not move. */
function moveOf(key: string, from: number, count: number, scroller: HTMLElement | null): number | undefined {
  const page = Math.max(1, Math.floor((scroller?.clientHeight ?? ROW) / ROW) - 2);
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}

interface RowProps<Row> extends Pick<Props<Row>, 'columns' | 'onChoose'> {
  onOpen: Props<Row>['onOpen'] | undefined;
  onMenu: Props<Row>['onMenu'] | undefined;
  id: string;
  index: number;
  start: number;
  tracks: string;
  row: Row | undefined;
  active: boolean;
  selected: boolean;
  several: boolean;
}

function PlainGridRow<Row>(props: RowProps<Row>) {
  const { id, index, start, tracks, columns, row, active, selected, several, onChoose, onOpen, onMenu } = props;
  const onClick = (event: MouseEvent) =>
    onChoose(index, { extend: several && event.shiftKey, toggle: several && (event.ctrlKey || event.metaKey) });
  const onContextMenu = (event: MouseEvent) => {
    if (!onMenu) return;
    event.preventDefault();
    onMenu(index, { x: event.clientX, y: event.clientY });
  };
  return (
    <div
      id={id}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={row === undefined}
      data-active={active}
      className={styles.row}
      style={{ gridTemplateColumns: tracks, transform: `translateY(${start}px)` }}
      onClick={onClick}
      onDoubleClick={() => onOpen?.(index)}
      onContextMenu={onContextMenu}
    >
      {columns.map(({ name, cell, hint, look }) => {
        const content = row === undefined ? '' : cell(row, index);
        const text = typeof content === 'string' ? content : undefined;
        return (
          <span key={name} role="gridcell" data-look={look} title={row !== undefined && hint ? hint(row) : text}>
            {content}
          </span>
        );
      })}
    </div>
  );
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `memo` forgets that a component is generic
const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useId, useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent, MouseEvent, ReactNode, RefObject } from 'react';
import { GridHead, type GridHeading } from './grid-head.tsx';
import styles from './virtual-grid.module.css';

const ROW = 26;
const OVERSCAN = 12;

export interface GridColumn<Row> {
  name: string;
  /** A CSS grid track: `90px`, `minmax(120px, 2fr)`. */
  width: string;
  /** The content of a row; plain text is cut off with an ellipsis. */
  cell: (row: Row, index: number) => ReactNode;
  /** The tooltip of the cell; default: its text, which may be cut off. */
  hint?: (row: Row) => string;
  /** Numbers are right-aligned, machine text (paths, ids, JSON) uses the monospace font. */
  look?: 'number' | 'code';
}

/** How a row was selected. */
export interface RowChoice {
  /** With Shift: all rows between the active row and this one. */
  extend: boolean;
  /** With Ctrl: toggles this one. */
  toggle: boolean;
}

/** Rows within rows: the arrows to the right and to the left expand, collapse, and move to the row around. */
export interface GridTree<Row> {
  /** From 1. */
  level: (row: Row) => number;
  /** undefined for a row that no other is in. */
  expanded: (row: Row) => boolean | undefined;
  onToggle: (index: number, expanded: boolean) => void;
  /** A row without columns has this in place of its cells; undefined for one with columns. */
  whole?: (row: Row) => ReactNode;
}

/** Rows that are dragged onto others. */
export interface GridDrag {
  /** The text that other programs get. */
  label: (index: number) => string;
  canDrop: (index: number, onto: number) => boolean;
  onDrop: (index: number, onto: number) => void;
}

interface Props<Row> {
  label: string;
  columns: readonly GridColumn<Row>[];
  count: number;
  /** The rows are loading, and `count` is 0: keys that move to the first row choose it, before it is loaded. */
  loading?: boolean;
  /** undefined while the row is loading: an empty row of the same height is shown. */
  rowAt: (index: number) => Row | undefined;
  /** The anchor of keyboard navigation; -1 for none. */
  activeIndex: number;
  /**
   * The identity of the active row, if rows can move: the grid scrolls to it when the identity changes, not its
   * position.
   */
  activeKey?: string | number | undefined;
  /** Default: only the active row is selected. */
  isSelected?: (index: number) => boolean;
  /** By pointer, arrows, Page Up and Down, Home and End; with Space as a toggle. */
  onChoose: (index: number, choice: RowChoice) => void;
  /** With a double click or Enter. */
  onOpen?: (index: number) => void;
  /** With Ctrl+A; enables multiple selection. */
  onChooseAll?: () => void;
  /** Keys that the grid does not use itself. */
  onKey?: (event: KeyboardEvent) => void;
  /** Requested with the right mouse button, Shift+F10 or the menu key. */
  onMenu?: (index: number, at: { x: number; y: number }) => void;
  /** Without it, no row is in another one. */
  tree?: GridTree<Row> | undefined;
  /** Without it, rows can't be dragged. */
  drag?: GridDrag | undefined;
  /** Sorting, widths and menus of the columns. */
  heading?: GridHeading;
  /** The visible rows, whenever they change: to load or to follow them. `last` is -1 for none. */
  onRange?: (first: number, last: number) => void;
}

/**
 * A table of any length with one tab stop. Only visible rows are in the document; `columns` and `rowAt` should stay the
 * same objects while nothing changes, so that scrolling renders only new rows.
 */
export function VirtualGrid<Row>(props: Props<Row>) {
  const { label, columns, count, rowAt, activeIndex, isSelected, onChoose, onOpen, onChooseAll, onKey, onMenu } = props;
  const { onRange, heading, activeKey = activeIndex, loading = false, tree, drag } = props;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const dragged = useRef(-1);
  const [dropOn, setDropOn] = useState(-1);
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
  // Also when the row arrives after it was chosen, as that of a new tag.
  const isThere = activeIndex >= 0;
  useEffect(() => {
    if (isThere) virtual.scrollToIndex(active.current, { align: 'auto' });
  }, [virtual, activeKey, isThere]);

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
    const plain = !control && !event.altKey && !event.shiftKey;
    const branch = tree && plain ? branchKey(event.key, activeIndex, rowAt, tree) : undefined;
    if (branch === 'toggle') return use(() => tree?.onToggle(activeIndex, event.key === 'ArrowRight'));
    if (branch !== undefined) return use(() => onChoose(branch, { extend: false, toggle: false }));
    const to = control || event.altKey ? undefined : moveOf(event.key, activeIndex, count, scroller.current);
    if (to !== undefined) {
      if (count > 0) use(() => onChoose(to, { extend: several && event.shiftKey, toggle: false }));
      else if (loading && FIRST_KEYS.has(event.key)) use(() => onChoose(0, { extend: false, toggle: false }));
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
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.grid}
        role={tree ? 'treegrid' : 'grid'}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        aria-multiselectable={onChooseAll !== undefined}
        aria-activedescendant={activeIndex >= first && activeIndex <= last ? `${gridId}-${activeIndex}` : undefined}
        tabIndex={0}
        data-pane-focus
        onKeyDown={onKeyDown}
      >
        <GridHead
          columns={columns}
          tracks={tracks}
          heading={heading}
          onLeave={() => scroller.current?.focus({ preventScroll: true })}
        />
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
              tree={tree}
              dropped={index === dropOn}
              {...(drag && dragOf(drag, index, { dragged, setDropOn }))}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The keys that move to the first row of a list without an active row. */
const FIRST_KEYS: ReadonlySet<string> = new Set(['Home', 'ArrowDown']);

/** The target of a key from `from` in a list of `count` rows; undefined for keys that do not move. */
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

/** What an arrow does in a tree: expands or collapses the active row, or moves to another one; undefined for nothing. */
function branchKey<Row>(
  key: string,
  from: number,
  rowAt: (index: number) => Row | undefined,
  { level, expanded }: GridTree<Row>,
): 'toggle' | number | undefined {
  const row = rowAt(from);
  if (row === undefined || (key !== 'ArrowRight' && key !== 'ArrowLeft')) return undefined;
  const isOpen = expanded(row);
  if (key === 'ArrowRight') return isOpen === undefined ? undefined : isOpen ? from + 1 : 'toggle';
  if (isOpen) return 'toggle';
  for (let above = from - 1; above >= 0; above -= 1) {
    const other = rowAt(above);
    if (other !== undefined && level(other) < level(row)) return above;
  }
  return undefined;
}

interface Dragging {
  dragged: RefObject<number>;
  setDropOn: (index: number) => void;
}

/** The handlers of one row. */
function dragOf({ label, canDrop, onDrop }: GridDrag, index: number, { dragged, setDropOn }: Dragging) {
  const accepts = () => dragged.current !== -1 && canDrop(dragged.current, index);
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      dragged.current = index;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', label(index));
    },
    onDragEnd: () => {
      dragged.current = -1;
      setDropOn(-1);
    },
    onDragOver: (event: DragEvent) => {
      if (!accepts()) return setDropOn(-1);
      event.preventDefault();
      return setDropOn(index);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDropOn(-1);
      if (accepts()) onDrop(dragged.current, index);
    },
  };
}

interface RowProps<Row> extends Pick<Props<Row>, 'columns' | 'onChoose'>, Partial<ReturnType<typeof dragOf>> {
  onOpen: Props<Row>['onOpen'] | undefined;
  onMenu: Props<Row>['onMenu'] | undefined;
  tree: GridTree<Row> | undefined;
  dropped: boolean;
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
  const { tree, dropped, draggable, onDragStart, onDragEnd, onDragOver, onDrop } = props;
  const onClick = (event: MouseEvent) =>
    onChoose(index, { extend: several && event.shiftKey, toggle: several && (event.ctrlKey || event.metaKey) });
  const onContextMenu = (event: MouseEvent) => {
    if (!onMenu) return;
    event.preventDefault();
    onMenu(index, { x: event.clientX, y: event.clientY });
  };
  const whole = row === undefined ? undefined : tree?.whole?.(row);
  return (
    <div
      id={id}
      role="row"
      aria-level={row && tree?.level(row)}
      aria-expanded={row && tree?.expanded(row)}
      aria-rowindex={index + 2}
      aria-selected={selected}
      aria-busy={row === undefined}
      data-active={active}
      data-drop={dropped}
      draggable={draggable}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragOver={onDragOver}
      onDrop={onDrop}
      className={styles.row}
      style={{ gridTemplateColumns: tracks, transform: `translateY(${start}px)` }}
      onClick={onClick}
      onDoubleClick={() => onOpen?.(index)}
      onContextMenu={onContextMenu}
    >
      {whole !== undefined && (
        <span role="gridcell" aria-colspan={columns.length} className={styles.whole}>
          {whole}
        </span>
      )}
      {(whole === undefined ? columns : []).map(({ name, cell, hint, look }) => {
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

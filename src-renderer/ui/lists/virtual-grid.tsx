import { memo, useEffect, useId, useMemo, useRef } from 'react';
import type { CSSProperties, KeyboardEvent, ReactNode, RefObject } from 'react';
import { useStore } from '../../support/store.ts';
import { useWidth } from '../use-width.ts';
import { fittedTracks, useContents } from './fitted-widths.ts';
import { useFixedRows } from './fixed-rows.ts';
import { GridHead, type HeadOptions } from './grid-head.tsx';
import { type ColumnSort, type HeadColumn, type KeptLook, idOf, isHidden, widthOf } from './grid-look.ts';
import { type GridDrag, type RowChoice, type RowEvents, useRowEvents } from './row-events.ts';
import styles from './virtual-grid.module.css';

const ROW = 26;
const SIZES = { row: ROW, head: ROW };
const OVERSCAN = 12;
/** At the sides of a row, and between its cells, px. */
const PADDING = 12;
const GAP = 12;

export interface GridColumn<Row> extends HeadColumn {
  /**
   * A CSS grid track: `90px`, `minmax(120px, 2fr)`. Until a width is chosen, the column is as wide as its content, if there
   * is space (`fittedTracks`), or always as wide with `minmax(72px, 72px)`.
   */
  width: string;
  /** The width of the table, px, below which the column is hidden. */
  from?: number;
  /** The content of a row; plain text is cut off with an ellipsis. */
  cell: (row: Row, index: number) => ReactNode;
  /** The tooltip of the cell; default: its text, which may be cut off. */
  hint?: (row: Row) => string;
  /** Numbers are right-aligned, machine text (paths, ids, JSON) uses the monospace font. */
  look?: 'number' | 'code';
  sort?: ColumnSort & {
    /** What `useSortedRows` compares: texts in natural order; null is last. */
    by?: (row: Row) => string | number | null;
    /** The values change on their own: the order is that of a moment. */
    changes?: boolean;
  };
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

interface Props<Row> extends HeadOptions {
  label: string;
  columns: readonly GridColumn<Row>[];
  /** Widths, hidden columns and sort, from `useKeptLook`. The caller orders the rows. */
  kept: KeptLook;
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
  /** The visible rows, whenever they change: to load or to follow them. `last` is -1 for none. */
  onRange?: (first: number, last: number) => void;
}

/**
 * A table of any length with one tab stop. Only visible rows are in the document; `columns` and `rowAt` should stay the
 * same objects while nothing changes, so that scrolling renders only new rows.
 */
export function VirtualGrid<Row>(props: Props<Row>) {
  const { label, count, rowAt, activeIndex, isSelected, onChoose, onOpen, onChooseAll, onKey, onMenu, kept } = props;
  const { onRange, hintOf, unsorted, onSort, activeKey = activeIndex, loading = false, tree, drag } = props;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const table = useRef<HTMLDivElement>(null);
  const { columns, tracks } = useColumns(props.columns, kept, { scroller, table });
  const several = onChooseAll !== undefined;
  const { events, dropOn } = useRowEvents({ onChoose, onOpen, onMenu, several, drag });
  const { first, last, height, show } = useFixedRows(scroller, { count, sizes: SIZES, overscan: OVERSCAN });
  const indexes = Array.from({ length: last - first + 1 }, (_, place) => first + place);

  useEffect(() => {
    onRange?.(first, last);
  }, [onRange, first, last]);
  const active = useRef(activeIndex);
  useEffect(() => {
    active.current = activeIndex;
  });
  // Also when the row arrives after it was chosen, as that of a new tag.
  const isThere = activeIndex >= 0;
  useEffect(() => {
    if (isThere) show(active.current);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another row is scrolled to, the same one is not
  }, [show, activeKey, isThere]);

  const menuAtActive = () => {
    const row = scroller.current?.querySelector(`#${CSS.escape(`${gridId}-${activeIndex}`)}`);
    const box = row?.getBoundingClientRect();
    if (box) onMenu?.(activeIndex, { x: box.left + 24, y: box.bottom });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys in the header and in its menu are not about rows: Delete would delete the selected one.
    const { target } = event;
    const isInside = target instanceof Element && event.currentTarget.contains(target);
    if (!isInside || target.closest('[data-grid-head]')) return undefined;
    const control = event.ctrlKey || event.metaKey;
    const use = (done: () => void) => {
      event.preventDefault();
      done();
    };
    if (onChooseAll && control && event.key.toLowerCase() === 'a') return use(onChooseAll);
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
        <div ref={table} className={styles.table} style={tracks}>
          <GridHead
            columns={columns}
            all={props.columns}
            kept={kept}
            hintOf={hintOf}
            unsorted={unsorted}
            onSort={onSort}
            onLeave={() => scroller.current?.focus({ preventScroll: true })}
          />
          <div role="rowgroup" style={{ height, position: 'relative' }}>
            {indexes.map((index) => (
              <GridRow
                key={index}
                id={`${gridId}-${index}`}
                index={index}
                start={index * ROW}
                columns={columns}
                row={rowAt(index)}
                active={index === activeIndex}
                selected={isSelected ? isSelected(index) : index === activeIndex}
                draggable={drag !== undefined}
                dropped={index === dropOn}
                events={events}
                tree={tree}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

interface Elements {
  scroller: RefObject<HTMLElement | null>;
  table: RefObject<HTMLElement | null>;
}

/**
 * The visible columns, and their tracks as a custom property, so that a new width changes one style and renders no row.
 */
function useColumns<Row>(
  all: readonly GridColumn<Row>[],
  kept: KeptLook,
  { scroller, table }: Elements,
): { columns: readonly GridColumn<Row>[]; tracks: CSSProperties } {
  const look = useStore(kept.store);
  const width = useWidth(scroller);
  const isVisible = (column: GridColumn<Row>) => width >= (column.from ?? 0) && !isHidden(look, column);
  const visible = all.map((column) => (isVisible(column) ? '1' : '0')).join('');
  const columns = useMemo(() => all.filter((_column, place) => visible[place] === '1'), [all, visible]);
  const contents = useContents(table, columns);
  const chosen = columns.map((column) => widthOf(look, column));
  const plain = (column: GridColumn<Row>, place: number) =>
    chosen[place] === undefined ? column.width : `${chosen[place]}px`;
  const list =
    contents.length === columns.length
      ? fittedTracks(
          columns.map((column, place) => ({
            track: column.width,
            content: contents[place] ?? 0,
            chosen: chosen[place],
          })),
          width - 2 * PADDING - (columns.length - 1) * GAP,
        )
      : columns.map(plain).join(' ');
  const tracks: CSSProperties & { '--tracks': string } = { '--tracks': list };
  return { columns, tracks };
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

interface RowProps<Row> extends Pick<Props<Row>, 'columns' | 'tree'> {
  id: string;
  index: number;
  start: number;
  row: Row | undefined;
  active: boolean;
  selected: boolean;
  draggable: boolean;
  dropped: boolean;
  events: RowEvents;
}

function PlainGridRow<Row>(props: RowProps<Row>) {
  const { id, index, start, columns, row, active, selected, draggable, dropped, events, tree } = props;
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
      draggable={draggable || undefined}
      onDragStart={(event) => events.onDragStart(index, event)}
      onDragEnd={events.onDragEnd}
      onDragOver={(event) => events.onDragOver(index, event)}
      onDrop={(event) => events.onDrop(index, event)}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      onClick={(event) => events.onClick(index, event)}
      onDoubleClick={() => events.onDoubleClick(index)}
      onContextMenu={(event) => events.onContextMenu(index, event)}
    >
      {whole !== undefined && (
        <span role="gridcell" aria-colspan={columns.length} className={styles.whole}>
          {whole}
        </span>
      )}
      {(whole === undefined ? columns : []).map((column) => {
        const { cell, hint, look } = column;
        const content = row === undefined ? '' : cell(row, index);
        const text = typeof content === 'string' ? content : undefined;
        return (
          <span
            key={idOf(column)}
            role="gridcell"
            data-look={look}
            title={row !== undefined && hint ? hint(row) : text}
          >
            {content}
          </span>
        );
      })}
    </div>
  );
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `memo` forgets that a component is generic
const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useStore } from '../../support/store.ts';
import {
  type GridLook,
  type GridSort,
  type HeadColumn,
  type KeptLook,
  idOf,
  isHidden,
  nextSort,
  resetLook,
  widthWithin,
} from './grid-look.ts';
import { type MenuEntry, RowMenu } from './row-menu.tsx';
import styles from './virtual-grid.module.css';

/** What a table adds to its header. */
export interface HeadOptions {
  /** The tooltip of a header; null for that of all headers, which names the keys. */
  hintOf?: ((id: string) => string | null) | undefined;
  /** The name of the order in which the rows are given, if no column has it: `Matching order`. */
  unsorted?: string | undefined;
  /** After each request of an order, also of the same one as before. */
  onSort?: (() => void) | undefined;
}

interface Props extends HeadOptions {
  /** The visible ones, in their order. */
  columns: readonly HeadColumn[];
  /** With the hidden ones. */
  all: readonly HeadColumn[];
  kept: KeptLook;
  /** With the down arrow. */
  onLeave: () => void;
}

/** Change of the width by one key, px. */
const STEP = 16;

/** The header of a grid. It is one tab stop: arrows move between the columns, Enter sorts by one, a menu has the rest. */
export function GridHead({ columns, all, kept, hintOf, unsorted, onSort, onLeave }: Props) {
  const look = useStore(kept.store);
  const [current, setCurrent] = useState('');
  const [menu, setMenu] = useState<{ column: HeadColumn; at: { x: number; y: number } } | null>(null);
  const row = useRef<HTMLDivElement>(null);
  /** The header that gets the focus of one that is being hidden. */
  const next = useRef<string | null>(null);
  const ids = columns.map(idOf);
  const stop = ids.includes(current) ? current : ids[0];
  const focus = (id: string | undefined) => {
    if (id !== undefined) row.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(id)}"]`)?.focus();
  };
  useEffect(() => {
    if (next.current === null) return;
    const id = next.current;
    next.current = null;
    focus(id);
  });

  const sortBy = (sort: GridSort | null) => {
    kept.change({ sort });
    onSort?.();
  };
  const hide = (column: HeadColumn) => {
    const id = idOf(column);
    const place = ids.indexOf(id);
    next.current = ids[place + 1] ?? ids[place - 1] ?? null;
    const { sort, hidden } = look;
    kept.change({ hidden: [...hidden, id], ...(sort?.name === id && { sort: kept.first }) });
  };
  const close = (column: HeadColumn) => {
    setMenu(null);
    // In a dialog, nothing else returns the focus.
    setTimeout(() => {
      if (document.activeElement === document.body) focus(idOf(column));
    }, 0);
  };
  const entries = (column: HeadColumn): MenuEntry[] => [
    ...sortEntries(column, look, sortBy, kept.first === null ? unsorted : undefined),
    ...(column.hasAges
      ? [{ title: look.ages ? 'Show times' : 'Show ages', run: () => kept.change({ ages: !look.ages }) }]
      : []),
    ...(column.keep === undefined ? [{ title: `Hide ${column.name}`, run: () => hide(column) }] : []),
    ...all
      .filter((one) => isHidden(look, one))
      .map((one, index) => ({
        title: `Show ${one.name}`,
        apart: index === 0,
        run: () => kept.change({ hidden: look.hidden.filter((id) => id !== idOf(one)) }),
      })),
    { title: 'Reset the columns', apart: true, run: () => kept.change(resetLook(look, all, kept.first)) },
  ];

  return (
    <>
      <div ref={row} role="row" aria-rowindex={1} className={styles.headRow} data-grid-head>
        {columns.map((column, index) => (
          <Header
            key={idOf(column)}
            column={column}
            sort={column.sort && look.sort?.name === idOf(column) ? look.sort : null}
            hint={hintOf?.(idOf(column)) ?? keysOf(column)}
            tabIndex={idOf(column) === stop ? 0 : -1}
            onFocus={() => setCurrent(idOf(column))}
            onMove={(to) => focus(to === 'first' ? ids[0] : to === 'last' ? ids.at(-1) : ids[index + to])}
            onSort={() => column.sort && sortBy(nextSort(column, look.sort, kept.first))}
            onResize={(width) =>
              column.keep !== 'fixed' &&
              kept.change({ widths: { ...kept.store.get().widths, [idOf(column)]: widthWithin(width) } })
            }
            onMenu={(at) => setMenu({ column, at })}
            onLeave={onLeave}
          />
        ))}
      </div>
      {menu && <RowMenu at={menu.at} entries={entries(menu.column)} onClose={() => close(menu.column)} />}
    </>
  );
}

function sortEntries(
  column: HeadColumn,
  { sort }: GridLook,
  sortBy: (sort: GridSort | null) => void,
  unsorted: string | undefined,
): MenuEntry[] {
  const name = idOf(column);
  const [ascending, descending] = column.sort?.titles ?? ['Sort ascending', 'Sort descending'];
  return [
    ...(column.sort
      ? [
          { title: ascending, run: () => sortBy({ name, descending: false }) },
          { title: descending, run: () => sortBy({ name, descending: true }) },
        ]
      : []),
    ...(unsorted !== undefined && sort !== null ? [{ title: unsorted, run: () => sortBy(null) }] : []),
  ];
}

/** The tooltip of a header, which is cut off where its column is narrow. */
function keysOf({ name, sort, keep }: HeadColumn): string {
  const keys = [
    sort && 'Enter sorts',
    keep !== 'fixed' && 'Shift with an arrow resizes',
    'Shift+F10 opens the menu',
  ].filter(Boolean);
  return `${name}: ${keys.join(', ')}`;
}

interface HeaderProps {
  column: HeadColumn;
  /** Only of the column that the rows are ordered by. */
  sort: GridSort | null;
  hint: string;
  tabIndex: number;
  onFocus: () => void;
  onMove: (to: -1 | 1 | 'first' | 'last') => void;
  onSort: () => void;
  onResize: (width: number) => void;
  onMenu: (at: { x: number; y: number }) => void;
  onLeave: () => void;
}

function Header(props: HeaderProps) {
  const { column, sort, hint, tabIndex, onFocus, onMove, onSort, onResize, onMenu, onLeave } = props;
  const cell = useRef<HTMLSpanElement>(null);
  const widthNow = () => cell.current?.getBoundingClientRect().width ?? 0;

  const onKeyDown = (event: KeyboardEvent) => {
    const done = (action: () => void) => {
      event.preventDefault();
      action();
    };
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    const box = cell.current?.getBoundingClientRect();
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      return done(() => box && onMenu({ x: box.left, y: box.bottom }));
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
    if (by !== 0) return done(() => (event.shiftKey ? onResize(widthNow() + by * STEP) : onMove(by)));
    if (event.key === 'Home') return done(() => onMove('first'));
    if (event.key === 'End') return done(() => onMove('last'));
    if (event.key === 'ArrowDown') return done(onLeave);
    if (event.key === 'Enter' || event.key === ' ') return done(onSort);
    return undefined;
  };

  return (
    <span
      ref={cell}
      role="columnheader"
      data-column={idOf(column)}
      data-look={column.look}
      aria-sort={sort ? (sort.descending ? 'descending' : 'ascending') : column.sort ? 'none' : undefined}
      tabIndex={tabIndex}
      title={hint}
      className={styles.head}
      onFocus={onFocus}
      onClick={onSort}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu({ x: event.clientX, y: event.clientY });
      }}
    >
      <span className={styles.headName}>{column.name}</span>
      {sort && (
        <span className={styles.sort} aria-hidden>
          {sort.descending ? '↓' : '↑'}
        </span>
      )}
      {column.keep !== 'fixed' && <Edge widthNow={widthNow} onResize={onResize} />}
    </span>
  );
}

/** The right edge of a header, which the pointer drags. */
function Edge({ widthNow, onResize }: { widthNow: () => number; onResize: (width: number) => void }) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const start = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { x: event.clientX, width: widthNow() };
  };
  const end = () => {
    drag.current = null;
  };
  return (
    <span
      className={styles.edge}
      aria-hidden
      onPointerDown={start}
      onPointerMove={(event) => drag.current && onResize(drag.current.width + event.clientX - drag.current.x)}
      onPointerUp={end}
      onPointerCancel={end}
      onClick={(event) => event.stopPropagation()}
    />
  );
}

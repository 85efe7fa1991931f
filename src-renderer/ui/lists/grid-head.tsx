import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import styles from './virtual-grid.module.css';

export interface HeadColumn {
  name: string;
  look?: 'number' | 'code' | undefined;
}

/** What the header of a grid can do, if it can do more than name the columns. */
export interface GridHeading {
  sort: { name: string; descending: boolean };
  canSort: (name: string) => boolean;
  onSort: (name: string) => void;
  /** The tooltip of a header; null for that of all headers, which names the keys. */
  hintOf?: (name: string) => string | null;
  /** A new width in px, with the pointer or Shift and an arrow. */
  onResize: (name: string, width: number) => void;
  /** Requested with the right mouse button, Shift+F10 or the menu key. */
  onMenu: (name: string, at: { x: number; y: number }) => void;
}

interface Props {
  columns: readonly HeadColumn[];
  tracks: string;
  heading?: GridHeading | undefined;
  /** With the down arrow. */
  onLeave: () => void;
}

/** Of one key. */
const STEP = 16;

/** The header of a grid. With actions, it is one tab stop: arrows move between the columns, Enter sorts by one. */
export function GridHead({ columns, tracks, heading, onLeave }: Props) {
  const [current, setCurrent] = useState('');
  const stop = columns.some(({ name }) => name === current) ? current : columns[0]?.name;
  return (
    <div role="row" aria-rowindex={1} className={styles.headRow} style={{ gridTemplateColumns: tracks }}>
      {columns.map(({ name, look }, index) =>
        heading ? (
          <ActiveHeader
            key={name}
            name={name}
            look={look}
            heading={heading}
            tabIndex={name === stop ? 0 : -1}
            onFocus={() => setCurrent(name)}
            onMove={(by) => columns[index + by]?.name}
            onLeave={onLeave}
          />
        ) : (
          <span key={name} role="columnheader" data-look={look} title={name}>
            {name}
          </span>
        ),
      )}
    </div>
  );
}

interface HeaderProps extends HeadColumn {
  heading: GridHeading;
  tabIndex: number;
  onFocus: () => void;
  /** The name of the column that many places further, if there is one. */
  onMove: (by: number) => string | undefined;
  onLeave: () => void;
}

function ActiveHeader({ name, look, heading, tabIndex, onFocus, onMove, onLeave }: HeaderProps) {
  const { sort, canSort, onSort, hintOf, onResize, onMenu } = heading;
  const cell = useRef<HTMLSpanElement>(null);
  const sorted = sort.name === name;
  const widthNow = () => cell.current?.getBoundingClientRect().width ?? 0;

  const onKeyDown = (event: KeyboardEvent) => {
    const done = (action: () => void) => {
      event.preventDefault();
      event.stopPropagation();
      action();
    };
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    const box = cell.current?.getBoundingClientRect();
    if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) {
      return done(() => box && onMenu(name, { x: box.left, y: box.bottom }));
    }
    if (event.ctrlKey || event.altKey || event.metaKey) return undefined;
    if (by !== 0 && event.shiftKey) return done(() => onResize(name, widthNow() + by * STEP));
    if (by !== 0) {
      const next = onMove(by);
      const row = cell.current?.parentElement;
      return done(() => {
        if (next !== undefined) row?.querySelector<HTMLElement>(`[data-column=${CSS.escape(next)}]`)?.focus();
      });
    }
    if (event.key === 'ArrowDown') return done(onLeave);
    if (event.key === 'Enter' || event.key === ' ') return done(() => canSort(name) && onSort(name));
    return undefined;
  };

  return (
    <span
      ref={cell}
      role="columnheader"
      data-column={name}
      data-look={look}
      aria-sort={sorted ? (sort.descending ? 'descending' : 'ascending') : canSort(name) ? 'none' : undefined}
      tabIndex={tabIndex}
      title={hintOf?.(name) ?? `${name}: ${canSort(name) ? 'Enter sorts, ' : ''}Shift+F10 opens the menu`}
      className={styles.head}
      onFocus={onFocus}
      onClick={() => canSort(name) && onSort(name)}
      onKeyDown={onKeyDown}
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(name, { x: event.clientX, y: event.clientY });
      }}
    >
      <span className={styles.headName}>{name}</span>
      {sorted && (
        <span className={styles.sort} aria-hidden>
          {sort.descending ? '↓' : '↑'}
        </span>
      )}
      <Edge widthNow={widthNow} onResize={(width) => onResize(name, width)} />
    </span>
  );
}

/** The right edge of a header, which the pointer drags. */
function Edge({ widthNow, onResize }: { widthNow: () => number; onResize: (width: number) => void }) {
  const drag = useRef<{ x: number; width: number } | null>(null);
  const start = (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation();
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

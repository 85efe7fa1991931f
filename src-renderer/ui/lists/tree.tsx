import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { DragEvent, KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { ChevronDownRegular, ChevronRightRegular } from '../icons.ts';
import styles from './tree.module.css';

const ROW = 24;
const TYPE_AHEAD_MS = 700;

export interface TreeRow {
  id: string;
  /** From 1. */
  level: number;
  label: string;
  /** The text to edit when it is renamed; default: the label. */
  edited?: string;
  /** undefined for a leaf. */
  expanded?: boolean | undefined;
  icon?: ReactNode;
  /** Rendered in place of the label, which is the accessible name. */
  content?: ReactNode;
  /** Rendered after the label. */
  after?: ReactNode;
  /** Announced after the label. */
  describe?: string | undefined;
  /** The accessible name is the content with the text after it, not the label. */
  readsContent?: boolean;
  selected?: boolean;
  /** What the tree says about it while it is the active row, such as `data-why`. */
  attributes?: Readonly<Record<`data-${string}`, string>>;
  draggable?: boolean;
}

interface Props {
  label: string;
  rows: readonly TreeRow[];
  /** The row that is being renamed. */
  renaming?: string | null;
  /** A row that becomes the active one, such as the last line of a log. */
  follow?: string | null;
  onRenamed?: (id: string, name: string | null) => void;
  /** The problem of a name during typing, or null. */
  problemOf?: (id: string, name: string) => string | null;
  onOpen?: (id: string) => void;
  /** Called by a double click on a leaf. */
  onEdit?: (id: string) => void;
  /** The name of the field of the row that is being renamed. */
  editLabel?: string;
  onToggle: (id: string, expanded: boolean) => void;
  /** Requested with the right mouse button, Shift+F10 or the menu key. */
  onMenu?: (id: string, at: { x: number; y: number }) => void;
  /** Keys that the tree does not use itself; returns whether it handled them. */
  onKey: (id: string, event: KeyboardEvent) => boolean;
  onDrop?: (id: string, onto: string) => void;
  canDrop?: (id: string, onto: string) => boolean;
  empty?: ReactNode;
}

/** A tree as a flat list with one tab stop: arrows, Home, End, type-ahead. Only visible rows are in the document. */
export function Tree(props: Props) {
  const { label, rows, renaming = null, follow = null, onRenamed, onOpen, onToggle, onMenu, onKey, empty } = props;
  const treeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const [activeId, setActiveId] = useState<string | null>(null);
  const [dropOn, setDropOn] = useState<string | null>(null);
  const dragged = useRef<string | null>(null);
  const selectedId = rows.find((row) => row.selected)?.id ?? null;
  const indexOf = (id: string | null) => rows.findIndex((row) => row.id === id);
  // The active row may have been removed.
  const activeIndex = [indexOf(activeId), indexOf(selectedId), 0].find((index) => index >= 0) ?? 0;
  const active = rows[activeIndex];
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 12,
    initialRect: { width: 240, height: 600 },
  });

  // An item opened elsewhere becomes the active row here.
  useEffect(() => setActiveId(selectedId), [selectedId]);
  useEffect(() => {
    if (follow !== null) setActiveId(follow);
  }, [follow]);
  useEffect(() => {
    if (rows.length > 0) virtual.scrollToIndex(activeIndex, { align: 'auto' });
  }, [virtual, activeIndex, rows.length]);

  const idOf = (row: TreeRow) => `${treeId}-${row.id}`;
  const move = (index: number) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))];
    if (row) setActiveId(row.id);
  };
  const typeAhead = (character: string, now: number) => {
    const text = now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text + character : character;
    typed.current = { text, at: now };
    const from = text.length === 1 ? activeIndex + 1 : activeIndex;
    const order = [...rows.slice(from), ...rows.slice(0, from)];
    const hit = order.find((row) => row.label.toLowerCase().startsWith(text.toLowerCase()));
    if (hit) setActiveId(hit.id);
  };
  const parentOf = (index: number) => {
    const level = rows[index]?.level ?? 1;
    for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? 1) < level) return above;
    return index;
  };
  const menuAt = (row: TreeRow) => {
    const box = document.getElementById(idOf(row))?.getBoundingClientRect();
    onMenu?.(row.id, { x: (box?.left ?? 0) + 40, y: box?.bottom ?? 0 });
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!active || event.target !== event.currentTarget) return;
    const used = (): boolean => {
      if (onKey(active.id, event)) return true;
      if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) return (menuAt(active), true);
      if (event.ctrlKey || event.metaKey || event.altKey) return false;
      switch (event.key) {
        case 'ArrowDown':
          return (move(activeIndex + 1), true);
        case 'ArrowUp':
          return (move(activeIndex - 1), true);
        case 'Home':
          return (move(0), true);
        case 'End':
          return (move(rows.length - 1), true);
        case 'PageDown':
          return (move(activeIndex + 15), true);
        case 'PageUp':
          return (move(activeIndex - 15), true);
        case 'ArrowRight':
          if (active.expanded === false) onToggle(active.id, true);
          else if (active.expanded) move(activeIndex + 1);
          return true;
        case 'ArrowLeft':
          if (active.expanded) onToggle(active.id, false);
          else move(parentOf(activeIndex));
          return true;
        case 'Enter':
        case ' ':
          if (active.expanded === undefined) onOpen?.(active.id);
          else onToggle(active.id, !active.expanded);
          return true;
        default:
          if (event.key.length === 1) return (typeAhead(event.key, event.timeStamp), true);
          return false;
      }
    };
    if (used()) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  const dropHandlers = (row: TreeRow) => ({
    draggable: row.draggable === true && renaming !== row.id,
    onDragStart: (event: DragEvent) => {
      dragged.current = row.id;
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', row.label);
    },
    onDragEnd: () => {
      dragged.current = null;
      setDropOn(null);
    },
    onDragOver: (event: DragEvent) => {
      if (dragged.current === null || !props.canDrop?.(dragged.current, row.id)) return setDropOn(null);
      event.preventDefault();
      setDropOn(row.id);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDropOn(null);
      if (dragged.current !== null && props.canDrop?.(dragged.current, row.id)) props.onDrop?.(dragged.current, row.id);
    },
  });

  if (rows.length === 0) return <div className={styles.empty}>{empty}</div>;
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label={label}
      tabIndex={0}
      data-pane-focus
      {...active?.attributes}
      aria-activedescendant={active && renaming === null ? idOf(active) : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="none" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <div
              key={row.id}
              id={idOf(row)}
              role="treeitem"
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, paddingLeft: 6 + (row.level - 1) * 14 }}
              aria-level={row.level}
              aria-selected={row.selected === true}
              aria-expanded={row.expanded}
              aria-label={row.readsContent ? undefined : row.describe ? `${row.label}, ${row.describe}` : row.label}
              data-active={row === active}
              data-drop={row.id === dropOn}
              onClick={() => {
                setActiveId(row.id);
                if (row.expanded === undefined) onOpen?.(row.id);
                else onToggle(row.id, !row.expanded);
              }}
              onDoubleClick={() => {
                if (row.expanded === undefined) props.onEdit?.(row.id);
              }}
              onContextMenu={(event: MouseEvent) => {
                event.preventDefault();
                setActiveId(row.id);
                onMenu?.(row.id, { x: event.clientX, y: event.clientY });
              }}
              {...dropHandlers(row)}
            >
              <span className={styles.chevron} aria-hidden="true">
                {row.expanded === undefined ? null : row.expanded ? <ChevronDownRegular /> : <ChevronRightRegular />}
              </span>
              {row.icon}
              {renaming === row.id ? (
                <Renaming
                  label={props.editLabel ?? 'New name'}
                  name={row.edited ?? row.label}
                  problemOf={(name) => props.problemOf?.(row.id, name) ?? null}
                  onDone={(name, by) => {
                    onRenamed?.(row.id, name);
                    if (by === 'key') scroller.current?.focus();
                  }}
                />
              ) : (
                <>
                  <span className={styles.label} title={row.label}>
                    {row.content ?? row.label}
                  </span>
                  {row.after}
                </>
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface RenamingProps {
  label: string;
  name: string;
  problemOf: (name: string) => string | null;
  /** With null if the name stays; `by` says whether the focus has already moved. */
  onDone: (name: string | null, by: 'key' | 'leaving') => void;
}

/** The field stays while its name is invalid, even when it loses the focus, so that the typed text can be corrected. */
function Renaming({ label, name, problemOf, onDone }: RenamingProps) {
  const [text, setText] = useState(name);
  const done = useRef(false);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const next = text.trim();
  const problem = next === name ? null : problemOf(next);
  const end = (result: string | null, by: 'key' | 'leaving') => {
    if (done.current) return;
    done.current = true;
    onDone(result, by);
  };
  const take = (by: 'key' | 'leaving') => {
    if (problem === null) end(next === name ? null : next, by);
    else if (next === '' && by === 'leaving') end(null, by);
  };
  return (
    <>
      <input
        className={styles.rename}
        aria-label={label}
        aria-invalid={problem !== null}
        value={text}
        ref={field}
        onChange={(event) => setText(event.target.value)}
        onClick={(event) => event.stopPropagation()}
        onBlur={() => take('leaving')}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') take('key');
          if (event.key === 'Escape') end(null, 'key');
        }}
      />
      {problem !== null && (
        <span role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </>
  );
}

import { type DragEvent, type MouseEvent, useLayoutEffect, useState } from 'react';

/** How a row was selected. */
export interface RowChoice {
  /** With Shift: all rows between the active row and this one. */
  extend: boolean;
  /** With Ctrl: toggles this one. */
  toggle: boolean;
}

/** Rows that are dragged onto others. */
export interface GridDrag {
  /** The text that other programs get. */
  label: (index: number) => string;
  canDrop: (index: number, onto: number) => boolean;
  onDrop: (index: number, onto: number) => void;
}

interface RowCalls {
  onChoose: (index: number, choice: RowChoice) => void;
  onOpen: ((index: number) => void) | undefined;
  onMenu: ((index: number, at: { x: number; y: number }) => void) | undefined;
  /** Whether several rows can be selected. */
  several: boolean;
  drag: GridDrag | undefined;
}

/** What the row at an index does on an event. */
type OnRow<Event> = (index: number, event: Event) => void;

export interface RowEvents {
  onClick: OnRow<MouseEvent>;
  onDoubleClick: (index: number) => void;
  onContextMenu: OnRow<MouseEvent>;
  onDragStart: OnRow<DragEvent>;
  onDragEnd: () => void;
  onDragOver: OnRow<DragEvent>;
  onDrop: OnRow<DragEvent>;
}

/**
 * The events of the rows of a grid, and the row that a dragged one is above (-1 for none). They are the same functions
 * in every render, so that a grid whose parent passes new ones renders none of its rows.
 */
export function useRowEvents(calls: RowCalls): { events: RowEvents; dropOn: number } {
  const [dropOn, setDropOn] = useState(-1);
  const [{ events, follow }] = useState(() => eventsFor(calls, setDropOn));
  useLayoutEffect(() => follow(calls));
  return { events, dropOn };
}

/** The events of rows that call the functions of the last render; `follow` sets these. */
function eventsFor(
  first: RowCalls,
  setDropOn: (index: number) => void,
): { events: RowEvents; follow: (calls: RowCalls) => void } {
  let calls = first;
  let dragged = -1;
  const accepts = (index: number) => dragged !== -1 && calls.drag?.canDrop(dragged, index) === true;
  const follow = (next: RowCalls) => {
    calls = next;
  };
  const events: RowEvents = {
    onClick: (index, event) => {
      const { several, onChoose } = calls;
      onChoose(index, { extend: several && event.shiftKey, toggle: several && (event.ctrlKey || event.metaKey) });
    },
    onDoubleClick: (index) => calls.onOpen?.(index),
    onContextMenu: (index, event) => {
      const { onMenu } = calls;
      if (!onMenu) return;
      event.preventDefault();
      onMenu(index, { x: event.clientX, y: event.clientY });
    },
    onDragStart: (index, { dataTransfer }) => {
      dragged = index;
      dataTransfer.effectAllowed = 'move';
      dataTransfer.setData('text/plain', calls.drag?.label(index) ?? '');
    },
    onDragEnd: () => {
      dragged = -1;
      setDropOn(-1);
    },
    onDragOver: (index, event) => {
      if (!accepts(index)) return setDropOn(-1);
      event.preventDefault();
      return setDropOn(index);
    },
    onDrop: (index, event) => {
      event.preventDefault();
      setDropOn(-1);
      if (accepts(index)) calls.drag?.onDrop(dragged, index);
    },
  };
  return { events, follow };
}

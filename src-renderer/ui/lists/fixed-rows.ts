import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** Rows of one height below a header that stays in view, in px. */
export interface RowSizes {
  row: number;
  head: number;
}

/** The visible part of the scrolled element, in px. */
interface ScrolledRows {
  top: number;
  height: number;
}

/** The first and the last visible row; `last` is -1 for none. */
export function rowsIn(
  { top, height }: ScrolledRows,
  count: number,
  { row, head }: RowSizes,
): { first: number; last: number } {
  if (height <= 0 || count === 0) return { first: 0, last: -1 };
  const last = Math.min(count - 1, Math.ceil((top + height - head) / row) - 1);
  return { first: Math.max(0, Math.min(last, Math.floor(top / row))), last: Math.max(0, last) };
}

/** Where to scroll so that a row is visible as a whole; null if it is. */
export function topFor(index: number, { top, height }: ScrolledRows, { row, head }: RowSizes): number | null {
  const start = index * row;
  if (start < top) return start;
  const least = start + row + head - height;
  return least > top ? least : null;
}

/** Until the element is measured. */
const UNMEASURED: ScrolledRows = { top: 0, height: 800 };

/**
 * The rows of a long list that must be in the document: the visible ones, and some around them. The time does not depend
 * on the length of the list: a virtualizer that measures rows takes 20 ms for a million, at each change of their number.
 */
export function useFixedRows(
  scroller: RefObject<HTMLElement | null>,
  { count, sizes, overscan }: { count: number; sizes: RowSizes; overscan: number },
): { first: number; last: number; height: number; show: (index: number) => void } {
  const [view, setView] = useState(UNMEASURED);
  const { row, head } = sizes;
  /** The row to show as soon as the element has a height: its view may be hidden. */
  const wanted = useRef<number | null>(null);

  const show = useCallback(
    (index: number) => {
      const { current: element } = scroller;
      if (!element) return;
      const { scrollTop: top, clientHeight: height } = element;
      wanted.current = height === 0 ? index : null;
      const to = height === 0 ? null : topFor(index, { top, height }, { row, head });
      if (to !== null) element.scrollTo({ top: to });
    },
    [scroller, row, head],
  );

  useEffect(() => {
    const { current: element } = scroller;
    if (!element) return undefined;
    let seen = { top: -1, height: -1 };
    const look = (): ScrolledRows | null => {
      // A hidden view keeps its rows, so that it shows them in its first frame.
      if (element.clientHeight === 0) return null;
      // In whole rows: smaller movements change nothing.
      const top = Math.floor(element.scrollTop / row) * row;
      const next = { top, height: element.clientHeight };
      if (next.top === seen.top && next.height === seen.height) return null;
      return (seen = next);
    };
    // At once: otherwise the next frame shows the old rows in the new place.
    const onScroll = () => {
      const next = look();
      if (next) flushSync(() => setView(next));
    };
    const observer = new ResizeObserver(() => {
      if (wanted.current !== null) show(wanted.current);
      const next = look();
      if (next) setView(next);
    });
    element.addEventListener('scroll', onScroll, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller, row, show]);

  // One row more, because `top` is that of a whole row.
  const { first, last } = rowsIn({ top: view.top, height: view.height && view.height + row }, count, sizes);
  const isEmpty = last < 0;
  return {
    first: isEmpty ? 0 : Math.max(0, first - overscan),
    last: isEmpty ? -1 : Math.min(count - 1, last + overscan),
    height: count * row,
    show,
  };
}

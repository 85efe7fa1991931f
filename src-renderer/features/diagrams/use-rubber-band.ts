import { useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import type { DiagramText } from '#domain/tag/diagram';

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface DragStart {
  x: number;
  y: number;
  /** Selected before; the band adds to it. */
  base: ReadonlySet<string>;
}

/** The place of the pointer on a page, in px of the page, whatever its zoom. */
export function placeIn(
  element: HTMLElement | null,
  page: Pick<DiagramText, 'width'>,
  { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>,
): { x: number; y: number } {
  const { left, top, width } = element?.getBoundingClientRect() ?? { left: 0, top: 0, width: page.width };
  const scale = width / page.width;
  return { x: (clientX - left) / scale, y: (clientY - top) / scale };
}

/** A shorter drag is a click. */
const LEAST_PX = 4;

/** Selects the parts that a dragged rectangle touches; with Shift or Ctrl it adds to the selection. */
export function useRubberBand(
  page: DiagramText,
  frame: RefObject<HTMLElement | null>,
  { selected, onSelect }: { selected: ReadonlySet<string>; onSelect: (ids: ReadonlySet<string>) => void },
) {
  const start = useRef<DragStart | null>(null);
  const [band, setBand] = useState<Rectangle | null>(null);
  const placeOf = (event: PointerEvent) => placeIn(frame.current, page, event);
  return {
    band,
    begin: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      const isMore = event.shiftKey || event.ctrlKey || event.metaKey;
      const base: ReadonlySet<string> = isMore ? selected : new Set();
      start.current = { ...placeOf(event), base };
      event.currentTarget.setPointerCapture(event.pointerId);
      onSelect(base);
    },
    move: (event: PointerEvent) => {
      const from = start.current;
      if (!from) return;
      const to = placeOf(event);
      const left = Math.max(0, Math.min(from.x, to.x));
      const top = Math.max(0, Math.min(from.y, to.y));
      const width = Math.min(page.width, Math.max(from.x, to.x)) - left;
      const height = Math.min(page.height, Math.max(from.y, to.y)) - top;
      if (width < LEAST_PX && height < LEAST_PX) return;
      setBand({ left, top, width, height });
      const touched = page.parts.filter(
        (part) =>
          part.x < left + width && part.x + part.width > left && part.y < top + height && part.y + part.height > top,
      );
      onSelect(new Set([...from.base, ...touched.map(({ id }) => id)]));
    },
    end: () => {
      start.current = null;
      setBand(null);
    },
  };
}

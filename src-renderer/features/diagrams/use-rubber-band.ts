import { useRef, useState } from 'react';
import type { PointerEvent, RefObject } from 'react';
import type { DiagramText } from '#domain/tag/diagram';

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface Start {
  x: number;
  y: number;
  /** Selected before; the band adds to it. */
  base: ReadonlySet<string>;
}

/** A shorter drag is a click. */
const LEAST_PX = 4;

/** Selects the parts that a dragged rectangle touches; with Shift or Ctrl it adds to the selection. */
export function useRubberBand(
  page: DiagramText,
  frame: RefObject<HTMLElement | null>,
  { selected, onSelect }: { selected: ReadonlySet<string>; onSelect: (ids: ReadonlySet<string>) => void },
) {
  const start = useRef<Start | null>(null);
  const [band, setBand] = useState<Rectangle | null>(null);
  const placeOf = (event: PointerEvent) => {
    const { left, top } = frame.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
    return { x: event.clientX - left, y: event.clientY - top };
  };
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

import { type RefObject, useEffect, useState } from 'react';

/**
 * The width of an element, 1,000 px until it is measured. In steps of 20 px, so that dragging a splitter does not redraw
 * all rows at each pixel.
 */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(1_000);
  useEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      if (entry && entry.contentRect.width > 0) setWidth(Math.floor(entry.contentRect.width / 20) * 20);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import styles from './page.module.css';

/** Texts in a smaller page would be unreadable: the page scrolls instead. */
const SMALLEST = 0.5;
const MARGIN = 12;

/** A page of that width, scaled down to the available width. */
export function FittedPage({ width, children }: { width: number; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(([entry]) => {
      const room = (entry?.contentRect.width ?? 0) / (width + 2 * MARGIN);
      setZoom(Math.min(1, Math.max(SMALLEST, Math.floor(room * 100) / 100)));
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [width]);
  return (
    <div ref={frame} className={styles.fitted}>
      <div style={{ zoom, padding: MARGIN, width: 'max-content' }}>{children}</div>
    </div>
  );
}

import { type CSSProperties, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { PageScale } from './page-context.ts';
import { type PageZoom, fittingZoom, wheelZoom } from './page-zoom.ts';
import styles from './page.module.css';

const MARGIN = 12;

/** A point of the page, and where in the window it stays. */
interface Anchor {
  x: number;
  y: number;
  clientX: number;
  clientY: number;
}

interface Props {
  /** Size of the page, in px. */
  width: number;
  /** Without it, the page fits the available width. */
  view?: PageZoom;
  children: ReactNode;
}

/**
 * A page at its zoom, in an element that scrolls. Ctrl and the wheel zoom at the pointer. Styles get the scale as
 * `--page-scale`.
 */
export function ZoomedPage({ width, view, children }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const [fit, setFit] = useState(1);
  const scale = view === undefined || view.zoom === 'fit' ? fit : view.zoom;
  /** The latest, also before it is drawn: a wheel turns on. */
  const latest = useRef(scale);
  const drawn = useRef(scale);
  const { setZoom, onScale } = view ?? {};

  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const watcher = new ResizeObserver(([entry]) =>
      setFit(fittingZoom(entry?.contentRect.width ?? 0, width + 2 * MARGIN)),
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [width]);
  useEffect(() => {
    const scroller = frame.current?.parentElement;
    if (!scroller || !setZoom) return undefined;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      // The browser would zoom all of the window.
      event.preventDefault();
      const { left, top } = sheet.current?.getBoundingClientRect() ?? { left: 0, top: 0 };
      const { clientX, clientY } = event;
      anchor.current ??= { x: (clientX - left) / drawn.current, y: (clientY - top) / drawn.current, clientX, clientY };
      latest.current = wheelZoom(latest.current, event);
      if (latest.current === drawn.current) anchor.current = null;
      setZoom(latest.current);
    };
    scroller.addEventListener('wheel', onWheel, { passive: false });
    return () => scroller.removeEventListener('wheel', onWheel);
  }, [setZoom]);
  useLayoutEffect(() => {
    const scroller = frame.current?.parentElement;
    const before = drawn.current;
    const to = anchor.current;
    drawn.current = scale;
    latest.current = scale;
    anchor.current = null;
    onScale?.(scale);
    if (!scroller || !sheet.current || before === scale) return;
    const { left, top } = sheet.current.getBoundingClientRect();
    if (to) {
      scroller.scrollBy(left + to.x * scale - to.clientX, top + to.y * scale - to.clientY);
      return;
    }
    // What was in the middle stays there.
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = scroller;
    const moved = (scrolled: number, size: number) =>
      scrolled === 0 ? 0 : ((scrolled + size / 2) / before) * scale - size / 2;
    scroller.scrollTo(moved(scrollLeft, clientWidth), moved(scrollTop, clientHeight));
  }, [scale, onScale]);

  const style: CSSProperties & Record<'--page-scale', number> = {
    zoom: scale,
    padding: MARGIN,
    width: 'max-content',
    margin: '0 auto',
    '--page-scale': scale,
  };
  return (
    <div ref={frame} className={styles.fitted}>
      <div ref={sheet} style={style}>
        <PageScale value={scale}>{children}</PageScale>
      </div>
    </div>
  );
}

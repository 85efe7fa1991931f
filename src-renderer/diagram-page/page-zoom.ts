import { useCallback, useMemo, useState } from 'react';
import { remember, remembered } from '../support/local-storage.ts';

/** How large a page is drawn: 1 is its own size; `fit` fits the available width. */
export type Zoom = 'fit' | number;

const LIMITS = { min: 0.25, max: 4 };
/** Texts in a smaller page would be unreadable, in a larger one out of proportion: the page scrolls, or leaves space. */
const FIT_LIMITS = { min: 0.5, max: 2 };
const STEPS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4] as const;
/** Diagrams whose zoom this browser keeps. */
const MOST_KEPT = 200;
const KEY = 'diagrams.zoom';
/** A notch of a wheel is 100 px and changes the size by a fifth. */
const WHEEL_RATE = 0.002;
const LINE_PX = 16;

const clamped = (zoom: number, { min, max }: { min: number; max: number }): number =>
  Math.min(max, Math.max(min, zoom));

/** The zoom with which a page fits a width, both in px. */
export const fittingZoom = (room: number, width: number): number =>
  clamped(Math.floor((room / width) * 100) / 100, FIT_LIMITS);

/** The next larger (1) or smaller (-1) step. */
export function nextZoom(scale: number, by: 1 | -1): number {
  const next = by === 1 ? STEPS.find((step) => step > scale + 0.005) : STEPS.findLast((step) => step < scale - 0.005);
  return next ?? clamped(scale, LIMITS);
}

/** The zoom after a turn of the wheel. */
export function wheelZoom(scale: number, { deltaY, deltaMode }: Pick<WheelEvent, 'deltaY' | 'deltaMode'>): number {
  const px = deltaMode === 0 ? deltaY : deltaY * LINE_PX;
  return clamped(Math.round(scale * Math.exp(-px * WHEEL_RATE) * 100) / 100, LIMITS);
}

type KeptZooms = Readonly<Record<string, number>>;

/** The kept zooms with that of one Diagram, without those of the Diagrams that changed first. */
export function withZoom(kept: KeptZooms, id: number, zoom: Zoom): KeptZooms {
  // Integer keys have an order of their own: the text is no integer.
  const others = Object.entries(kept).filter(([key]) => key !== keyOf(id));
  const all = zoom === 'fit' ? others : [...others, [keyOf(id), zoom] as const];
  return Object.fromEntries(all.slice(-MOST_KEPT));
}

const keyOf = (id: number): string => `d${id}`;

/** The zoom of a page, for the page itself and for its controls. */
export interface PageZoom {
  zoom: Zoom;
  /** The current one, also if the page fits the width. */
  scale: number;
  setZoom: (zoom: Zoom) => void;
  /** From the page: the scale with which it is drawn. */
  onScale: (scale: number) => void;
}

/** The zoom of a Diagram, which this browser keeps; null for one that is not known yet. */
export function usePageZoom(id: number | null): PageZoom {
  const [kept, setKept] = useState(() => remembered<KeptZooms>(KEY, {}));
  const [scale, onScale] = useState(1);
  const given = id === null ? undefined : kept[keyOf(id)];
  const zoom: Zoom = typeof given === 'number' && Number.isFinite(given) ? clamped(given, LIMITS) : 'fit';
  const setZoom = useCallback(
    (next: Zoom) => {
      if (id === null) return;
      // Other windows keep those of other Diagrams.
      const now = withZoom(remembered<KeptZooms>(KEY, {}), id, next);
      remember(KEY, now);
      setKept(now);
    },
    [id],
  );
  return useMemo(() => ({ zoom, scale, setZoom, onScale }), [zoom, scale, setZoom]);
}

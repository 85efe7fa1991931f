import { useEffect, useMemo } from 'react';
import { useStore } from '../support/store.ts';
import { usePage } from './page-context.ts';
import type { TrendLines } from './trend-buffer.ts';
import { TREND_STEPS, TrendBuffer, trendNumber } from './trend-buffer.ts';

/** Without a tick for this long, ms, the page was hidden or disconnected. */
const GAP_MS = 5_000;

/** The values of tags over the past ms, live: observed values, and before them, computed ones. */
export function useTrend(paths: readonly string[], spanMs: number): TrendLines {
  const { values, past } = usePage();
  const key = JSON.stringify(paths);
  const buffer = useMemo(() => new TrendBuffer(spanMs), [spanMs]);

  useEffect(() => {
    const wanted: string[] = JSON.parse(key);
    if (wanted.length === 0) return undefined;
    const end = new AbortController();
    const fill = () => {
      const to = Date.now();
      void past({ paths: wanted, from: to - spanMs, to, points: TREND_STEPS }, end.signal).then((all) => {
        for (const { path, points } of all) buffer.fill(path, points);
      });
    };
    const stops = wanted.map((path) => {
      const add = () => {
        const value = values.get(path);
        if (value) buffer.add(path, { at: Date.now(), value: trendNumber(value) });
        else buffer.forget(path);
      };
      if (values.get(path)) add();
      return values.subscribe(path, add);
    });
    let seen = Date.now();
    stops.push(
      values.tick.subscribe(() => {
        const now = values.tick.get();
        if (now - seen > GAP_MS) {
          buffer.interrupt(seen);
          fill();
        }
        seen = now;
      }),
    );
    fill();
    return () => {
      end.abort();
      buffer.interrupt(seen);
      for (const stop of stops) stop();
    };
  }, [values, past, buffer, key, spanMs]);

  const now = useStore(values.tick);
  return useMemo(() => buffer.lines(JSON.parse(key), now), [buffer, key, now]);
}

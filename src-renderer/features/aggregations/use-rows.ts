import { useCallback, useEffect, useRef, useState } from 'react';
import { useWorkbench } from '../../frame/workbench.ts';
import { useStore } from '../../support/store.ts';
import { RowFeed } from './model/row-feed.ts';
import type { RowsState } from './model/row-feed.ts';

/** Minimum time between two loads of rows while a rule fires, ms. */
const REFRESH_MS = 700;

interface ShownRows extends RowsState {
  feed: RowFeed;
  /** Loads older rows. */
  more: () => void;
}

/** The rows of a rule, reloaded when `version` changes (it fired, it was saved) while visible. */
export function useRows(ruleId: number, version: string, active: boolean): ShownRows {
  const { client } = useWorkbench();
  const [feed] = useState(() => new RowFeed(client.rules, ruleId));
  const state = useStore(feed.store);
  const refreshed = useRef(0);
  const life = useRef<AbortController | null>(null);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    life.current = end;
    return () => end.abort();
  }, [active]);
  useEffect(() => {
    if (!active) return undefined;
    const wait = Math.max(0, refreshed.current + REFRESH_MS - performance.now());
    const timer = setTimeout(() => {
      refreshed.current = performance.now();
      const end = life.current;
      if (end) void feed.refresh(end.signal);
    }, wait);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another version means new rows
  }, [feed, version, active]);
  const more = useCallback(() => {
    if (life.current) void feed.more(life.current.signal);
  }, [feed]);

  return { ...state, feed, more };
}

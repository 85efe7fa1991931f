import { useEffect } from 'react';
import type { RunDebugger } from '../model/debugger.ts';

/**
 * Calls `read` now, and again whenever another frame is selected or variables may have changed; the signal of the call
 * before is aborted then. Does not render: a step renders what was read, once.
 */
export function useEachStop(session: RunDebugger, read: (frame: number | null, signal: AbortSignal) => unknown): void {
  useEffect(() => {
    let end = new AbortController();
    let last: { frame: number | null; revision: number } | null = null;
    const look = () => {
      const { frame, revision } = session.shown.get();
      if (last?.frame === frame && last.revision === revision) return;
      last = { frame, revision };
      end.abort();
      end = new AbortController();
      read(frame, end.signal);
    };
    look();
    const forget = session.shown.subscribe(look);
    return () => {
      forget();
      end.abort();
    };
  }, [session, read]);
}

import { useEffect, useState } from 'react';
import type { Problem } from './errors.ts';
import type { OpenChanges } from './stay-current.ts';
import { stayCurrent } from './stay-current.ts';

/** A read from main, and the streams that notify when its result may have changed. */
export interface Query<Data> {
  read: (signal: AbortSignal) => Promise<Data>;
  changes: readonly OpenChanges[];
}

interface Known<Data> {
  /** null until the first read succeeds. The last result stays while a later read fails. */
  data: Data | null;
  /** Why the last read failed; null if it did not. */
  problem: Problem | null;
}

/**
 * The result of a query, kept current while the component is mounted and `active`.
 *
 * @param query memoized by the caller; another one starts over, and keeps the last result until its own arrives
 */
export function useQuery<Data>(query: Query<Data>, active: boolean): Known<Data> {
  const [known, setKnown] = useState<Known<Data>>({ data: null, problem: null });
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const { changes } = query;
    const read = async (signal: AbortSignal) => {
      const data = await query.read(signal);
      if (!signal.aborted) setKnown({ data, problem: null });
    };
    const failed = (problem: Problem) => setKnown(({ data }) => ({ data, problem }));
    void stayCurrent({ changes, read, failed }, end.signal);
    return () => end.abort();
  }, [query, active]);
  return known;
}

import { useEffect, useState } from 'react';
import type { TagProblem } from '#domain/tag/problem';
import type { Client } from '../../../client/client.ts';
import type { Problem } from '../../../client/errors.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';

export interface TagProblems {
  problems: readonly TagProblem[];
  /** Number of all problems; `problems` may be cut. */
  total: number;
  /** The number of tags; null until they were read. */
  read: number | null;
  failed: Problem | null;
}

const UNKNOWN: TagProblems = { problems: [], total: 0, read: null, failed: null };
/** Between two readings while the problems are visible, and while only their number is, in ms. */
const VISIBLE_MS = 2_000;
const COUNTED_MS = 15_000;
/** A reading takes at most this part of the time, so that many slow tags do not keep the plant busy. */
const SHARE = 10;

/** The tags with a bad quality, kept current: all tags are read again and again while the view is visible. */
export function useTagProblems(client: Client, { active, visible }: { active: boolean; visible: boolean }) {
  const [found, setFound] = useState(UNKNOWN);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = async () => {
      const started = performance.now();
      try {
        const now = await client.tags.bad({}, { signal: end.signal });
        setFound((last) => (isSame(last, now) ? last : { ...now, failed: null }));
      } catch (error) {
        if (isAbort(error)) return;
        setFound((last) => ({ ...last, failed: problemOf(error) }));
      }
      if (end.signal.aborted) return;
      const pause = Math.max(visible ? VISIBLE_MS : COUNTED_MS, (performance.now() - started) * SHARE);
      timer = setTimeout(() => void read(), pause);
    };
    void read();
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, active, visible]);
  return found;
}

const isSame = ({ failed, ...last }: TagProblems, now: Omit<TagProblems, 'failed'>): boolean =>
  failed === null && JSON.stringify(last) === JSON.stringify(now);

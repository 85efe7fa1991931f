import { useEffect, useState } from 'react';
import type { Problem } from './errors.ts';
import type { OpenChanges } from './stay-current.ts';
import { stayCurrent } from './stay-current.ts';

/** Something to ask main, and the streams that notify when the answer may be another one. */
export interface Question<Answer> {
  ask: (signal: AbortSignal) => Promise<Answer>;
  changes: readonly OpenChanges[];
}

interface Known<Answer> {
  /** null until it was answered. The last answer stays while a later read fails. */
  answer: Answer | null;
  /** Why the last read failed; null when it did not. */
  problem: Problem | null;
}

/**
 * The answer to a question, kept current while the component is mounted and `active`.
 *
 * @param question memoized by the caller; another one starts over and keeps the last answer until its own arrives
 */
export function useAnswer<Answer>(question: Question<Answer>, active: boolean): Known<Answer> {
  const [known, setKnown] = useState<Known<Answer>>({ answer: null, problem: null });
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const { ask, changes } = question;
    const read = async (signal: AbortSignal) => {
      const answer = await ask(signal);
      if (!signal.aborted) setKnown({ answer, problem: null });
    };
    const failed = (problem: Problem) => setKnown(({ answer }) => ({ answer, problem }));
    void stayCurrent({ changes, read, failed }, end.signal);
    return () => end.abort();
  }, [question, active]);
  return known;
}

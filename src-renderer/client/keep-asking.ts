import type { Problem } from './errors.ts';
import { isAbort, problemOf } from './errors.ts';
import { follow } from './follow.ts';

interface Question<Answer> {
  ask: (signal: AbortSignal) => Promise<Answer>;
  /** Streams that say that the answer may be another one by now. */
  changes: readonly ((signal: AbortSignal) => Promise<AsyncIterable<unknown>>)[];
  answered: (answer: Answer) => void;
  failed: (problem: Problem) => void;
}

/** Asks at once, and again whenever one of the streams says something, until `signal` aborts. */
export function keepAsking<Answer>(question: Question<Answer>, signal: AbortSignal): void {
  let asked = 0;
  const ask = async () => {
    const mine = ++asked;
    // A slower answer to an earlier question says less.
    const isLast = () => mine === asked && !signal.aborted;
    try {
      const answer = await question.ask(signal);
      if (isLast()) question.answered(answer);
    } catch (error) {
      if (isLast() && !isAbort(error)) question.failed(problemOf(error));
    }
  };
  for (const changes of question.changes) void follow(changes, () => void ask(), signal);
  void ask();
}

import type { Problem } from './errors.ts';
import { isAbort, problemOf } from './errors.ts';
import { follow } from './follow.ts';

interface Question<Answer> {
  ask: (signal: AbortSignal) => Promise<Answer>;
  /** Streams that announce that the result may have changed. */
  changes: readonly ((signal: AbortSignal) => Promise<AsyncIterable<unknown>>)[];
  answered: (answer: Answer) => void;
  failed: (problem: Problem) => void;
}

/** Calls immediately, and again whenever one of the streams sends something, until `signal` aborts. */
export function keepAsking<Answer>(question: Question<Answer>, signal: AbortSignal): void {
  let asked = 0;
  const ask = async () => {
    const mine = ++asked;
    // A slower response to an earlier call is stale.
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

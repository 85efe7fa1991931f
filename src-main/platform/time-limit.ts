import { createContext, Script } from 'node:vm';
import { grouped } from '#domain/text/grouped';

/** Work that was ended because it timed out. */
export class TimeLimitError extends Error {}

const idle = (): void => undefined;
const place: { work: () => void } = { work: idle };
createContext(place);
const doWork = new Script('work()');

/** The longest wait, as a multiple of the limit, while other processes use the processor. */
const MOST_WAITED = 8;

/**
 * Does synchronous work, and ends it after `ms` of processor time: then throws TimeLimitError. If other processes used the
 * processor in the meantime, the work is retried with twice the time. It may have been ended anywhere, so whatever it
 * was changing must not be used afterwards, not even by a retry. Watching it costs 0.1 to 0.6 ms.
 */
export function withinMs<T>(ms: number, work: () => T): T {
  const results: { value: T }[] = [];
  place.work = () => void results.push({ value: work() });
  try {
    for (let timeout = ms; !finishes(timeout, ms); timeout *= 2) {
      if (timeout >= ms * MOST_WAITED) throw timeLimitError(ms);
    }
  } finally {
    place.work = idle;
  }
  const [result] = results;
  if (!result) throw new Error('the work did not end');
  return result.value;
}

/** Whether the work ended by itself; throws TimeLimitError if it used the processor for `ms`. */
function finishes(timeout: number, ms: number): boolean {
  const before = process.threadCpuUsage();
  try {
    doWork.runInContext(place, { timeout });
    return true;
  } catch (thrown) {
    if (!isTimeout(thrown)) throw thrown;
    const { user, system } = process.threadCpuUsage(before);
    if ((user + system) / 1_000 >= ms * 0.9) throw timeLimitError(ms);
    return false;
  }
}

const timeLimitError = (ms: number) => new TimeLimitError(`it took longer than ${grouped(ms)} ms`);

/** An Error of the other context. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

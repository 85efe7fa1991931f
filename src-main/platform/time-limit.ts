import { createContext, Script } from 'node:vm';

/** Work that was ended because it timed out. */
export class TookTooLong extends Error {}

const idle = (): void => undefined;
const place: { work: () => void } = { work: idle };
createContext(place);
const doWork = new Script('work()');

/**
 * Does synchronous work, and ends it after `ms`: then throws TookTooLong. It may have been ended anywhere, so that
 * nothing it was changing may be used afterwards. Watching it costs 0.1 to 0.6 ms.
 */
export function withinMs<T>(ms: number, work: () => T): T {
  const results: { value: T }[] = [];
  place.work = () => void results.push({ value: work() });
  try {
    doWork.runInContext(place, { timeout: ms });
  } catch (thrown) {
    if (!isTimeout(thrown)) throw thrown;
    throw new TookTooLong(`it took longer than ${ms.toLocaleString('en')} ms`);
  } finally {
    place.work = idle;
  }
  const [result] = results;
  if (!result) throw new Error('the work did not end');
  return result.value;
}

/** An Error of the other context. */
function isTimeout(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' && thrown !== null && 'code' in thrown && thrown.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Cause } from '#domain/run/journal';

const callers = new AsyncLocalStorage<Cause>();
const UNKNOWN: Cause = { by: 'person' };

/** Does the work of a call, and all that follows from it, for this caller. */
export function calledBy<T>(caller: Cause, work: () => T): T {
  return callers.run(caller, work);
}

/**
 * The caller of the current call: the person in the window or on the command line, or an import. Read it when a call
 * begins, and pass it on: a job of the commit queue runs for several callers.
 */
export function callerNow(): Cause {
  return callers.getStore() ?? UNKNOWN;
}

import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after this many ms, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/** Resolves when the work has ended, however, or as soon as the signal aborts. */
export async function settledOrAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  work.then(stop, stop);
  await promise;
  signal.removeEventListener('abort', stop);
}

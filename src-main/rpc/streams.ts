import { AsyncIteratorClass } from '@orpc/server';
import type { Subscribe } from './services.ts';

/** A stream as a procedure returns it. */
export type Stream<T> = AsyncIteratorClass<T, undefined, undefined>;

/**
 * A stream of changes that holds at most one waiting value: values that arrive between reads are coalesced, so
 * that a slow reader costs no memory. Listens from the call on (not from the first read), and stops listening when the
 * reader returns or the signal aborts, whichever comes first.
 */
export function changesOf<T>(
  subscribe: Subscribe<T>,
  merge: (waiting: T, next: T) => T,
  signal: AbortSignal | undefined,
): Stream<T> {
  const state: { waiting: { value: T } | null; ended: boolean } = { waiting: null, ended: false };
  let wake = Promise.withResolvers<void>();
  const unsubscribe = subscribe((value) => {
    state.waiting = { value: state.waiting ? merge(state.waiting.value, value) : value };
    wake.resolve();
  });
  const end = () => {
    if (state.ended) return;
    state.ended = true;
    signal?.removeEventListener('abort', end);
    unsubscribe();
    wake.resolve();
  };
  if (signal?.aborted) end();
  else signal?.addEventListener('abort', end, { once: true });

  return new AsyncIteratorClass<T, undefined, undefined>(
    async () => {
      while (!state.ended) {
        const { waiting } = state;
        if (waiting) {
          state.waiting = null;
          return { done: false, value: waiting.value };
        }
        await wake.promise;
        wake = Promise.withResolvers();
      }
      return { done: true, value: undefined };
    },
    async () => end(),
  );
}

/**
 * A service's own stream in the form of a procedure's result: it ends at once when the signal aborts, whatever the
 * service is waiting for, and the service's generator is then returned; its exceptions are passed through `mapError`.
 *
 * @param open starts the service's stream with a signal that aborts when the stream ends for any reason
 */
export function streamOf<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal | undefined,
  mapError: (thrown: unknown) => unknown,
): Stream<T> {
  const stop = new AbortController();
  /** Ends the wait for the next value. */
  let wake: (() => void) | null = null;
  const abort = () => {
    if (stop.signal.aborted) return;
    signal?.removeEventListener('abort', abort);
    stop.abort(signal?.reason);
    wake?.();
    // A generator that is waiting returns when its wait settles; that is not awaited here.
    iterator.return?.()?.catch(() => {});
  };
  const iterator = open(stop.signal)[Symbol.asyncIterator]();
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });

  /** Not a race with a promise of the end: that would retain every value's wait for as long as the stream lasts. */
  const nextOrEnd = () =>
    new Promise<IteratorResult<T, unknown> | null>((resolve, reject) => {
      wake = () => resolve(null);
      iterator.next().then(resolve, reject);
    });

  return new AsyncIteratorClass<T, undefined, undefined>(
    async () => {
      if (stop.signal.aborted) return { done: true, value: undefined };
      try {
        const result = await nextOrEnd();
        if (!result || result.done) return { done: true, value: undefined };
        return { done: false, value: result.value };
      } catch (thrown) {
        if (stop.signal.aborted) return { done: true, value: undefined };
        throw mapError(thrown);
      }
    },
    async () => abort(),
  );
}

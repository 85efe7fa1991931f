import { isAbort } from './errors.ts';

const AGAIN_AFTER_MS = 1_000;

/**
 * Passes every value of a stream to `each` until `signal` aborts. A stream that fails or ends is reopened a second
 * later; nothing is lost, because it sends the current state first.
 */
export async function follow<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  each: (value: T) => void,
  signal: AbortSignal,
  failed?: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const value of await open(signal)) {
        if (signal.aborted) return;
        each(value);
      }
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      failed?.(error);
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
  }
}

import { isAbort } from './errors.ts';

const FIRST_AFTER_MS = 1_000;
const LAST_AFTER_MS = 10_000;

/** Retries until it succeeds or `signal` aborts, with growing delays; `failed` is called with each error. */
export async function persist(
  work: () => Promise<void>,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  for (let afterMs = FIRST_AFTER_MS; !signal.aborted; afterMs = Math.min(afterMs * 2, LAST_AFTER_MS)) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      failed(error);
    }
    await new Promise((resolve) => setTimeout(resolve, afterMs));
  }
}

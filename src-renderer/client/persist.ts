import { isAbort } from './errors.ts';

const FIRST_AFTER_MS = 1_000;
const LAST_AFTER_MS = 10_000;

/** Does something again until it works or `signal` aborts, more and more seldom; `failed` hears of each failure. */
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

import { CANCELLED, type PlantError } from './protocol.ts';

/** When work ends that has not settled by then. */
export interface EarlyEnd {
  /** Aborts when the work is no longer needed. */
  signal?: AbortSignal | undefined;
  /** Its time limit, ms, and the error of work that exceeds it: composed only then, because its text takes a while. */
  time?: { ms: number; error: () => PlantError };
}

/** The work; calls `end` with the reason if the signal aborts or the time is up before it has settled. */
export async function endEarly<T>(
  work: Promise<T>,
  end: (why: PlantError) => void,
  { signal, time }: EarlyEnd,
): Promise<T> {
  const cancel = () => end(CANCELLED);
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel);
  const timer = time && setTimeout(() => end(time.error()), time.ms).unref();
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

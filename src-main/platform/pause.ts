import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after this many ms, or as soon as the signal aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

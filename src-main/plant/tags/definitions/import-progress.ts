import { setTimeout as wait } from 'node:timers/promises';
import type { MissingReference, TagLoss } from '#domain/tag/tag';
import type { ImportRefusal, ImportStep } from './import-plan.ts';

export interface ImportOutcome {
  created: number;
  updated: number;
  /** Absent if there are none. */
  unchanged?: number;
  refused: ImportRefusal[];
  missing?: MissingReference[];
  losses?: TagLoss[];
}

/** Number of checked rows, and of all rows; equal in the last value. */
export interface ImportProgress {
  checked: number;
  total: number;
  done: ImportOutcome | null;
}

const REPORTED_EVERY_MS = 100;

/**
 * Runs an import and reports its progress at most ten times a second; the last value has the result. If the signal
 * aborts, or the reader stops, before anything is stored, the import ends without effect.
 */
export async function* importProgress(
  run: (step: ImportStep) => Promise<ImportOutcome>,
  signal: AbortSignal,
): AsyncGenerator<ImportProgress, void, undefined> {
  const far = { checked: 0, total: 0 };
  const stopped = new AbortController();
  const end = AbortSignal.any([signal, stopped.signal]);
  const running = run((checked, total) => {
    end.throwIfAborted();
    Object.assign(far, { checked, total });
  });
  // A reader that stopped needs no error.
  running.catch(() => undefined);
  try {
    while (await Promise.race([running.then(() => false), wait(REPORTED_EVERY_MS, true)])) yield { ...far, done: null };
    yield { ...far, done: await running };
  } finally {
    stopped.abort();
  }
}

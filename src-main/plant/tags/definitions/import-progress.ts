import { setTimeout as wait } from 'node:timers/promises';
import type { ImportRefusal, ImportStep } from './import-plan.ts';

export interface ImportOutcome {
  created: number;
  updated: number;
  refused: ImportRefusal[];
}

/** Rows that were checked, of how many; `done` in the last. */
export interface ImportProgress {
  checked: number;
  total: number;
  done: ImportOutcome | null;
}

const TOLD_EVERY_MS = 100;

/**
 * Runs an import and tells how far it is, at most ten times a second; the last value has what came of it. When the signal
 * aborts, or the reader stops, before anything is stored, the import ends and has done nothing.
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
  // Whoever stopped does not want to know.
  running.catch(() => undefined);
  try {
    while (await Promise.race([running.then(() => false), wait(TOLD_EVERY_MS, true)])) yield { ...far, done: null };
    yield { ...far, done: await running };
  } finally {
    stopped.abort();
  }
}

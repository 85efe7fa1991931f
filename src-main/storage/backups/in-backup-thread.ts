import type { ErrorCode } from '#contract/errors';
import type { JsonObject } from '#domain/text/json';
import { TagwrightError } from '../../platform/errors.ts';
import { programFile } from '../../platform/files/programs.ts';
import { inThread } from '../../platform/threads/in-thread.ts';

export type BackupTask =
  | {
      kind: 'copy';
      /** An open database. */
      from: string;
      /** An empty file. */
      to: string;
    }
  | { kind: 'check'; file: string };

export interface BackupThreadData {
  task: BackupTask;
  /** One number, shared with the thread: one of the phases below. */
  phase: Int32Array<SharedArrayBuffer>;
}

export type BackupTaskOutcome =
  | { kind: 'done' }
  | { kind: 'refused'; code: ErrorCode; message: string; data: JsonObject }
  /** An error of SQLite or of the file system, with its code. */
  | { kind: 'failed'; code: string; message: string };

/** The thread has not opened a file yet. */
export const BEFORE = 0;
export const DURING = 1;
/** Main no longer wants the result. */
export const UNWANTED = 2;
/** The thread has closed its files. */
export const AFTER = 3;

/** How long a cancelled thread may take to close its files, ms: it may be in an fsync. */
const PATIENCE_MS = 5_000;

/**
 * Does the task in a thread of its own, which takes 40 ms to start. When the signal aborts, the thread has closed its
 * files before `abort()` returns, so that the caller can close the workspace.
 *
 * Throws WORKSPACE_DAMAGED or WORKSPACE_NEWER for a file that does not pass the check, UNAVAILABLE after an abort, and
 * errors of SQLite and of the file system with their codes.
 */
export async function inBackupThread(task: BackupTask, signal?: AbortSignal): Promise<void> {
  const data: BackupThreadData = { task, phase: new Int32Array(new SharedArrayBuffer(4)) };
  const cancel = () => {
    const phase = Atomics.exchange(data.phase, 0, UNWANTED);
    if (phase === DURING) Atomics.wait(data.phase, 0, UNWANTED, PATIENCE_MS);
  };
  checkWanted(signal);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    const outcome = await inThread<BackupTaskOutcome>(programFile('backup-thread'), { data });
    checkWanted(signal);
    if (outcome.kind === 'refused') {
      throw new TagwrightError(outcome.code, outcome.message, { data: outcome.data });
    }
    if (outcome.kind === 'failed') throw Object.assign(new Error(outcome.message), { code: outcome.code });
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function checkWanted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  throw new TagwrightError(
    'UNAVAILABLE',
    'The workspace was closed before its backup was complete. Open it, and back it up again.',
  );
}

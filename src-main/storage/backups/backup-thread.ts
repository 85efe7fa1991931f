/**
 * A thread for one task: it copies the open workspace into a backup, or checks a finished one. SQLite ends a copy with
 * an fsync and checks a file in one call, and main must wait for neither.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import { checkDatabaseFile } from '../database-check.ts';
import { MIGRATIONS } from '../migrations/index.ts';
import { codeOf } from '../storage-error.ts';
import type { BackupThreadData, BackupTaskOutcome } from './in-backup-thread.ts';
import { BEFORE, DURING, AFTER } from './in-backup-thread.ts';
import { snapshotCopy } from './snapshot-copy.ts';

const { task, phase }: BackupThreadData = workerData;

async function done(): Promise<BackupTaskOutcome> {
  try {
    if (Atomics.compareExchange(phase, 0, BEFORE, DURING) !== BEFORE) return { kind: 'done' };
    if (task.kind === 'check') checkDatabaseFile(task.file, MIGRATIONS);
    else await snapshotCopy(task.from, task.to, () => Atomics.load(phase, 0) === DURING);
    return { kind: 'done' };
  } catch (thrown) {
    const message = messageOf(thrown);
    return thrown instanceof TagwrightError
      ? { kind: 'refused', code: thrown.code, message, data: thrown.data }
      : { kind: 'failed', code: codeOf(thrown), message };
  } finally {
    Atomics.store(phase, 0, AFTER);
    Atomics.notify(phase, 0);
  }
}

const outcome = await done();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
parentPort?.postMessage(outcome);

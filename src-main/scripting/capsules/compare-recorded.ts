import { type CapsuleComparison, compareCapsules, type ExecutedPath } from '#domain/run/replays/capsule-comparison';
import { steppedRun } from '#domain/run/replays/run-steps';
import { TagwrightError } from '../../platform/errors.ts';
import type { ReadCapsule } from './capsule-file.ts';
import { type ReplayHosts, withReplayHosts } from './replay-hosts.ts';
import { replayWithValues } from './replay-with-values.ts';

/** Compares two recorded runs: what they executed comes from a replay of each. Throws CANCELLED when the signal aborts. */
export async function compareRecorded(
  before: ReadCapsule,
  after: ReadCapsule,
  hosts: ReplayHosts,
  signal?: AbortSignal,
): Promise<CapsuleComparison> {
  const [first, second] = await Promise.all([executedPath(before, hosts, signal), executedPath(after, hosts, signal)]);
  if (signal?.aborted) throw new TagwrightError('CANCELLED', 'The comparison was cancelled.');
  return compareCapsules(before.capsule, after.capsule, [first, second]);
}

async function executedPath(read: ReadCapsule, hosts: ReplayHosts, signal?: AbortSignal): Promise<ExecutedPath> {
  try {
    const { values, missing } = await withReplayHosts(
      read.capsule,
      1,
      hosts,
      (parts) => replayWithValues(read, null, true, parts, signal),
      true,
    );
    if (missing) return { problem: `its replay needs a call that the capsule does not contain (${missing.call}).` };
    const run = values && steppedRun(values);
    return run ? { run } : { problem: 'its text has no statements that can be executed.' };
  } catch (thrown) {
    if (thrown instanceof TagwrightError && thrown.code === 'BAD_REQUEST') return { problem: thrown.message };
    throw thrown;
  }
}

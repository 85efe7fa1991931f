import { availableParallelism } from 'node:os';
import type { Capsule } from '#domain/run/capsule';
import type { CapsuleComparison } from '#domain/run/replays/capsule-comparison';
import type { CallSite, FailureKind, FailureMatrix, FailureProgress } from '#domain/run/failures';
import type { ReplayReport } from '#domain/run/replay';
import { maskArguments } from './outbound/recorded-call.ts';
import { hostRuntime, productRoot, scriptHostFile } from './platform/files/paths.ts';
import { productVersion } from './platform/version.ts';
import { compareRecorded } from './scripting/capsules/compare-recorded.ts';
import { type ReadCapsule, readCapsule } from './scripting/capsules/capsule-file.ts';
import { replayCapsule, type ReplayParts } from './scripting/capsules/replay-capsule.ts';
import { type ReplayHosts, withReplayHosts } from './scripting/capsules/replay-hosts.ts';
import { capsuleOfCell, tryFailures } from './scripting/failures/failure-matrix.ts';

export { capsuleText } from './scripting/capsules/capsule-file.ts';
export { readCapsule };

/**
 * Replays a capsule without a workspace and without a network: one script host, with the time zone and the locale of the
 * recorded run, which gets all answers from the capsule.
 * @param edited a body in place of the recorded one
 */
export function replay(read: ReadCapsule, edited: string | null, signal?: AbortSignal): Promise<ReplayReport> {
  return withHosts(read.capsule, 1, (parts) => replayCapsule(read, edited, parts, signal));
}

/** Compares two recorded runs, in two script hosts. */
export function compareFiles(
  before: ReadCapsule,
  after: ReadCapsule,
  signal?: AbortSignal,
): Promise<CapsuleComparison> {
  return compareRecorded(before, after, hostsOf(), signal);
}

/** Replays a capsule once for each failure of each of its calls. */
export function failuresOfCapsule(
  capsule: Capsule,
  { everyCall, onProgress }: { everyCall: boolean; onProgress: (progress: FailureProgress) => void },
  signal?: AbortSignal,
): Promise<FailureMatrix> {
  const parallel = availableParallelism();
  return withHosts(capsule, parallel, (parts) =>
    tryFailures(capsule, { ...parts, parallel, everyCall, onProgress }, signal),
  );
}

/** The capsule of a run in which one call failed; null if the capsule has no such call. */
export function failedCapsule(
  capsule: Capsule,
  site: Pick<CallSite, 'call' | 'name'>,
  failure: FailureKind,
  signal?: AbortSignal,
): Promise<Omit<Capsule, 'hash'> | null> {
  return withHosts(capsule, 1, (parts) => capsuleOfCell(capsule, site, failure, parts, signal));
}

function withHosts<T>(capsule: Capsule, count: number, use: (parts: ReplayParts) => Promise<T>): Promise<T> {
  return withReplayHosts(capsule, count, hostsOf(), use);
}

function hostsOf(): ReplayHosts {
  const root = productRoot();
  const hosts = { hostFile: scriptHostFile(root), nodeBinary: hostRuntime(root).node };
  return { hosts, maskArguments, version: productVersion(root) };
}

import type { Capsule } from '#domain/run/capsule';
import { type CapsuleTest, testOfCapsule } from '#domain/run/capsule-test';
import type { CallSite, FailureKind, FailureMatrix, FailureProgress } from '#domain/run/failures';
import type { RunReport } from '#domain/run/run';
import { TagwrightError } from '../../platform/errors.ts';
import type { CapsuleRecorder, RecordRequest } from '../capsules/capsule-recorder.ts';
import { KeptCapsules } from '../capsules/kept-capsules.ts';
import { type ReplayHosts, withReplayHosts } from '../capsules/replay-hosts.ts';

/** Loaded when it is used. */
const matrices = () => import('./failure-matrix.ts');

export type FailureStep =
  | ({ kind: 'progress' } & FailureProgress)
  | { kind: 'matrix'; key: string; matrix: FailureMatrix };

interface FailureServiceParts extends ReplayHosts {
  capsules: Pick<CapsuleRecorder, 'content'>;
}

const PROGRESS_MS = 100;
/** Replays at a time. */
const PARALLEL = 2;

/**
 * Failure matrices for windows: records a dry run, tries the failures, and keeps the run for its outcomes.
 */
export class FailureService {
  readonly #parts: FailureServiceParts;
  /** Recorded runs that are kept for their outcomes. */
  readonly #kept = new KeptCapsules<Capsule>();

  constructor(parts: FailureServiceParts) {
    this.#parts = parts;
  }

  async *try(
    { everyCall = false, ...request }: Omit<RecordRequest, 'dryRun'> & { everyCall?: boolean | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<FailureStep> {
    const recorded = await this.#parts.capsules.content({ ...request, dryRun: true }, signal);
    if (recorded.content === null) {
      throw new TagwrightError('CONFLICT', `The run was not recorded: ${recorded.problem ?? 'it has no capsule'}.`);
    }
    const capsule: Capsule = { ...recorded.content, hash: '' };
    let current: FailureProgress = { done: 0, of: 0, leftMs: 0 };
    let wake = Promise.withResolvers<void>();
    const onProgress = (progress: FailureProgress) => {
      current = progress;
      wake.resolve();
    };
    let matrix: FailureMatrix | null = null;
    let isOver = false;
    const trying = withReplayHosts(capsule, PARALLEL, this.#parts, async (parts) => {
      const { tryFailures } = await matrices();
      return tryFailures(capsule, { ...parts, parallel: PARALLEL, everyCall, onProgress }, signal);
    })
      .then((found) => void (matrix = found))
      .finally(() => {
        isOver = true;
        wake.resolve();
      });
    trying.catch(() => undefined);
    let next = 0;
    for (;;) {
      await wake.promise;
      wake = Promise.withResolvers<void>();
      if (isOver || current.done === current.of) break;
      if (performance.now() < next) continue;
      next = performance.now() + PROGRESS_MS;
      yield { kind: 'progress', ...current };
    }
    await trying;
    if (matrix !== null) yield { kind: 'matrix', key: this.#kept.keep(capsule, recorded.length), matrix };
  }

  async cell(
    {
      key,
      call,
      name,
      failure,
      title,
    }: Pick<CallSite, 'call' | 'name'> & { key: string; failure: FailureKind; title: string },
    signal?: AbortSignal,
  ): Promise<CapsuleTest & { report: RunReport }> {
    const capsule = this.#kept.get(key);
    const failed =
      capsule &&
      (await withReplayHosts(capsule, 1, this.#parts, async (parts) => {
        const { capsuleOfCell } = await matrices();
        return capsuleOfCell(capsule, { call, name }, failure, parts, signal);
      }));
    if (!failed) {
      throw new TagwrightError('NOT_FOUND', 'This outcome is no longer known. Try the failures again.');
    }
    return { report: failed.report, ...testOfCapsule(title, failed) };
  }
}

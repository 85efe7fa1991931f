import { randomUUID } from 'node:crypto';
import type { Capsule } from '#domain/run/capsule';
import { type CapsuleTest, testOfCapsule } from '#domain/run/capsule-test';
import type { CallSite, FailureKind, FailureMatrix } from '#domain/run/failures';
import type { RunReport } from '#domain/run/run';
import { TagwrightError } from '../../platform/errors.ts';
import { readCapsule } from '../capsules/capsule-file.ts';
import type { CapsuleRecorder, RecordRequest } from '../capsules/capsule-recorder.ts';
import type { ReplayParts } from '../capsules/replay-capsule.ts';
import type { HostRules } from '../sandbox/supervisor/host-process.ts';
import { ScriptHostPool, type ScriptHostPoolOptions } from '../sandbox/supervisor/script-host-pool.ts';
import { capsuleOfCell, tryFailures } from './failure-matrix.ts';

export type FailureProgress =
  | { kind: 'progress'; done: number; of: number }
  | { kind: 'matrix'; key: string; matrix: FailureMatrix };

interface FailureServiceParts extends Omit<ReplayParts, 'runner' | 'ticks'> {
  capsules: Pick<CapsuleRecorder, 'record'>;
  hosts: Pick<ScriptHostPoolOptions, 'hostFile' | 'nodeBinary' | 'sandbox' | 'log'>;
  rules: () => HostRules;
}

/** Recorded runs that are kept for their outcomes; the newest one whatever its size. */
const MOST_KEPT = 3;
const MOST_BYTES = 16 * 1_048_576;
const PROGRESS_MS = 100;
/** Replays at a time. */
const PARALLEL = 2;

/**
 * Failure matrices for windows: records a dry run, tries the failures, and keeps the run for its outcomes. The replays have
 * hosts of their own: many of them may hang, and other runs must not wait for them.
 */
export class FailureService {
  readonly #parts: FailureServiceParts;
  readonly #kept = new Map<string, { capsule: Capsule; bytes: number }>();

  constructor(parts: FailureServiceParts) {
    this.#parts = parts;
  }

  async *try(request: Omit<RecordRequest, 'dryRun'>, signal: AbortSignal): AsyncGenerator<FailureProgress> {
    const { capsule: text, problem } = await this.#parts.capsules.record({ ...request, dryRun: true }, signal);
    if (text === null) {
      throw new TagwrightError('CONFLICT', `The run was not recorded: ${problem ?? 'it has no capsule'}.`);
    }
    const bytes = Buffer.from(text);
    const { capsule } = readCapsule(bytes);
    let current = { done: 0, of: 0 };
    let wake = Promise.withResolvers<void>();
    const onProgress = (done: number, of: number) => {
      current = { done, of };
      wake.resolve();
    };
    let matrix: FailureMatrix | null = null;
    const trying = this.#withHosts(PARALLEL, (parts) =>
      tryFailures(capsule, { ...parts, parallel: PARALLEL, onProgress }, signal),
    )
      .then((found) => void (matrix = found))
      .finally(() => wake.resolve());
    trying.catch(() => undefined);
    let next = 0;
    for (;;) {
      await wake.promise;
      wake = Promise.withResolvers<void>();
      if (matrix !== null || current.done === current.of) break;
      if (performance.now() < next) continue;
      next = performance.now() + PROGRESS_MS;
      yield { kind: 'progress', ...current };
    }
    await trying;
    if (matrix !== null) yield { kind: 'matrix', key: this.#keep(capsule, bytes.length), matrix };
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
    const capsule = this.#kept.get(key)?.capsule;
    const failed =
      capsule && (await this.#withHosts(1, (parts) => capsuleOfCell(capsule, { call, name }, failure, parts, signal)));
    if (!failed) {
      throw new TagwrightError('NOT_FOUND', 'This outcome is no longer known. Try the failures again.');
    }
    return { report: failed.report, ...testOfCapsule(title, failed) };
  }

  async #withHosts<T>(count: number, use: (parts: Omit<ReplayParts, 'ticks'>) => Promise<T>): Promise<T> {
    const { hosts, rules, maskArguments, version } = this.#parts;
    const runner = new ScriptHostPool({ ...hosts, rules: rules(), count, spare: false });
    try {
      return await use({ runner, maskArguments, version });
    } finally {
      await runner.close();
    }
  }

  #keep(capsule: Capsule, bytes: number): string {
    const key = randomUUID();
    this.#kept.set(key, { capsule, bytes });
    let total = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [oldest, kept] of this.#kept) {
      if (this.#kept.size === 1 || (this.#kept.size <= MOST_KEPT && total <= MOST_BYTES)) break;
      this.#kept.delete(oldest);
      total -= kept.bytes;
    }
    return key;
  }
}

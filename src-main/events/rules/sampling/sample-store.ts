import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { RuleRun } from '../rule-run.ts';

/** Samples are stored this long after they were taken at the latest, ms (100 may be lost). */
const AFTER_MS = 75;
/** How soon storing is tried again that failed, ms. */
const AGAIN_MS = 1_000;

/** Stores the samples of all rules, in one transaction soon after they were taken. */
export class SampleStore {
  readonly #commits: CommitQueue;
  #storing: Promise<void> | null = null;
  #dueAt = Infinity;

  constructor(commits: CommitQueue) {
    this.#commits = commits;
  }

  /**
   * When samples are to be stored, on the clock of `performance.now()`; Infinity where there are none, and while others
   * are being stored.
   */
  get dueAt(): number {
    return this.#storing ? Infinity : this.#dueAt;
  }

  /** Says that there are samples to be stored; whether they were the first. */
  need(): boolean {
    if (this.#dueAt !== Infinity) return false;
    this.#dueAt = performance.now() + AFTER_MS;
    return true;
  }

  /** Stores what was sampled until now, after what is being stored. Throws what the disk throws; the samples are kept, and due again. */
  async store(runs: Iterable<RuleRun>): Promise<void> {
    while (this.#storing) await this.#storing.catch(() => undefined);
    this.#dueAt = Infinity;
    const wanting = [...runs].filter(({ hasUnwritten }) => hasUnwritten);
    if (wanting.length === 0) return;
    this.#storing = this.#store(wanting);
    try {
      await this.#storing;
    } finally {
      this.#storing = null;
    }
  }

  async #store(runs: readonly RuleRun[]): Promise<void> {
    const written: { run: RuleRun; segments: ReturnType<RuleRun['write']> }[] = [];
    try {
      await this.#commits.run(() => {
        for (const run of runs) written.push({ run, segments: run.write() });
      });
      for (const { run } of written) run.kept();
    } catch (thrown) {
      for (const { run, segments } of written) run.failed(segments);
      this.#dueAt = performance.now() + AGAIN_MS;
      throw thrown;
    }
  }
}

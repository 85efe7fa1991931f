import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { Closing, RuleRun } from '../rule-run.ts';

/** What storing the end of a window needs of its rule. */
type Settling = Pick<RuleRun, 'settling' | 'settle' | 'kept' | 'failed'>;

interface Entry {
  run: Settling;
  closing: Closing | null;
  /** Does the work; returns how the promise settles once that is kept. */
  work: () => () => void;
  reject: (reason: unknown) => void;
  written: ReturnType<RuleRun['settle']>;
}

/**
 * Stores what became of closed windows. Those that close in one turn share one job of the commit queue, since a savepoint
 * for each takes a tenth of the time of a firing; where one of them fails, each has a job of its own.
 */
export class ClosingJobs {
  readonly #commits: Pick<CommitQueue, 'run'>;
  #gathered: Entry[] = [];

  constructor(commits: Pick<CommitQueue, 'run'>) {
    this.#commits = commits;
  }

  /**
   * Does the work in the transaction that stores that the window is over; resolves with what it returned once that is
   * durable, rejects with what it threw and with nothing of it kept. Work may be done again after it was undone.
   */
  run<T>(run: Settling, closing: Closing | null, work: () => T): Promise<T> {
    run.settling += 1;
    return new Promise<T>((resolve, reject) => {
      const working = () => {
        const value = work();
        return () => resolve(value);
      };
      this.#gathered.push({ run, closing, work: working, reject, written: [] });
      if (this.#gathered.length === 1) void this.#together();
    });
  }

  async #together(): Promise<void> {
    let entries: Entry[] = [];
    try {
      const settle = await this.#commits.run(() => {
        entries = this.#gathered.splice(0);
        return entries.map(attempt);
      });
      for (const [place, entry] of entries.entries()) kept(entry, settle[place]);
    } catch (thrown) {
      // The queue took no job at all.
      if (entries.length === 0) entries = this.#gathered.splice(0);
      const [only, ...others] = entries;
      if (only && others.length === 0) undone(only, thrown);
      else await Promise.all(entries.map((entry) => this.#alone(entry)));
    }
  }

  async #alone(entry: Entry): Promise<void> {
    entry.run.failed(entry.written.splice(0));
    try {
      kept(entry, await this.#commits.run(() => attempt(entry)));
    } catch (thrown) {
      undone(entry, thrown);
    }
  }
}

function attempt({ run, closing, work, written }: Entry): () => void {
  if (closing) written.push(...run.settle(closing));
  return work();
}

function kept({ run, closing }: Entry, settle: (() => void) | undefined): void {
  run.kept(closing);
  run.settling -= 1;
  settle?.();
}

function undone({ run, written, reject }: Entry, thrown: unknown): void {
  run.failed(written);
  run.settling -= 1;
  reject(thrown);
}

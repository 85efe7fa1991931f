import type { Rule, RuleState } from '#domain/rule/rule';
import type { EventStore } from '../../store/event-store.ts';
import { messageOf } from '../../../platform/errors.ts';
import { ClosingJobs } from './closing-jobs.ts';
import type { Verdict } from '../conditions/condition.ts';
import type { Firing } from './firing.ts';
import { fire } from './firing.ts';
import type { RuleStorage } from '../rule-library.ts';
import type { Closing, RuleRun } from '../rule-run.ts';
import type { Worker } from '../worker.ts';

export interface WindowEndsParts {
  store: RuleStorage;
  events: EventStore;
  log: (where: string, fault: unknown) => void;
}

/** How often a rule has fired since the start, at work or not. */
type Tally = Pick<RuleState, 'firings' | 'lastFiredAt'>;

/** How soon storing is tried again that failed, ms. */
const AGAIN_MS = 1_000;

const NONE: Tally = { firings: 0, lastFiredAt: null };

/** Stores what became of windows that are over, and counts how often rules fired. */
export class WindowEnds {
  readonly #parts: WindowEndsParts;
  readonly #jobs: ClosingJobs;
  readonly #tallies = new Map<number, Tally>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #leftSamples: () => void;

  /** @param leftSamples told that a job is done and its rule has samples that are not stored */
  constructor(parts: WindowEndsParts, leftSamples: () => void) {
    this.#parts = parts;
    this.#jobs = new ClosingJobs(parts.store.commits);
    this.#leftSamples = leftSamples;
  }

  /** Stores what became of a window: a data row and an event where it fires, and in any case that it is over. */
  finish(worker: Worker, closing: Closing, verdict: Verdict): void {
    worker.problem = verdict.kind === 'error' ? `The condition failed: ${verdict.message}` : null;
    const keeping = this.#keep(worker, closing, verdict.kind === 'fires' && !closing.window.empty);
    this.#underWay.add(keeping);
    void keeping.finally(() => this.#underWay.delete(keeping));
  }

  /** Does work that deals with a closed window, in the transaction that stores that it is over. */
  async job<T>(run: RuleRun, closing: Closing | null, work: () => T): Promise<T> {
    const result = await this.#jobs.run(run, closing, work);
    if (run.hasUnwritten) this.#leftSamples();
    return result;
  }

  /** Counts firings that are stored. */
  count(ruleId: number, fired: readonly Firing[]): void {
    const { firings, lastFiredAt } = this.tallyOf(ruleId);
    this.#tallies.set(ruleId, {
      firings: firings + fired.length,
      lastFiredAt: fired.at(-1)?.firedAt ?? lastFiredAt,
    });
  }

  tallyOf(ruleId: number): Tally {
    return this.#tallies.get(ruleId) ?? NONE;
  }

  /** The rule is gone. */
  forget(ruleId: number): void {
    this.#tallies.delete(ruleId);
  }

  /** Resolves when nothing is under way any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Never rejects. */
  async #keep(worker: Worker, closing: Closing, fires: boolean): Promise<void> {
    const { store, events, log } = this.#parts;
    const { run } = worker;
    const rule: Rule = run.rule;
    const at = store.clock.now();
    try {
      const firing = await this.job(run, closing, () =>
        fires ? fire({ results: store.results, events }, rule, closing.window, { at, by: 'window' }) : null,
      );
      worker.storedNotBefore = null;
      if (firing?.event) events.told(firing.event);
      if (firing) this.count(rule.id, [firing]);
    } catch (thrown) {
      // The window is kept, and tried again.
      worker.storedNotBefore = performance.now() + AGAIN_MS;
      worker.problem = `A firing could not be stored: ${messageOf(thrown)}`;
      log(`firing rule ${rule.id}`, thrown);
      run.putBack(closing);
    }
  }
}

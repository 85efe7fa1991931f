import { messageOf } from '../../../platform/errors.ts';
import { InTurn } from '../../../platform/in-turn.ts';
import type { Step } from './asking.ts';
import type { ConditionRunner, Verdict } from './condition.ts';
import type { Closing } from '../rule-run.ts';
import type { Worker } from '../worker.ts';

export interface VerdictsParts {
  conditions: ConditionRunner;
  /** Whether a rule is still at work as it was taken up. */
  isAtWork: (worker: Worker) => boolean;
  /** Told of each window of which it is known whether it fires, in their order. */
  finish: (worker: Worker, closing: Closing, verdict: Verdict) => void;
  log: (where: string, fault: unknown) => void;
}

/** Windows of a rule that may wait, for the verdict of its condition or for room on the disk. */
const MAX_WAITING = 10_000;
/** Windows of a rule that are stored at one go. */
const STORED_AT_ONCE = 100;
/** How long a condition that broke is left alone: twice as long each time, until it does not. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Conditions that are asked at a time, beside one of those that broke: each holds a script host for some ms. */
const AT_ONCE = 4;

/**
 * Finds out which of the windows that are over fire. A few conditions are asked at a time; those that outlived their
 * limits, or broke their host, only one after another, and each is left alone for longer and longer.
 */
export class Verdicts {
  readonly #parts: VerdictsParts;
  readonly #turns = new InTurn(AT_ONCE);
  readonly #broken = new InTurn();
  #closed = false;

  constructor(parts: VerdictsParts) {
    this.#parts = parts;
  }

  /** Deals with the windows of a rule that are over, those that wait for its condition when that may be asked. */
  settle(worker: Worker): void {
    const { run, condition } = worker;
    if (run.waiting.length === 0) return;
    if (run.waiting.length > MAX_WAITING) {
      run.waiting.splice(0, run.waiting.length - MAX_WAITING);
      worker.problem = `More than ${MAX_WAITING} windows wait; the oldest were left out.`;
    }
    if (!canStore(worker)) return;
    if (run.rule.condition.trim() === '') {
      const some = run.waiting.splice(0, storedNext(worker, STORED_AT_ONCE));
      for (const closing of some) this.#parts.finish(worker, closing, { kind: 'fires' });
      return;
    }
    if (!condition.busy && performance.now() >= condition.notBefore) void this.#ask(worker);
  }

  /** Asks nobody any more; resolves when nobody is being asked. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#turns.settled(), this.#broken.settled()]);
  }

  async #ask(worker: Worker): Promise<void> {
    const { run, condition } = worker;
    condition.busy = true;
    try {
      // Until the rule is taken up anew or its condition is another one: that has a state of its own.
      while (
        run.waiting.length > 0 &&
        worker.condition === condition &&
        performance.now() >= condition.notBefore &&
        canStore(worker)
      ) {
        const turns = condition.pauseMs > 0 ? this.#broken : this.#turns;
        if (!(await turns.run(() => this.#step(worker)))) return;
      }
    } catch (thrown) {
      worker.problem = `The condition cannot be asked: ${messageOf(thrown)}`;
      this.#parts.log(`the condition of rule ${run.rule.id}`, thrown);
    } finally {
      condition.busy = false;
    }
  }

  /** Asks about what waits now; whether there is sense in going on. */
  async #step(worker: Worker): Promise<boolean> {
    const { conditions, isAtWork } = this.#parts;
    const { run, condition } = worker;
    if (this.#closed || !isAtWork(worker)) return false;
    const closings = run.waiting.slice(0, storedNext(worker, run.waiting.length));
    const told = closings.filter(({ window }) => !window.empty);
    const outputs = told.map(({ window }) => window.outputs);
    const step = told.length === 0 ? NOTHING_TO_ASK : await condition.asking.next(run.rule, outputs, conditions);
    // The rule was changed or deleted meanwhile: the store still has these windows open.
    if (!isAtWork(worker)) return false;
    if (told.length > 0 && step.verdicts.length === 0) {
      condition.notBefore = performance.now() + FIRST_PAUSE_MS;
      if (step.later !== null) worker.problem = `The condition cannot be asked now, windows wait: ${step.later}`;
      return false;
    }
    this.#deal(worker, closings, new Map(step.verdicts.map((verdict, place) => [told[place], verdict])));
    if (worker.condition === condition) this.#pause(worker, step);
    return true;
  }

  /** Takes the first of these windows, up to the first without an answer, from those that wait. */
  #deal(worker: Worker, closings: readonly Closing[], verdicts: ReadonlyMap<Closing | undefined, Verdict>): void {
    const { waiting } = worker.run;
    const unanswered = closings.findIndex((closing) => !closing.window.empty && !verdicts.has(closing));
    const dealt = new Set(closings.slice(0, unanswered < 0 ? closings.length : unanswered));
    // Some may have been dealt with meanwhile: too many waited, or the rule has no condition any more.
    const still = waiting.filter((closing) => dealt.has(closing));
    waiting.splice(0, waiting.length, ...waiting.filter((closing) => !dealt.has(closing)));
    for (const closing of still) this.#parts.finish(worker, closing, verdicts.get(closing) ?? { kind: 'no' });
  }

  #pause(worker: Worker, { broke, verdicts }: Step): void {
    const { condition } = worker;
    if (!broke) {
      condition.pauseMs = 0;
      return;
    }
    condition.pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, condition.pauseMs * 2));
    condition.notBefore = performance.now() + condition.pauseMs;
    const [first] = verdicts;
    const why = first?.kind === 'error' ? first.message : 'it broke';
    worker.problem = `The condition failed: ${why}. It is asked again after ${condition.pauseMs / 1_000} s; windows wait until then.`;
  }
}

/** Not directly after a firing could not be stored. */
const canStore = ({ storedNotBefore }: Worker): boolean =>
  storedNotBefore === null || performance.now() >= storedNotBefore;

/** How many windows are dealt with next: after one that could not be stored the oldest alone tries whether that can be now. */
const storedNext = ({ storedNotBefore }: Worker, most: number): number => (storedNotBefore === null ? most : 1);

const NOTHING_TO_ASK: Step = { verdicts: [], broke: false, later: null };

import type { Rule, RuleState } from '#domain/rule';
import { messageOf } from '../platform/errors.ts';
import type { EventStore } from '../events/event-store.ts';
import type { FiredByHand } from './by-hand.ts';
import { fireByHand } from './by-hand.ts';
import { ClosingJobs } from './closing-jobs.ts';
import type { ConditionRunner, Verdict } from './condition.ts';
import { askCondition } from './condition.ts';
import type { Firing } from './firing.ts';
import { fire } from './firing.ts';
import type { RuleLibrary, RuleStorage } from './rule-library.ts';
import type { Closing } from './rule-run.ts';
import { RuleRun } from './rule-run.ts';
import { sampleRule } from './rule-sampling.ts';
import { SampleStore } from './sample-store.ts';
import type { TagSource } from './sampler.ts';
import { Sampler } from './sampler.ts';

export interface EngineParts {
  store: RuleStorage;
  library: RuleLibrary;
  events: EventStore;
  tags: TagSource;
  conditions: ConditionRunner;
  log: (where: string, fault: unknown) => void;
}

/** A rule at work and how it fares. */
interface Worker {
  run: RuleRun;
  stopSampling: () => void;
  asking: boolean;
  problem: string | null;
}

/** How often a rule has fired since the start, at work or not. */
type Tally = Pick<RuleState, 'firings' | 'lastFiredAt'>;

const NONE: Tally = { firings: 0, lastFiredAt: null };

/** The longest sleep; then the clock is looked at again, since it may have been changed. */
const LOOK_MS = 1_000;
/** Windows that may wait for the verdict of one condition. */
const MAX_WAITING = 10_000;

/** Keeps the rules at work (decision 6): takes samples, closes windows, asks conditions, and fires. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #sampler: Sampler;
  readonly #closings: ClosingJobs;
  readonly #samples: SampleStore;
  readonly #workers = new Map<number, Worker>();
  readonly #tallies = new Map<number, Tally>();
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #wakesAt = Infinity;
  #started = false;
  #closed = false;
  #unsubscribe: (() => void) | null = null;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#closings = new ClosingJobs(parts.store.commits);
    this.#samples = new SampleStore(parts.store.commits);
    this.#sampler = new Sampler(parts.tags, parts.store.clock, () => this.#wakeSoon());
  }

  /** Takes up every enabled rule where it was left; windows that are overdue close once. */
  start(): void {
    const { library } = this.#parts;
    this.#started = true;
    this.#sampler.start();
    for (const rule of library.list()) if (rule.enabled) this.#begin(rule);
    this.#unsubscribe = library.onChange(({ id, rule, keepsWindow }) => {
      const worker = this.#workers.get(id);
      if (worker && rule && keepsWindow) {
        worker.run.rule = rule;
        worker.problem = null;
        return;
      }
      if (worker) this.#end(id, worker);
      if (!rule) this.#tallies.delete(id);
      if (rule?.enabled) this.#begin(rule);
    });
  }

  /** Stops sampling, stores what was sampled, and resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#unsubscribe?.();
    this.#sampler.stop();
    if (this.#started) await this.#store();
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#soon) clearImmediate(this.#soon);
    await Promise.allSettled(this.#underWay);
    this.#workers.clear();
  }

  /** How a rule fares. */
  stateOf(rule: Rule): RuleState {
    const worker = this.#workers.get(rule.id);
    const tally = this.#tallies.get(rule.id) ?? NONE;
    if (!worker) return { id: rule.id, window: null, ...tally, problem: null };
    const now = this.#parts.store.clock.now();
    const { window } = worker.run.progress;
    const open = worker.run.now(now);
    return {
      id: rule.id,
      window: window && {
        start: window.start,
        end: window.end,
        samples: window.samples,
        badSamples: window.bad,
        outputs: open?.outputs ?? [],
      },
      ...tally,
      problem: worker.problem,
    };
  }

  /**
   * Fires a rule by hand, so many times, with what its open window has gathered and what its tags show now, whatever its
   * condition says and whether it is enabled or not. A window by hand begins anew; every other goes on. Fires fewer times
   * where there is nothing more to fire with, and throws CONFLICT where there is nothing at all: no tag shows a value that
   * can be used.
   */
  fireByHand(rule: Rule, times: number): Promise<FiredByHand> {
    const { store } = this.#parts;
    const run = this.#workers.get(rule.id)?.run ?? new RuleRun(rule, store.windows, store.clock.now());
    return fireByHand({ ...this.#parts, clock: store.clock, results: store.results }, run, {
      rule,
      times,
      keep: (closing, work) => this.#job(run, closing, work),
      fired: (firings) => this.#fired(rule.id, firings),
    });
  }

  #begin(rule: Rule): void {
    const { store } = this.#parts;
    const now = store.clock.now();
    const run = new RuleRun(rule, store.windows, now);
    const worker: Worker = { run, stopSampling: () => {}, asking: false, problem: null };
    this.#workers.set(rule.id, worker);
    run.take({ kind: 'time', at: now });
    worker.stopSampling = sampleRule(this.#sampler, run, () => {
      this.#settle(worker);
      this.#storeSoon();
    });
    this.#settle(worker);
    this.#storeSoon();
  }

  #end(id: number, worker: Worker): void {
    worker.stopSampling();
    worker.run.end();
    this.#workers.delete(id);
  }

  /** Deals with the windows of a rule that are over. */
  #settle(worker: Worker): void {
    const { run } = worker;
    if (run.waiting.length === 0) return;
    if (run.rule.condition.trim() === '') {
      for (const closing of run.waiting.splice(0)) this.#finish(worker, closing, { kind: 'fires' });
      return;
    }
    if (run.waiting.length > MAX_WAITING) {
      run.waiting.splice(0, run.waiting.length - MAX_WAITING);
      worker.problem = `More than ${MAX_WAITING} windows wait for the condition; the oldest were left out.`;
    }
    if (!worker.asking) this.#track(this.#ask(worker));
  }

  async #ask(worker: Worker): Promise<void> {
    const { run } = worker;
    worker.asking = true;
    try {
      while (run.waiting.length > 0 && !this.#closed) {
        const closings = [...run.waiting];
        const told = closings.filter(({ window }) => !window.empty);
        const verdicts = await askCondition(
          run.rule,
          told.map(({ window }) => window.outputs),
          this.#parts.conditions,
        );
        // The rule was changed or deleted meanwhile, or everything ends: the store still has these windows open.
        if (this.#workers.get(run.rule.id) !== worker || verdicts.some(({ kind }) => kind === 'later')) return;
        const byClosing = new Map(told.map((closing, place) => [closing, verdicts[place]]));
        // Not simply the first ones: where too many wait, the oldest have been left out meanwhile.
        const asked = new Set(closings);
        run.waiting.splice(0, run.waiting.length, ...run.waiting.filter((closing) => !asked.has(closing)));
        for (const closing of closings) this.#finish(worker, closing, byClosing.get(closing) ?? { kind: 'no' });
      }
    } catch (thrown) {
      worker.problem = `The condition cannot be asked: ${messageOf(thrown)}`;
      this.#parts.log(`the condition of rule ${run.rule.id}`, thrown);
    } finally {
      worker.asking = false;
    }
  }

  /** Stores what became of a window: a data row and an event where it fires, and in any case that it is over. */
  #finish(worker: Worker, closing: Closing, verdict: Verdict): void {
    const { store, events } = this.#parts;
    const { run } = worker;
    const { rule } = run;
    worker.problem = verdict.kind === 'error' ? `The condition failed: ${verdict.message}` : null;
    const fires = verdict.kind === 'fires' && !closing.window.empty;
    const at = store.clock.now();
    const job = (): Firing | null =>
      fires ? fire({ results: store.results, events }, rule, closing.window, { at, by: 'window' }) : null;
    this.#track(this.#keep(worker, closing, job));
  }

  async #keep(worker: Worker, closing: Closing, job: () => Firing | null): Promise<void> {
    const { run } = worker;
    try {
      const firing = await this.#job(run, closing, job);
      if (firing?.event) this.#parts.events.told(firing.event);
      if (firing) this.#fired(worker.run.rule.id, [firing]);
    } catch (thrown) {
      // The window is kept, and tried again with the next samples.
      worker.problem = `A firing could not be stored: ${messageOf(thrown)}`;
      this.#parts.log(`firing rule ${run.rule.id}`, thrown);
      if (!this.#closed) run.putBack(closing);
    }
  }

  /** Runs a job that deals with a closed window, in the transaction that stores that it is over. */
  async #job<T>(run: RuleRun, closing: Closing | null, work: () => T): Promise<T> {
    const result = await this.#closings.run(run, closing, work);
    if (run.hasUnwritten && this.#started) this.#storeSoon();
    return result;
  }

  #fired(ruleId: number, fired: readonly Firing[]): void {
    const { firings, lastFiredAt } = this.#tallies.get(ruleId) ?? NONE;
    this.#tallies.set(ruleId, {
      firings: firings + fired.length,
      lastFiredAt: fired.at(-1)?.firedAt ?? lastFiredAt,
    });
  }

  /** One step of the engine: reads what is due, and closes what is over. */
  #work(): void {
    this.#soon = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wakesAt = Infinity;
    if (this.#closed) return;
    this.#sampler.read();
    const now = this.#parts.store.clock.now();
    for (const worker of this.#workers.values()) {
      if (worker.run.closesAt <= now) worker.run.take({ kind: 'time', at: now });
      this.#settle(worker);
    }
    if (performance.now() >= this.#samples.dueAt) this.#track(this.#store());
    this.#sleep();
  }

  #sleep(): void {
    if (this.#closed || !this.#started) return;
    const now = this.#parts.store.clock.now();
    let next = this.#sampler.nextAt;
    for (const { run } of this.#workers.values()) if (run.closesAt < next) next = run.closesAt;
    const ms = Math.max(1, Math.min(LOOK_MS, next - now, this.#samples.dueAt - performance.now()));
    const wakesAt = performance.now() + ms;
    if (this.#timer && this.#wakesAt <= wakesAt) return;
    if (this.#timer) clearTimeout(this.#timer);
    this.#wakesAt = wakesAt;
    this.#timer = setTimeout(() => this.#work(), ms);
  }

  #wakeSoon(): void {
    if (!this.#started || this.#closed) return;
    this.#soon ??= setImmediate(() => this.#work());
  }

  #storeSoon(): void {
    if (this.#samples.need()) this.#sleep();
  }

  async #store(): Promise<void> {
    try {
      await this.#samples.store([...this.#workers.values()].map(({ run }) => run));
    } catch (thrown) {
      this.#parts.log('storing samples', thrown);
    }
    // What came meanwhile has its time.
    this.#sleep();
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }
}

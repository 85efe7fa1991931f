import type { Rule, RuleState } from '#domain/rule/rule';
import type { EventStore } from '../store/event-store.ts';
import { ClockWatch } from '../../platform/clock-watch.ts';
import type { FiredByHand } from './firing/by-hand.ts';
import { fireByHand } from './firing/by-hand.ts';
import type { ConditionRunner } from './conditions/condition.ts';
import type { RuleLibrary, RuleStorage } from './rule-library.ts';
import { RuleRun } from './rule-run.ts';
import { sampleRule } from './sampling/rule-sampling.ts';
import { SampleStore } from './sampling/sample-store.ts';
import type { TagSource } from './sampling/sampler.ts';
import { Sampler } from './sampling/sampler.ts';
import { Verdicts } from './conditions/verdicts.ts';
import { WindowEnds } from './firing/window-ends.ts';
import type { Worker } from './worker.ts';
import { newCondition } from './worker.ts';

export interface EngineParts {
  store: RuleStorage;
  library: RuleLibrary;
  events: EventStore;
  tags: TagSource;
  conditions: ConditionRunner;
  log: (where: string, fault: unknown) => void;
}

/** The longest sleep; then the clock is looked at again, since it may have been changed. */
const LOOK_MS = 1_000;

/** Keeps the rules at work: takes samples, closes windows, and has it found out and stored what fires. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #sampler: Sampler;
  readonly #clockWatch = new ClockWatch();
  readonly #verdicts: Verdicts;
  readonly #ends: WindowEnds;
  readonly #samples: SampleStore;
  readonly #workers = new Map<number, Worker>();
  #storing = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #wakesAt = Infinity;
  #started = false;
  #closed = false;
  #unsubscribe: (() => void) | null = null;

  constructor(parts: EngineParts) {
    this.#parts = parts;
    const { store, events, log, conditions } = parts;
    this.#ends = new WindowEnds({ store, events, log }, () => this.#storeSoon());
    this.#verdicts = new Verdicts({
      conditions,
      log,
      isAtWork: (worker) => this.#workers.get(worker.run.rule.id) === worker,
      finish: (worker, closing, verdict) => this.#ends.finish(worker, closing, verdict),
    });
    this.#samples = new SampleStore(store.commits);
    this.#sampler = new Sampler(parts.tags, store.clock, () => this.#wakeSoon());
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
        worker.condition = newCondition();
        return;
      }
      if (worker) this.#end(id, worker);
      if (!rule) this.#ends.forget(id);
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
    await this.#verdicts.close();
    await this.#ends.settled();
    await this.#storing;
    this.#workers.clear();
  }

  /** How a rule fares. */
  stateOf(rule: Rule): RuleState {
    const worker = this.#workers.get(rule.id);
    const tally = this.#ends.tallyOf(rule.id);
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
   * can be used, or NOT_FOUND where the rule is deleted meanwhile.
   */
  fireByHand(rule: Rule, times: number): Promise<FiredByHand> {
    const { store } = this.#parts;
    const run = this.#workers.get(rule.id)?.run ?? new RuleRun(rule, store.windows, store.clock.now());
    return fireByHand({ ...this.#parts, clock: store.clock, results: store.results }, run, {
      rule,
      times,
      isThere: () => store.rules.has(rule.id),
      keep: (closing, work) => this.#ends.job(run, closing, work),
      fired: (firings) => this.#ends.count(rule.id, firings),
    });
  }

  #begin(rule: Rule): void {
    const { store } = this.#parts;
    const now = store.clock.now();
    const run = new RuleRun(rule, store.windows, now);
    const worker: Worker = {
      run,
      stopSampling: () => {},
      problem: null,
      storedNotBefore: null,
      condition: newCondition(),
    };
    this.#workers.set(rule.id, worker);
    run.take({ kind: 'time', at: now });
    worker.stopSampling = sampleRule(this.#sampler, run, () => {
      this.#verdicts.settle(worker);
      this.#storeSoon();
    });
    this.#verdicts.settle(worker);
    this.#storeSoon();
  }

  #end(id: number, worker: Worker): void {
    worker.stopSampling();
    worker.run.end();
    this.#workers.delete(id);
  }

  /** One step of the engine: reads what is due, and closes what is over. */
  #work(): void {
    this.#soon = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wakesAt = Infinity;
    if (this.#closed) return;
    this.#lookAtClock();
    this.#sampler.read();
    const now = this.#parts.store.clock.now();
    for (const worker of this.#workers.values()) {
      if (worker.run.closesAt <= now) worker.run.take({ kind: 'time', at: now });
      this.#verdicts.settle(worker);
    }
    if (performance.now() >= this.#samples.dueAt) this.#storing = this.#store();
    this.#sleep();
  }

  /** Windows that the clock has left backwards end where it was before: their own end may be hours away now. */
  #lookAtClock(): void {
    const now = this.#parts.store.clock.now();
    const before = this.#clockWatch.putBack(now);
    if (before === null) return;
    for (const { run } of this.#workers.values()) {
      run.take({ kind: 'time', at: before });
      run.take({ kind: 'time', at: now });
    }
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
    if (this.#started && this.#samples.need()) this.#sleep();
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
}

import type { Rule, RuleState } from '#domain/rule/rule';
import type { EventStore } from '../store/event-store.ts';
import { ClockWatch } from '../../platform/clock-watch.ts';
import type { FiredByHand } from './firing/by-hand.ts';
import { fireByHand } from './firing/by-hand.ts';
import type { ConditionRunner } from './conditions/condition.ts';
import { Verdicts } from './conditions/condition.ts';
import type { RuleLibrary, RuleStorage } from './rule-library.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { Closing, SampleSegment, SampleSegments } from './active-rule.ts';
import { ActiveRule } from './active-rule.ts';
import type { TagSource } from './sampling/sampler.ts';
import { Sampler } from './sampling/sampler.ts';
import { WindowEnds } from './firing/firing.ts';

export interface RuleEngineParts {
  store: RuleStorage;
  library: RuleLibrary;
  events: EventStore;
  tags: TagSource;
  conditions: ConditionRunner;
  log: (where: string, fault: unknown) => void;
}

/** Maximum number of windows of a rule that wait for the verdict of its condition or for room on the disk. */
const MAX_WAITING = 10_000;
/** Maximum number of windows of a rule that are stored together. */
const STORED_AT_ONCE = 100;
/** The longest sleep; then the clock is checked again, because it may have been changed. */
const LOOK_MS = 1_000;

/** Runs the active rules: takes samples, closes windows, evaluates conditions and stores firings. */
export class Engine {
  readonly #parts: RuleEngineParts;
  readonly #sampler: Sampler;
  readonly #clockWatch = new ClockWatch();
  readonly #verdicts: Verdicts<Closing, ActiveRule>;
  readonly #ends: WindowEnds;
  readonly #samples: SampleStore;
  readonly #active = new Map<number, ActiveRule>();
  #storing = Promise.resolve();
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #wakesAt = Infinity;
  #started = false;
  #closed = false;
  #unsubscribe: (() => void) | null = null;

  constructor(parts: RuleEngineParts) {
    this.#parts = parts;
    const { store, events, log, conditions } = parts;
    this.#ends = new WindowEnds({ store, events, log }, () => this.#storeSoon());
    this.#verdicts = new Verdicts({
      conditions,
      log,
      isActive: (active) => this.#active.get(active.rule.id) === active,
      finish: (active, closing, verdict) => this.#ends.finish(active, closing, verdict),
    });
    this.#samples = new SampleStore(store.commits);
    this.#sampler = new Sampler(parts.tags, store.clock, () => this.#wakeSoon());
  }

  /** Resumes every enabled rule; windows that are overdue close once. */
  start(): void {
    const { library } = this.#parts;
    this.#started = true;
    this.#sampler.start();
    for (const rule of library.list()) if (rule.enabled) this.#begin(rule);
    this.#unsubscribe = library.onChange(({ id, rule, keepsWindow }) => {
      const active = this.#active.get(id);
      if (active && rule && keepsWindow) {
        active.replace(rule);
        return;
      }
      active?.end();
      this.#active.delete(id);
      if (!rule) this.#ends.forget(id);
      if (rule?.enabled) this.#begin(rule);
    });
  }

  /** Stops sampling, stores the samples, and resolves when nothing is in progress. */
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
    this.#active.clear();
  }

  /** The status of a rule. */
  stateOf({ id }: Rule): RuleState {
    const state = this.#active.get(id)?.state(this.#parts.store.clock.now());
    return { ...(state ?? { id, window: null, problem: null }), ...this.#ends.tallyOf(id) };
  }

  /**
   * Fires a rule manually, the given number of times, with the contents of its open window and the current values of
   * its tags, regardless of its condition and of whether it is enabled. A manual window is reopened; every other
   * continues. Fires fewer times if there is nothing more to fire with. Throws CONFLICT if there is nothing at all
   * because no tag has a usable value, and NOT_FOUND if the rule was deleted in the meantime.
   */
  fireByHand(rule: Rule, times: number): Promise<FiredByHand> {
    const { store } = this.#parts;
    const active = this.#active.get(rule.id) ?? new ActiveRule(rule, store.windows, store.clock.now());
    return fireByHand({ ...this.#parts, clock: store.clock, results: store.results, journal: store.journal }, active, {
      rule,
      times,
      isThere: () => store.rules.has(rule.id),
      keep: (closing, work) => this.#ends.job(active, closing, work),
      fired: (firings) => this.#ends.count(rule.id, firings),
    });
  }

  /** Resolves when the windows that are being stored now are stored, or could not be. */
  settled(): Promise<void> {
    return this.#ends.settled();
  }

  /** Stores all samples now: those of fired windows otherwise wait for later ones. */
  storeSamples(): Promise<void> {
    return this.#store();
  }

  #begin(rule: Rule): void {
    const { store } = this.#parts;
    const now = store.clock.now();
    const active = new ActiveRule(rule, store.windows, now);
    this.#active.set(rule.id, active);
    active.take({ kind: 'time', at: now });
    active.sampleWith(this.#sampler, () => {
      this.#settle(active);
      this.#storeSoon();
    });
    this.#settle(active);
    this.#storeSoon();
  }

  /** One step of the engine: reads due tags, and closes overdue windows. */
  #work(): void {
    this.#soon = null;
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wakesAt = Infinity;
    if (this.#closed) return;
    this.#checkClock();
    this.#sampler.read();
    const now = this.#parts.store.clock.now();
    for (const active of this.#active.values()) {
      if (active.closesAt <= now) active.take({ kind: 'time', at: now });
      this.#settle(active);
    }
    if (performance.now() >= this.#samples.dueAt) this.#storing = this.#store();
    this.#sleep();
  }

  /** Settles the closed windows of a rule; with a condition, as soon as it may be evaluated. */
  #settle(active: ActiveRule): void {
    const { waiting } = active;
    if (waiting.length === 0) return;
    if (waiting.length > MAX_WAITING) {
      waiting.splice(0, waiting.length - MAX_WAITING);
      active.problem = `More than ${MAX_WAITING} windows wait; the oldest were dropped.`;
    }
    if (!active.canStore) return;
    if (active.rule.condition.trim() !== '') {
      this.#verdicts.settle(active);
      return;
    }
    const some = waiting.splice(0, active.storedNext(STORED_AT_ONCE));
    for (const closing of some) this.#ends.finish(active, closing, { kind: 'fires' });
  }

  /** After the clock was set back, windows end where it was before: their own end may be hours away now. */
  #checkClock(): void {
    const now = this.#parts.store.clock.now();
    const before = this.#clockWatch.setBack(now);
    if (before === null) return;
    for (const active of this.#active.values()) {
      active.take({ kind: 'time', at: before });
      active.take({ kind: 'time', at: now });
    }
  }

  #sleep(): void {
    if (this.#closed || !this.#started) return;
    const now = this.#parts.store.clock.now();
    let next = this.#sampler.nextAt;
    for (const { closesAt } of this.#active.values()) if (closesAt < next) next = closesAt;
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
      await this.#samples.store([...this.#active.values()]);
    } catch (thrown) {
      this.#parts.log('storing samples', thrown);
    }
    // Samples that were added in the meantime have their own due time.
    this.#sleep();
  }
}

/** Maximum delay until samples are stored, ms (100 may be lost). */
const AFTER_MS = 75;
/** Delay before a failed write is retried, ms. */
const AGAIN_MS = 1_000;

/** The parts of an active rule that storing samples needs. */
type UnstoredSamples = Pick<SampleSegments, 'hasUnwritten' | 'write' | 'kept' | 'failed'>;

/** Stores the samples of all rules, in a transaction of their own soon after they were taken. */
export class SampleStore {
  readonly #commits: CommitQueue;
  #storing: Promise<void> | null = null;
  #dueAt = Infinity;

  constructor(commits: CommitQueue) {
    this.#commits = commits;
  }

  /**
   * When samples must be stored, on the clock of `performance.now()`; Infinity if there are none, and while others are
   * being stored.
   */
  get dueAt(): number {
    return this.#storing ? Infinity : this.#dueAt;
  }

  /** Registers samples to be stored; returns whether they are the first. */
  need(): boolean {
    if (this.#dueAt !== Infinity) return false;
    this.#dueAt = performance.now() + AFTER_MS;
    return true;
  }

  /**
   * Stores all samples up to now, after the running batch. Throws errors of the disk; the samples are kept,
   * and due again.
   */
  async store(rules: Iterable<UnstoredSamples>): Promise<void> {
    while (this.#storing) await this.#storing.catch(() => undefined);
    this.#dueAt = Infinity;
    const unwritten = [...rules].filter(({ hasUnwritten }) => hasUnwritten);
    if (unwritten.length === 0) return;
    this.#storing = this.#store(unwritten);
    try {
      await this.#storing;
    } finally {
      this.#storing = null;
    }
  }

  async #store(rules: readonly UnstoredSamples[]): Promise<void> {
    const written: { rule: UnstoredSamples; segments: SampleSegment[] }[] = [];
    try {
      // Not together with the end of a window: its samples are stored before newer ones, so that batches are in order.
      await this.#commits.runAlone(() => {
        for (const rule of rules) written.push({ rule, segments: rule.write() });
      });
      for (const { rule } of written) rule.kept();
    } catch (thrown) {
      for (const { rule, segments } of written) rule.failed(segments);
      this.#dueAt = performance.now() + AGAIN_MS;
      throw thrown;
    }
  }
}

import { setImmediate as turn } from 'node:timers/promises';
import { isUsable } from '#domain/quality';
import type { Rule, RuleState, SampleValue } from '#domain/rule';
import type { ClosedWindow } from '#domain/rule-window';
import { windowsOf } from '#domain/rule-window';
import type { TagValue } from '#domain/tag';
import { messageOf, TagwrightError } from '../platform/errors.ts';
import type { EventStore } from '../events/event-store.ts';
import type { ConditionRunner, Verdict } from './condition.ts';
import { askCondition } from './condition.ts';
import type { Firing } from './firing.ts';
import { fire } from './firing.ts';
import type { RuleLibrary, RuleStorage } from './rule-library.ts';
import type { Closing } from './rule-run.ts';
import { RuleRun } from './rule-run.ts';
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

/** What came of firing by hand. */
export interface FiredByHand {
  fired: number;
  firstRow: number;
  lastRow: number;
  /** null where the rule triggers no events. */
  firstEvent: number | null;
  lastEvent: number | null;
  resultTable: string;
}

/** A rule at work and how it fares. */
interface Worker {
  run: RuleRun;
  stopSampling: () => void;
  asking: boolean;
  firings: number;
  lastFiredAt: string | null;
  problem: string | null;
}

/** Samples are stored this long after they were taken at the latest, ms (decision 6 allows 100). */
const FLUSH_MS = 75;
/** The longest sleep; then the clock is looked at again, since it may have been changed. */
const LOOK_MS = 1_000;
/** Firings by hand of one transaction. */
const BY_HAND = 500;
/** Windows that may wait for the verdict of one condition. */
const MAX_WAITING = 10_000;

/** Keeps the rules at work (decision 6): takes samples, closes windows, asks conditions, and fires. */
export class Engine {
  readonly #parts: EngineParts;
  readonly #sampler: Sampler;
  readonly #workers = new Map<number, Worker>();
  #timer: NodeJS.Timeout | null = null;
  #soon: NodeJS.Immediate | null = null;
  #wakesAt = Infinity;
  #flushAt = Infinity;
  #flushing = false;
  #started = false;
  #closed = false;
  #unsubscribe: (() => void) | null = null;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
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
      if (rule?.enabled) this.#begin(rule);
    });
  }

  /** Stops sampling, stores what was sampled, and resolves when nothing is under way any more. */
  async close(): Promise<void> {
    this.#unsubscribe?.();
    this.#sampler.stop();
    if (this.#started) await this.#flush().catch((thrown: unknown) => this.#parts.log('storing samples', thrown));
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#soon) clearImmediate(this.#soon);
    await Promise.allSettled(this.#underWay);
    this.#workers.clear();
  }

  /** How a rule fares. */
  stateOf(rule: Rule): RuleState {
    const worker = this.#workers.get(rule.id);
    if (!worker) return { id: rule.id, window: null, firings: 0, lastFiredAt: null, problem: null };
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
      firings: worker.firings,
      lastFiredAt: worker.lastFiredAt,
      problem: worker.problem,
    };
  }

  /**
   * Fires a rule by hand, so many times, with what its open window has gathered and what its tags show now, whatever its
   * condition says and whether it is enabled or not. A window by hand begins anew; every other goes on. Throws
   * CONFLICT where no tag shows a value that can be used.
   */
  async fireByHand(rule: Rule, times: number): Promise<FiredByHand> {
    const { store, tags, events } = this.#parts;
    const worker = this.#workers.get(rule.id);
    const run = worker?.run ?? new RuleRun(rule, store.windows, store.clock.now());
    const firings: Firing[] = [];
    const fired: FiredByHand = {
      fired: 0,
      firstRow: 0,
      lastRow: 0,
      firstEvent: null,
      lastEvent: null,
      resultTable: rule.resultTable,
    };
    while (fired.fired < times) {
      const values = await tags.get({ paths: rule.tags });
      const count = Math.min(BY_HAND, times - fired.fired);
      const jobs = Array.from({ length: count }, () => {
        const at = store.clock.now();
        const { window, closing } = windowByHand(run, rule, at, values);
        if (!window || window.empty) throw nothingToFireWith(rule);
        return this.#job(run, closing, () =>
          fire({ results: store.results, events }, rule, window, { at, by: 'hand' }),
        );
      });
      firings.push(...(await Promise.all(jobs)));
      for (const { event } of firings) if (event) events.told(event);
      fired.firstRow ||= firings[0]?.rowId ?? 0;
      fired.firstEvent ??= firings[0]?.event?.AggregationEventId ?? null;
      fired.lastRow = firings.at(-1)?.rowId ?? 0;
      fired.lastEvent = firings.at(-1)?.event?.AggregationEventId ?? null;
      fired.fired += firings.length;
      if (worker) this.#fired(worker, firings);
      firings.length = 0;
      await turn();
    }
    return fired;
  }

  #begin(rule: Rule): void {
    const { store } = this.#parts;
    const now = store.clock.now();
    const run = new RuleRun(rule, store.windows, now);
    const worker: Worker = { run, stopSampling: () => {}, asking: false, firings: 0, lastFiredAt: null, problem: null };
    this.#workers.set(rule.id, worker);
    run.take({ kind: 'time', at: now });
    worker.stopSampling = this.#sample(rule, worker);
    this.#settle(worker);
    this.#flushSoon();
  }

  #end(id: number, worker: Worker): void {
    worker.stopSampling();
    this.#workers.delete(id);
  }

  #sample(rule: Rule, worker: Worker): () => void {
    const { run } = worker;
    const places = new Map(rule.tags.map((path, place) => [path, place]));
    const known = new Set<string>();
    const onlyChanges = rule.sampling.kind === 'onChange';
    const deliver = (at: number, values: readonly TagValue[]): void => {
      for (const value of values) {
        const tag = places.get(value.path);
        if (tag === undefined) continue;
        const sampled = sampleValue(value);
        // What a restart finds unchanged is no new sample.
        const isFirst = !known.has(value.path);
        known.add(value.path);
        if (onlyChanges && isFirst && sampled !== null && sampled === run.held(tag)) continue;
        run.take({ kind: 'sample', at, tag, value: sampled });
      }
      this.#settle(worker);
      this.#flushSoon();
    };
    const stops = [
      rule.sampling.kind === 'interval'
        ? this.#sampler.every(rule.sampling.everyMs, rule.tags, deliver)
        : this.#sampler.onChange(rule.tags, deliver),
    ];
    if (rule.window.kind === 'while') {
      const gate = (at: number, [value]: readonly TagValue[]): void => {
        // While nobody knows, the window stays as it is.
        if (!value || !isUsable(value.quality) || typeof value.value !== 'boolean') return;
        run.take({ kind: 'gate', at, open: value.value });
        this.#settle(worker);
        this.#flushSoon();
      };
      stops.push(this.#sampler.onChange([rule.window.tag], gate));
    }
    return () => {
      for (const stop of stops) stop();
    };
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
        const closings = run.waiting.filter(() => true);
        const told = closings.filter(({ window }) => !window.empty);
        const verdicts = await askCondition(
          run.rule,
          told.map(({ window }) => window.outputs),
          this.#parts.conditions,
        );
        // The rule was changed or deleted meanwhile, or everything ends: the store still has these windows open.
        if (this.#workers.get(run.rule.id) !== worker || verdicts.some(({ kind }) => kind === 'later')) return;
        const byClosing = new Map(told.map((closing, place) => [closing, verdicts[place]]));
        run.waiting.splice(0, closings.length);
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
      if (firing) this.#fired(worker, [firing]);
    } catch (thrown) {
      // The window is kept, and tried again with the next samples.
      worker.problem = `A firing could not be stored: ${messageOf(thrown)}`;
      this.#parts.log(`firing rule ${run.rule.id}`, thrown);
      if (!this.#closed) run.waiting.unshift(closing);
    }
  }

  /** Runs a job that deals with a closed window, in the transaction that stores that it is over. */
  async #job<T>(run: RuleRun, closing: Closing | null, work: () => T): Promise<T> {
    const written: ReturnType<RuleRun['write']> = [];
    run.settling += 1;
    try {
      const result = await this.#parts.store.commits.run(() => {
        if (closing) written.push(...run.settle(closing));
        return work();
      });
      run.kept();
      if (run.hasUnwritten && this.#started) this.#flushSoon();
      return result;
    } catch (thrown) {
      run.failed(written);
      throw thrown;
    } finally {
      run.settling -= 1;
    }
  }

  #fired(worker: Worker, firings: readonly Firing[]): void {
    worker.firings += firings.length;
    worker.lastFiredAt = firings.at(-1)?.firedAt ?? worker.lastFiredAt;
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
    if (performance.now() >= this.#flushAt) {
      this.#track(this.#flush().catch((thrown: unknown) => this.#parts.log('storing samples', thrown)));
    }
    this.#sleep();
  }

  #sleep(): void {
    if (this.#closed || !this.#started) return;
    const now = this.#parts.store.clock.now();
    let next = this.#sampler.nextAt;
    for (const { run } of this.#workers.values()) if (run.closesAt < next) next = run.closesAt;
    const ms = Math.max(1, Math.min(LOOK_MS, next - now, this.#flushAt - performance.now()));
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

  #flushSoon(): void {
    if (this.#flushAt !== Infinity) return;
    this.#flushAt = performance.now() + FLUSH_MS;
    this.#sleep();
  }

  /** Stores the samples of all rules in one transaction. */
  async #flush(): Promise<void> {
    if (this.#flushing) return;
    this.#flushAt = Infinity;
    const runs = [...this.#workers.values()].map(({ run }) => run).filter(({ hasUnwritten }) => hasUnwritten);
    if (runs.length === 0) return;
    this.#flushing = true;
    const written: { run: RuleRun; segments: ReturnType<RuleRun['write']> }[] = [];
    try {
      await this.#parts.store.commits.run(() => {
        for (const run of runs) written.push({ run, segments: run.write() });
      });
      for (const { run } of written) run.kept();
    } catch (thrown) {
      for (const { run, segments } of written) run.failed(segments);
      this.#flushAt = performance.now() + LOOK_MS;
      throw thrown;
    } finally {
      this.#flushing = false;
    }
  }

  #track(work: Promise<unknown>): void {
    this.#underWay.add(work);
    void work.finally(() => this.#underWay.delete(work));
  }
}

/** What a tag shows, where a rule can use it. */
function sampleValue({ value, quality }: TagValue): SampleValue | null {
  if (!isUsable(quality)) return null;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : null;
}

/** The window with which a rule fires by hand; only a window by hand is over by that. */
function windowByHand(
  run: RuleRun,
  rule: Rule,
  at: number,
  values: readonly TagValue[],
): { window: ClosedWindow | null; closing: Closing | null } {
  const samples = values.map((value, tag) => ({ kind: 'sample', at, tag, value: sampleValue(value) }) as const);
  if (rule.window.kind === 'manual') {
    for (const sample of samples) run.take(sample);
    const closing = run.close(at);
    return { window: closing?.window ?? null, closing };
  }
  const windows = windowsOf({ ...rule, window: { kind: 'manual' } });
  const { window } = run.progress;
  let progress = window ? run.progress : windows.begin(at);
  for (const sample of samples) progress = windows.step(progress, sample).progress;
  return { window: windows.closedAt(progress, Math.max(at, progress.window?.start ?? at)), closing: null };
}

function nothingToFireWith({ name, tags }: Rule): TagwrightError {
  const what = tags.length === 1 ? `"${tags[0]}" shows` : `its ${tags.length} tags show`;
  return new TagwrightError(
    'CONFLICT',
    `The rule "${name}" has nothing to fire with: ${what} no value that can be used. Write one, or lift the bad quality.`,
  );
}

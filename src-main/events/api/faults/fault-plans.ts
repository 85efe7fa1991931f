import type { FaultKind, FaultPlan, InjectedFaults } from '#domain/event/consumer';
import type { Clock } from '../../../platform/clock.ts';
import { Listeners } from '../../../platform/events.ts';

/** What a request is, which decides the faults that it can get. */
export interface FaultTarget {
  /** A list, or a page of one. */
  isList: boolean;
  /** A page after an id. */
  isFurtherPage: boolean;
  isStream: boolean;
}

/** A fault for one request. */
export interface Fault {
  kind: FaultKind;
  /** The delay of latency and jitter. */
  delayMs: number;
  /** Further random numbers of the plan, in [0, 1). */
  random: () => number;
}

interface ActivePlan {
  plan: FaultPlan;
  random: () => number;
  endsAtMs: number;
  injected: number;
  timer: NodeJS.Timeout;
  /** Whether the next request meets a server that has restarted. */
  hasRestarted: boolean;
}

/** The faults that are injected at present, by the name of the consumer. In memory only: a restart ends them. */
export class FaultPlans {
  readonly #clock: Clock;
  readonly #active = new Map<string, ActivePlan>();
  readonly changed = new Listeners<void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of consumers with faults. */
  get size(): number {
    return this.#active.size;
  }

  /** Replaces the plan of the consumer. */
  start(consumer: string, plan: FaultPlan): void {
    this.#end(consumer);
    const ms = plan.seconds * 1_000;
    const timer = setTimeout(() => this.stop(consumer), ms).unref();
    const endsAtMs = this.#clock.now() + ms;
    this.#active.set(consumer, {
      plan,
      random: randomFrom(plan.seed),
      endsAtMs,
      injected: 0,
      timer,
      hasRestarted: false,
    });
    this.changed.emit();
  }

  /** Returns whether there was one. */
  stop(consumer: string): boolean {
    const was = this.#end(consumer);
    if (was) this.changed.emit();
    return was;
  }

  /** Ends all of them, and returns their number. */
  stopAll(): number {
    const consumers = [...this.#active.keys()];
    return consumers.filter((consumer) => this.stop(consumer)).length;
  }

  of(consumer: string): InjectedFaults | null {
    const active = this.#active.get(consumer);
    if (!active) return null;
    const { plan, injected, endsAtMs } = active;
    return { ...plan, injected, endsAt: new Date(endsAtMs).toISOString() };
  }

  /** The fault of the next request of a consumer, if it gets one. */
  next(consumer: string, target: FaultTarget): Fault | null {
    const active = this.#active.get(consumer);
    if (!active) return null;
    const { plan, random } = active;
    const possible = plan.faults.filter((kind) => isPossible(kind, target));
    // Always the same count of random numbers, so that a seed decides by the position of the request.
    const [isHit, choice, part] = [random() < plan.share, random(), random()];
    const kind = possible[Math.floor(choice * possible.length)];
    if (!isHit || kind === undefined) return null;
    active.injected += 1;
    if (kind === 'restart') active.hasRestarted = true;
    const delayMs = kind === 'latency' ? plan.latencyMs : kind === 'jitter' ? Math.round(part * plan.latencyMs) : 0;
    if (plan.requests !== null && active.injected >= plan.requests) this.#end(consumer);
    this.changed.emit();
    return { kind, delayMs, random };
  }

  /** Whether the consumer meets a server that has restarted since its last request; true once. */
  takeRestart(consumer: string): boolean {
    const active = this.#active.get(consumer);
    if (!active?.hasRestarted) return false;
    active.hasRestarted = false;
    return true;
  }

  #end(consumer: string): boolean {
    clearTimeout(this.#active.get(consumer)?.timer);
    return this.#active.delete(consumer);
  }
}

function isPossible(kind: FaultKind, { isList, isFurtherPage, isStream }: FaultTarget): boolean {
  if (kind === 'duplicates' || kind === 'reordering') return isList;
  if (kind === 'restart') return isFurtherPage;
  if (kind === 'cut') return isList || isStream;
  if (kind === 'slow') return !isStream;
  return true;
}

/** The generator "mulberry32". */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

import type { JsonObject } from '#domain/text/json';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { messageOf } from '../../../platform/errors.ts';
import type { HostExit } from './run-errors.ts';
import type { StartHost } from './host-process.ts';
import type { HostListener } from './script-host.ts';
import { ScriptHost } from './script-host.ts';

export type HostLog = (message: string, fields: JsonObject) => void;

export interface SupplyParts {
  start: StartHost;
  /** How many hosts are kept while nothing runs, without the spares. */
  warm(): number;
  /** Warm hosts in addition to the usual ones; while runs wait, they are reserved for runs that probably do not. */
  spares: number;
  /** How long hosts beyond the usual number stay after nested runs needed them, ms. */
  lingerMs: number;
  /** How long the first host is the only one that is started without a need, ms. */
  aloneMs: number;
  /** How many of the queued runs could begin if they had a host, and whether running ones wait and keep their hosts. */
  demand: { ready(): number; isWaiting(): boolean };
  listener: HostListener;
  /** Hosts may be available again: waiting runs can be assigned. */
  retry(): void;
  /** A host was started: the pool must watch until it is ready. */
  starting(): void;
  /** Whether the settings allow hosts now. */
  mayStart(): boolean;
  /** No host can be started; `left` is whether there are others that runs can wait for. */
  refuse(reason: string, left: boolean): void;
  log: HostLog;
}

const MAX_START_FAILURES = 3;
const RETRY_MS = 20;
/**
 * If another host is idle, a dead one is replaced this much later: starting one would slow down the idle one's next
 * run.
 */
const REPLACE_MS = 40;
/** After this many failed starts, the next attempt is delayed by this much, then twice as much, and so on. */
const START_AGAIN_MS = 1_000;
const MAX_START_AGAIN_MS = 60_000;
const MAX_REASON = 500;

/**
 * Keeps as many script hosts as the pool needs: the usual ones, the spare, and one for every nested run that may begin.
 */
export class HostSupply {
  readonly hosts = new Set<ScriptHost>();
  /** The memory limit of new hosts. */
  memoryMb: number = DEFAULT_SETTINGS['limits.memoryMb'];
  readonly #parts: SupplyParts;
  #failures = 0;
  /** How often in a row no host could be started. */
  #rounds = 0;
  /** When the next host may be started after that, ms of a monotonic clock. */
  #nextTry = 0;
  #problem: string | null = null;
  /** Hosts that existed when no host could be started: hosts that start together fail together, which counts once. */
  #early = new WeakSet<ScriptHost>();
  /** A host that ends when its replacement is ready. */
  #worn: ScriptHost | null = null;
  #started = false;
  #closed = false;
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Infinity;
  /** When more hosts than usual were last busy. */
  #lastPeak = -Infinity;
  /** Until then, one warm host is enough, ms of a monotonic clock. */
  #aloneUntil = 0;

  constructor(parts: SupplyParts) {
    this.#parts = parts;
  }

  get started(): boolean {
    return this.#started;
  }

  /** Why no host can be started; null otherwise. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Hosts are needed from now on. */
  begin(): void {
    if (!this.#started) this.#aloneUntil = performance.now() + this.#parts.aloneMs;
    this.#started = true;
    // The cause may be gone.
    if (this.#rounds === 1) this.#nextTry = 0;
  }

  /** Why a run need not wait for a host; null if it may. */
  refusal(): string | null {
    const seconds = Math.ceil((this.#nextTry - performance.now()) / 1_000);
    if (this.#problem === null || this.#rounds <= 1 || seconds <= 0 || this.#count().alive > 0) return null;
    return `${this.#problem}; Tagwright retries in ${seconds} s`;
  }

  /** Replaces an idle host by a fresh one, which is started first. One at a time: the others stay warm. */
  renew(host: ScriptHost): void {
    if (this.#worn !== null || this.#closed || this.#rounds > 0) return;
    this.#worn = host;
    if (!this.#startOne()) this.#worn = null;
  }

  /** Starts no more hosts; the caller ends the existing ones. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /**
   * A host for a run: an idle one, else one that is creating its next realm; of these, the one that ran longest ago.
   */
  free(): ScriptHost | null {
    let best: ScriptHost | null = null;
    for (const host of this.hosts) {
      if (host.state !== 'idle' && host.state !== 'preparing') continue;
      if (best === null || (host.state === best.state ? host.idleSince < best.idleSince : host.state === 'idle')) {
        best = host;
      }
    }
    return best;
  }

  /** Whether the free hosts that exist are reserved for runs that probably do not wait. */
  get isReserved(): boolean {
    const { free, starting } = this.#count();
    return free - starting <= this.#reserve;
  }

  /** A host was given a run. */
  assigned(): void {
    if (this.#count().busy > this.#kept) this.#lastPeak = performance.now();
  }

  /** The usual number has changed: hosts beyond it need not stay. */
  resized(): void {
    this.#lastPeak = -Infinity;
  }

  /** A host can take runs. */
  ready(): void {
    this.#failures = 0;
    this.#rounds = 0;
    this.#nextTry = 0;
    this.#problem = null;
    const worn = this.#worn;
    this.#worn = null;
    if (worn?.state === 'idle') worn.kill();
  }

  /** A process has ended. */
  exited(host: ScriptHost, exit: HostExit): void {
    this.hosts.delete(host);
    if (host === this.#worn) this.#worn = null;
    if (host.wasReady || this.#closed) return;
    this.#worn = null;
    // If none is ready, another one would also hang.
    if (host.startFault !== null && this.#count().ready === 0) this.#failures = MAX_START_FAILURES;
    this.#failed(`${host.startFault ?? exit.how} ${exit.stderr}`, this.#early.has(host));
  }

  /**
   * Like refill, but later if another host can work in the meantime, because starting a process slows that one down.
   */
  refillSoon(): void {
    const { alive, free, ready } = this.#count();
    if (ready === 0 || free < this.#needed()) this.refill();
    else if (alive < this.#kept) this.#refillIn(Math.max(REPLACE_MS, this.#alone()));
    else if (alive > this.#kept) this.#refillIn(Math.max(REPLACE_MS, this.#lingering()));
  }

  /** How much longer one warm host is enough, in ms. */
  #alone(): number {
    return this.#aloneUntil - performance.now();
  }

  /** Adjusts the number of hosts to the need: the pool, the spare, and one for every run that may begin. */
  refill(): void {
    if (!this.#started || this.#closed || !this.#parts.mayStart()) return;
    let { alive, free } = this.#count();
    const needed = this.#needed();
    if (this.#rounds > 0) {
      if (alive < this.#kept || free < needed) this.#tryOne();
    } else {
      const alone = this.#alone();
      const warm = alone > 0 ? Math.min(1, this.#kept) : this.#kept;
      for (; alive < warm || free < needed; alive += 1, free += 1) {
        if (!this.#startOne()) break;
      }
      if (alive < this.#kept && alone > 0) this.#refillIn(alone);
    }
    if (alive <= this.#kept || needed > 0) return;
    if (this.#lingering() > 0) {
      this.#refillIn(this.#lingering());
      return;
    }
    for (const host of this.hosts) {
      if (alive <= this.#kept) break;
      if (host.state !== 'idle') continue;
      host.kill();
      alive -= 1;
    }
  }

  /** How many hosts are kept while nothing runs. */
  get #kept(): number {
    return this.#parts.warm() + this.#parts.spares + (this.#worn === null ? 0 : 1);
  }

  /** How many free hosts the queued runs need. */
  #needed(): number {
    const ready = this.#parts.demand.ready();
    return ready > 0 ? ready + this.#reserve : 0;
  }

  /** How many hosts are reserved: the spares, while runs wait and others can be started. */
  get #reserve(): number {
    return this.#rounds === 0 && this.#parts.demand.isWaiting() ? this.#parts.spares : 0;
  }

  /** How much longer hosts beyond those stay, in ms. */
  #lingering(): number {
    return this.#lastPeak + this.#parts.lingerMs - performance.now();
  }

  #count(): { alive: number; free: number; starting: number; ready: number; busy: number } {
    const counted = { alive: 0, free: 0, starting: 0, ready: 0, busy: 0 };
    for (const { state } of this.hosts) {
      if (state === 'dead') continue;
      counted.alive += 1;
      if (state === 'busy') counted.busy += 1;
      else counted.free += 1;
      if (state === 'starting') counted.starting += 1;
      else counted.ready += 1;
    }
    return counted;
  }

  #refillIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#timerAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#timerAt = Infinity;
      this.refill();
    }, ms).unref();
  }

  /** After failed starts, one is tried at a time. */
  #tryOne(): void {
    for (const { state } of this.hosts) if (state === 'starting') return;
    const left = this.#nextTry - performance.now();
    if (left > 0) this.#refillIn(left);
    else this.#startOne();
  }

  #startOne(): boolean {
    try {
      this.hosts.add(new ScriptHost(this.#parts.start, this.memoryMb, this.#parts.listener));
      this.#parts.starting();
      return true;
    } catch (thrown) {
      setTimeout(() => {
        this.#failed(messageOf(thrown));
        this.#parts.retry();
      }, RETRY_MS);
      return false;
    }
  }

  #failed(given: string, early = false): void {
    const reason = given.trim().slice(0, MAX_REASON);
    this.#failures += 1;
    this.#parts.log(`a script host did not start: ${reason}`, { event: 'host.not-started' });
    if (early) return;
    if (this.#rounds === 0 && this.#failures < MAX_START_FAILURES) return;
    this.#failures = 0;
    this.#rounds += 1;
    const pause = Math.min(START_AGAIN_MS * 2 ** (this.#rounds - 1), MAX_START_AGAIN_MS);
    this.#nextTry = performance.now() + pause;
    this.#problem = `no script host can be started: ${reason}`;
    this.#early = new WeakSet(this.hosts);
    this.#parts.refuse(this.#problem, this.#count().alive > 0);
    this.#refillIn(pause);
  }
}

import type { JsonObject } from '#domain/text/json';
import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import { messageOf } from '../../../platform/errors.ts';
import type { HostExit, StartHost } from './host-process.ts';
import type { HostListener } from './script-host.ts';
import { ScriptHost } from './script-host.ts';

export type HostLog = (message: string, fields: JsonObject) => void;

export interface SupplyParts {
  start: StartHost;
  /** Hosts kept warm beside those at work. */
  spares: number;
  /** How long hosts over the usual number stay after nested runs needed them, ms. */
  lingerMs: number;
  /** Runs at a time, and how many of those that wait could begin, had they a host. */
  demand: { readonly count: number; ready(): number };
  listener: HostListener;
  /** Hosts may be had again: runs that wait can be given out. */
  retry(): void;
  /** No host can be started; `left` says whether there are others that runs can wait for. */
  refuse(reason: string, left: boolean): void;
  log: HostLog;
}

const MAX_START_FAILURES = 3;
const RETRY_MS = 20;
/** A host that died is replaced this much later when another is idle: starting one would hold up what that one does. */
const REPLACE_MS = 40;
/** After so many failures to start a host, the next attempt is made this much later. */
const START_AGAIN_MS = 1_000;

/** Keeps as many script hosts as the pool needs: the usual ones, the spare, and one for every nested run that may begin. */
export class HostSupply {
  readonly hosts = new Set<ScriptHost>();
  /** The memory limit that new hosts begin with. */
  memoryMb: number = DEFAULT_SETTINGS['limits.memoryMb'];
  readonly #parts: SupplyParts;
  #failures = 0;
  #started = false;
  #closed = false;
  #timer: NodeJS.Timeout | null = null;
  #timerAt = Infinity;
  /** When more hosts than are kept were last at work. */
  #lastPeak = -Infinity;

  constructor(parts: SupplyParts) {
    this.#parts = parts;
  }

  get started(): boolean {
    return this.#started;
  }

  /** Hosts are wanted from now on. */
  begin(): void {
    this.#started = true;
  }

  /** Starts no more of them; those that are there are the caller's to end. */
  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** A host for a run: one that is idle, else one that makes its next realm; of these the one that ran longest ago. */
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

  /** A host was given a run. */
  assigned(): void {
    if (this.#count().busy > this.#kept) this.#lastPeak = performance.now();
  }

  /** The usual number is another now: what is over it need not linger. */
  resized(): void {
    this.#lastPeak = -Infinity;
  }

  /** A host can take runs. */
  ready(): void {
    this.#failures = 0;
  }

  /** A process is gone. */
  exited(host: ScriptHost, exit: HostExit): void {
    this.hosts.delete(host);
    if (!host.wasReady && !this.#closed) this.#failed(`${exit.how} ${exit.stderr}`);
  }

  /** As refill; later when a host is there to work meanwhile, since starting a process holds up this one. */
  refillSoon(): void {
    const { alive, free, ready } = this.#count();
    if (ready === 0 || free < this.#parts.demand.ready()) this.refill();
    else if (alive < this.#kept) this.#refillIn(REPLACE_MS);
    else if (alive > this.#kept) this.#refillIn(Math.max(REPLACE_MS, this.#lingering()));
  }

  /** Brings the number of hosts to what is needed: the pool, the spare, and one for every run that may begin. */
  refill(): void {
    if (!this.#started || this.#closed) return;
    let { alive, free } = this.#count();
    const needed = this.#parts.demand.ready();
    if (this.#failures < MAX_START_FAILURES) {
      for (; alive < this.#kept || free < needed; alive += 1, free += 1) {
        if (!this.#startOne()) break;
      }
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
    return this.#parts.demand.count + this.#parts.spares;
  }

  /** How much longer hosts beyond those stay, in ms. */
  #lingering(): number {
    return this.#lastPeak + this.#parts.lingerMs - performance.now();
  }

  #count(): { alive: number; free: number; ready: number; busy: number } {
    const counted = { alive: 0, free: 0, ready: 0, busy: 0 };
    for (const { state } of this.hosts) {
      if (state === 'dead') continue;
      counted.alive += 1;
      if (state === 'busy') counted.busy += 1;
      else counted.free += 1;
      if (state !== 'starting') counted.ready += 1;
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

  #startOne(): boolean {
    try {
      this.hosts.add(new ScriptHost(this.#parts.start, this.memoryMb, this.#parts.listener));
      return true;
    } catch (thrown) {
      setTimeout(() => {
        this.#failed(messageOf(thrown));
        this.#parts.retry();
      }, RETRY_MS);
      return false;
    }
  }

  #failed(reason: string): void {
    this.#failures += 1;
    this.#parts.log(`a script host did not start: ${reason}`, { event: 'host.not-started' });
    if (this.#failures < MAX_START_FAILURES) return;
    const left = this.hosts.size > 0;
    this.#parts.refuse(reason, left);
    if (left) {
      setTimeout(() => {
        this.#failures = 0;
        this.#parts.retry();
      }, START_AGAIN_MS).unref();
      return;
    }
    // The next run tries again.
    this.#started = false;
    this.#failures = 0;
  }
}

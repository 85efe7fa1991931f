import { hash } from 'node:crypto';
import { totalmem } from 'node:os';
import type { PooledRun } from './pooled-run.ts';

const MB = 1024 * 1024;
/** A waiting host, if its memory is not known. */
const HOST_BYTES = 50 * MB;
/** A script may have this many times as many waiting runs as there is room left: so there is always room for others. */
const SHARE = 4;
/** How many scripts that have waited are remembered. */
const MOST_REMEMBERED = 10_000;

/** The load of one script. Scripts with the same text count as one. */
export interface ScriptLoad {
  /**
   * Whether its runs probably wait: its text names ApiValueManager, or the last run that ended has waited, or one waits
   * now.
   */
  mayWait: boolean;
  /** Requested runs that have not ended. */
  pooled: number;
  /** Pooled runs that a host has. */
  inProgress: number;
  /** Runs in progress that wait, for the network or for another host call. */
  waiting: number;
  waitingForNetwork: number;
  /** Waiting runs that have given up their place. */
  aside: number;
}

export interface RoomLimits {
  /** How many runs can wait without a place; setting `hosts.waiting`. */
  most: number;
  /** The memory of their hosts together; 0 is a quarter of the memory of this machine. Setting `hosts.waitingMb`. */
  mb: number;
}

/**
 * Runs whose scripts wait give up their place to others and stay here, with their hosts. The room is limited, and shared
 * among scripts: one that waits for a slow system leaves room to the others, however many runs it has.
 */
export class WaitingRoom {
  limits: RoomLimits;
  readonly #runs = new Set<PooledRun>();
  /** In bytes; less in a container with a limit. */
  readonly #machine = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  readonly #loads = new Map<string, ScriptLoad>();
  /** The hashes of scripts whose last run waited for something else than an API call, oldest first. */
  readonly #waited = new Set<string>();
  /** All waiting runs, the ones that wait for the network, and the ones that found no room. */
  #waiting = 0;
  #waitingForNetwork = 0;
  #outside = 0;

  constructor(limits: RoomLimits) {
    this.limits = limits;
  }

  /** The load of a script, which has one more run now. */
  loadOf(body: string): ScriptLoad {
    let load = this.#loads.get(body);
    if (load === undefined) {
      const mayWait = callsApis(body) || (this.#waited.size > 0 && this.#waited.has(keyOf(body)));
      load = { mayWait, pooled: 0, inProgress: 0, waiting: 0, waitingForNetwork: 0, aside: 0 };
      this.#loads.set(body, load);
    }
    load.pooled += 1;
    return load;
  }

  /** A run is over, after `end`. One that no host began says nothing about its script. */
  released({ load, run, hasWaited, host }: PooledRun, hasBegun = host !== null): void {
    load.pooled -= 1;
    if (load.pooled === 0) this.#loads.delete(run.body);
    if (!hasBegun || callsApis(run.body)) return;
    load.mayWait = hasWaited || load.waiting > 0;
    if (!hasWaited && this.#waited.size === 0) return;
    const key = keyOf(run.body);
    this.#waited.delete(key);
    if (!load.mayWait) return;
    this.#waited.add(key);
    const [oldest] = this.#waited;
    if (this.#waited.size > MOST_REMEMBERED && oldest !== undefined) this.#waited.delete(oldest);
  }

  /** Whether a waiting run has kept its place. */
  get isTooSmall(): boolean {
    return this.#outside > 0;
  }

  /** How many runs the room can have now, based on the memory of its runs. */
  get most(): number {
    return this.#runs.size + this.#free();
  }

  /** Whether one more run of a script can give up its place. */
  hasRoomFor({ aside }: ScriptLoad): boolean {
    return aside < SHARE * this.#free();
  }

  /** A run begins to wait. Returns whether it gives up its place. */
  begin(pooled: PooledRun, waitsFor: 'network' | 'call'): boolean {
    pooled.waitsFor = waitsFor;
    pooled.hasWaited = true;
    pooled.load.mayWait = true;
    this.#count(pooled, 1);
    this.#outside += 1;
    return this.enter(pooled);
  }

  /** Whether a run that waits gives up its place now. */
  enter(pooled: PooledRun): boolean {
    if (pooled.aside || pooled.waitsFor === null || !this.hasRoomFor(pooled.load)) return false;
    this.#outside -= 1;
    this.#runs.add(pooled);
    pooled.aside = true;
    pooled.load.aside += 1;
    return true;
  }

  /** A run no longer waits. Returns whether it had given up its place. */
  end(pooled: PooledRun): boolean {
    if (pooled.waitsFor === null) return false;
    this.#count(pooled, -1);
    pooled.waitsFor = null;
    if (!pooled.aside) {
      this.#outside -= 1;
      return false;
    }
    this.#runs.delete(pooled);
    pooled.aside = false;
    pooled.load.aside -= 1;
    return true;
  }

  /**
   * Whether a run of a script may have one of `places` free places. If it calls APIs, or others of its script wait or have
   * waited, it will probably wait, too: without room, and while any run waits, it does not get the last place, so that other
   * scripts run.
   * @param depth how many runs wait for it: deeper ones only count waits for the network, which end by themselves
   */
  mayBegin(load: ScriptLoad, depth: number, places: number): boolean {
    const [all, own] = depth === 0 ? [this.#waiting, load.waiting] : [this.#waitingForNetwork, load.waitingForNetwork];
    return places > 1 || all === 0 || (own === 0 && !load.mayWait) || this.hasRoomFor(load);
  }

  /** Whether `mayBegin` may be false for a run of this depth now. */
  mayHold(depth: number): boolean {
    return (depth === 0 ? this.#waiting : this.#waitingForNetwork) > 0;
  }

  #count({ load, waitsFor }: PooledRun, change: 1 | -1): void {
    this.#waiting += change;
    load.waiting += change;
    if (waitsFor !== 'network') return;
    this.#waitingForNetwork += change;
    load.waitingForNetwork += change;
  }

  #free(): number {
    const { most, mb } = this.limits;
    let bytes = mb === 0 ? this.#machine / 4 : mb * MB;
    for (const { host } of this.#runs) bytes -= host?.bytes || HOST_BYTES;
    return Math.max(0, Math.min(most - this.#runs.size, Math.floor(bytes / HOST_BYTES)));
  }
}

const callsApis = (body: string): boolean => body.includes('ApiValueManager');
const keyOf = (body: string): string => hash('sha256', body, 'base64');

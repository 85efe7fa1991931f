import type { RunError, RunStatus } from '#domain/run/run';
import { processReader, type ProcessReader } from '../../../platform/host-pipe/process-reader.ts';
import { overMemory, processorTimeout, scriptTimeout, totalTimeout } from './run-errors.ts';
import type { RunSession } from './run-session.ts';
import { PREPARE_MS, type ScriptHost } from './script-host.ts';

const TICK_MS = 20;
/** After its script time, a host gets this long to report the timeout itself. */
const GRACE_MS = 150;
/** A tick that is later than this was delayed by main. */
const LATE_MS = 60;
/** A starting host is ready after 60 ms, on a busy machine after some seconds. */
export const START_MS = 10_000;
/** How much longer a run may take whose host was still creating its realm, and may still do that. */
const UNSEEN_MS = 500;
const MB = 1024 * 1024;

/** An idle host with this much more memory than at its start is replaced, once it had time to release it. */
const KEPT_BYTES = 48 * MB;
const SETTLE_MS = 200;
/** After this long without a run, hosts with more memory than this are replaced by fresh ones. */
const REST_MS = 3_000;
const RESTING_BYTES = 58 * MB;

/** Ends runs that exceed their time or memory, whatever their script does: it watches from another process. */
export class Watchdog {
  readonly #hosts: ReadonlySet<ScriptHost>;
  readonly #processes: ProcessReader;
  /** Busy hosts that were seen with much memory. */
  readonly #large = new WeakSet<ScriptHost>();
  /** How long starting hosts have been waited for, ms; excludes time in which main could not listen. */
  readonly #waited = new WeakMap<ScriptHost, number>();
  /** The processor time of a host when it was first measured during a run, ms. */
  readonly #processorFrom = new WeakMap<RunSession, number>();
  readonly #startMs: number;
  #timer: NodeJS.Timeout | null = null;
  #restTimer: NodeJS.Timeout | null = null;
  #onRest: () => void = () => undefined;
  #lastTick = 0;
  #lastMemory = 0;

  constructor(hosts: ReadonlySet<ScriptHost>, startMs = START_MS, processes: ProcessReader = processReader()) {
    this.#hosts = hosts;
    this.#startMs = startMs;
    this.#processes = processes;
  }

  /** Watches until no host is starting, has a run or is creating the realm of its next one. */
  watch(): void {
    if (this.#timer !== null) return;
    if (this.#restTimer !== null) clearTimeout(this.#restTimer);
    this.#restTimer = null;
    this.#lastTick = performance.now();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (this.#restTimer !== null) clearTimeout(this.#restTimer);
    this.#restTimer = null;
  }

  /** Records the memory of an idle host. */
  measure(host: ScriptHost): void {
    if (host.pid === null) return;
    this.#processes.memory(host.pid, (bytes) => {
      host.baselineBytes = bytes;
      host.bytes = bytes;
    });
  }

  /** Calls `rest` when the pool has been idle for a while. */
  onRest(rest: () => void): void {
    this.#onRest = rest;
  }

  /** Calls back for an idle host with more memory than an idle host should have. */
  findHeavy(heavy: (host: ScriptHost) => void): void {
    for (const host of this.#hosts) {
      if (host.pid === null || host.state !== 'idle') continue;
      this.#processes.memory(host.pid, (bytes) => {
        if (host.state === 'idle' && bytes > RESTING_BYTES) heavy(host);
      });
    }
  }

  /** Calls `retire` if the host, idle after a run of some length, has far more memory than at first. */
  checkLater(host: ScriptHost, retire: () => void): void {
    if (!this.#large.delete(host)) return;
    setTimeout(() => {
      if (host.pid === null || host.state !== 'idle') return;
      this.#processes.memory(host.pid, (bytes) => {
        if (bytes > host.baselineBytes + KEPT_BYTES) retire();
      });
    }, SETTLE_MS).unref();
  }

  #tick(): void {
    const now = performance.now();
    const late = now - this.#lastTick;
    this.#lastTick = now;
    const readMemory = now - this.#lastMemory >= this.#processes.intervalMs - TICK_MS / 2;
    if (readMemory) this.#lastMemory = now;
    let busy = false;
    for (const host of this.#hosts) {
      const { preparingSince } = host;
      if (host.state === 'starting') {
        busy = true;
        this.#checkStart(host, Math.min(late, LATE_MS));
        continue;
      }
      if (host.state !== 'busy' && preparingSince === null) continue;
      busy = true;
      if (host.isEnding) continue;
      if (late > LATE_MS) {
        host.session?.excludeFromScriptTime(late - TICK_MS);
        // Frames that the host sent in the meantime are read first: its run may have ended in time.
        setImmediate(() => this.#checkLate(host));
      } else if (preparingSince === null || host.mayNotHaveBegun) this.#checkTime(host, now);
      else if (now - preparingSince > PREPARE_MS) host.giveUpPreparing();
      if (readMemory && host.state !== 'dead') this.#checkMemory(host);
    }
    if (busy) return;
    this.stop();
    this.#restTimer = setTimeout(() => this.#onRest(), REST_MS).unref();
  }

  #checkStart(host: ScriptHost, ms: number): void {
    const waited = (this.#waited.get(host) ?? 0) + ms;
    this.#waited.set(host, waited);
    if (waited > this.#startMs) host.giveUpStart(`it was not ready after ${this.#startMs} ms and was ended`);
  }

  #checkLate(host: ScriptHost): void {
    if (host.state === 'busy' && (host.preparingSince === null || host.mayNotHaveBegun))
      this.#checkTime(host, performance.now());
  }

  #checkTime(host: ScriptHost, now: number): void {
    const { session } = host;
    if (session === null) return;
    const { limits } = session.run;
    const { scriptMs, totalMs } = session.elapsed(now);
    const moreMs = host.mayNotHaveBegun ? UNSEEN_MS : 0;
    if (scriptMs > limits.scriptMs + GRACE_MS + moreMs) stop(host, 'timeout', scriptTimeout(limits));
    else if (totalMs > limits.totalMs + moreMs) stop(host, 'timeout', totalTimeout(limits));
  }

  #checkMemory(host: ScriptHost): void {
    const { session, pid } = host;
    if (pid === null) return;
    if (session?.run.processorMs === undefined)
      this.#processes.memory(pid, (bytes) => this.#measured(host, session, bytes));
    else
      this.#processes.usage(pid, (bytes, processorMs) => {
        this.#measured(host, session, bytes);
        if (host.session === session && !host.isEnding) this.#checkProcessor(host, session, processorMs);
      });
  }

  /** @param processorMs of its process so far */
  #checkProcessor(host: ScriptHost, session: RunSession, processorMs: number): void {
    if (host.preparingSince !== null && !host.mayNotHaveBegun) return;
    const from = this.#processorFrom.get(session) ?? processorMs;
    this.#processorFrom.set(session, from);
    const limit = session.run.processorMs ?? Infinity;
    if (processorMs - from > limit) stop(host, 'timeout', processorTimeout(limit));
  }

  #measured(host: ScriptHost, session: RunSession | null, bytes: number): void {
    if (host.session !== session || host.isEnding) return;
    host.bytes = bytes;
    if (bytes > host.baselineBytes + KEPT_BYTES) this.#large.add(host);
    if (bytes <= host.memoryCapBytes) return;
    if (session !== null && host.mayNotHaveBegun) stop(host, 'memory', overMemory(session.run.limits));
    else if (session === null || host.preparingSince !== null)
      host.giveUp(`held ${Math.round(bytes / MB)} MB after its run`);
    else host.stop('memory', overMemory(session.run.limits));
  }
}

function stop(host: ScriptHost, status: RunStatus, error: RunError): void {
  if (host.mayNotHaveBegun) host.stopUnlessUnread(status, error);
  else host.stop(status, error);
}

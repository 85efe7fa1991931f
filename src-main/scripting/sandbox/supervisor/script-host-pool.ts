import { DEFAULT_SETTINGS } from '#domain/workspace/settings';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import { isAsConfined, sandboxRefusal, type OsSandbox } from '../../../platform/os-sandbox/os-sandbox.ts';
import type { HostsStatus, ScriptRun, ScriptOutcome, ScriptRunner } from '../script-run.ts';
import { IdleWatch } from '../../../platform/host-pipe/idle-watch.ts';
import { Admission } from './admission.ts';
import { type HostFiles, type HostRules, hostSandbox } from './host-command.ts';
import type { StartHost } from './host-process.ts';
import type { HostLog } from './host-supply.ts';
import { HostSupply } from './host-supply.ts';
import { statusOf, StatusNews } from './pool-status.ts';
import { ScriptHabits } from './read-ahead.ts';
import { cancelled, type HostExit, stopping } from './run-errors.ts';
import { LONG_CALL_MS, RunSession } from './run-session.ts';
import { hostStarter, type ScriptHost } from './script-host.ts';
import { outcomeWithoutHost, pooledRun, unavailable, type PooledRun } from './pooled-run.ts';
import { WaitingRoom, type ScriptLoad } from './waiting-room.ts';
import { Watchdog } from './watchdog.ts';

export interface ScriptHostPoolOptions extends HostFiles {
  /** Concurrent runs; setting `hosts.count`. */
  count?: number;
  /** How many more runs may be in progress whose scripts wait; setting `hosts.waiting`. */
  waiting?: number;
  /** The memory of their hosts; setting `hosts.waitingMb`. */
  waitingMb?: number;
  /** Keeps one more host warm, which replaces a killed one at once. */
  spare?: boolean;
  /** How long hosts beyond that number stay after nested runs needed them, ms. */
  lingerMs?: number;
  /** How long the first host is the only one that is started without a need, ms. */
  aloneMs?: number;
  /** Host options from the settings; none by default. */
  rules?: HostRules;
  /** Starts a host process; tests use fakes. */
  startHost?: StartHost;
  /** How long a host may take to become ready, ms. */
  startMs?: number;
  /** When a healthy host is replaced: after this many runs, or this long after its first. */
  renewAfter?: { runs: number; ms: number };
  /** `fields` identify the event for programs that read the log. */
  log?: HostLog;
}

const MAX_ATTEMPTS = 3;
/**
 * A script that compromised its host could wait there for the runs of others. Starting a host takes as much processor
 * time as 200 runs: over 50,000 runs, 0.4 %.
 */
const RENEW_AFTER = { runs: 50_000, ms: 10 * 60_000 };
/** Nested runs usually recur: starting a host for each would take 55 ms every time. */
const LINGER_MS = 5_000;
/** The start of a workspace has better uses for the processor than several hosts, and many instances end before. */
const ALONE_MS = 1_000;

/**
 * Runs scripts in separate processes: `count` at a time, others wait in order, and the runs that they cause have places
 * of their own (see Admission). Hosts are started by `start()` or by the first run, more for nested runs. A host that
 * its script broke, or that exceeded a limit, is replaced.
 */
export class ScriptHostPool implements ScriptRunner {
  readonly #admission: Admission<PooledRun, ScriptLoad>;
  readonly #room: WaitingRoom;
  readonly #supply: HostSupply;
  readonly #watchdog: Watchdog;
  readonly #idleWatch: IdleWatch<ScriptHost>;
  readonly #log: HostLog;
  readonly #renewAfter: { runs: number; ms: number };
  readonly #news = new StatusNews(() => this.status());
  readonly #pooled = new Map<RunSession, PooledRun>();
  readonly #habits = new ScriptHabits();
  /** All runs that have not ended. */
  readonly #runs = new Map<ScriptRun, PooledRun>();
  #restarts = 0;
  #violations = 0;
  /** Runs whose host broke the protocol, which is logged already. */
  readonly #violators = new WeakSet<RunSession>();
  #closed: (() => void) | null = null;
  /** The OS sandbox of the hosts; null for hosts that tests start. */
  readonly #sandbox: OsSandbox | null;
  #isSandboxKnown: boolean;
  #sandboxState: OsSandboxState | null = null;
  #rules: HostRules;
  /** Hosts that were started with other options, or in a weaker sandbox. */
  readonly #former = new WeakSet<ScriptHost>();
  readonly #forgetSandbox: () => void;

  constructor(options: ScriptHostPoolOptions) {
    this.#rules = options.rules ?? { jitless: false, requireOsSandbox: false };
    this.#sandbox = options.sandbox ?? (options.startHost === undefined ? hostSandbox(options) : null);
    this.#isSandboxKnown = this.#sandbox === null;
    this.#forgetSandbox =
      this.#sandbox?.onChange(() => {
        const before = this.#sandboxState;
        const now = (this.#sandboxState = this.#sandbox?.state ?? null);
        if (before && now && !isAsConfined(before, now)) this.#replaceAll();
        this.#dispatch();
      }) ?? (() => undefined);
    const start = options.startHost ?? hostStarter(options);
    this.#room = new WaitingRoom({
      most: options.waiting ?? DEFAULT_SETTINGS['hosts.waiting'],
      mb: options.waitingMb ?? DEFAULT_SETTINGS['hosts.waitingMb'],
    });
    const count = options.count ?? DEFAULT_SETTINGS['hosts.count'];
    this.#admission = new Admission(
      count,
      (load, depth, places) => this.#room.mayBegin(load, depth, places),
      (depth) => this.#room.mayHold(depth),
    );
    this.#log = options.log ?? (() => undefined);
    this.#supply = new HostSupply({
      start: (events, memoryMb) => {
        // It may turn out only now that hosts cannot be confined, while runs wait for one.
        const refusal = this.#refusal();
        if (refusal !== null) throw new Error(refusal);
        return start(events, memoryMb, this.#rules.jitless);
      },
      warm: () => (options.forDebug === true ? 0 : this.#admission.count),
      spares: (options.spare ?? true) ? 1 : 0,
      lingerMs: options.lingerMs ?? LINGER_MS,
      aloneMs: options.aloneMs ?? ALONE_MS,
      demand: { ready: () => this.#admission.ready(), isWaiting: () => this.#room.mayHold(0) },
      listener: {
        ready: (host) => this.#ready(host),
        prepared: () => this.#dispatch(),
        violated: (host, what) => this.#violated(host, what),
        ended: (host, session, outcome) => this.#ended(host, session, outcome),
        givenUp: (_, reason) => this.#givenUp(reason),
        unread: (_, session) => this.#again(session),
        exited: (host, exit) => this.#exited(host, exit),
      },
      retry: () => this.#dispatch(),
      mayStart: () => this.#refusal() === null,
      starting: () => this.#watchdog.watch(),
      refuse: (reason, left) => this.#refuse(reason, left),
      log: this.#log,
    });
    this.#watchdog = new Watchdog(this.#supply.hosts, options.startMs);
    this.#renewAfter = options.renewAfter ?? RENEW_AFTER;
    this.#idleWatch = new IdleWatch(this.#supply.hosts, undefined, (host) => {
      if (this.#isWorn(host)) this.#supply.renew(host);
    });
    this.#watchdog.onRest(() => this.#watchdog.findHeavy((host) => this.#retire(host)));
  }

  /** Starts the hosts, so that the first run need not wait for one. */
  start(): void {
    if (!this.#isSandboxKnown) return void this.#knowSandbox().then(() => this.start());
    if (this.#refusal() !== null) return;
    this.#supply.begin();
    this.#supply.refill();
  }

  /** Changes how many runs are in progress at a time, and how many more may wait, with how much memory. */
  resize(count: number, waiting = this.#room.limits.most, waitingMb = this.#room.limits.mb): void {
    this.#admission.count = count;
    this.#room.limits = { most: waiting, mb: waitingMb };
    this.#supply.resized();
    this.#admitWaiting();
    if (this.#supply.started) this.#dispatch();
  }

  /** Changes the host options: existing hosts end when they are idle. Waiting runs that may no longer begin fail. */
  follow(rules: HostRules): void {
    const { jitless, requireOsSandbox } = this.#rules;
    this.#rules = rules;
    if (rules.jitless === jitless && rules.requireOsSandbox === requireOsSandbox) return;
    if (rules.jitless !== jitless) this.#replaceAll();
    this.#dispatch();
  }

  /** Hosts that exist now end as soon as they are idle. */
  #replaceAll(): void {
    for (const host of this.#supply.hosts) this.#former.add(host);
  }

  run(run: ScriptRun): Promise<ScriptOutcome> {
    if (this.#closed !== null) return Promise.reject(unavailable('Tagwright is stopping'));
    if (!this.#isSandboxKnown) return this.#knowSandbox().then(() => this.run(run));
    const refusal = this.#refusal();
    if (refusal !== null) return Promise.reject(unavailable(refusal));
    const early = outcomeWithoutHost(run);
    if (early !== null) return Promise.resolve(early);
    this.#supply.begin();
    const unstartable = this.#supply.refusal();
    if (unstartable !== null) return Promise.reject(unavailable(unstartable));
    this.#supply.memoryMb = run.limits.memoryMb;
    return new Promise((resolve, reject) => {
      const load = this.#room.loadOf(run.body);
      const parent = run.parent === undefined ? null : (this.#runs.get(run.parent) ?? null);
      const pooled = pooledRun(run, load, parent, { resolve, reject }, (cancelledOne) => this.#cancel(cancelledOne));
      this.#runs.set(run, pooled);
      this.#countWorking(pooled, 1);
      this.#admission.wait(pooled, pooled.depth, load);
      this.#dispatch();
    });
  }

  /** A run is over. */
  #release(pooled: PooledRun): void {
    pooled.release();
    this.#runs.delete(pooled.run);
    this.#countWorking(pooled, -1);
    this.#room.released(pooled);
  }

  status(): HostsStatus {
    const [restarts, violations] = [this.#restarts, this.#violations];
    const { hosts, problem } = this.#supply;
    const queued = this.#admission.size;
    const [held, waitingMost] = [this.#admission.held(), this.#room.most];
    return statusOf(hosts, { queued, held, waitingMost, restarts, violations, problem });
  }

  /** Notified soon after a change, at most 20 times a second. */
  onStatus(listener: (status: HostsStatus) => void): () => void {
    return this.#news.add(listener);
  }

  /** Ends every host; current runs end as cancelled, waiting ones are rejected. Resolves when no process is left. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#closed;
      this.#closed = () => {
        before?.();
        resolve();
      };
      this.#watchdog.stop();
      this.#idleWatch.stop();
      this.#news.close();
      this.#forgetSandbox();
      this.#supply.close();
      for (const pooled of this.#admission.dropAll()) this.#reject(pooled, 'Tagwright is stopping');
      for (const host of this.#supply.hosts) host.stop('cancelled', stopping());
      if (this.#supply.hosts.size === 0) this.#closed();
    });
  }

  /** Assigns waiting runs to idle hosts, and starts missing hosts. */
  #dispatch(): void {
    const refusal = this.#isSandboxKnown ? this.#refusal() : null;
    if (refusal !== null) {
      for (const pooled of this.#admission.dropAll()) this.#reject(pooled, refusal);
      this.#replaceAll();
    }
    while (this.#closed === null) {
      const host = this.#supply.free();
      if (host !== null && this.#former.has(host)) {
        host.kill();
        continue;
      }
      const pooled = host === null ? null : this.#admission.take(this.#supply.isReserved);
      if (host === null || pooled === null) break;
      this.#assign(host, pooled);
    }
    this.#supply.refillSoon();
    this.#news.changed();
  }

  #assign(host: ScriptHost, pooled: PooledRun): void {
    const session = new RunSession(
      pooled.run,
      performance.now() - pooled.since,
      (call) => {
        pooled.call = call;
        this.#wait(pooled);
        this.#news.changed();
      },
      this.#habits.of(pooled.run.body),
    );
    this.#pooled.set(session, pooled);
    pooled.host = host;
    pooled.run.onStart?.();
    // After a run was lost, main has to know whether its next host has begun it.
    host.run(session, { report: pooled.attempts > 0 });
    this.#supply.assigned();
    this.#watchdog.watch();
  }

  /** The call of a run began or ended, or the runs that it caused began or ended to work on it. */
  #wait(pooled: PooledRun): void {
    const waitsFor = pooled.call === 'call' && pooled.working > 0 ? null : pooled.call;
    if (waitsFor === pooled.waitsFor) return;
    if (waitsFor === null) this.#continue(pooled);
    else if (this.#room.begin(pooled, waitsFor)) this.#freePlace(pooled);
    this.#countWorking(pooled, waitsFor === null ? 1 : -1);
  }

  /** One more or less of the runs that others wait for is working: these do not wait while one is. */
  #countWorking(pooled: PooledRun, change: 1 | -1): void {
    for (let outer = pooled.parent; outer !== null; outer = outer.parent) {
      outer.working += change;
      if (outer.call !== 'call') continue;
      if (outer.working > 0) this.#wait(outer);
      else this.#waitLater(outer);
    }
  }

  /** Not at once, because the next nested run usually follows. */
  #waitLater(pooled: PooledRun): void {
    pooled.later ??= setTimeout(() => {
      pooled.later = null;
      this.#wait(pooled);
    }, LONG_CALL_MS).unref();
  }

  /** While its script waits, another run may have the place of a run, and a host of its own. */
  #freePlace(pooled: PooledRun): void {
    this.#admission.leave(pooled.depth);
    if (this.#admission.size > 0) this.#dispatch();
  }

  /** A run no longer waits, which makes room for others. */
  #continue(pooled: PooledRun): void {
    if (this.#room.end(pooled)) this.#admission.enter(pooled.depth);
    this.#admitWaiting();
    if (this.#admission.size > 0) this.#dispatch();
  }

  /** Waiting runs can now give up their place if there was no room when they began to wait. */
  #admitWaiting(): void {
    if (!this.#room.isTooSmall) return;
    for (const pooled of this.#pooled.values()) if (this.#room.enter(pooled)) this.#freePlace(pooled);
  }

  async #knowSandbox(): Promise<void> {
    await this.#sandbox?.known;
    this.#isSandboxKnown = true;
    this.#sandboxState = this.#sandbox?.state ?? null;
  }

  #refusal(): string | null {
    return this.#rules.requireOsSandbox && this.#sandbox ? sandboxRefusal('scripts', this.#sandbox.state) : null;
  }

  #ready(host: ScriptHost): void {
    this.#supply.ready();
    this.#watchdog.measure(host);
    this.#idleWatch.start();
    if (this.#former.has(host)) host.kill();
    this.#dispatch();
  }

  #violated(host: ScriptHost, what: string): void {
    const { pid } = host;
    // A run that it received while creating its next realm has not begun: another host gets it.
    const session = host.preparingSince === null ? host.session : null;
    this.#violations += 1;
    if (session !== null) this.#violators.add(session);
    if (session === null) this.#restarts += 1;
    const running = session === null ? 'it had no run' : `it ran the script of ${session.run.context.tagName}`;
    this.#log(`script host ${pid ?? 'without a pid'} sent ${what} and was ended; ${running}`, {
      event: 'host.violated',
    });
    this.#news.changed();
  }

  #ended(host: ScriptHost, session: RunSession, outcome: ScriptOutcome): void {
    const pooled = this.#pooled.get(session);
    this.#pooled.delete(session);
    if (host.state === 'dead') this.#replaced(session, outcome);
    else if (this.#isWorn(host) || this.#former.has(host)) host.kill();
    else this.#watchdog.checkLater(host, () => this.#retire(host));
    if (pooled !== undefined) {
      pooled.call = null;
      this.#wait(pooled);
      this.#admission.end(pooled.depth, pooled.load);
      this.#admitWaiting();
      this.#release(pooled);
      pooled.resolve(outcome);
    }
    this.#dispatch();
  }

  #replaced(session: RunSession, { status }: ScriptOutcome): void {
    const { run } = session;
    // Live runs end hosts all the time while a user types.
    if (run.expendable) return;
    this.#restarts += 1;
    if (this.#violators.has(session)) return;
    const fields = { event: 'host.ended', why: status, tag: run.context.tagName };
    this.#log('A script host was ended with its run.', fields);
  }

  #isWorn({ runs, usedSince, hadLargeText }: ScriptHost): boolean {
    return hadLargeText || runs >= this.#renewAfter.runs || performance.now() - usedSince > this.#renewAfter.ms;
  }

  /** A host that kept too much memory after its run is replaced by a new one. */
  #retire(host: ScriptHost): void {
    if (host.state !== 'idle') return;
    host.kill();
    this.#dispatch();
  }

  #givenUp(reason: string): void {
    this.#restarts += 1;
    this.#log(`a script host ${reason}; it was ended, and no run was lost`, { event: 'host.ended' });
    this.#news.changed();
  }

  #again(session: RunSession): void {
    const pooled = this.#pooled.get(session);
    this.#pooled.delete(session);
    if (pooled === undefined) return;
    pooled.attempts += 1;
    pooled.host = null;
    this.#admission.waitAgain(pooled, pooled.depth, pooled.load);
    if (pooled.attempts < MAX_ATTEMPTS) return;
    this.#admission.drop(pooled, pooled.load);
    this.#reject(pooled, 'script hosts end before they take the run; try again');
  }

  #exited(host: ScriptHost, exit: HostExit): void {
    this.#supply.exited(host, exit);
    if (this.#closed === null) this.#dispatch();
    else if (this.#supply.hosts.size === 0) this.#closed();
  }

  /** If hosts are left, other runs can wait for them. Nested ones cannot: those hosts may wait for them. */
  #refuse(reason: string, left: boolean): void {
    for (const pooled of this.#admission.dropAll(left ? 1 : 0)) {
      this.#reject(pooled, reason);
    }
  }

  #cancel(pooled: PooledRun): void {
    if (this.#admission.drop(pooled, pooled.load)) {
      const session = new RunSession(pooled.run, performance.now() - pooled.since);
      this.#release(pooled);
      pooled.resolve(session.outcome('cancelled', cancelled()));
      return;
    }
    for (const host of this.#supply.hosts) {
      if (host.session !== null && this.#pooled.get(host.session) === pooled) host.stop('cancelled', cancelled());
    }
  }

  #reject(pooled: PooledRun, message: string): void {
    this.#release(pooled);
    pooled.reject(unavailable(message));
  }
}

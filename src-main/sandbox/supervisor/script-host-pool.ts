import { DEFAULT_SETTINGS } from '#domain/settings';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { HostsStatus, ScriptJob, ScriptOutcome, ScriptRunner } from '../script-job.ts';
import { Admission } from './admission.ts';
import { hostStarter, type HostExit, type HostFiles, type StartHost } from './host-process.ts';
import { bodyTooLong, cancelled, stopping } from './run-errors.ts';
import { RunSession } from './run-session.ts';
import { ScriptHost } from './script-host.ts';
import { Watchdog } from './watchdog.ts';

export interface ScriptHostPoolOptions extends HostFiles {
  /** Runs at a time; setting `hosts.count`. */
  count?: number;
  /** How many more runs may be under way whose scripts wait for the network; setting `hosts.waiting`. */
  waiting?: number;
  /** Keeps one host more than that, warm, which takes over from a killed one at once. */
  spare?: boolean;
  /** How long hosts over that number stay after nested runs needed them, ms. */
  lingerMs?: number;
  /** Starts a host process; tests put fakes here. */
  startHost?: StartHost;
  log?: (message: string) => void;
}

interface Ticket {
  job: ScriptJob;
  since: number;
  attempts: number;
  /** Its script waits for the network, and it has left its place to another run. */
  aside: boolean;
  resolve(outcome: ScriptOutcome): void;
  reject(reason: TagwrightError): void;
  /** Takes away the listener on the job's signal. */
  release(): void;
}

const MAX_ATTEMPTS = 3;
const MAX_START_FAILURES = 3;
const RETRY_MS = 20;
const STATUS_MS = 50;
/** A host that died is replaced this much later when another is idle: starting one would hold up what that one does. */
const REPLACE_MS = 40;
/** Nested runs mostly come again: starting a host for each would take 55 ms every time. */
const LINGER_MS = 5_000;
/** After so many failures to start a host, the next attempt is made this much later. */
const START_AGAIN_MS = 1_000;

/**
 * Runs scripts in separate processes: `count` at a time, others wait in order, and the runs that they cause have places
 * of their own (see Admission). Hosts are started by `start()` or by the first run, more for nested runs. A host whose
 * script broke it, or outlived its limits, is replaced (decision 4).
 */
export class ScriptHostPool implements ScriptRunner {
  readonly #start: StartHost;
  readonly #log: (message: string) => void;
  readonly #spares: number;
  readonly #hosts = new Set<ScriptHost>();
  readonly #watchdog = new Watchdog(this.#hosts);
  readonly #tickets = new Map<RunSession, Ticket>();
  readonly #listeners = new Set<(status: HostsStatus) => void>();
  readonly #admission: Admission<Ticket>;
  readonly #lingerMs: number;
  #memoryMb: number = DEFAULT_SETTINGS['limits.memoryMb'];
  #maxAside: number;
  #aside = 0;
  #restarts = 0;
  #startFailures = 0;
  #started = false;
  #closed: (() => void) | null = null;
  #statusTimer: NodeJS.Timeout | null = null;
  #refillTimer: NodeJS.Timeout | null = null;
  #refillAt = Infinity;
  /** When more hosts than are kept were last at work. */
  #lastPeak = -Infinity;

  constructor(options: ScriptHostPoolOptions) {
    this.#start = options.startHost ?? hostStarter(options);
    this.#log = options.log ?? (() => undefined);
    this.#admission = new Admission(options.count ?? DEFAULT_SETTINGS['hosts.count']);
    this.#maxAside = options.waiting ?? DEFAULT_SETTINGS['hosts.waiting'];
    this.#lingerMs = options.lingerMs ?? LINGER_MS;
    this.#watchdog.onRest(() => this.#watchdog.findHeavy((host) => this.#retire(host)));
    this.#spares = (options.spare ?? true) ? 1 : 0;
  }

  /** Starts the hosts, so that the first run need not wait for one. */
  start(): void {
    this.#started = true;
    this.#refill();
  }

  /** Changes how many runs are done at a time, and how many more may wait for the network. */
  resize(count: number, waiting = this.#maxAside): void {
    this.#admission.count = count;
    this.#maxAside = waiting;
    this.#lastPeak = -Infinity;
    if (this.#started) this.#dispatch();
  }

  run(job: ScriptJob): Promise<ScriptOutcome> {
    if (this.#closed !== null) return Promise.reject(unavailable('Tagwright is stopping'));
    const early = outcomeWithoutHost(job);
    if (early !== null) return Promise.resolve(early);
    this.#started = true;
    this.#memoryMb = job.limits.memoryMb;
    return new Promise((resolve, reject) => {
      const ticket: Ticket = {
        job,
        since: performance.now(),
        attempts: 0,
        aside: false,
        resolve,
        reject,
        release: () => undefined,
      };
      if (job.signal !== undefined) {
        const { signal } = job;
        const cancel = () => this.#cancel(ticket);
        signal.addEventListener('abort', cancel, { once: true });
        ticket.release = () => signal.removeEventListener('abort', cancel);
      }
      this.#admission.wait(ticket, depthOf(ticket));
      this.#dispatch();
    });
  }

  status(): HostsStatus {
    const queued = this.#admission.size;
    const status: HostsStatus = { idle: 0, busy: 0, starting: 0, restarts: this.#restarts };
    let waiting = 0;
    for (const { state, session } of this.#hosts) {
      if (state === 'dead') continue;
      status[state] += 1;
      if (session?.waitsForNetwork === true) waiting += 1;
    }
    return { ...status, ...(waiting > 0 && { waiting }), ...(queued > 0 && { queued }) };
  }

  /** Told soon after a change, at most 20 times a second. */
  onStatus(listener: (status: HostsStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends every host; runs that go on end as cancelled, those that wait are rejected. Resolves when no process is left. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      const before = this.#closed;
      this.#closed = () => {
        before?.();
        resolve();
      };
      this.#watchdog.stop();
      if (this.#statusTimer !== null) clearTimeout(this.#statusTimer);
      if (this.#refillTimer !== null) clearTimeout(this.#refillTimer);
      for (const ticket of this.#admission.dropAll()) this.#reject(ticket, 'Tagwright is stopping');
      for (const host of this.#hosts) host.stop('cancelled', stopping());
      if (this.#hosts.size === 0) this.#closed();
    });
  }

  /** Gives waiting runs to idle hosts, and starts hosts where they are missing. */
  #dispatch(): void {
    while (this.#closed === null) {
      const host = this.#idleHost();
      const ticket = host === null ? null : this.#admission.take();
      if (host === null || ticket === null) break;
      this.#assign(host, ticket);
    }
    this.#refillSoon();
    this.#changed();
  }

  /** The one that is idle longest: it has had the time to make the realm of its next run. */
  #idleHost(): ScriptHost | null {
    let longest: ScriptHost | null = null;
    for (const host of this.#hosts) {
      if (host.state === 'idle' && (longest === null || host.idleSince < longest.idleSince)) longest = host;
    }
    return longest;
  }

  #assign(host: ScriptHost, ticket: Ticket): void {
    const session = new RunSession(ticket.job, performance.now() - ticket.since, (waits) =>
      waits ? this.#stepAside(ticket) : this.#stepBack(ticket),
    );
    this.#tickets.set(session, ticket);
    host.run(session);
    if (this.#countHosts().busy > this.#kept) this.#lastPeak = performance.now();
    this.#watchdog.watch();
  }

  /** While a script waits for the network another run may have its place, and a host of its own. */
  #stepAside(ticket: Ticket): void {
    this.#changed();
    if (this.#aside >= this.#maxAside) return;
    this.#aside += 1;
    ticket.aside = true;
    this.#admission.leave(depthOf(ticket));
    if (this.#admission.size > 0) this.#dispatch();
  }

  #stepBack(ticket: Ticket): void {
    this.#changed();
    if (!ticket.aside) return;
    this.#aside -= 1;
    ticket.aside = false;
    this.#admission.enter(depthOf(ticket));
  }

  /** As #refill; later when a host is there to work meanwhile, since starting a process holds up this one. */
  #refillSoon(): void {
    const { alive, free, ready } = this.#countHosts();
    if (ready === 0 || free < this.#admission.ready()) this.#refill();
    else if (alive < this.#kept) this.#refillIn(REPLACE_MS);
    else if (alive > this.#kept) this.#refillIn(Math.max(REPLACE_MS, this.#lingering()));
  }

  /** Brings the number of hosts to what is needed: the pool, the spare, and one for every run that may begin. */
  #refill(): void {
    if (!this.#started || this.#closed !== null) return;
    let { alive, free } = this.#countHosts();
    const needed = this.#admission.ready();
    if (this.#startFailures < MAX_START_FAILURES) {
      for (; alive < this.#kept || free < needed; alive += 1, free += 1) {
        if (!this.#startOne()) break;
      }
    }
    if (alive <= this.#kept || needed > 0) return;
    if (this.#lingering() > 0) {
      this.#refillIn(this.#lingering());
      return;
    }
    for (const host of this.#hosts) {
      if (alive <= this.#kept) break;
      if (host.state !== 'idle') continue;
      host.kill();
      alive -= 1;
    }
  }

  /** How many hosts are kept while nothing runs. */
  get #kept(): number {
    return this.#admission.count + this.#spares;
  }

  /** How much longer hosts beyond those stay, in ms. */
  #lingering(): number {
    return this.#lastPeak + this.#lingerMs - performance.now();
  }

  #countHosts(): { alive: number; free: number; ready: number; busy: number } {
    const counted = { alive: 0, free: 0, ready: 0, busy: 0 };
    for (const { state } of this.#hosts) {
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
    if (at >= this.#refillAt) return;
    if (this.#refillTimer !== null) clearTimeout(this.#refillTimer);
    this.#refillAt = at;
    this.#refillTimer = setTimeout(() => {
      this.#refillTimer = null;
      this.#refillAt = Infinity;
      this.#refill();
    }, ms).unref();
  }

  #startOne(): boolean {
    try {
      const host = new ScriptHost(this.#start, this.#memoryMb, {
        ready: (ready) => this.#ready(ready),
        ended: (ended, session, outcome) => this.#ended(ended, session, outcome),
        unread: (_, session) => this.#again(session),
        exited: (gone, exit) => this.#exited(gone, exit),
      });
      this.#hosts.add(host);
      return true;
    } catch (thrown) {
      setTimeout(() => {
        this.#startFailed(messageOf(thrown));
        this.#dispatch();
      }, RETRY_MS);
      return false;
    }
  }

  #ready(host: ScriptHost): void {
    this.#startFailures = 0;
    this.#watchdog.measure(host);
    this.#dispatch();
  }

  #ended(host: ScriptHost, session: RunSession, outcome: ScriptOutcome): void {
    const ticket = this.#tickets.get(session);
    this.#tickets.delete(session);
    if (host.state === 'dead') this.#restarts += 1;
    else this.#watchdog.checkLater(host, () => this.#retire(host));
    if (ticket !== undefined) {
      this.#stepBack(ticket);
      this.#admission.leave(depthOf(ticket));
      ticket.release();
      ticket.resolve(outcome);
    }
    this.#dispatch();
  }

  /** A host that kept too much memory after its run makes room for a new one. */
  #retire(host: ScriptHost): void {
    if (host.state !== 'idle') return;
    host.kill();
    this.#dispatch();
  }

  #again(session: RunSession): void {
    const ticket = this.#tickets.get(session);
    this.#tickets.delete(session);
    this.#restarts += 1;
    if (ticket === undefined) return;
    ticket.attempts += 1;
    this.#admission.waitAgain(ticket, depthOf(ticket));
    if (ticket.attempts < MAX_ATTEMPTS) return;
    this.#admission.drop(ticket);
    this.#reject(ticket, 'script hosts end before they take the run; try again');
  }

  #exited(host: ScriptHost, exit: HostExit): void {
    this.#hosts.delete(host);
    if (this.#closed !== null) {
      if (this.#hosts.size === 0) this.#closed();
      return;
    }
    if (!host.wasReady) this.#startFailed(`${exit.how} ${exit.stderr}`);
    this.#dispatch();
  }

  #startFailed(reason: string): void {
    this.#startFailures += 1;
    this.#log(`a script host did not start: ${reason}`);
    if (this.#startFailures < MAX_START_FAILURES) return;
    // Where hosts are left, other runs can wait for them. Nested ones cannot: those hosts may wait for them.
    for (const ticket of this.#admission.dropAll(this.#hosts.size > 0 ? 1 : 0)) {
      this.#reject(ticket, `no script host can be started: ${reason.trim().slice(0, 500)}`);
    }
    if (this.#hosts.size > 0) {
      setTimeout(() => {
        this.#startFailures = 0;
        this.#dispatch();
      }, START_AGAIN_MS).unref();
      return;
    }
    // The next run tries again.
    this.#started = false;
    this.#startFailures = 0;
  }

  #cancel(ticket: Ticket): void {
    if (this.#admission.drop(ticket)) {
      const session = new RunSession(ticket.job, performance.now() - ticket.since);
      ticket.release();
      ticket.resolve(session.outcome('cancelled', cancelled()));
      return;
    }
    for (const host of this.#hosts) {
      if (host.session !== null && this.#tickets.get(host.session) === ticket) host.stop('cancelled', cancelled());
    }
  }

  #reject(ticket: Ticket, message: string): void {
    ticket.release();
    ticket.reject(unavailable(message));
  }

  #changed(): void {
    if (this.#listeners.size === 0 || this.#statusTimer !== null) return;
    this.#statusTimer = setTimeout(() => {
      this.#statusTimer = null;
      for (const listener of this.#listeners) listener(this.status());
    }, STATUS_MS);
  }
}

/** A job that needs no host to know how it ends. */
function outcomeWithoutHost(job: ScriptJob): ScriptOutcome | null {
  if (job.signal?.aborted === true) return new RunSession(job, 0).outcome('cancelled', cancelled());
  const bytes = Buffer.byteLength(job.body);
  return bytes > job.limits.bodyBytes ? new RunSession(job, 0).outcome('error', bodyTooLong(bytes, job.limits)) : null;
}

function depthOf({ job: { depth = 0 } }: Ticket): number {
  return depth;
}

function unavailable(message: string): TagwrightError {
  return new TagwrightError('UNAVAILABLE', message);
}

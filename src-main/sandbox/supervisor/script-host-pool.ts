import { DEFAULT_SETTINGS } from '#domain/settings';
import { messageOf, TagwrightError } from '../../platform/errors.ts';
import type { HostsStatus, ScriptJob, ScriptOutcome, ScriptRunner } from '../script-job.ts';
import { hostStarter, type HostExit, type HostFiles, type StartHost } from './host-process.ts';
import { bodyTooLong, cancelled, stopping } from './run-errors.ts';
import { RunSession } from './run-session.ts';
import { ScriptHost } from './script-host.ts';
import { Watchdog } from './watchdog.ts';

export interface ScriptHostPoolOptions extends HostFiles {
  /** Runs at a time; setting `hosts.count`. */
  count?: number;
  /** Keeps one host more than that, warm, which takes over from a killed one at once. */
  spare?: boolean;
  /** Starts a host process; tests put fakes here. */
  startHost?: StartHost;
  log?: (message: string) => void;
}

interface Ticket {
  job: ScriptJob;
  since: number;
  attempts: number;
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

/**
 * Runs scripts in separate processes: `count` at a time, others wait in order. Hosts are started by `start()` or by
 * the first run. A host whose script broke it, or outlived its limits, is replaced (decision 4).
 */
export class ScriptHostPool implements ScriptRunner {
  readonly #start: StartHost;
  readonly #log: (message: string) => void;
  readonly #spares: number;
  readonly #hosts = new Set<ScriptHost>();
  readonly #watchdog = new Watchdog(this.#hosts);
  readonly #tickets = new Map<RunSession, Ticket>();
  readonly #queue: Ticket[] = [];
  readonly #listeners = new Set<(status: HostsStatus) => void>();
  #count: number;
  #memoryMb: number = DEFAULT_SETTINGS['limits.memoryMb'];
  #restarts = 0;
  #startFailures = 0;
  #started = false;
  #closed: (() => void) | null = null;
  #statusTimer: NodeJS.Timeout | null = null;
  #replaceTimer: NodeJS.Timeout | null = null;

  constructor(options: ScriptHostPoolOptions) {
    this.#start = options.startHost ?? hostStarter(options);
    this.#log = options.log ?? (() => undefined);
    this.#count = options.count ?? DEFAULT_SETTINGS['hosts.count'];
    this.#watchdog.onRest(() => this.#watchdog.findHeavy((host) => this.#retire(host)));
    this.#spares = (options.spare ?? true) ? 1 : 0;
  }

  /** Starts the hosts, so that the first run need not wait for one. */
  start(): void {
    this.#started = true;
    this.#refill();
  }

  /** Changes how many runs are done at a time. */
  resize(count: number): void {
    this.#count = count;
    if (this.#started) this.#dispatch();
  }

  run(job: ScriptJob): Promise<ScriptOutcome> {
    if (this.#closed !== null) return Promise.reject(unavailable('Tagwright is stopping'));
    const early = outcomeWithoutHost(job);
    if (early !== null) return Promise.resolve(early);
    this.#started = true;
    this.#memoryMb = job.limits.memoryMb;
    return new Promise((resolve, reject) => {
      const ticket: Ticket = { job, since: performance.now(), attempts: 0, resolve, reject, release: () => undefined };
      if (job.signal !== undefined) {
        const { signal } = job;
        const cancel = () => this.#cancel(ticket);
        signal.addEventListener('abort', cancel, { once: true });
        ticket.release = () => signal.removeEventListener('abort', cancel);
      }
      if (job.nested === true) this.#queue.unshift(ticket);
      else this.#queue.push(ticket);
      this.#dispatch();
    });
  }

  status(): HostsStatus {
    const status: HostsStatus = { idle: 0, busy: 0, starting: 0, restarts: this.#restarts };
    for (const { state } of this.#hosts) if (state !== 'dead') status[state] += 1;
    return status;
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
      if (this.#replaceTimer !== null) clearTimeout(this.#replaceTimer);
      for (const ticket of this.#queue.splice(0)) this.#reject(ticket, 'Tagwright is stopping');
      for (const host of this.#hosts) host.stop('cancelled', stopping());
      if (this.#hosts.size === 0) this.#closed();
    });
  }

  /** Gives waiting runs to idle hosts, and starts hosts where they are missing. */
  #dispatch(): void {
    while (this.#queue.length > 0 && this.#closed === null) {
      const nested = this.#queue[0]?.job.nested === true;
      if (!nested && this.#tickets.size >= this.#count) break;
      const host = this.#idleHost();
      if (host === null) break;
      const ticket = this.#queue.shift();
      if (ticket !== undefined) this.#assign(host, ticket);
    }
    this.#refillSoon();
    this.#changed();
  }

  #idleHost(): ScriptHost | null {
    for (const host of this.#hosts) if (host.state === 'idle') return host;
    return null;
  }

  #assign(host: ScriptHost, ticket: Ticket): void {
    const session = new RunSession(ticket.job, performance.now() - ticket.since);
    this.#tickets.set(session, ticket);
    host.run(session);
    this.#watchdog.watch();
  }

  /** As #refill; later when a host is there to work meanwhile, since starting a process holds up this one. */
  #refillSoon(): void {
    let alive = 0;
    let ready = 0;
    for (const { state } of this.#hosts) {
      if (state !== 'dead') alive += 1;
      if (state === 'idle' || state === 'busy') ready += 1;
    }
    if (ready === 0 || this.#queue.some((ticket) => ticket.job.nested === true)) this.#refill();
    else if (alive !== this.#count + this.#spares) {
      this.#replaceTimer ??= setTimeout(() => {
        this.#replaceTimer = null;
        this.#refill();
      }, REPLACE_MS);
    }
  }

  /** Brings the number of hosts to what is needed: the pool, the spare, and one for every nested run that waits. */
  #refill(): void {
    if (!this.#started || this.#closed !== null) return;
    let alive = 0;
    let free = 0;
    for (const { state } of this.#hosts) {
      if (state === 'dead') continue;
      alive += 1;
      if (state !== 'busy') free += 1;
    }
    const nested = this.#queue.reduce((sum, ticket) => sum + (ticket.job.nested === true ? 1 : 0), 0);
    const wanted = this.#count + this.#spares;
    if (this.#startFailures < MAX_START_FAILURES) {
      for (; alive < wanted || free < nested; alive += 1, free += 1) {
        if (!this.#startOne()) break;
      }
    }
    for (const host of this.#hosts) {
      if (alive <= wanted || nested > 0) break;
      if (host.state !== 'idle') continue;
      host.kill();
      alive -= 1;
    }
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
    if (ticket.attempts < MAX_ATTEMPTS) this.#queue.unshift(ticket);
    else this.#reject(ticket, 'script hosts end before they take the run; try again');
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
    if (this.#startFailures < MAX_START_FAILURES || this.#hosts.size > 0) return;
    for (const ticket of this.#queue.splice(0)) {
      this.#reject(ticket, `no script host can be started: ${reason.trim().slice(0, 500)}`);
    }
    // The next run tries again.
    this.#started = false;
    this.#startFailures = 0;
  }

  #cancel(ticket: Ticket): void {
    const waiting = this.#queue.indexOf(ticket);
    if (waiting !== -1) {
      this.#queue.splice(waiting, 1);
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

function unavailable(message: string): TagwrightError {
  return new TagwrightError('UNAVAILABLE', message);
}

import type { HostsStatus } from '../script-run.ts';
import type { ScriptHost } from './script-host.ts';

interface PoolFacts {
  queued: number;
  held: number;
  waitingMost: number;
  restarts: number;
  violations: number;
  problem: string | null;
}

/** The status of the hosts, for people. */
export function statusOf(
  hosts: Iterable<ScriptHost>,
  { queued, held, waitingMost, restarts, violations, problem }: PoolFacts,
): HostsStatus {
  const status: HostsStatus = { idle: 0, busy: 0, starting: 0, restarts };
  let waiting = 0;
  for (const { state, session } of hosts) {
    if (state === 'dead') continue;
    // A preparing host has no run, and is not idle until its next realm is created.
    status[state === 'preparing' ? 'starting' : state] += 1;
    if (session?.waitsFor === 'network') waiting += 1;
  }
  return {
    ...status,
    ...(waiting > 0 && { waiting, waitingMost }),
    ...(queued > 0 && { queued }),
    ...(held > 0 && { held }),
    ...(violations > 0 && { protocolViolations: violations }),
    ...(problem !== null && { problem }),
  };
}

/** Maximum delay of a notification, ms. */
const STATUS_MS = 50;

/** Notifies of changes at most 20 times a second; without listeners it costs nothing. */
export class StatusNews {
  readonly #status: () => HostsStatus;
  readonly #listeners = new Set<(status: HostsStatus) => void>();
  #timer: NodeJS.Timeout | null = null;

  constructor(status: () => HostsStatus) {
    this.#status = status;
  }

  /** Returns a function that removes the listener. */
  add(listener: (status: HostsStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  changed(): void {
    if (this.#listeners.size === 0 || this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      for (const listener of this.#listeners) listener(this.#status());
    }, STATUS_MS);
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}

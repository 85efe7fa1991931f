import type { HubStatus } from '#domain/event/hub';
import type { EventsApiStatus } from '#domain/mock/api-request';
import type { RestoreOutcome } from '#domain/workspace/backup';
import type { OsSandboxState } from '#domain/workspace/os-sandbox';
import type { ScriptSummary } from '#domain/run/script';
import type { Clock } from '../../platform/clock.ts';
import { Listeners } from '../../platform/events.ts';
import type { HostsStatus } from '../../scripting/sandbox/script-run.ts';

export interface InstanceInfo {
  version: string;
  /** The folder of the workspace. */
  workspace: string;
  pid: number;
  /** The base URL of the events API, and why it does not listen where it should. */
  eventsApi: string | null;
  eventsApiProblem: string | null;
  ui: string | null;
  startedAt: string;
  restored: RestoreOutcome | null;
  sandbox: OsSandboxState;
}

export interface InstanceStatus {
  hosts: HostsStatus;
  /** When a script was last saved, RFC 3339 in UTC. */
  lastSavedAt: string | null;
  eventsApi: EventsApiStatus;
  /** Absent if no hub is set. */
  hub?: HubStatus;
}

/** How browsers reach the workbench. */
export interface ServedUi {
  /** null: not at all. */
  url: string | null;
  signOut(): number;
}

export interface AppServiceParts {
  version: string;
  workspace: string;
  clock: Clock;
  hosts: { status(): HostsStatus; onStatus(listener: (status: HostsStatus) => void): () => void };
  /** The processes that run SQL. */
  plant: { readonly violations: number; onViolation(listener: () => void): () => void };
  scripts: {
    list(): { scripts: readonly Pick<ScriptSummary, 'savedAt'>[] };
    /** Throws if it was deleted. */
    get(ref: { id: number }): Pick<ScriptSummary, 'savedAt'>;
    onChange(listener: (change: { scriptId: number | null }) => void): () => void;
  };
  eventsApi: { status(): EventsApiStatus; onStatus(listener: () => void): () => void };
  hub: { status(): HubStatus; onStatus(listener: () => void): () => void };
  /** The current OS sandbox of the hosts. */
  sandbox: { readonly known: Promise<void>; readonly state: OsSandboxState };
  /** The result of the restore with which the workspace was opened. */
  restored?: RestoreOutcome | undefined;
}

const latestOf = (last: string | null, { savedAt }: { savedAt: string }): string =>
  last !== null && last > savedAt ? last : savedAt;

/** The description and status of this instance: the status bar of the workbench. */
export class AppService {
  readonly #parts: AppServiceParts;
  readonly #startedAt: string;
  readonly #changes = new Listeners<InstanceStatus>();
  readonly #unsubscribe: (() => void)[];
  #ui: ServedUi | null = null;
  /** When a script was last saved; null if it must be read again: thousands of scripts take ms to list. */
  #lastSavedAt: { at: string | null } | null = null;

  constructor(parts: AppServiceParts) {
    this.#parts = parts;
    this.#startedAt = parts.clock.iso();
    const changed = () => this.#changes.emit(this.#current());
    this.#unsubscribe = [
      parts.hosts.onStatus(changed),
      parts.plant.onViolation(changed),
      parts.scripts.onChange(({ scriptId }) => {
        this.#lastSavedAt = scriptId === null ? null : this.#afterChange(scriptId);
        changed();
      }),
      parts.eventsApi.onStatus(changed),
      parts.hub.onStatus(changed),
    ];
  }

  /** The same once the OS sandbox of the hosts is known. */
  async settledInfo(): Promise<InstanceInfo> {
    await this.#parts.sandbox.known;
    return this.info();
  }

  info(): InstanceInfo {
    const { url, problem } = this.#parts.eventsApi.status();
    return {
      version: this.#parts.version,
      workspace: this.#parts.workspace,
      pid: process.pid,
      eventsApi: url,
      eventsApiProblem: problem,
      ui: this.#ui?.url ?? null,
      startedAt: this.#startedAt,
      restored: this.#parts.restored ?? null,
      sandbox: this.#parts.sandbox.state,
    };
  }

  /** Sets the address of the workbench, once a host serves it to browsers. */
  announceUi(ui: ServedUi): void {
    this.#ui = ui;
  }

  /** Ends the sessions of all browsers, with their windows, and all unused links. */
  signOut(): { sessions: number } {
    return { sessions: this.#ui?.signOut() ?? 0 };
  }

  /** The state at once, then the newest state after every change, until the signal aborts. */
  async *status(signal: AbortSignal): AsyncGenerator<InstanceStatus> {
    let wake = Promise.withResolvers<void>();
    const nudge = () => wake.resolve();
    const unsubscribe = this.#changes.add(nudge);
    signal.addEventListener('abort', nudge, { once: true });
    try {
      while (!signal.aborted) {
        yield this.#current();
        await wake.promise;
        wake = Promise.withResolvers();
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', nudge);
    }
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
  }

  #current(): InstanceStatus {
    this.#lastSavedAt ??= { at: this.#parts.scripts.list().scripts.reduce(latestOf, null as string | null) };
    const hub = this.#parts.hub.status();
    return {
      hosts: this.#hosts(),
      lastSavedAt: this.#lastSavedAt.at,
      eventsApi: this.#parts.eventsApi.status(),
      ...(hub.state !== 'off' && { hub }),
    };
  }

  #afterChange(id: number): { at: string | null } | null {
    if (this.#lastSavedAt === null) return null;
    try {
      return { at: latestOf(this.#lastSavedAt.at, this.#parts.scripts.get({ id })) };
    } catch {
      // It was deleted.
      return null;
    }
  }

  /** Hosts of both kinds that broke their protocol are counted together. */
  #hosts(): HostsStatus {
    const status = this.#parts.hosts.status();
    const violations = (status.protocolViolations ?? 0) + this.#parts.plant.violations;
    return { ...status, ...(violations > 0 && { protocolViolations: violations }) };
  }
}

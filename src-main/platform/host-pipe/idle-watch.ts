import { processReader, type ProcessReader } from './process-reader.ts';

const MB = 1024 * 1024;
/** An idle host sleeps. If one uses more than this share of a processor, it is doing something on its own. */
const MAX_SHARE = 0.3;

/** A host process that is idle until main gives it something to do. */
export interface IdleHost {
  readonly pid: number | null;
  /** `idle` if main waits for nothing from it. */
  readonly state: string;
  /** When it became idle, ms of a monotonic clock. */
  readonly idleSince: number;
  /** Maximum memory of its process. */
  readonly memoryCapBytes: number;
  /** Ends it. */
  giveUp(reason: string): void;
}

interface Look {
  at: number;
  processorMs: number;
  /** When the host became idle, which distinguishes this idle time from the next. */
  idleSince: number;
}

/** Ends idle hosts that use processor time or memory: code of an ended run, or of an intruder. */
export class IdleWatch<Host extends IdleHost> {
  readonly #hosts: ReadonlySet<Host>;
  readonly #processes: ProcessReader;
  readonly #idle: (host: Host) => void;
  readonly #looks = new WeakMap<Host, Look>();
  #timer: NodeJS.Timeout | null = null;

  /** @param idle called with every idle host, about once a second */
  constructor(
    hosts: ReadonlySet<Host>,
    processes: ProcessReader = processReader(),
    idle: (host: Host) => void = () => undefined,
  ) {
    this.#hosts = hosts;
    this.#idle = idle;
    this.#processes = processes;
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#look(), this.#processes.idleIntervalMs).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    for (const host of this.#hosts) {
      if (host.state === 'idle') this.#idle(host);
      const { pid, idleSince } = host;
      if (host.state !== 'idle' || pid === null) continue;
      this.#processes.usage(pid, (bytes, processorMs) => {
        if (host.state === 'idle' && host.idleSince === idleSince) this.#check(host, bytes, processorMs);
      });
    }
  }

  #check(host: Host, bytes: number, processorMs: number): void {
    const { idleSince } = host;
    const at = performance.now();
    const last = this.#looks.get(host);
    this.#looks.set(host, { at, processorMs, idleSince });
    if (bytes > host.memoryCapBytes) {
      host.giveUp(`held ${Math.round(bytes / MB)} MB while it was idle`);
      return;
    }
    if (last === undefined || last.idleSince !== idleSince) return;
    const used = processorMs - last.processorMs;
    if (used > (at - last.at) * MAX_SHARE)
      host.giveUp(`used ${Math.round(used)} ms of processor time while it was idle`);
  }
}

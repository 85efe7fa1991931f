import { processReader, type ProcessReader } from './process-reader.ts';
import type { ScriptHost } from './script-host.ts';

const MB = 1024 * 1024;
/** A host without a run sleeps. If one uses more than this share of a processor, it is doing something on its own. */
const MAX_SHARE = 0.3;

interface Look {
  at: number;
  processorMs: number;
  /** When the host became idle, which distinguishes this idle time from the next. */
  idleSince: number;
}

/** Ends hosts that use processor time or memory without a run: code of an ended run, or of an intruder. */
export class IdleWatch {
  readonly #hosts: ReadonlySet<ScriptHost>;
  readonly #processes: ProcessReader;
  readonly #idle: (host: ScriptHost) => void;
  readonly #looks = new WeakMap<ScriptHost, Look>();
  #timer: NodeJS.Timeout | null = null;

  /** @param idle called with every idle host, about once a second */
  constructor(
    hosts: ReadonlySet<ScriptHost>,
    processes: ProcessReader = processReader(),
    idle: (host: ScriptHost) => void = () => undefined,
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

  #check(host: ScriptHost, bytes: number, processorMs: number): void {
    const { idleSince } = host;
    const at = performance.now();
    const last = this.#looks.get(host);
    this.#looks.set(host, { at, processorMs, idleSince });
    if (bytes > host.memoryCapBytes) {
      host.giveUp(`held ${Math.round(bytes / MB)} MB without a run`);
      return;
    }
    if (last === undefined || last.idleSince !== idleSince) return;
    const used = processorMs - last.processorMs;
    if (used > (at - last.at) * MAX_SHARE) host.giveUp(`used ${Math.round(used)} ms of processor time without a run`);
  }
}

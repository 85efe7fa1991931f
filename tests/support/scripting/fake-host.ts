import { setImmediate } from 'node:timers';
import { onTestFinished } from 'vitest';
import { encodeFrame, FrameReader } from '../../../src-main/platform/host-pipe/frames.ts';
import { FROM_HOST, TO_HOST, type RunStart } from '../../../src-main/scripting/sandbox/protocol/messages.ts';
import type { HostExit } from '../../../src-main/scripting/sandbox/supervisor/run-errors.ts';
import type {
  HostEvents,
  HostProcess,
  StartHost,
} from '../../../src-main/scripting/sandbox/supervisor/host-process.ts';
import {
  ScriptHostPool,
  type ScriptHostPoolOptions,
} from '../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';

/** A script host without a process. A test decides what it sends. */
export class FakeHost implements HostProcess {
  readonly pid: number | null;
  unsent = 0;
  readonly runs: RunStart[] = [];
  readonly answers: string[] = [];
  killed = false;
  /** Whether it reads a run as soon as it gets it. */
  reads = true;
  /** How often main has asked for a report. */
  checks = 0;
  #prepared = false;
  #checked = false;
  #reported = false;
  onAnswer: (response: string) => void = () => undefined;
  readonly #events: HostEvents;
  readonly #reader = new FrameReader(() => 1e8);
  readonly #onRun: (host: FakeHost, request: RunStart) => void;

  constructor(events: HostEvents, onRun: (host: FakeHost, request: RunStart) => void, pid: number | null = null) {
    this.pid = pid;
    this.#events = events;
    this.#onRun = onRun;
  }

  write(frame: Buffer): void {
    this.#reader.push(frame, (type, text) => {
      if (type === TO_HOST.check) {
        this.checks += 1;
        this.#checked = !this.#prepared;
        if (this.#prepared && !this.#reported) setImmediate(() => this.say(FROM_HOST.ready));
      } else if (type === TO_HOST.response) {
        this.answers.push(text);
        setImmediate(() => this.onAnswer(text));
      } else {
        const request: RunStart = JSON.parse(text);
        this.runs.push(request);
        this.#prepared = false;
        setImmediate(() => this.#onRun(this, request));
      }
      return true;
    });
  }

  kill(): void {
    if (this.killed) return;
    this.killed = true;
    setImmediate(() => this.#events.exit({ how: 'SIGKILL', stderr: '', unread: !this.reads }));
  }

  say(type: number, text = ''): void {
    this.#events.data(encodeFrame(type, text));
  }

  sayBytes(bytes: Buffer): void {
    this.#events.data(bytes);
  }

  /** The end of a run; the next realm takes longer to create. */
  ends(result: unknown): void {
    this.say(FROM_HOST.done, JSON.stringify({ status: 'ok', dropped: 0, result }));
  }

  returns(result: unknown): void {
    this.ends(result);
    this.prepares();
  }

  /** The next realm exists, which it reports when main has asked for it, and if it took long. */
  prepares({ late = false } = {}): void {
    this.#prepared = true;
    this.#reported = late;
    if (this.#checked || late) this.say(FROM_HOST.ready);
    this.#checked = false;
  }

  dies(exit: Partial<HostExit> = {}): void {
    this.killed = true;
    this.#events.exit({ how: 'exit code 1', stderr: '', unread: false, ...exit });
  }
}

/** Starts fake hosts that become ready in the next turn, and collects them for the test. */
export function fakeHosts(onRun: (host: FakeHost, request: RunStart) => void): {
  start: StartHost;
  hosts: FakeHost[];
} {
  const hosts: FakeHost[] = [];
  const start: StartHost = (events) => {
    const host = new FakeHost(events, onRun);
    hosts.push(host);
    setImmediate(() => {
      if (!host.killed) host.say(FROM_HOST.ready);
    });
    return host;
  };
  return { start, hosts };
}

/** A pool that starts its other hosts at once, and is closed after the test. */
export function poolWith(options: Partial<ScriptHostPoolOptions>): ScriptHostPool {
  const pool = new ScriptHostPool({ hostFile: '', nodeBinary: '', aloneMs: 0, count: 1, ...options });
  onTestFinished(() => pool.close());
  return pool;
}

/** The same without a spare host, if not requested; additional hosts end at once. */
export function poolOf(startHost: StartHost, count = 1, spare = false, log?: (line: string) => void): ScriptHostPool {
  return poolWith({ startHost, count, spare, lingerMs: 0, ...(log && { log }) });
}

import { setImmediate } from 'node:timers';
import { encodeFrame, FrameReader } from '../../src-main/platform/host-pipe/frames.ts';
import { FROM_HOST, TO_HOST, type RunStart } from '../../src-main/scripting/sandbox/protocol/messages.ts';
import type {
  HostEvents,
  HostExit,
  HostProcess,
  StartHost,
} from '../../src-main/scripting/sandbox/supervisor/host-process.ts';

/** A script host without a process. A test decides what it sends. */
export class FakeHost implements HostProcess {
  readonly pid: number | null;
  unsent = 0;
  readonly runs: RunStart[] = [];
  readonly answers: string[] = [];
  killed = false;
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
      if (type === TO_HOST.response) {
        this.answers.push(text);
        setImmediate(() => this.onAnswer(text));
      } else {
        const request: RunStart = JSON.parse(text);
        this.runs.push(request);
        setImmediate(() => this.#onRun(this, request));
      }
      return true;
    });
  }

  kill(): void {
    if (this.killed) return;
    this.killed = true;
    setImmediate(() => this.#events.exit({ how: 'SIGKILL', stderr: '', unread: false }));
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
    this.say(FROM_HOST.ready);
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

import type { RunError, RunStatus } from '#domain/run';
import { encodeFrame, encodeHeader, FrameError, FrameReader } from '../protocol/frames.ts';
import { FROM_HOST, payloadLimit, TO_HOST } from '../protocol/messages.ts';
import type { ScriptOutcome } from '../script-job.ts';
import { ProtocolError, type CheckedRunEnd } from './check-message.ts';
import type { HostExit, HostProcess, StartHost } from './host-process.ts';
import { crashed, diedOfMemory, overMemory, protocolBroken } from './run-errors.ts';
import type { RunSession, SendAnswer } from './run-session.ts';

export interface HostListener {
  /** It can take its first run. */
  ready(host: ScriptHost): void;
  /** A run ended; the host is idle again, or dead. */
  ended(host: ScriptHost, session: RunSession, outcome: ScriptOutcome): void;
  /** It died without having read the run it was given: that run can be given to another host. */
  unread(host: ScriptHost, session: RunSession): void;
  /** The process is gone, for whatever reason; called once. */
  exited(host: ScriptHost, exit: HostExit): void;
}

type State = 'starting' | 'idle' | 'busy' | 'dead';

/** One host process and the run in it. What it sends is believed in nothing. */
export class ScriptHost {
  readonly #listener: HostListener;
  readonly #reader = new FrameReader((type) => payloadLimit(type, this.#session?.job.limits.resultBytes ?? 0));
  readonly #process: HostProcess;
  #state: State = 'starting';
  #session: RunSession | null = null;
  #ready = false;
  // Made once: a run may make 40,000 calls a second.
  readonly #onFrame = (type: number, text: string): boolean => {
    this.#frame(type, text);
    return this.#state !== 'dead';
  };
  readonly #send: SendAnswer = (answer, image) => {
    if (image !== null) {
      this.#process.write(encodeHeader(TO_HOST.image, image.length));
      this.#process.write(image);
    }
    this.#process.write(encodeFrame(TO_HOST.answer, answer));
  };
  /** Resident memory in bytes when it was ready; 0 until then, and where it is not known. */
  baselineBytes = 0;
  /** When its last run ended, ms of a monotonic clock; 0 before its first. */
  idleSince = 0;

  constructor(start: StartHost, memoryMb: number, listener: HostListener) {
    this.#listener = listener;
    this.#process = start({ data: (chunk) => this.#receive(chunk), exit: (exit) => this.#exited(exit) }, memoryMb);
  }

  get state(): State {
    return this.#state;
  }

  /** Whether it ever became ready. */
  get wasReady(): boolean {
    return this.#ready;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  get session(): RunSession | null {
    return this.#session;
  }

  /** Gives an idle host a run. */
  run(session: RunSession): void {
    this.#state = 'busy';
    this.#session = session;
    this.#process.write(encodeFrame(TO_HOST.run, JSON.stringify(session.request())));
  }

  /** Ends the run in it with this status, and the process with it. */
  stop(status: RunStatus, error: RunError): void {
    const session = this.#session;
    this.kill();
    if (session !== null) this.#end(session, session.outcome(status, error));
  }

  /** Ends the process; what it still sends is not read. */
  kill(): void {
    this.#state = 'dead';
    this.#process.kill();
  }

  #receive(chunk: Buffer): void {
    if (this.#state === 'dead') return;
    try {
      this.#reader.push(chunk, this.#onFrame);
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError || thrown instanceof FrameError)) throw thrown;
      this.stop('crashed', protocolBroken(thrown.message));
    }
  }

  #frame(type: number, text: string): void {
    const session = this.#session;
    if (session !== null) {
      const end = session.receive(type, text, this.#send);
      if (end !== null) this.#finish(session, end);
      return;
    }
    if (this.#state !== 'starting' || type !== FROM_HOST.ready) {
      throw new ProtocolError(`a frame of type ${type} outside of a run`);
    }
    this.#state = 'idle';
    this.#ready = true;
    this.#listener.ready(this);
  }

  #finish(session: RunSession, end: CheckedRunEnd): void {
    const outcome = session.outcomeOf(end);
    if (end.status === 'timeout' || end.status === 'memory') this.kill();
    else this.#state = 'idle';
    this.#end(session, outcome);
  }

  #end(session: RunSession, outcome: ScriptOutcome): void {
    session.close();
    this.#session = null;
    this.idleSince = performance.now();
    this.#listener.ended(this, session, outcome);
  }

  #exited(exit: HostExit): void {
    const session = this.#session;
    const wasDead = this.#state === 'dead';
    this.#state = 'dead';
    if (session !== null && !wasDead) {
      if (exit.unread && !session.heard) {
        this.#session = null;
        session.close();
        this.#listener.unread(this, session);
      } else if (diedOfMemory(exit)) {
        this.#end(session, session.outcome('memory', overMemory(session.job.limits)));
      } else {
        this.#end(session, session.outcome('crashed', crashed(exit)));
      }
    }
    this.#listener.exited(this, exit);
  }
}

import { Duplex } from 'node:stream';
import type { RunError, RunStatus } from '#domain/run/run';
import {
  encodeFrame,
  encodeHeader,
  FrameError,
  FrameReader,
  listenFairly,
} from '../../../platform/host-pipe/frames.ts';
import { doneLimit, FROM_HOST, PAYLOAD_LIMITS, TO_HOST } from '../protocol/messages.ts';
import { checkCost, ProtocolError } from '../../../platform/host-pipe/checks.ts';
import type { ScriptOutcome } from '../script-run.ts';
import { BusyPoll } from '../../../platform/host-pipe/busy-poll.ts';
import { type CheckedRunEnd, checkLast } from './check-message.ts';
import { HOST_PIPE, hostCommand, type HostFiles, hostSandbox, isolatedVmOf, processMemory } from './host-command.ts';
import type { HostEvents, HostProcess, StartHost } from './host-process.ts';
import type { ConfinedCommand } from '../../../platform/os-sandbox/confined-command.ts';
import type { OsSandbox } from '../../../platform/os-sandbox/os-sandbox.ts';
import { LongFrame } from './long-frame.ts';
import { crashed, diedOfMemory, type HostExit, overMemory, protocolBroken } from './run-errors.ts';
import { COST_LIMIT, type RunSession, type SendResponse } from './run-session.ts';

export interface HostListener {
  /** It has created the realm of its first run. */
  ready(host: ScriptHost): void;
  /** It has created the realm of its next run, and has no run. */
  prepared(host: ScriptHost): void;
  /** It sent a frame that none of our hosts sends, and is ended. */
  violated(host: ScriptHost, what: string): void;
  /** A run ended; the host creates its next realm, or is dead. */
  ended(host: ScriptHost, session: RunSession, outcome: ScriptOutcome): void;
  /** It misbehaved between two runs, and was ended. */
  givenUp(host: ScriptHost, reason: string): void;
  /** It ended without reading its run: that run can be given to another host. */
  unread(host: ScriptHost, session: RunSession): void;
  /** The process has ended, for whatever reason; called once. */
  exited(host: ScriptHost, exit: HostExit): void;
}

/** Creating the next realm takes a host 1 ms, and longer if it releases much memory. */
export const PREPARE_MS = 2_000;

const MB = 1024 * 1024;
/** The memory of a host besides the script's own: the texts of a large result in transit, and garbage. */
const SLACK_BYTES = 96 * MB;
/** By default, no result is longer. */
const LARGE_BYTES = 16 * MB;

/** `preparing`: its run has ended, and it creates the realm of the next one. */
type State = 'starting' | 'preparing' | 'idle' | 'busy' | 'dead';

/** One host process and its run. Nothing it sends is trusted. */
export class ScriptHost {
  readonly #listener: HostListener;
  readonly #reader = new FrameReader(
    (type) => this.#limitOf(type),
    (type, payload) => {
      if (isJson(type)) checkCost(payload, COST_LIMIT);
    },
    { has: isJson, take: (type, payload, rest) => this.#takeLong(type, payload, rest) },
  );
  /** The long frame that is read now. */
  #long: { type: number; frame: LongFrame; exit: HostExit | null } | null = null;
  readonly #process: HostProcess;
  readonly #poll = new BusyPoll();
  #state: State = 'starting';
  #session: RunSession | null = null;
  #ready = false;
  #realmLess = true;
  /** It was asked to report the realm of its next run, and sends nothing before that. */
  #reports = true;
  /** When it was asked, ms of a monotonic clock. */
  #askedAt = 0;
  /** How its run ends unless the host, which was killed, had not read it. */
  #verdict: { status: RunStatus; error: RunError } | null = null;
  #startFault: string | null = null;
  // Created once: a run may make 40,000 calls a second.
  readonly #onFrame = (type: number, text: string, after: number): boolean => {
    checkLast(type, after);
    this.#frame(type, text);
    return this.#state !== 'dead';
  };
  readonly #send: SendResponse = (response, bytes, ahead, reading = null) => {
    if (bytes !== null) {
      this.#process.write(encodeHeader(TO_HOST.bytes, bytes.length));
      this.#process.write(bytes);
    }
    let frame = encodeFrame(TO_HOST.response, response);
    // In one piece: each write may wake the host.
    if (reading !== null) frame = Buffer.concat([encodeFrame(TO_HOST.clock, String(reading)), frame]);
    if (ahead !== null) frame = Buffer.concat([encodeFrame(TO_HOST.ahead, ahead), frame]);
    this.#process.write(frame);
    this.#poll.responded();
  };
  readonly #checkIfFree = (): void => {
    if (this.#state === 'preparing') this.#askForReport();
  };
  /** Resident memory in bytes when it was ready; 0 until then, and if unknown. */
  baselineBytes = 0;
  /** Resident memory in bytes when it was last read; 0 if unknown. */
  bytes = 0;
  /** How many runs it was given, and the time of the first, ms of a monotonic clock; Infinity before that. */
  runs = 0;
  usedSince = Infinity;
  /** It sent a text whose remains in its memory would count as the next run's. */
  hadLargeText = false;
  /** When its last run ended, ms of a monotonic clock; 0 before its first. */
  idleSince = 0;
  #memoryMb: number;

  constructor(start: StartHost, memoryMb: number, listener: HostListener) {
    this.#listener = listener;
    this.#memoryMb = memoryMb;
    this.#process = start({ data: (chunk) => this.#receive(chunk), exit: (exit) => this.#exited(exit) }, memoryMb);
  }

  get state(): State {
    return this.#state;
  }

  /** Whether it ever became ready. */
  get wasReady(): boolean {
    return this.#ready;
  }

  /** The memory limit of its process: the memory of the script, its initial memory, and texts in transit. */
  get memoryCapBytes(): number {
    return this.#memoryMb * MB + this.baselineBytes + SLACK_BYTES;
  }

  get pid(): number | null {
    return this.#process.pid;
  }

  get session(): RunSession | null {
    return this.#session;
  }

  /**
   * Since when it has been creating the realm of its next run, even if it already got that run, or when it was asked
   * to report that; null when the realm exists.
   */
  get preparingSince(): number | null {
    return this.#realmLess && this.#ready && this.#state !== 'dead' ? Math.max(this.idleSince, this.#askedAt) : null;
  }

  /**
   * Whether it has a run that it may not have begun: it got the run while it was creating the realm, was not asked to
   * report, and has sent nothing since.
   */
  get mayNotHaveBegun(): boolean {
    return this.#session !== null && this.#realmLess && !this.#reports;
  }

  /**
   * Gives a run to a host that is idle, or preparing: it reads the run when its realm exists. A preparing host reports
   * that moment only if creating the realm took long, or with `report`, which wakes both processes once more.
   */
  run(session: RunSession, { report = false } = {}): void {
    if (report || session.run.limits.memoryMb !== this.#memoryMb) this.#askForReport();
    this.#state = 'busy';
    this.#session = session;
    this.runs += 1;
    if (this.runs === 1) this.usedSince = performance.now();
    if (!this.#realmLess) this.#limitMemory(session);
    this.#process.write(encodeFrame(TO_HOST.run, JSON.stringify(session.request())));
    this.#poll.began();
  }

  /** Ends its run with this status, and the process. */
  stop(status: RunStatus, error: RunError): void {
    const session = this.#session;
    this.kill();
    if (session !== null) this.#end(session, session.outcome(status, error));
  }

  /** The same for a run that it may not have begun: if it has not read the run, another host gets it. */
  stopUnlessUnread(status: RunStatus, error: RunError): void {
    this.#verdict = { status, error };
    this.kill();
  }

  /** Ends a host that misbehaves between two runs. A run that it was already given goes to another host. */
  giveUp(reason: string): void {
    this.kill();
    this.#listener.givenUp(this, reason);
    if (this.#session !== null) this.#returnUnread(this.#session);
  }

  /** The same for a host that takes too long to create its next realm. */
  giveUpPreparing(): void {
    this.giveUp(`took more than ${PREPARE_MS} ms to create its next realm`);
  }

  /** Ends a host that does not become ready. */
  giveUpStart(reason: string): void {
    this.#startFault = reason;
    this.kill();
  }

  /** Why it was ended during its start; null if it was not. */
  get startFault(): string | null {
    return this.#startFault;
  }

  /** Ends the process; what it still sends is not read. */
  kill(): void {
    this.#state = 'dead';
    const exit = this.#long?.exit ?? null;
    this.#long?.frame.drop();
    this.#long = null;
    this.#process.kill();
    if (exit !== null) setImmediate(() => this.#exited(exit));
  }

  /** Whether its run has ended, and the end is being read. */
  get isEnding(): boolean {
    return this.#long?.type === FROM_HOST.done;
  }

  #receive(chunk: Buffer): void {
    this.#poll.arrived();
    if (this.#state === 'dead') return;
    this.#orEnd(() => {
      if (!this.#realmLess) this.#requireRead();
      if (this.#long === null) this.#reader.push(chunk, this.#onFrame);
      else this.#long.frame.hold(chunk);
      if (this.#session?.isWaiting) this.#poll.waits();
    });
  }

  /** Ends this host if it sent something that none of our hosts sends. */
  #orEnd(read: () => void): void {
    try {
      read();
    } catch (thrown) {
      if (!(thrown instanceof ProtocolError || thrown instanceof FrameError)) throw thrown;
      this.#listener.violated(this, thrown.message);
      if (!this.#realmLess) {
        this.stop('crashed', protocolBroken(thrown.message));
        return;
      }
      this.kill();
      if (this.#session !== null) this.#returnUnread(this.#session);
    }
  }

  #limitOf(type: number): number {
    if (this.#realmLess && type === FROM_HOST.ready) return 0;
    if (this.#reports || this.#session === null) throw new ProtocolError(`a frame of type ${type} outside of a run`);
    if (this.#realmLess) this.#requireRead();
    if (type === FROM_HOST.done) return doneLimit(this.#session.run.limits.resultBytes);
    return PAYLOAD_LIMITS[type] ?? -1;
  }

  /**
   * Our hosts read a run before they send anything about it, and a response before they continue. While it creates a
   * realm, it has not yet read a run that it was already given.
   */
  #requireRead(): void {
    if (this.#process.unsent > 0) throw new ProtocolError('a frame before it had read its input');
  }

  #frame(type: number, text: string): void {
    if (this.#realmLess && type === FROM_HOST.ready) {
      this.#prepared();
      return;
    }
    const session = this.#session;
    const end = session?.receive(type, text, this.#send) ?? null;
    this.#realmLess = false;
    if (session !== null && end !== null) this.#finish(session, end);
  }

  /** A long frame is read in turns with everything else. What the host sends in the meantime, and its exit, come after it. */
  #takeLong(type: number, payload: Buffer, rest: Buffer): void {
    checkLast(type, rest.length);
    const session = this.#session;
    const rules = session?.beginLong(type, payload, this.#send) ?? null;
    if (payload.length > LARGE_BYTES) this.hadLargeText = true;
    const wasRealmLess = this.#realmLess;
    this.#realmLess = false;
    if (session === null || rules === null) return;
    const frame = new LongFrame(rules);
    const long = { type, frame, exit: null };
    this.#long = long;
    frame.hold(rest);
    const settle = (read: () => void) => {
      if (this.#long === long) this.#endLong(read);
    };
    frame.read(payload).then(
      (value) =>
        settle(() => {
          const end = session.receiveLong(type, value, this.#send);
          if (end !== null) this.#finish(session, end);
        }),
      (thrown: unknown) =>
        settle(() => {
          this.#realmLess = wasRealmLess;
          throw thrown;
        }),
    );
  }

  #endLong(read: () => void): void {
    const { frame, exit } = this.#long ?? {};
    this.#long = null;
    this.#orEnd(read);
    if (frame && frame.later.length > 0) this.#receive(frame.later);
    if (exit) this.#exited(exit);
  }

  #askForReport(): void {
    if (!this.#realmLess || this.#reports) return;
    this.#reports = true;
    this.#askedAt = performance.now();
    this.#process.write(encodeFrame(TO_HOST.check, ''));
  }

  #limitMemory({ run }: RunSession): void {
    const { memoryMb } = run.limits;
    if (memoryMb === this.#memoryMb) return;
    this.#memoryMb = memoryMb;
    this.#process.allowMemory?.(memoryMb);
  }

  #prepared(): void {
    const isLate = this.mayNotHaveBegun && (this.#session?.elapsed(performance.now()).scriptMs ?? 0) > PREPARE_MS;
    if (isLate) {
      this.giveUpPreparing();
      return;
    }
    this.#realmLess = false;
    this.#reports = false;
    if (this.#session !== null) {
      this.#limitMemory(this.#session);
      this.#session.begin();
      return;
    }
    this.#state = 'idle';
    const first = !this.#ready;
    this.#ready = true;
    if (first) this.#listener.ready(this);
    else this.#listener.prepared(this);
  }

  #finish(session: RunSession, end: CheckedRunEnd): void {
    const outcome = session.outcomeOf(end);
    if (end.status === 'timeout' || end.status === 'memory') this.kill();
    else {
      this.#state = 'preparing';
      this.#realmLess = true;
    }
    this.#end(session, outcome);
    // Not at once: the next run usually follows the result, and then needs no report.
    if (this.#state === 'preparing') setImmediate(this.#checkIfFree);
  }

  #end(session: RunSession, outcome: ScriptOutcome): void {
    session.close();
    this.#session = null;
    this.#poll.ended();
    this.idleSince = performance.now();
    this.#listener.ended(this, session, outcome);
  }

  #returnUnread(session: RunSession): void {
    session.close();
    this.#session = null;
    this.#listener.unread(this, session);
  }

  #exited(exit: HostExit): void {
    if (this.#long !== null) return void (this.#long.exit = exit);
    const session = this.#session;
    const verdict = this.#verdict;
    const isOver = this.#state === 'dead' && verdict === null;
    this.#state = 'dead';
    this.#poll.ended();
    if (session !== null && !isOver) {
      if (this.#hasNotBegun(session, exit)) {
        this.#listener.givenUp(this, `ended before it read its run (${exit.how})`);
        this.#returnUnread(session);
      } else if (verdict !== null) {
        this.#end(session, session.outcome(verdict.status, verdict.error));
      } else if (diedOfMemory(exit)) {
        this.#end(session, session.outcome('memory', overMemory(session.run.limits)));
      } else {
        this.#end(session, session.outcome('crashed', crashed(exit)));
      }
    }
    this.#listener.exited(this, exit);
  }

  #hasNotBegun(session: RunSession, exit: HostExit): boolean {
    if (!this.#realmLess) return exit.unread === true && !session.hasReplied;
    return this.#reports || exit.unread !== false;
  }
}

const isJson = (type: number): boolean => type === FROM_HOST.call || type === FROM_HOST.done;
const STDERR_KEPT = 8_192;

/** Starts real host processes. */
export function hostStarter(files: HostFiles): StartHost {
  const [folder, sandbox] = [isolatedVmOf(files), hostSandbox(files)];
  return (events, memoryMb, jitless) => startHost(sandbox, hostCommand(files, folder, memoryMb, jitless), events);
}

function startHost(sandbox: OsSandbox, command: ConfinedCommand, events: HostEvents): HostProcess {
  const confined = sandbox.spawn(command);
  const child = confined.process;
  const pipe = confined.pipe(HOST_PIPE);
  if (!(pipe instanceof Duplex)) throw new Error('a script host was started without its pipe');
  let stderr = '';
  // Only Linux reports it.
  let unread = process.platform === 'linux' ? false : null;
  let problem: Error | null = null;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
  });
  listenFairly(pipe, (chunk) => events.data(chunk));
  pipe.on('error', (error: NodeJS.ErrnoException) => {
    // A socket that is closed with unread bytes resets its peer, and one that is closed earlier rejects the write.
    if (error.code === 'ECONNRESET' || error.code === 'EPIPE') unread = true;
  });
  child.on('error', (error) => {
    problem = error;
    if (child.pid === undefined) events.exit({ how: `it cannot be started: ${error.message}`, stderr, unread: true });
  });
  child.on('close', (code, signal) => {
    if (problem === null || child.pid !== undefined)
      events.exit({ how: confined.endedBy(code, signal), stderr, unread });
  });
  return {
    get pid() {
      return confined.pid;
    },
    get unsent() {
      return pipe.writableLength;
    },
    write: (frame) => {
      // A pipe whose host has ended emits no error for a later write.
      if (pipe.writable) pipe.write(frame);
      else unread = true;
    },
    allowMemory: (memoryMb) => confined.allowMemory(processMemory(memoryMb)),
    kill: () => confined.kill(),
  };
}

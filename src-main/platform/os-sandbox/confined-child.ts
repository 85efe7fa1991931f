import { spawn, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { Readable } from 'node:stream';
import { messageOf } from '../errors.ts';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';
import { childOfStopped, closedDescriptors, onlyChildOf } from './linux-tools.ts';

/** Exit codes of wrappers from here on encode the signal that ended the program. */
const SIGNAL_CODES = 128;
/** Time limit for a program and its wrapper to end, and for reading their remaining output, ms. */
const GRACE_MS = 500;

/** Confines the process from outside, until it is released. */
export interface Grip {
  allowMemory(bytes: number): void;
  release(): void;
}

/** Confines a process that has just started. Throws if the system rejects that. */
export type Attach = (pid: number, command: ConfinedCommand) => Grip;

/** A host process, with the wrapper between it and main. */
export class ConfinedChild {
  /** The started process: the program, or its wrapper. It has the program's descriptors, and ends with it. */
  readonly process: ChildProcess;
  readonly #between: number;
  /** Why the process could not be confined and was ended; null if it is confined. */
  readonly problem: string | null = null;
  #grip: Grip | null = null;
  #pid: number | null = null;

  /** @param descriptors files beyond those of the command that the wrapper reads */
  constructor(command: ConfinedCommand, wrapped: Wrapped, descriptors: readonly number[] = [], attach?: Attach) {
    this.#between = wrapped.between;
    const named = [...command.stdio, ...descriptors];
    this.process = spawn(wrapped.program, wrapped.args, {
      stdio: [...named, ...closedDescriptors(named.length)],
      env: { ...command.env, ...wrapped.env },
      windowsHide: true,
      // Otherwise it is in the job that Node has for its children, and Windows does not restrict the desktop in a
      // second one.
      detached: attach !== undefined,
    });
    const { pid } = this.process;
    if (pid === undefined) return;
    endFirst(pid);
    // A descendant may keep its pipes open, and Node would wait for that.
    this.process.once('exit', () => setTimeout(() => setImmediate(() => this.#closePipes()), GRACE_MS).unref());
    if (attach === undefined) return;
    this.process.once('exit', () => this.#grip?.release());
    try {
      this.#grip = attach(pid, command);
    } catch (thrown) {
      this.problem = messageOf(thrown);
      this.kill();
    }
  }

  /**
   * The pipe of a descriptor; null if it is not a pipe. Without free descriptors, Node starts no process and creates no
   * pipes; then this is a socket without a peer, and the process emits `error`.
   */
  pipe(descriptor: number): Readable | null {
    const stream = streamsOf(this.process)?.[descriptor] ?? (this.process.pid === undefined ? new Socket() : null);
    return stream instanceof Readable ? stream : null;
  }

  /** Changes the memory limit that the system enforces, if any. */
  allowMemory(bytes: number): void {
    try {
      this.#grip?.allowMemory(bytes);
    } catch {
      // The previous limit still applies.
    }
  }

  /** The process of the program itself, whose memory is measured; null until it exists. */
  get pid(): number | null {
    this.#pid ??= this.#find();
    return this.#pid;
  }

  /** How it ended, for people: the exit code or the signal of the program itself. */
  endedBy(code: number | null, signal: NodeJS.Signals | null): string {
    if (this.problem !== null) return `it could not be confined: ${this.problem}`;
    return signal ?? (this.#between > 0 ? signalOf(code) : null) ?? `exit code ${code}`;
  }

  /** Ends it at once, whatever it does; unread data from it is lost. */
  kill(): void {
    const { pid, exitCode, signalCode } = this.process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    if (this.#between === 0) {
      this.process.kill('SIGKILL');
      return;
    }
    // Its wrapper ends after it, so nothing of the program is left when that end is reported.
    const next = onlyChildOf(pid);
    if (next !== null) endNow(next);
    else this.#endWhileStarting(pid);
    const impatience = setTimeout(() => this.process.kill('SIGKILL'), GRACE_MS);
    this.process.once('exit', () => clearTimeout(impatience));
  }

  /** The wrapper of bubblewrap starts another one, which would wait for it forever. */
  #endWhileStarting(pid: number): void {
    const next = childOfStopped(pid);
    if (next !== null) endNow(next);
    this.process.kill('SIGKILL');
  }

  /** What has arrived was read. A program that is started at the moment of `kill` ends because its pipes are closed. */
  #closePipes(): void {
    for (const stream of this.process.stdio) stream?.destroy();
  }

  #find(): number | null {
    let pid: number | null = this.process.pid ?? null;
    for (let step = 0; step < this.#between && pid !== null; step += 1) pid = onlyChildOf(pid);
    if (pid !== null && this.#between > 0) endFirst(pid);
    return pid;
  }
}

/** Undefined if Node could not create them, which its types omit. */
function streamsOf({ stdio }: { stdio?: ChildProcess['stdio'] }): readonly unknown[] | undefined {
  return stdio;
}

function signalOf(code: number | null): string | null {
  if (code === null || code <= SIGNAL_CODES) return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - SIGNAL_CODES);
  return found?.[0] ?? null;
}

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** When the machine runs out of memory, the system ends hosts before anything else. */
function endFirst(pid: number): void {
  if (process.platform !== 'linux') return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It has ended, or the system does not allow it.
  }
}

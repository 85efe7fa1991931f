import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { pause } from '../pause.ts';
import type { ConfinedChild } from './confined-child.ts';
import type { ConfinedCommand } from './confined-command.ts';

/** A program that shows whether hosts work in a sandbox. */
export interface TrialProgram {
  /** The real command of a host, with `pipe` for its stderr. */
  command: ConfinedCommand;
  /** The descriptor on which it writes something once it works. */
  respondsOn: number;
  /** It can be the first host that is started with this command: then it is not ended. */
  keep?: boolean;
}

/** How long a program that works is kept for a host that needs it, ms. */
const KEPT_MS = 5_000;

/** For all trials together, ms: on a busy machine, a sandbox must not be missed. */
const PATIENCE_MS = 10_000;

/** No descriptors, processes or memory left. */
const SHORTAGES = new Set<unknown>(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ENOSPC']);

/** How long to wait for an ended program, ms. */
const GONE_MS = 500;

/** Runs a program in one sandbox after another, for a limited total time. */
export class Trial {
  readonly binary: string;
  /** A trial timed out, or the machine had nothing left for it: it may work when the machine is less busy. */
  worthRetrying = false;
  readonly #program: TrialProgram;
  readonly #until: number;
  #kept: KeptHost | null = null;

  constructor(program: TrialProgram, patienceMs = PATIENCE_MS) {
    this.#program = program;
    this.#until = performance.now() + patienceMs;
    this.binary = program.command.binary;
  }

  /** Time limit of one attempt, ms: half of the remaining time, so that others can follow. */
  get patienceMs(): number {
    return Math.max(0, (this.#until - performance.now()) / 2);
  }

  /** The program that works, if it was to be kept. The caller takes or ends it. */
  get kept(): KeptHost | null {
    return this.#kept;
  }

  /** Why the program does not work when it is started like this; null if it does. Then it is kept or ended. */
  async run(start: (command: ConfinedCommand) => ConfinedChild): Promise<string | null> {
    const { command, respondsOn, keep = false } = this.#program;
    const patience = this.patienceMs;
    const child = start(command);
    const { stderr } = child.process;
    let lines = '';
    const collect = (text: string) => {
      lines += text;
    };
    stderr?.setEncoding('utf8').on('data', collect);
    const gone = new Promise<string>((resolve) => {
      child.process.once('error', (error) => {
        if (isShortage(error)) this.worthRetrying = true;
        resolve(error.message);
      });
      child.process.once('close', (code, signal) =>
        resolve(child.problem ?? firstOf(lines) ?? child.endedBy(code, signal)),
      );
    });
    const pipe = child.pipe(respondsOn);
    const responded = new Promise<null>((resolve) => {
      // Data that it sends before the pipe breaks counts; the broken pipe does not.
      pipe
        ?.on('error', () => undefined)
        .once('data', (chunk: Buffer) => {
          if (keep) pipe.pause().unshift(chunk);
          resolve(null);
        });
    });
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      this.worthRetrying = true;
      late.resolve(`no response within ${(patience / 1_000).toFixed(1)} s; it will be retried`);
    }, patience);
    let isKept = false;
    try {
      const reason = await Promise.race([gone, responded, late.promise]);
      isKept = keep && reason === null && child.problem === null;
      if (isKept) {
        stderr?.pause().off('data', collect);
        this.#kept = new KeptHost(command, child, [stderr, pipe]);
      }
      // It may have responded before it was ended because it could not be confined.
      return child.problem ?? reason;
    } finally {
      clearTimeout(timer);
      if (!isKept) {
        child.kill();
        // Nothing of it is left when the next attempt begins, except on a machine that hangs.
        const waiting = new AbortController();
        await Promise.race([gone, pause(GONE_MS, waiting.signal)]);
        waiting.abort();
      }
    }
  }
}

/** A program that has shown that hosts work, until a host is needed; it ends after a while. */
export class KeptHost {
  readonly #command: ConfinedCommand;
  readonly #child: ConfinedChild;
  /** Paused: what it sent is read by the one who takes it. */
  readonly #streams: readonly (Readable | null)[];
  readonly #timer: NodeJS.Timeout;
  #isOver = false;

  constructor(command: ConfinedCommand, child: ConfinedChild, streams: readonly (Readable | null)[]) {
    this.#command = command;
    this.#child = child;
    this.#streams = streams;
    this.#timer = setTimeout(() => this.end(), KEPT_MS).unref();
    child.process.once('exit', () => (this.#isOver = true));
  }

  /** The process, once, if it was started with this command and still runs. The caller listens to it at once. */
  take(command: ConfinedCommand): ConfinedChild | null {
    if (this.#isOver || !isDeepStrictEqual(command, this.#command)) return null;
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stream of this.#streams) stream?.resume();
    return this.#child;
  }

  end(): void {
    clearTimeout(this.#timer);
    if (!this.#isOver) this.#child.kill();
    this.#isOver = true;
  }
}

export function isShortage(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && SHORTAGES.has(thrown.code);
}

/** Shows that the binary starts at all. */
export function versionTrial(binary: string): TrialProgram {
  const command: ConfinedCommand = {
    binary,
    args: ['--version'],
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
    readable: [],
    writable: [],
    memoryBytes: 2 ** 30,
  };
  return { command, respondsOn: 1 };
}

function firstOf(lines: string): string | null {
  const [first = ''] = lines.trim().split('\n');
  return first === '' ? null : first;
}

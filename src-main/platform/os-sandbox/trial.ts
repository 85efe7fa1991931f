import { pause } from '../pause.ts';
import type { ConfinedChild } from './confined-child.ts';
import type { ConfinedCommand } from './confined-command.ts';

/** A program that shows whether hosts work in a sandbox. */
export interface TrialProgram {
  /** The real command of a host, with `pipe` for its stderr. */
  command: ConfinedCommand;
  /** The descriptor on which it writes something once it works. */
  respondsOn: number;
}

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

  constructor(program: TrialProgram, patienceMs = PATIENCE_MS) {
    this.#program = program;
    this.#until = performance.now() + patienceMs;
    this.binary = program.command.binary;
  }

  /** Time limit of one attempt, ms: half of the remaining time, so that others can follow. */
  get patienceMs(): number {
    return Math.max(0, (this.#until - performance.now()) / 2);
  }

  /** Why the program does not work when it is started like this; null if it does. It is ended in any case. */
  async run(start: (command: ConfinedCommand) => ConfinedChild): Promise<string | null> {
    const { command, respondsOn } = this.#program;
    const patience = this.patienceMs;
    const child = start(command);
    const { stdio, stderr } = child.process;
    let lines = '';
    stderr?.setEncoding('utf8').on('data', (text: string) => {
      lines += text;
    });
    const gone = new Promise<string>((resolve) => {
      child.process.once('error', (error) => {
        if (isShortage(error)) this.worthRetrying = true;
        resolve(error.message);
      });
      child.process.once('close', (code, signal) =>
        resolve(child.problem ?? firstOf(lines) ?? child.endedBy(code, signal)),
      );
    });
    const responded = new Promise<null>((resolve) => {
      // Data that it sends before the pipe breaks counts; the broken pipe does not.
      stdio[respondsOn]?.on('error', () => undefined).once('data', () => resolve(null));
    });
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      this.worthRetrying = true;
      late.resolve(`no answer in ${(patience / 1_000).toFixed(1)} s; it is tried again later`);
    }, patience);
    try {
      const reason = await Promise.race([gone, responded, late.promise]);
      // It may have responded before it was ended because it could not be confined.
      return child.problem ?? reason;
    } finally {
      clearTimeout(timer);
      child.kill();
      // Nothing of it is left when the next attempt begins, except on a machine that hangs.
      const waiting = new AbortController();
      await Promise.race([gone, pause(GONE_MS, waiting.signal)]);
      waiting.abort();
    }
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

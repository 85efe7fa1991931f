import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfinedChild, type TakeHold } from './confined-child.ts';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';

type Wrap = (command: ConfinedCommand, filterFd: number | null) => Wrapped;

/** How long a try may take, ms: a busy machine is not one without a sandbox. */
const PATIENCE_MS = 10_000;

/** One way to confine a command. */
export class Wrapper {
  readonly #wrap: Wrap;
  readonly #filter: FilterFile | null;
  readonly #takeHold: TakeHold | undefined;

  private constructor(wrap: Wrap, filter: FilterFile | null = null, takeHold?: TakeHold) {
    this.#wrap = wrap;
    this.#filter = filter;
    this.#takeHold = takeHold;
  }

  /** Starts the program as it is. */
  static none(): Wrapper {
    return new Wrapper(asItIs);
  }

  /** Starts the program as it is, and holds it from outside. */
  static held(takeHold: TakeHold): Wrapper {
    return new Wrapper(asItIs, null, takeHold);
  }

  /**
   * Tries a way to confine by running the binary that way; says why it does not work.
   * @param filter bytes that the wrapping program reads from the descriptor whose number `wrap` gets
   */
  static attempt(binary: string, wrap: Wrap, filter: Buffer | null = null): Wrapper | { reason: string } {
    try {
      const wrapper = new Wrapper(wrap, filter === null ? null : new FilterFile(filter));
      const reason = wrapper.#problem(binary);
      return reason === null ? wrapper : { reason };
    } catch (thrown) {
      return { reason: String(thrown) };
    }
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    return this.#withFilter(command, (wrapped, descriptors) => {
      return new ConfinedChild(command, wrapped, descriptors, this.#takeHold);
    });
  }

  #problem(binary: string): string | null {
    const command: ConfinedCommand = {
      binary,
      args: ['--version'],
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
      readable: [],
      writable: [],
      memoryBytes: Infinity,
    };
    return this.#withFilter(command, ({ program, args, env }, descriptors) => {
      const { status, stdout, stderr, error } = spawnSync(program, args, {
        stdio: [...command.stdio, ...descriptors],
        env: { ...command.env, ...env },
        encoding: 'utf8',
        timeout: PATIENCE_MS,
      });
      if (status === 0 && stdout.startsWith('v')) return null;
      const said = stderr?.trim().split('\n')[0] ?? '';
      return said === '' ? (error?.message ?? `exit code ${status}`) : said;
    });
  }

  #withFilter<Result>(command: ConfinedCommand, use: (wrapped: Wrapped, descriptors: number[]) => Result): Result {
    if (this.#filter === null) return use(this.#wrap(command, null), []);
    const descriptor = this.#filter.open();
    try {
      return use(this.#wrap(command, command.stdio.length), [descriptor]);
    } finally {
      closeSync(descriptor);
    }
  }
}

const asItIs: Wrap = ({ binary, args }) => ({ program: binary, args: [...args], between: 0 });

/** Bytes that started programs read from a descriptor: a file without a name, which ends with this process. */
class FilterFile {
  readonly #descriptor: number;

  constructor(bytes: Buffer) {
    const folder = mkdtempSync(join(tmpdir(), 'tagwright-filter-'));
    try {
      const file = join(folder, 'filter');
      writeFileSync(file, bytes, { mode: 0o600 });
      this.#descriptor = openSync(file, 'r');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** A descriptor that reads from the beginning, whatever others have read. The caller closes it. */
  open(): number {
    return openSync(`/proc/self/fd/${this.#descriptor}`, 'r');
  }
}

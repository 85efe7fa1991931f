import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { ConfinedChild, type Attach } from './confined-child.ts';
import type { ConfinedCommand, Wrapped } from './confined-command.ts';
import { isShortage, type Trial } from './trial.ts';

type Wrap = (command: ConfinedCommand, filterFd: number | null) => Wrapped;

interface WrapperParts {
  wrap?: Wrap;
  /** Bytes for the wrapping program to read from the descriptor whose number is passed to `wrap`. */
  filter?: Buffer | null;
  attach?: Attach;
}

/** One way to confine a command. */
export class Wrapper {
  readonly #wrap: Wrap;
  readonly #filter: FilterFile | null;
  readonly #attach: Attach | undefined;

  private constructor({ wrap = asItIs, filter = null, attach }: WrapperParts) {
    this.#wrap = wrap;
    this.#filter = filter === null ? null : new FilterFile(filter);
    this.#attach = attach;
  }

  /** Starts the program directly. */
  static none(): Wrapper {
    return new Wrapper({});
  }

  /** Tries a wrapper by running the trial in it; returns why it does not work. */
  static async attempt(trial: Trial, parts: WrapperParts): Promise<Wrapper | { reason: string }> {
    let wrapper: Wrapper | null = null;
    let reason: string | null;
    try {
      const tried = (wrapper = new Wrapper(parts));
      reason = await trial.run((command) => tried.spawn(command));
    } catch (thrown) {
      if (isShortage(thrown)) trial.worthRetrying = true;
      reason = messageOf(thrown);
    }
    if (wrapper !== null && reason === null) return wrapper;
    wrapper?.dispose();
    return { reason: reason ?? '' };
  }

  /** Starts no more programs; running programs stay confined. */
  dispose(): void {
    this.#filter?.close();
  }

  spawn(command: ConfinedCommand): ConfinedChild {
    const start = (filterFd: number | null) =>
      new ConfinedChild(
        command,
        this.#wrap(command, filterFd === null ? null : command.stdio.length),
        filterFd === null ? [] : [filterFd],
        this.#attach,
      );
    if (this.#filter === null) return start(null);
    const descriptor = this.#filter.open();
    try {
      return start(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
}

const asItIs: Wrap = ({ binary, args }) => ({ program: binary, args: [...args], between: 0 });

/** Bytes for started programs to read from a descriptor: a file without a name, which ends with this process. */
class FilterFile {
  #descriptor: number | null;

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

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** A descriptor that reads from the beginning, whatever others have read. The caller closes it. */
  open(): number {
    if (this.#descriptor === null) throw new Error('a host was started in a sandbox that was replaced');
    return openSync(`/proc/self/fd/${this.#descriptor}`, 'r');
  }
}

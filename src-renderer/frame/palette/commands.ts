import type { Keys } from './keys.ts';

/** An action of the user, from the command palette or with its keys. */
export interface Command {
  /** `scripts.save` */
  id: string;
  title: string;
  /** Its heading in F1 and in the command palette. */
  section: string;
  keys?: Keys;
  /** Further keys, such as those of the keypad, which are not shown. */
  alsoKeys?: readonly Keys[];
  /** Default: always. A disabled command is not offered, and its keys do nothing. */
  enabled?: boolean;
  /** It belongs to a hidden view, and shows that first. */
  elsewhere?: boolean;
  run: () => void | Promise<void>;
}

/** A command with the id of the view that added it; empty for those of the frame. */
export interface RegisteredCommand extends Command {
  view: string;
}

type Source = () => readonly Command[];

/** All current commands. Their owner removes them again; sources are read on demand. */
export class CommandRegistry {
  readonly #sources = new Map<Source, string>();

  readonly #listeners = new Set<() => void>();

  /** Returns the function that removes the commands. */
  add(source: Source, view = ''): () => void {
    this.#sources.set(source, view);
    this.#changed();
    return () => {
      this.#sources.delete(source);
      this.#changed();
    };
  }

  /** Called when commands are added or removed; not when one is enabled or disabled. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  all(): RegisteredCommand[] {
    return [...this.#sources].flatMap(([source, view]) => source().map((command) => ({ ...command, view })));
  }

  /** The current command of these keys, whether or not it is enabled. */
  withKeys(keys: Keys): Command | undefined {
    const named = this.all().filter((command) => command.keys === keys || command.alsoKeys?.includes(keys));
    return named.find((command) => command.enabled !== false) ?? named[0];
  }

  /** Whether a view has added commands: its code has loaded. */
  hasView(view: string): boolean {
    return [...this.#sources.values()].includes(view);
  }

  /** Runs a command if it is enabled; returns whether it was. */
  run(id: string): boolean {
    const command = this.all().find((one) => one.id === id && one.enabled !== false);
    if (!command) return false;
    void command.run();
    return true;
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

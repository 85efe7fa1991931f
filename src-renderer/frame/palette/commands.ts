import type { Keys } from './keys.ts';

/** Something the user can do from the palette or with its keys. */
export interface Command {
  /** `scripts.save` */
  id: string;
  title: string;
  /** The heading under which F1 and the palette show it. */
  section: string;
  keys?: Keys;
  /** Absent: always. A command that cannot be done now is not offered, and its keys do nothing. */
  enabled?: boolean;
  /** It belongs to a view that is not seen, and shows that first. */
  elsewhere?: boolean;
  run: () => void | Promise<void>;
}

type Source = () => readonly Command[];

/** All commands of now. Whoever adds some takes them away again; sources are read when somebody asks. */
export class CommandRegistry {
  readonly #sources = new Set<Source>();

  readonly #listeners = new Set<() => void>();

  /** Returns what takes the commands away again. */
  add(source: Source): () => void {
    this.#sources.add(source);
    this.#changed();
    return () => {
      this.#sources.delete(source);
      this.#changed();
    };
  }

  /** Called when commands came or went; whether one can be done changes without a word. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  all(): Command[] {
    return [...this.#sources].flatMap((source) => source());
  }

  /** The command that these keys mean now, whether or not it can be done. */
  withKeys(keys: Keys): Command | undefined {
    const named = this.all().filter((command) => command.keys === keys);
    return named.find((command) => command.enabled !== false) ?? named[0];
  }

  /** Does what a command does, where it can be done now; whether it could. */
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

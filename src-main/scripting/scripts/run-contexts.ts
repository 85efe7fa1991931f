import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { withUsed } from '#domain/run/saved-context';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { RunContextRepository } from '../../storage/repositories/run-context-repository.ts';

interface RunContextsParts {
  store: { runContexts: RunContextRepository; commits: CommitQueue };
  /** Throws NOT_FOUND if the script does not exist. */
  scripts: { get(which: { id: number }): unknown };
}

/** The inputs of scripts in the preview. Methods are named after the procedures of the contract. */
export class RunContexts {
  readonly #parts: RunContextsParts;

  constructor(parts: RunContextsParts) {
    this.#parts = parts;
  }

  get({ id }: { id: number }): ScriptContexts {
    const { store, scripts } = this.#parts;
    scripts.get({ id });
    return store.runContexts.get(id);
  }

  /**
   * Saves the inputs as they are typed; with two windows the later one wins, but the history has the inputs of both.
   */
  keep({ id, context, used }: { id: number; context: SavedContext; used: boolean }): Promise<ScriptContexts> {
    return this.#change(id, (before) => ({
      current: context,
      used: used ? withUsed(before.used, context) : before.used,
    }));
  }

  replace({ id, used }: { id: number; used: SavedContext[] }): Promise<ScriptContexts> {
    return this.#change(id, ({ current }) => ({ current, used }));
  }

  async #change(id: number, change: (before: ScriptContexts) => ScriptContexts): Promise<ScriptContexts> {
    const { store, scripts } = this.#parts;
    scripts.get({ id });
    return store.commits.run(() => {
      const next = change(store.runContexts.get(id));
      store.runContexts.put(id, next);
      return next;
    });
  }
}

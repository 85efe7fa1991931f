import { isDeepStrictEqual } from 'node:util';
import type { ContextSave, NamedContext, SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { CONTEXT_LIMITS, problemOfContextName, withoutSaved, withSaved, withUsed } from '#domain/run/saved-context';
import { TagwrightError } from '../../platform/errors.ts';
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

  /** The locations of the contexts of all scripts, saved and recent. */
  locations(): ReadonlySet<string> {
    const all = this.#parts.store.runContexts.all().flatMap(({ contexts: { named, used } }) => [...named, ...used]);
    return new Set(all.map(({ location }) => location.trim()).filter((location) => location !== ''));
  }

  /**
   * Saves the inputs as they are typed; with two windows the later one wins, but the history has the inputs of both.
   */
  keep({
    id,
    context,
    used,
    chosen,
  }: {
    id: number;
    context: SavedContext;
    used: boolean;
    chosen?: string | null | undefined;
  }): Promise<ScriptContexts> {
    return this.#change(id, (before) => ({
      ...before,
      current: context,
      chosen: chosen === undefined ? before.chosen : chosen,
      used: used ? withUsed(before.used, context, before.named) : before.used,
    }));
  }

  replace({
    id,
    used,
    named,
  }: {
    id: number;
    used: SavedContext[];
    named?: NamedContext[] | undefined;
  }): Promise<ScriptContexts> {
    for (const [place, { name }] of (named ?? []).entries()) {
      refuse(problemOfContextName((named ?? []).slice(0, place), name));
    }
    return this.#change(id, (before) => ({ ...before, used, named: named ?? before.named }));
  }

  save({ id, ...save }: ContextSave & { id: number }): Promise<ScriptContexts> {
    return this.#change(id, (before) => {
      refuse(problemOfContextName(before.named, save.context.name, save.before));
      if (save.before === undefined && before.named.length >= CONTEXT_LIMITS.named) {
        const message = `A script has at most ${CONTEXT_LIMITS.named} saved contexts. Delete some first.`;
        throw new TagwrightError('BAD_REQUEST', message);
      }
      const saved = withSaved(before, save);
      if (saved) return saved;
      const message = `The context "${save.before}" was renamed or deleted in the meantime; nothing was changed. Choose a context from the list, and save it again.`;
      throw new TagwrightError('NOT_FOUND', message);
    });
  }

  delete({ id, name }: { id: number; name: string }): Promise<ScriptContexts> {
    return this.#change(id, (before) => withoutSaved(before, name));
  }

  /** The contexts of all scripts, deleted or not. */
  all(): { scriptId: number; contexts: ScriptContexts }[] {
    return this.#parts.store.runContexts.all();
  }

  /** Saves the contexts that `change` changes, inside a job of the commit queue; returns their scripts. */
  rewrite(change: (contexts: ScriptContexts) => ScriptContexts): number[] {
    return this.all().flatMap(({ scriptId, contexts }) => {
      const rewritten = change(contexts);
      if (isDeepStrictEqual(rewritten, contexts)) return [];
      this.#parts.store.runContexts.put(scriptId, rewritten);
      return [scriptId];
    });
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

/** Throws CONFLICT with a problem: the contract checked all but that two have the same name. */
function refuse(problem: string | null): void {
  if (problem !== null) throw new TagwrightError('CONFLICT', problem);
}

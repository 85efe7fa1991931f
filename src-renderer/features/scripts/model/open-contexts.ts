import type { ContextSave, SavedContext, ScriptContexts } from '#domain/run/saved-context';
import {
  EMPTY_CONTEXT,
  NO_CONTEXTS,
  namedContext,
  plainContext,
  problemOfContextName,
  withoutSaved,
  withSaved,
  withUsed,
} from '#domain/run/saved-context';
import type { Client } from '../../../client/client.ts';
import { Store } from '../../../support/store.ts';
import type { Doc } from './script-document.ts';
import type { Memory } from './scripts-state.ts';

/** Debounce of sending, ms. */
const SEND_AFTER_MS = 800;
/** The time to wait for the workspace before the browser's copy is shown, ms. */
const PATIENCE_MS = 1_500;

/** Identifies an open script; `scriptId` is null before its first save. */
export type ContextOf = Pick<Doc, 'key' | 'editor' | 'scriptId'>;

/** The browser's copy for a script; `unsent` is newer than the copy of the workspace. */
interface Remembered extends ScriptContexts {
  unsent: boolean;
}

/** The context that the preview shows, and the name of the saved one that it comes from. */
export interface ShownContext {
  context: SavedContext;
  chosen: string | null;
}

/** The typed context; before anything is typed, the first saved one, or `suggested`. */
export function shownContext(
  { current, chosen, named }: ScriptContexts,
  suggested: SavedContext | null = null,
): ShownContext {
  if (current) return { context: current, chosen: namedContext(named, chosen)?.name ?? null };
  const [first] = named;
  if (first) return { context: plainContext(first), chosen: first.name };
  return { context: suggested ?? EMPTY_CONTEXT, chosen: null };
}

/**
 * The contexts of the open scripts: stored in the workspace with the script, so that every window has them. For unsaved
 * scripts, and while the workspace can't be reached, this browser stores them.
 */
export class OpenContexts {
  /** By `editor` of the doc; absent until known. */
  readonly store = new Store<ReadonlyMap<string, ScriptContexts>>(new Map());
  readonly #client: Pick<Client, 'runContexts'>;
  readonly #memory: Memory;
  readonly #workspace: () => string;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #loading = new Set<string>();
  /** The scripts whose contexts are stored in the workspace, by `editor`. */
  readonly #kept = new Map<string, number | null>();
  #changing: Promise<void> = Promise.resolve();

  constructor(client: Pick<Client, 'runContexts'>, memory: Memory, workspace: () => string) {
    this.#client = client;
    this.#memory = memory;
    this.#workspace = workspace;
  }

  /** Loads them, unless they are loaded; a newly saved script sends its contexts to the workspace. */
  async load(doc: ContextOf): Promise<void> {
    const { editor, scriptId } = doc;
    const known = this.store.get().get(editor);
    if (known) {
      if (scriptId !== null && this.#kept.get(editor) === null) await this.#handOver(doc, known);
      return;
    }
    if (this.#loading.has(editor)) return;
    this.#loading.add(editor);
    const remembered = this.#remembered(doc);
    const stored = scriptId === null ? null : await this.#stored(scriptId);
    this.#loading.delete(editor);
    this.#kept.set(editor, scriptId);
    const isNew = stored !== null && stored.current === null && stored.used.length === 0 && stored.named.length === 0;
    const from = stored === null || isNew ? remembered : stored;
    const { current, chosen } = remembered.unsent ? remembered : from;
    this.#set(editor, { current, chosen, named: from.named, used: from.used });
    if (remembered.unsent) this.#sendSoon(doc);
  }

  /** The typed context; sent when typing pauses. `chosen` is the saved one that it comes from. */
  type(doc: ContextOf, context: SavedContext, chosen: string | null): void {
    const next = { ...this.#of(doc), current: plainContext(context), chosen };
    this.#set(doc.editor, next);
    this.#remember(doc, next, true);
    this.#sendSoon(doc);
  }

  /** A manual run was started with this context. */
  async use(doc: ContextOf, { context, chosen }: ShownContext): Promise<void> {
    const before = this.#of(doc);
    const next = { ...before, current: context, chosen, used: withUsed(before.used, context, before.named) };
    this.#set(doc.editor, next);
    this.#remember(doc, next, true);
    await this.#send(doc, true);
  }

  /** Saves a context with a name, and chooses it. Rejects with the errors of the contract. */
  async save(doc: ContextOf, save: ContextSave): Promise<void> {
    await this.#change(
      doc,
      (before) => {
        const problem = problemOfContextName(before.named, save.context.name, save.before);
        if (problem !== null) throw new Error(problem);
        return withSaved(before, save) ?? before;
      },
      (id) => this.#client.runContexts.save({ id, ...save }),
    );
  }

  /**
   * Deletes a saved context; the typed one stays. Resolves to its former position. Rejects with the errors of the
   * contract.
   */
  async delete(doc: ContextOf, name: string): Promise<number> {
    let at = 0;
    const find = () => {
      at = this.#of(doc).named.findIndex((context) => context.name === name);
    };
    await this.#change(
      doc,
      (before) => {
        find();
        return withoutSaved(before, name);
      },
      (id) => {
        find();
        return this.#client.runContexts.delete({ id, name });
      },
    );
    return Math.max(0, at);
  }

  /** Changes the saved contexts: those of an unsaved script in this browser, all others in the workspace. */
  #change(
    doc: ContextOf,
    here: (before: ScriptContexts) => ScriptContexts,
    there: (id: number) => Promise<ScriptContexts>,
  ): Promise<void> {
    // After the changes before it, so that it sees their results.
    const done = this.#changing.then(() => this.#changeNow(doc, here, there));
    this.#changing = done.catch(() => undefined);
    return done;
  }

  async #changeNow(
    doc: ContextOf,
    here: (before: ScriptContexts) => ScriptContexts,
    there: (id: number) => Promise<ScriptContexts>,
  ): Promise<void> {
    const changed = doc.scriptId === null ? here(this.#of(doc)) : await there(doc.scriptId);
    const next = { ...changed, current: this.#of(doc).current };
    this.#set(doc.editor, next);
    this.#remember(doc, next, this.#timers.has(doc.editor));
  }

  /** Drops a closed script; its typed context is sent. */
  forget(doc: ContextOf): void {
    if (this.#timers.has(doc.editor)) void this.#send(doc, false);
    this.#kept.delete(doc.editor);
    const left = new Map(this.store.get());
    if (left.delete(doc.editor)) this.store.set(left);
  }

  async #handOver(doc: ContextOf, known: ScriptContexts): Promise<void> {
    this.#kept.set(doc.editor, doc.scriptId);
    this.#remember(doc, known, true);
    try {
      if (doc.scriptId !== null) {
        await this.#client.runContexts.replace({ id: doc.scriptId, used: known.used, named: known.named });
      }
    } catch {
      return;
    }
    await this.#send(doc, false);
  }

  /** null if the workspace does not respond soon, or rejects. */
  async #stored(id: number): Promise<ScriptContexts | null> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    try {
      return await this.#client.runContexts.get({ id }, { signal });
    } catch {
      return null;
    }
  }

  #sendSoon(doc: ContextOf): void {
    clearTimeout(this.#timers.get(doc.editor));
    this.#timers.set(
      doc.editor,
      setTimeout(() => void this.#send(doc, false), SEND_AFTER_MS),
    );
  }

  async #send(doc: ContextOf, used: boolean): Promise<void> {
    clearTimeout(this.#timers.get(doc.editor));
    this.#timers.delete(doc.editor);
    const { current, chosen } = this.#of(doc);
    if (doc.scriptId === null || current === null) return;
    try {
      const stored = await this.#client.runContexts.keep({ id: doc.scriptId, context: current, used, chosen });
      const now = this.store.get().get(doc.editor);
      // Another window may have used and saved other contexts.
      if (now) this.#set(doc.editor, { ...stored, current: now.current, chosen: now.chosen });
      if (!now || now.current === current) this.#remember(doc, { ...stored, current, chosen }, false);
    } catch {
      // It stays in this browser, and is sent on the next change or the next opening.
    }
  }

  #of({ editor }: ContextOf): ScriptContexts {
    return this.store.get().get(editor) ?? NO_CONTEXTS;
  }

  #set(editor: string, contexts: ScriptContexts): void {
    this.store.set(new Map(this.store.get()).set(editor, contexts));
  }

  #remember(doc: ContextOf, contexts: ScriptContexts, unsent: boolean): void {
    const remembered: Remembered = { ...contexts, unsent: unsent && doc.scriptId !== null };
    this.#memory.write(this.#name(doc), remembered);
  }

  #remembered(doc: ContextOf): Remembered {
    const none = { ...NO_CONTEXTS, unsent: false };
    // Former versions remembered no saved contexts.
    return { ...none, ...this.#memory.read<Partial<Remembered>>(this.#name(doc), none) };
  }

  #name({ key }: ContextOf): string {
    return `${this.#workspace()}.run-contexts.${key}`;
  }
}

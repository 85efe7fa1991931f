import type { SavedContext, ScriptContexts } from '#domain/run/saved-context';
import { EMPTY_CONTEXT, NO_CONTEXTS, withUsed } from '#domain/run/saved-context';
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
interface Remembered {
  current: SavedContext | null;
  used: SavedContext[];
  unsent: boolean;
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
    const isNew = stored !== null && stored.current === null && stored.used.length === 0;
    const from = stored === null || isNew ? remembered : stored;
    const current = remembered.unsent ? remembered.current : from.current;
    this.#set(editor, { current, used: from.used });
    if (remembered.unsent) this.#sendSoon(doc);
  }

  /** The typed context; sent when typing pauses. */
  type(doc: ContextOf, context: SavedContext): void {
    const next = { current: context, used: this.#of(doc).used };
    this.#set(doc.editor, next);
    this.#remember(doc, next, true);
    this.#sendSoon(doc);
  }

  /** A manual run was started with the typed context. */
  async use(doc: ContextOf): Promise<void> {
    const { current, used } = this.#of(doc);
    const next = { current, used: withUsed(used, current ?? EMPTY_CONTEXT) };
    this.#set(doc.editor, next);
    this.#remember(doc, next, true);
    await this.#send(doc, true);
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
      if (doc.scriptId !== null) await this.#client.runContexts.replace({ id: doc.scriptId, used: known.used });
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
    const { current } = this.#of(doc);
    if (doc.scriptId === null || current === null) return;
    try {
      const stored = await this.#client.runContexts.keep({ id: doc.scriptId, context: current, used });
      const now = this.store.get().get(doc.editor);
      // Another window may have used other contexts.
      if (now) this.#set(doc.editor, { current: now.current, used: stored.used });
      if (!now || now.current === current) this.#remember(doc, { current, used: stored.used }, false);
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
    return this.#memory.read<Remembered>(this.#name(doc), { ...NO_CONTEXTS, unsent: false });
  }

  #name({ key }: ContextOf): string {
    return `${this.#workspace()}.run-contexts.${key}`;
  }
}

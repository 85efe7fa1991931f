import type { Client } from '../client/client.ts';
import { isAbort, problemOf } from '../client/errors.ts';
import type { Problem } from '../client/errors.ts';
import { Store } from '../support/store.ts';
import { DraftMemory } from './draft-memory.ts';
import type { DraftStorage } from './draft-memory.ts';

const RECALL_AGAIN_AFTER_MS = 1_000;

/** The unsaved changes of an item. */
export interface DraftedForm<Form> {
  /** `rule:7` for a saved item, `new:…` for an unsaved one. */
  key: string;
  /** null for a new one. */
  id: number | null;
  /** The saved state when the draft was started; if it differs now, another window has saved. */
  base: string | null;
  form: Form;
}

export interface DraftedState<Form> {
  drafts: ReadonlyMap<string, DraftedForm<Form>>;
  /** `rule:7`, or the key of a draft. */
  selected: string | null;
  loaded: boolean;
  problem: Problem | null;
  /** Whether the browser stores drafts; otherwise they end with the page. */
  keeps: boolean;
}

/** Before the first load. */
export const NOTHING_YET = {
  drafts: new Map<string, never>(),
  selected: null,
  loaded: false,
  problem: null,
  keeps: true,
} as const;

interface DraftedListParts<Saved, Form> {
  /** The noun for people: `rule`; keys are `rule:7`. */
  noun: string;
  /** The storage prefix, before the name of the workspace. */
  prefix: string;
  storage: DraftStorage | undefined;
  app: Client['app'];
  /** Whether a stored value, perhaps from another version, can be shown. */
  isForm: (form: Form) => boolean;
  formOf: (saved: Saved) => Form;
  /** Identifies a saved state, to compare it with an earlier one. */
  baseOf: (saved: Saved) => string;
  equalsSaved: (form: Form, saved: Saved) => boolean;
}

/** Thrown by `save` if another window saved after the draft was started; nothing was saved. */
export class SavedElsewhereError extends Error {
  override readonly name = 'SavedElsewhereError';

  constructor(noun: string, stored: boolean) {
    super(
      stored
        ? `Another window saved this ${noun} first. Nothing was saved: keep your version, or use theirs.`
        : `Another window deleted this ${noun}. Nothing was saved: keep yours to recreate it.`,
    );
  }
}

/** A list of saved items with their unsaved changes; one is selected. */
export abstract class DraftedList<Saved extends { id: number }, Form, State extends DraftedState<Form>> {
  readonly store: Store<State>;
  readonly noun: string;
  readonly #parts: DraftedListParts<Saved, Form>;
  /** The key of the draft that created each item saved since. */
  readonly #begun = new Map<string, string>();
  #memory: DraftMemory<DraftedForm<Form>> | null = null;
  /** Its folder; null before `recall`. */
  protected workspace: string | null = null;
  #drafted = 0;

  constructor(first: State, parts: DraftedListParts<Saved, Form>) {
    this.store = new Store(first);
    this.noun = parts.noun;
    this.#parts = parts;
  }

  /** All saved items that this window knows. */
  protected abstract all(): readonly Saved[];
  /** Saves a draft and returns the saved item. Throws SavedElsewhereError and the errors of main. */
  protected abstract put(draft: DraftedForm<Form>): Promise<Saved>;

  keyOf(id: number): string {
    return `${this.noun}:${id}`;
  }

  saved(key: string | null): Saved | undefined {
    return this.all().find(({ id }) => this.keyOf(id) === key);
  }

  /** Stays the same through the first save, so that the editor does not change. */
  identity(key: string): string {
    return this.#begun.get(key) ?? key;
  }

  select(key: string | null): void {
    this.#patch({ selected: key });
  }

  /** Starts a new one and selects it. */
  create(form: Form): string {
    this.#drafted += 1;
    const draft = { key: `new:${Date.now()}.${this.#drafted}`, id: null, base: null, form };
    this.#keep(draft);
    this.select(draft.key);
    return draft.key;
  }

  /** The draft, else the saved item. */
  form(key: string): Form | null {
    const draft = this.store.get().drafts.get(key);
    if (draft) return draft.form;
    const saved = this.saved(key);
    return saved ? this.#parts.formOf(saved) : null;
  }

  /** Stores a draft; a form that equals the saved item is not a draft. */
  edit(key: string, form: Form): void {
    const before = this.store.get().drafts.get(key);
    const saved = this.saved(key);
    const base = before ? before.base : this.#baseOf(saved);
    if (saved && base === this.#baseOf(saved) && this.#parts.equalsSaved(form, saved)) this.discard(key);
    else this.#keep({ key, id: before ? before.id : (saved?.id ?? null), base, form });
  }

  /** Discards a draft; returns it, so that it can be restored. */
  discard(key: string): DraftedForm<Form> | null {
    const { drafts, selected } = this.store.get();
    const draft = drafts.get(key) ?? null;
    const next = new Map(drafts);
    next.delete(key);
    this.#memory?.forget(key);
    const there = this.saved(key) !== undefined;
    this.#patch({ drafts: next, selected: key === selected && !there ? null : selected });
    return draft;
  }

  restoreDraft(draft: DraftedForm<Form>): void {
    this.#keep(draft);
    this.select(draft.key);
  }

  /** Whether another window saved or deleted the item after its draft was started. */
  isStale(key: string): boolean {
    const draft = this.store.get().drafts.get(key);
    return draft !== undefined && draft.id !== null && this.#baseOf(this.saved(key)) !== draft.base;
  }

  /** Accepts the version that another window saved as the new base of the draft, which will replace it. */
  keepMine(key: string): void {
    const draft = this.store.get().drafts.get(key);
    const saved = this.saved(key);
    if (draft) this.#keep({ ...draft, id: saved?.id ?? null, base: this.#baseOf(saved) });
  }

  /** Saves the changes. Throws SavedElsewhereError and the errors of main. */
  async save(key: string): Promise<Saved> {
    const form = this.form(key);
    if (form === null) throw new Error('There are no changes to save.');
    const before = this.saved(key);
    const draft = this.store.get().drafts.get(key);
    const saved = await this.put(draft ?? { key, id: before?.id ?? null, base: this.#baseOf(before), form });
    const savedKey = this.keyOf(saved.id);
    if (savedKey !== key) this.#begun.set(savedKey, this.identity(key));
    const now = this.store.get().drafts.get(key);
    this.discard(key);
    // Typed during the save.
    if (now && now.form !== form) {
      this.#keep({ key: savedKey, id: saved.id, base: this.#baseOf(saved), form: now.form });
    }
    const { selected } = this.store.get();
    if (selected === key || selected === null) this.select(savedKey);
    return saved;
  }

  /** A change of the saved item is also applied to its draft. */
  protected changed(before: Saved, after: Saved, change: Partial<Form>): void {
    const draft = this.store.get().drafts.get(this.keyOf(before.id));
    if (!draft) return;
    const base = draft.base === this.#baseOf(before) ? this.#baseOf(after) : draft.base;
    this.#keep({ ...draft, base, form: { ...draft.form, ...change } });
  }

  /** Loads earlier drafts; retries until `signal` aborts. */
  protected async recall(signal: AbortSignal): Promise<void> {
    if (this.#memory) return;
    try {
      const { workspace } = await this.#parts.app.info(undefined, { signal });
      this.workspace = workspace;
      const { prefix, isForm, storage } = this.#parts;
      this.#memory = new DraftMemory({
        prefix: `${prefix}.${workspace}.`,
        isDraft: ({ form }) => isForm(form),
        storage,
      });
      const { drafts } = this.store.get();
      const kept = this.#memory.read().map((draft) => [draft.key, draft] as const);
      this.#patch({ drafts: new Map([...kept, ...drafts]) });
      for (const draft of drafts.values()) this.#keep(draft);
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.#patch({ problem: problemOf(error) });
      // Drafts from before the storage key was known are stored as soon as it is.
      setTimeout(() => void this.recall(signal), RECALL_AGAIN_AFTER_MS);
    }
  }

  #baseOf(saved: Saved | undefined): string | null {
    return saved ? this.#parts.baseOf(saved) : null;
  }

  #keep(draft: DraftedForm<Form>): void {
    const drafts = new Map(this.store.get().drafts).set(draft.key, draft);
    this.#patch({ drafts, keeps: this.#memory?.write(draft) ?? true });
  }

  #patch(change: Partial<DraftedState<Form>>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

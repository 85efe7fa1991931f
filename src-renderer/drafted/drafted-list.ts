import type { Client } from '../client/client.ts';
import { isAbort, problemOf } from '../client/errors.ts';
import type { Problem } from '../client/errors.ts';
import { Store } from '../support/store.ts';
import { DraftMemory } from './draft-memory.ts';
import type { DraftStorage } from './draft-memory.ts';

const RECALL_AGAIN_AFTER_MS = 1_000;

/** What is typed of something and not saved. */
export interface Draft<Form> {
  /** `rule:7` for one that is there, `new:…` for one that is not. */
  key: string;
  /** null for a new one. */
  id: number | null;
  /** What was saved when it was begun; something else says that another window saved meanwhile. */
  base: string | null;
  form: Form;
}

export interface DraftedState<Form> {
  drafts: ReadonlyMap<string, Draft<Form>>;
  /** `rule:7` or the key of a draft. */
  selected: string | null;
  loaded: boolean;
  problem: Problem | null;
  /** Whether the browser keeps drafts; without, they end with the page. */
  keeps: boolean;
}

/** Before anything was read. */
export const NOTHING_YET = {
  drafts: new Map<string, never>(),
  selected: null,
  loaded: false,
  problem: null,
  keeps: true,
} as const;

interface Parts<Saved, Form> {
  /** What it is for people: `rule`; keys are `rule:7`. */
  noun: string;
  /** Where the browser keeps drafts, with the name of the workspace behind it. */
  prefix: string;
  storage: DraftStorage | undefined;
  app: Client['app'];
  /** Whether what was kept, perhaps by another version, can be shown. */
  isForm: (form: Form) => boolean;
  formOf: (saved: Saved) => Form;
  /** Tells what is saved from what was saved before. */
  baseOf: (saved: Saved) => string;
  saysTheSame: (form: Form, saved: Saved) => boolean;
}

/** Thrown by `save` where another window saved after the draft was begun: nothing was saved. */
export class SavedMeanwhileError extends Error {
  override readonly name = 'SavedMeanwhileError';

  constructor(noun: string, stored: boolean) {
    super(
      stored
        ? `Another window saved this ${noun} first. Nothing was saved: keep yours, or take theirs.`
        : `Another window deleted this ${noun}. Nothing was saved: keep yours to make it anew.`,
    );
  }
}

/** A list of what is saved, with what is typed of it and not saved, one of which is chosen. */
export abstract class DraftedList<Saved extends { id: number }, Form, State extends DraftedState<Form>> {
  readonly store: Store<State>;
  readonly noun: string;
  readonly #parts: Parts<Saved, Form>;
  /** With which key those were begun that were saved since. */
  readonly #begun = new Map<string, string>();
  #memory: DraftMemory<Draft<Form>> | null = null;
  #drafted = 0;

  constructor(first: State, parts: Parts<Saved, Form>) {
    this.store = new Store(first);
    this.noun = parts.noun;
    this.#parts = parts;
  }

  /** All that are saved, as far as this window knows. */
  protected abstract all(): readonly Saved[];
  /** Saves a draft and returns what is saved now. Throws SavedMeanwhileError, and what main says. */
  protected abstract put(draft: Draft<Form>): Promise<Saved>;

  keyOf(id: number): string {
    return `${this.noun}:${id}`;
  }

  saved(key: string | null): Saved | undefined {
    return this.all().find(({ id }) => this.keyOf(id) === key);
  }

  /** The same before and after its first save, so that its editor stays what it is. */
  identity(key: string): string {
    return this.#begun.get(key) ?? key;
  }

  select(key: string | null): void {
    this.#patch({ selected: key });
  }

  /** Begins a new one and selects it. */
  create(form: Form): string {
    this.#drafted += 1;
    const draft = { key: `new:${Date.now()}.${this.#drafted}`, id: null, base: null, form };
    this.#keep(draft);
    this.select(draft.key);
    return draft.key;
  }

  /** What is typed of it, else what is saved. */
  form(key: string): Form | null {
    const draft = this.store.get().drafts.get(key);
    if (draft) return draft.form;
    const saved = this.saved(key);
    return saved ? this.#parts.formOf(saved) : null;
  }

  /** Keeps what is typed; a form that says what is saved is no draft. */
  edit(key: string, form: Form): void {
    const before = this.store.get().drafts.get(key);
    const saved = this.saved(key);
    const base = before ? before.base : this.#baseOf(saved);
    if (saved && base === this.#baseOf(saved) && this.#parts.saysTheSame(form, saved)) this.discard(key);
    else this.#keep({ key, id: before ? before.id : (saved?.id ?? null), base, form });
  }

  /** Forgets a draft; returns it, so that it can be brought back. */
  discard(key: string): Draft<Form> | null {
    const { drafts, selected } = this.store.get();
    const draft = drafts.get(key) ?? null;
    const next = new Map(drafts);
    next.delete(key);
    this.#memory?.forget(key);
    const there = this.saved(key) !== undefined;
    this.#patch({ drafts: next, selected: key === selected && !there ? null : selected });
    return draft;
  }

  bringBack(draft: Draft<Form>): void {
    this.#keep(draft);
    this.select(draft.key);
  }

  /** Whether another window saved or deleted it after its draft was begun. */
  isOvertaken(key: string): boolean {
    const draft = this.store.get().drafts.get(key);
    return draft !== undefined && draft.id !== null && this.#baseOf(this.saved(key)) !== draft.base;
  }

  /** Says that the draft knows what another window saved, and is to take its place. */
  keepMine(key: string): void {
    const draft = this.store.get().drafts.get(key);
    const saved = this.saved(key);
    if (draft) this.#keep({ ...draft, id: saved?.id ?? null, base: this.#baseOf(saved) });
  }

  /** Saves what is typed. Throws SavedMeanwhileError, and what main says. */
  async save(key: string): Promise<Saved> {
    const form = this.form(key);
    if (form === null) throw new Error('There is nothing to save.');
    const before = this.saved(key);
    const draft = this.store.get().drafts.get(key);
    const saved = await this.put(draft ?? { key, id: before?.id ?? null, base: this.#baseOf(before), form });
    const savedKey = this.keyOf(saved.id);
    if (savedKey !== key) this.#begun.set(savedKey, this.identity(key));
    const now = this.store.get().drafts.get(key);
    this.discard(key);
    // Typed while it was being saved.
    if (now && now.form !== form) {
      this.#keep({ key: savedKey, id: saved.id, base: this.#baseOf(saved), form: now.form });
    }
    const { selected } = this.store.get();
    if (selected === key || selected === null) this.select(savedKey);
    return saved;
  }

  /** A change of what is saved is made in its draft too. */
  protected changed(before: Saved, after: Saved, change: Partial<Form>): void {
    const draft = this.store.get().drafts.get(this.keyOf(before.id));
    if (!draft) return;
    const base = draft.base === this.#baseOf(before) ? this.#baseOf(after) : draft.base;
    this.#keep({ ...draft, base, form: { ...draft.form, ...change } });
  }

  /** Reads what was typed earlier; tries again until `signal` aborts. */
  protected async recall(signal: AbortSignal): Promise<void> {
    if (this.#memory) return;
    try {
      const { workspace } = await this.#parts.app.info(undefined, { signal });
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
      // What is typed meanwhile is kept as soon as it is known where.
      setTimeout(() => void this.recall(signal), RECALL_AGAIN_AFTER_MS);
    }
  }

  #baseOf(saved: Saved | undefined): string | null {
    return saved ? this.#parts.baseOf(saved) : null;
  }

  #keep(draft: Draft<Form>): void {
    const drafts = new Map(this.store.get().drafts).set(draft.key, draft);
    this.#patch({ drafts, keeps: this.#memory?.write(draft) ?? true });
  }

  #patch(change: Partial<DraftedState<Form>>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

import { type Draft, type Script, draftKey, partsOfDraftKey } from '#domain/run/script';
import { Store } from '../../../support/store.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { DraftStore } from './draft-keeper.ts';
import { type Doc, ScriptDocument } from './script-document.ts';
import { NOTHING_KNOWN } from './scripts-state.ts';
import type { ScriptsMemory, ScriptsState } from './scripts-state.ts';

/** The tabs as stored in the browser. */
export interface Tabs {
  keys: string[];
  active: string | null;
}

/** The name of stored drafts that could not be sent, followed by their window. */
const UNSENT = 'unsent-drafts';

interface OpenDocsParts {
  store: DraftStore;
  memory: ScriptsMemory;
  now: () => Date;
}

/** The open scripts of a window with their tabs, and where their drafts are stored. */
export class OpenDocs {
  readonly store = new Store<ScriptsState>(NOTHING_KNOWN);
  readonly #memory: ScriptsMemory;
  readonly #now: () => Date;
  readonly #drafts: DraftKeeper;
  readonly #documents = new Map<string, ScriptDocument>();
  readonly #checkers = new Set<(editor: string) => void>();
  /** Entries of the browser's storage whose drafts this window sends now. */
  readonly #taken = new Set<string>();

  constructor({ store, memory, now }: OpenDocsParts) {
    this.#memory = memory;
    this.#now = now;
    this.#drafts = new DraftKeeper({
      store,
      mirror: {
        read: () => {
          for (const key of this.#memory.keys(this.#nameOf(UNSENT))) this.#taken.add(key);
          return [...this.#taken].flatMap((key) => this.#memory.read<Draft[]>(key, []));
        },
        write: (drafts) => {
          const own = this.#nameOf(`${UNSENT}.${memory.window}`);
          if (!this.#memory.write(own, drafts.length > 0 ? drafts : null)) return false;
          for (const key of this.#taken) if (key !== own) this.#memory.write(key, null);
          this.#taken.clear();
          return true;
        },
      },
    });
  }

  patch(patch: Partial<ScriptsState>): void {
    this.store.update((state) => ({ ...state, ...patch }));
  }

  /**
   * Sends the drafts that an earlier page of this browser could not send, those of closed windows too. Returns all
   * drafts of this window, by the keys of their docs.
   */
  async recovered(kept: readonly Draft[]): Promise<Map<string, Draft>> {
    const drafts = new Map(kept.map((draft) => [draft.key, draft]));
    // New scripts from a page that ended before the workspace was known.
    const unplaced = this.#memory.keys(`.${UNSENT}`);
    for (const draft of unplaced.flatMap((key) => this.#memory.read<Draft[]>(key, []))) {
      if (draft.scriptId !== null) continue;
      this.#drafts.keep(draft);
      drafts.set(draft.key, draft);
    }
    for (const draft of this.#drafts.recover(drafts)) drafts.set(draft.key, draft);
    if (this.#drafts.rescue()) for (const key of unplaced) this.#memory.write(key, null);
    await this.#drafts.flush();
    const own = [...drafts.values()].map((draft) => ({ draft, ...partsOfDraftKey(draft.key) }));
    return new Map(
      own.filter(({ window }) => window === this.#memory.window).map(({ script, draft }) => [script, draft]),
    );
  }

  add(doc: Doc): void {
    this.#take(doc);
    this.patch({ docs: this.#docs() });
  }

  document(key: string): ScriptDocument | undefined {
    return this.#documents.get(key);
  }

  /** The document of a text in the editor. */
  documentOf(editor: string): ScriptDocument | undefined {
    return [...this.#documents.values()].find(({ doc }) => doc.editor === editor);
  }

  /** Calls `check` with the name of each text whose diagnostics are stale; returns how to stop that. */
  onStaleDiagnostics(check: (editor: string) => void): () => void {
    this.#checkers.add(check);
    return () => this.#checkers.delete(check);
  }

  activate(key: string): void {
    const { tabs } = this.store.get();
    this.patch({ active: key, tabs: tabs.includes(key) ? tabs : [...tabs, key] });
    this.#rememberTabs();
  }

  /** Closes a tab. Unsaved changes stay as a draft and are restored when the script is opened again. */
  close(key: string): void {
    const { tabs, active } = this.store.get();
    const at = tabs.indexOf(key);
    const rest = tabs.filter((other) => other !== key);
    this.#documents.get(key)?.dispose();
    this.#documents.delete(key);
    this.patch({
      tabs: rest,
      docs: this.#docs(),
      active: active === key ? (rest[Math.min(Math.max(at, 0), rest.length - 1)] ?? null) : active,
    });
    this.#rememberTabs();
  }

  /** Opens all these at once, when a window starts; new scripts from before stay, and stay in front. */
  openAll(docs: readonly Doc[], active: string | null): void {
    const { tabs, active: before } = this.store.get();
    const begun = [...this.#documents];
    this.#documents.clear();
    for (const doc of docs) this.#take(doc);
    for (const [key, document] of begun) this.#documents.set(key, document);
    this.patch({
      docs: this.#docs(),
      tabs: [...new Set([...docs.map(({ key }) => key), ...tabs])],
      active: before ?? active,
    });
    for (const [, document] of begun) document.keepDraft();
  }

  rememberedTabs(): Tabs | null {
    const name = this.#nameOf('tabs');
    return this.#memory.ofWindow.read<Tabs | null>(name, null) ?? this.#memory.read<Tabs | null>(name, null);
  }

  /** The text of a script became a version, or its script was closed in the meantime. */
  saved(key: string, script: Script): void {
    const document = this.#documents.get(key);
    if (document) document.saved(script);
    else this.#draftChanged(key, null);
  }

  async flushDrafts(): Promise<void> {
    for (const document of this.#documents.values()) document.flushDraft();
    await this.#drafts.flush();
  }

  /** Called when the page ends. Returns false if the last changes would be lost. */
  rescue(): boolean {
    for (const document of this.#documents.values()) document.flushDraft();
    const safe = this.#drafts.rescue();
    void this.#drafts.flush();
    return safe;
  }

  #take(doc: Doc): void {
    this.#documents.set(
      doc.key,
      new ScriptDocument(doc, {
        window: this.#memory.window,
        drafts: this.#drafts,
        now: this.#now,
        changed: (next, formerKey = next.key) => this.#changed(next, formerKey),
        draftChanged: (key, draft) => this.#draftChanged(key, draft),
        check: ({ editor }) => {
          for (const check of this.#checkers) check(editor);
        },
      }),
    );
  }

  #changed(doc: Doc, formerKey: string): void {
    if (doc.key === formerKey) return this.patch({ docs: this.#docs() });
    // In its place, so that the order of the docs (and of the editors) does not change.
    const all = [...this.#documents];
    this.#documents.clear();
    for (const [key, document] of all) this.#documents.set(key === formerKey ? doc.key : key, document);
    const { tabs, active } = this.store.get();
    this.patch({
      docs: this.#docs(),
      tabs: tabs.map((tab) => (tab === formerKey ? doc.key : tab)),
      active: active === formerKey ? doc.key : active,
    });
    this.#rememberTabs();
  }

  /** A draft was written, or is no longer wanted (null). */
  #draftChanged(key: string, draft: Draft | null): void {
    const drafts = new Map(this.store.get().drafts);
    if (draft) drafts.set(key, draft);
    else if (drafts.delete(key)) this.#drafts.discard(draftKey(key, this.#memory.window));
    else return;
    this.patch({ drafts });
  }

  #docs(): Map<string, Doc> {
    return new Map([...this.#documents].map(([key, { doc }]) => [key, doc]));
  }

  #rememberTabs(): void {
    const { tabs, active } = this.store.get();
    const remembered: Tabs = { keys: [...tabs], active };
    // In the window for its next page, in the browser for the next window.
    this.#memory.ofWindow.write(this.#nameOf('tabs'), remembered);
    this.#memory.write(this.#nameOf('tabs'), remembered);
  }

  #nameOf(key: string): string {
    return `${this.store.get().workspace}.${key}`;
  }
}

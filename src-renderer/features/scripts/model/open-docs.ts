import type { Draft, Script } from '#domain/run/script';
import { Store } from '../../../support/store.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { DraftStore } from './draft-keeper.ts';
import { type Doc, ScriptDocument } from './script-document.ts';
import { NOTHING_KNOWN } from './scripts-state.ts';
import type { Memory, ScriptsState } from './scripts-state.ts';

/** The tabs as stored in the browser. */
export interface Tabs {
  keys: string[];
  active: string | null;
}

interface Parts {
  store: DraftStore;
  memory: Memory;
  now: () => Date;
}

/** The open scripts of a window with their tabs, and where their drafts are stored. */
export class OpenDocs {
  readonly store = new Store<ScriptsState>(NOTHING_KNOWN);
  readonly #memory: Memory;
  readonly #now: () => Date;
  readonly #drafts: DraftKeeper;
  readonly #documents = new Map<string, ScriptDocument>();
  readonly #checkers = new Set<(editor: string) => void>();

  constructor({ store, memory, now }: Parts) {
    this.#memory = memory;
    this.#now = now;
    this.#drafts = new DraftKeeper({
      store,
      mirror: {
        read: () => this.#remembered<Draft[]>('unsent-drafts', []),
        write: (drafts) => this.#remember('unsent-drafts', drafts.length > 0 ? drafts : null),
      },
    });
  }

  patch(patch: Partial<ScriptsState>): void {
    this.store.update((state) => ({ ...state, ...patch }));
  }

  /** The drafts of the workspace, plus those that an earlier page of this browser could not send. */
  recovered(kept: readonly Draft[]): Map<string, Draft> {
    const drafts = new Map([...kept, ...this.#unplaced()].map((draft) => [draft.key, draft]));
    for (const draft of this.#drafts.recover(drafts)) drafts.set(draft.key, draft);
    return drafts;
  }

  /** New scripts from a page that ended before the workspace was known. */
  #unplaced(): Draft[] {
    const name = this.#nameOf('', 'unsent-drafts');
    const drafts = this.#memory.read<Draft[]>(name, []).filter(({ scriptId }) => scriptId === null);
    if (drafts.length > 0) this.#memory.write(name, null);
    for (const draft of drafts) this.#drafts.keep(draft);
    return drafts;
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
    return this.#remembered<Tabs | null>('tabs', null);
  }

  /** The text of a script became a version, or its script was closed in the meantime. */
  saved(key: string, script: Script): void {
    const document = this.#documents.get(key);
    if (document) document.saved(script);
    else this.#draftChanged(key, null);
  }

  /** Called when the page ends; false if the last changes would be lost with it. */
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

  /** A draft was written, or is not wanted any more (null). */
  #draftChanged(key: string, draft: Draft | null): void {
    const drafts = new Map(this.store.get().drafts);
    if (draft) drafts.set(key, draft);
    else if (drafts.delete(key)) this.#drafts.discard(key);
    else return;
    this.patch({ drafts });
  }

  #docs(): Map<string, Doc> {
    return new Map([...this.#documents].map(([key, { doc }]) => [key, doc]));
  }

  #rememberTabs(): void {
    const { tabs, active } = this.store.get();
    this.#remember('tabs', { keys: [...tabs], active } satisfies Tabs);
  }

  #remembered<T>(key: string, fallback: T): T {
    return this.#memory.read(this.#nameOf(this.store.get().workspace, key), fallback);
  }

  #remember(key: string, value: unknown): boolean {
    return this.#memory.write(this.#nameOf(this.store.get().workspace, key), value);
  }

  #nameOf(workspace: string, key: string): string {
    return `${workspace}.${key}`;
  }
}

import type { Draft, Script, ScriptText } from '#domain/run/script';
import { Store } from '../../../support/store.ts';
import { draftOf, isDirty, keyOfScript, textOf } from './doc.ts';
import type { Doc } from './doc.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { DraftStore } from './draft-keeper.ts';
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

/** The open scripts of a window: their texts, their tabs, and their drafts. */
export class OpenDocs {
  readonly store = new Store<ScriptsState>(NOTHING_KNOWN);
  readonly #memory: Memory;
  readonly #now: () => Date;
  readonly #drafts: DraftKeeper;

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

  get(key: string): Doc | undefined {
    return this.store.get().docs.get(key);
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
    this.patch({ docs: new Map(this.store.get().docs).set(doc.key, doc) });
  }

  /** Does nothing if the doc is not open. */
  change(key: string, change: (doc: Doc) => Doc): void {
    const { docs } = this.store.get();
    const doc = docs.get(key);
    if (!doc) return;
    const next = change(doc);
    if (next !== doc) this.patch({ docs: new Map(docs).set(key, next) });
  }

  activate(key: string): void {
    const { tabs } = this.store.get();
    this.patch({ active: key, tabs: tabs.includes(key) ? tabs : [...tabs, key] });
    this.#rememberTabs();
  }

  /** Closes a tab. Unsaved changes stay as a draft and are restored when the script is opened again. */
  close(key: string): void {
    const { tabs, active, docs } = this.store.get();
    const at = tabs.indexOf(key);
    const rest = tabs.filter((other) => other !== key);
    const left = new Map(docs);
    left.delete(key);
    this.patch({
      tabs: rest,
      docs: left,
      active: active === key ? (rest[Math.min(Math.max(at, 0), rest.length - 1)] ?? null) : active,
    });
    this.#rememberTabs();
  }

  /** Opens all these at once, when a window starts; new scripts from before stay, and stay in front. */
  openAll(docs: readonly Doc[], active: string | null): void {
    const { docs: begun, tabs, active: before } = this.store.get();
    const all = new Map([...docs.map((doc) => [doc.key, doc] as const), ...begun]);
    this.patch({
      docs: all,
      tabs: [...new Set([...docs.map(({ key }) => key), ...tabs])],
      active: before ?? active,
    });
    for (const key of begun.keys()) this.keepDraft(key);
  }

  rememberedTabs(): Tabs | null {
    return this.#remembered<Tabs | null>('tabs', null);
  }

  /** Inserts a text from outside the editor, so that Ctrl+Z reverses it. */
  replace(key: string, text: ScriptText): void {
    this.change(key, (doc) => ({ ...doc, text: textOf(text), replaced: doc.replaced + 1 }));
    this.keepDraft(key);
  }

  /** The current text became a version; a new script gets its key. */
  saved(key: string, script: Script): void {
    const { docs, tabs, active } = this.store.get();
    const doc = docs.get(key);
    const nextKey = keyOfScript(script.id);
    if (doc) {
      const next: Doc = {
        ...doc,
        key: nextKey,
        scriptId: script.id,
        baseVersion: script.version,
        saved: script,
        restoredFrom: null,
        theirs: null,
        deleted: false,
      };
      // In its place, so that the order of the docs (and of the editors) does not change.
      const renamed = new Map([...docs].map(([other, value]) => (other === key ? [nextKey, next] : [other, value])));
      this.patch({
        docs: renamed,
        tabs: tabs.map((tab) => (tab === key ? nextKey : tab)),
        active: active === key ? nextKey : active,
      });
      this.#rememberTabs();
    }
    this.dropDraft(key);
    const now = this.get(nextKey);
    if (now && isDirty(now)) this.keepDraft(nextKey);
  }

  /** Shows a saved version without unsaved changes. */
  adopt(key: string, script: Script): void {
    this.change(key, (doc) => ({
      ...doc,
      baseVersion: script.version,
      saved: script,
      text: textOf(script),
      restoredFrom: null,
      theirs: null,
      replaced: doc.replaced + 1,
    }));
    this.dropDraft(key);
  }

  keepDraft(key: string): void {
    const doc = this.get(key);
    if (!doc) return;
    if (!isDirty(doc)) return this.dropDraft(key);
    const draft = draftOf(doc, this.#now().toISOString());
    this.patch({ drafts: new Map(this.store.get().drafts).set(key, draft) });
    this.#drafts.keep(draft);
  }

  dropDraft(key: string): void {
    const { drafts } = this.store.get();
    this.change(key, (doc) => (doc.restoredFrom === null ? doc : { ...doc, restoredFrom: null }));
    if (!drafts.has(key)) return;
    const left = new Map(drafts);
    left.delete(key);
    this.patch({ drafts: left });
    this.#drafts.discard(key);
  }

  /** Called when the page ends; false if the last changes would be lost with it. */
  rescue(): boolean {
    const safe = this.#drafts.rescue();
    void this.#drafts.flush();
    return safe;
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

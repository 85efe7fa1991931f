import type { Draft, Script, ScriptSummary, ScriptText } from '#domain/run/script';
import { draftKey, partsOfDraftKey } from '#domain/run/script';
import { problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import { persist } from '../../../client/persist.ts';
import type { Store } from '../../../support/store.ts';
import { OpenDocs } from './open-docs.ts';
import {
  type Doc,
  type ScriptDocument,
  docOfDraft,
  docOfScript,
  isDirty,
  keyOfScript,
  newDoc,
  textOf,
} from './script-document.ts';
import type { SaveOutcome, ScriptsMemory, ScriptsClient, ScriptsState } from './scripts-state.ts';
import { WindowDrafts } from './window-drafts.ts';

/** The script library in this window, and the effects of saves on open scripts. */
export class ScriptsModel {
  readonly store: Store<ScriptsState>;
  readonly #client: ScriptsClient;
  readonly #open: OpenDocs;
  readonly #drafts: WindowDrafts;
  readonly #window: string;
  readonly #saving = new Set<string>();
  readonly #saves = new Map<string, Promise<SaveOutcome>>();
  /** Ends all retries, with the window. */
  #end: AbortSignal = new AbortController().signal;
  /** The current listing, and whether the library changed since it started. */
  #listing: Promise<void> | null = null;
  #changed = false;

  constructor(client: ScriptsClient, memory: ScriptsMemory, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#window = memory.window;
    const store = {
      put: (draft: Draft) => client.drafts.put(draft),
      discard: (key: string) => client.drafts.discard({ key }),
    };
    this.#open = new OpenDocs({ store, memory, now });
    const isSaving = (key: string) => this.#saving.has(key);
    this.#drafts = new WindowDrafts({ client, open: this.#open, window: memory.window, isSaving });
    this.store = this.#open.store;
  }

  /** Loads the library, reopens the open scripts, and follows changes until `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    this.#end = signal;
    try {
      const [info, library, kept] = await Promise.all([
        this.#client.app.info(undefined, { signal }),
        this.#client.scripts.list(undefined, { signal }),
        this.#client.drafts.list(undefined, { signal }),
        this.#drafts.follow(signal),
      ]);
      this.#open.patch({ workspace: info.workspace });
      const drafts = await this.#open.recovered(kept);
      this.#open.patch({ groups: library.groups, scripts: library.scripts, drafts });
      await this.#openRemembered(signal);
      this.#open.patch({ phase: 'ready' });
    } catch (error) {
      if (signal.aborted) return;
      this.#open.patch({ phase: 'failed', problem: problemOf(error) });
      return;
    }
    await stayCurrent(
      {
        changes: [(end) => this.#client.scripts.changes(undefined, { signal: end })],
        read: () => this.refresh(),
      },
      signal,
    );
  }

  /**
   * Reloads the list, and checks whether open scripts were saved or deleted elsewhere. Never rejects: failed loads are
   * retried, and `outdated` has the reason. Resolves after the first attempt.
   */
  async refresh(): Promise<void> {
    this.#changed = true;
    this.#listing ??= this.#listAll();
    await this.#listing;
  }

  /** Lists until there are no changes since; resolves after the first failure, and continues in the background. */
  #listAll(): Promise<void> {
    return new Promise((resolve) => {
      const listed = async () => {
        while (this.#changed) {
          this.#changed = false;
          await this.#list();
        }
        this.#open.patch({ outdated: null });
      };
      const failed = (error: unknown) => {
        this.#changed = true;
        this.#open.patch({ outdated: problemOf(error) });
        resolve();
      };
      void persist(listed, this.#end, failed).then(() => {
        this.#listing = null;
        resolve();
      });
    });
  }

  async #list(): Promise<void> {
    const library = await this.#client.scripts.list();
    this.#open.patch({ groups: library.groups, scripts: library.scripts });
    const versions = new Map(library.scripts.map(({ id, version }) => [id, version]));
    await Promise.all(
      [...this.store.get().docs.values()].map(async (doc) => {
        if (doc.scriptId === null || this.#saving.has(doc.key)) return;
        const version = versions.get(doc.scriptId);
        if (version === undefined) return this.document(doc.key)?.change((now) => ({ ...now, deleted: true }));
        if (doc.deleted) this.document(doc.key)?.change((now) => ({ ...now, deleted: false }));
        if (version > Math.max(doc.baseVersion, doc.theirs?.version ?? 0)) {
          this.#receiveOtherVersion(doc.key, await this.#client.scripts.get({ id: doc.scriptId }));
        }
      }),
    );
  }

  doc(key: string): Doc | undefined {
    return this.store.get().docs.get(key);
  }

  document(key: string): ScriptDocument | undefined {
    return this.#open.document(key);
  }

  /** The open document of a text in the editor. */
  documentOf(editor: string): ScriptDocument | undefined {
    return this.#open.documentOf(editor);
  }

  /** Calls `check` with the name of each text whose diagnostics are stale; returns how to stop that. */
  onStaleDiagnostics(check: (editor: string) => void): () => void {
    return this.#open.onStaleDiagnostics(check);
  }

  /** Opens a saved script, or shows its tab. */
  async open(id: number): Promise<void> {
    const key = keyOfScript(id);
    if (!this.doc(key)) {
      const script = await this.#client.scripts.get({ id });
      const doc = docOfScript(script, await this.#drafts.own(key));
      if (!this.doc(key)) this.#add(doc);
    }
    this.activate(key);
  }

  /** Opens a script that was never saved: its draft, or a copy of that of another open window. */
  async openDraft(key: string): Promise<void> {
    const draft = (await this.#drafts.own(key)) ?? (await this.#drafts.copyOf(key));
    if (!this.doc(key) && draft) this.#add(docOfDraft(draft));
    if (this.doc(key)) this.activate(key);
  }

  /** Whether a script that was never saved is only in other open windows. */
  isOnlyElsewhere(key: string): boolean {
    return this.#drafts.isOnlyElsewhere(key);
  }

  /** Another window's draft with its text. */
  async otherDraft(key: string): Promise<Draft> {
    return await this.#client.drafts.get({ key });
  }

  /** Continues with the text of another window's draft; returns the former text, so that it can be restored. */
  adoptDraft(key: string, draft: Draft): ScriptText | null {
    const doc = this.doc(key);
    if (!doc) return null;
    this.document(key)?.change((now) => ({
      ...now,
      baseVersion: Math.min(now.baseVersion, draft.baseVersion),
      theirs: now.saved && draft.baseVersion < now.saved.version ? now.saved : now.theirs,
    }));
    this.replace(key, draft);
    return doc.text;
  }

  /** Discards the draft that a closed window left. */
  async discardOther(key: string): Promise<void> {
    await this.#client.drafts.discard({ key });
  }

  /** Restores a draft that `discardOther` discarded. */
  async restoreOther(draft: Draft): Promise<void> {
    await this.#client.drafts.put(draft);
  }

  /** Opens an empty script; returns its key. */
  create(group: string): string {
    const key = `new-${crypto.randomUUID()}`;
    this.#open.add(newDoc(key, group));
    this.activate(key);
    return key;
  }

  activate(key: string): void {
    this.#open.activate(key);
  }

  /** Closes a tab. Unsaved changes stay as a draft and are restored when the script is opened again. */
  close(key: string): void {
    this.#open.close(key);
  }

  /** The typed text. */
  edit(key: string, change: Partial<ScriptText>): void {
    this.document(key)?.edit(change);
  }

  /** Inserts a body from outside the editor, so that Ctrl+Z reverses it. */
  replace(key: string, text: ScriptText): void {
    this.document(key)?.replace(text);
  }

  /** Saves the current text as a new version; after a save in progress, only what was typed since. */
  async save(key: string): Promise<SaveOutcome> {
    const before = this.#saves.get(key);
    const saving = before === undefined ? this.#put(key) : this.#putAfter(key, before);
    this.#saves.set(key, saving);
    try {
      return await saving;
    } finally {
      if (this.#saves.get(key) === saving) this.#saves.delete(key);
    }
  }

  async #putAfter(key: string, before: Promise<SaveOutcome>): Promise<SaveOutcome> {
    const outcome = await before;
    const doc = this.doc(key);
    return outcome.kind === 'saved' && doc && isDirty(doc) ? this.#put(key) : outcome;
  }

  async #put(key: string): Promise<SaveOutcome> {
    const doc = this.doc(key);
    if (!doc) return { kind: 'refused', problem: problemOf(new Error('The script was closed.')) };
    if (doc.scriptId === null && (doc.text.group.trim() === '' || doc.text.name.trim() === '')) {
      return { kind: 'unnamed' };
    }
    this.#saving.add(key);
    try {
      const script = await this.#client.scripts.save({
        ...doc.text,
        draft: draftKey(key, this.#window),
        ...(doc.scriptId === null || doc.deleted ? {} : { id: doc.scriptId, baseVersion: doc.baseVersion }),
      });
      this.#open.saved(key, script);
      this.#showInList(script);
      return { kind: 'saved', script, before: doc.saved };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'CONFLICT' && doc.scriptId !== null && !doc.deleted) {
        // Deleted, or main can't be reached: then the original error is reported.
        const current = await this.#client.scripts.get({ id: doc.scriptId }).catch(() => null);
        if (current && current.version > doc.baseVersion) {
          this.#receiveOtherVersion(key, current);
          return { kind: 'conflict' };
        }
      }
      return { kind: 'refused', problem };
    } finally {
      this.#saving.delete(key);
    }
  }

  /** Continues with the current text: the next save follows theirs, which stays in the history. */
  keepMine(key: string): void {
    this.document(key)?.change((doc) =>
      doc.theirs ? { ...doc, baseVersion: doc.theirs.version, saved: doc.theirs, theirs: null } : doc,
    );
    this.document(key)?.keepDraft();
  }

  /** Uses the version of the other window; returns the former text, so that it can be restored. */
  takeTheirs(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc?.theirs) return null;
    this.document(key)?.adopt(doc.theirs);
    return doc.text;
  }

  /**
   * Reverts to the saved version, and discards the draft; returns the former text. A script that was never saved is
   * closed.
   */
  discard(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc) return null;
    if (doc.saved) this.document(key)?.adopt(doc.saved);
    else {
      this.document(key)?.dropDraft();
      this.close(key);
    }
    return doc.text;
  }

  /** Restores a discarded draft of a script that was never saved. */
  restoreDiscarded(key: string, text: ScriptText): void {
    if (!this.doc(key)) {
      this.#open.add({ ...newDoc(key, text.group), text: textOf(text) });
      this.activate(key);
      this.document(key)?.keepDraft();
    } else this.replace(key, text);
  }

  /** This window saved, renamed or moved a script outside its editor. */
  applyExternalSave(before: Script, after: Script): void {
    const key = keyOfScript(after.id);
    this.document(key)?.change((doc) => ({
      ...doc,
      saved: after,
      baseVersion: doc.baseVersion === before.version ? after.version : doc.baseVersion,
      text: {
        ...doc.text,
        group: doc.text.group === before.group ? after.group : doc.text.group,
        name: doc.text.name === before.name ? after.name : doc.text.name,
      },
    }));
    this.document(key)?.keepDraft();
    this.#showInList(after);
  }

  /** Shows a script that this window saved in the list at once, as its tab does. The next list replaces it. */
  #showInList(saved: ScriptSummary): void {
    const { scripts, groups } = this.store.get();
    const before = scripts.find(({ id }) => id === saved.id);
    if (before && before.version > saved.version) return;
    this.#open.patch({
      scripts: [...scripts.filter((script) => script !== before), saved],
      groups: groups.includes(saved.group) ? groups : [...groups, saved.group],
    });
  }

  /** Replaces the body of a draft of this window, open or not; false if it is no longer `before`. */
  async replaceInDraft(draftOf: string, before: string, after: string): Promise<boolean> {
    const key = partsOfDraftKey(draftOf).script;
    const doc = this.doc(key);
    if (doc) {
      if (doc.text.body !== before) return false;
      this.replace(key, { ...doc.text, body: after });
      return true;
    }
    const draft = this.store.get().drafts.get(key);
    if (draft?.body !== before) return false;
    const next = { ...draft, body: after, changedAt: new Date().toISOString() };
    await this.#client.drafts.put(next);
    this.#open.patch({ drafts: new Map(this.store.get().drafts).set(key, next) });
    return true;
  }

  /** Stores the drafts without waiting for a pause in typing; resolves when they are stored, or could not be. */
  flushDrafts(): Promise<void> {
    return this.#open.flushDrafts();
  }

  /** Called when the page ends; false if the last changes would be lost with it. */
  rescue(): boolean {
    return this.#open.rescue();
  }

  /** Guards a save of this window that does not use `save`, so that its echo is not mistaken for another window's. */
  async quietly<T>(id: number, work: () => Promise<T>): Promise<T> {
    const key = keyOfScript(id);
    this.#saving.add(key);
    try {
      return await work();
    } finally {
      this.#saving.delete(key);
    }
  }

  #receiveOtherVersion(key: string, theirs: Script): void {
    const doc = this.doc(key);
    // A response that is older than another one is stale.
    if (!doc || theirs.version <= doc.baseVersion) return;
    if (isDirty(doc)) {
      this.document(key)?.change((now) => ({ ...now, theirs }));
    } else this.document(key)?.adopt(theirs);
  }

  #add(doc: Doc): void {
    this.#open.add(doc);
    // A copy of another window's draft becomes its own, and a draft without changes is none.
    const { drafts } = this.store.get();
    if (isDirty(doc) !== drafts.has(doc.key)) this.document(doc.key)?.keepDraft();
  }

  async #openRemembered(signal: AbortSignal): Promise<void> {
    const { scripts, drafts, others } = this.store.get();
    const known = new Set(scripts.map(({ id }) => keyOfScript(id)));
    const tabs = this.#open.rememberedTabs();
    const left = others.filter(({ isOpen }) => !isOpen).map(({ key }) => partsOfDraftKey(key).script);
    const strays = [...drafts.keys(), ...left].filter((key) => !known.has(key));
    // At the first start, the oldest script is opened: in the sample, the simplest one.
    const first = scripts.toSorted((a, b) => a.id - b.id)[0];
    const wanted = tabs?.keys ?? (first ? [keyOfScript(first.id)] : []);
    const keys = [...new Set([...wanted, ...strays])].filter((key) => known.has(key) || strays.includes(key));
    const docs = (await Promise.all(keys.map((key) => this.#docOf(key, signal)))).filter((doc) => doc !== null);
    this.#open.openAll(docs, tabs?.active && keys.includes(tabs.active) ? tabs.active : (keys[0] ?? null));
  }

  async #docOf(key: string, signal: AbortSignal): Promise<Doc | null> {
    const draft = await this.#drafts.own(key);
    const summary = this.store.get().scripts.find(({ id }) => keyOfScript(id) === key);
    if (!summary) return draft ? docOfDraft(draft) : null;
    return docOfScript(await this.#client.scripts.get({ id: summary.id }, { signal }), draft);
  }
}

import type { Draft, Script, ScriptText } from '#domain/run/script';
import { problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { persist } from '../../../client/persist.ts';
import type { Store } from '../../../support/store.ts';
import { docOfDraft, docOfScript, isDirty, keyOfScript, newDoc, textOf } from './doc.ts';
import type { Doc } from './doc.ts';
import { OpenDocs } from './open-docs.ts';
import type { Memory, SaveOutcome, ScriptsClient, ScriptsState } from './scripts-state.ts';

/** The script library as this window sees it, and what becomes of its open scripts when something is saved. */
export class ScriptsModel {
  readonly store: Store<ScriptsState>;
  readonly #client: ScriptsClient;
  readonly #open: OpenDocs;
  readonly #saving = new Set<string>();
  /** Ends what is asked again and again, with the window. */
  #end: AbortSignal = new AbortController().signal;
  /** The listing that goes on, and whether the library changed since it began. */
  #listing: Promise<void> | null = null;
  #changed = false;

  constructor(client: ScriptsClient, memory: Memory, now: () => Date = () => new Date()) {
    this.#client = client;
    const store = {
      put: (draft: Draft) => client.drafts.put(draft),
      discard: (key: string) => client.drafts.discard({ key }),
    };
    this.#open = new OpenDocs({ store, memory, now });
    this.store = this.#open.store;
  }

  /** Reads the library, opens what was open, and follows changes until `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    this.#end = signal;
    try {
      const [info, library, kept] = await Promise.all([
        this.#client.app.info(undefined, { signal }),
        this.#client.scripts.list(undefined, { signal }),
        this.#client.drafts.list(undefined, { signal }),
      ]);
      this.#open.patch({ workspace: info.workspace });
      const drafts = this.#open.recovered(kept);
      this.#open.patch({ groups: library.groups, scripts: library.scripts, drafts });
      await this.#openRemembered(signal);
      this.#open.patch({ phase: 'ready' });
    } catch (error) {
      if (signal.aborted) return;
      this.#open.patch({ phase: 'failed', problem: problemOf(error) });
      return;
    }
    await follow(
      (end) => this.#client.scripts.changes(undefined, { signal: end }),
      () => void this.refresh(),
      signal,
    );
  }

  /**
   * Lists the library again, and looks whether open scripts were saved or deleted elsewhere. Never rejects: what cannot
   * be read is asked for again, and `outdated` says why. Resolves after the first attempt.
   */
  async refresh(): Promise<void> {
    this.#changed = true;
    this.#listing ??= this.#listAll();
    await this.#listing;
  }

  /** Lists until nothing has changed since; resolves after the first failure, and goes on behind it. */
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
        if (version === undefined) return this.#open.change(doc.key, (now) => ({ ...now, deleted: true }));
        if (doc.deleted) this.#open.change(doc.key, (now) => ({ ...now, deleted: false }));
        if (version > Math.max(doc.baseVersion, doc.theirs?.version ?? 0)) {
          this.#theirsCame(doc.key, await this.#client.scripts.get({ id: doc.scriptId }));
        }
      }),
    );
  }

  doc(key: string): Doc | undefined {
    return this.#open.get(key);
  }

  /** Opens a saved script, or shows its tab. */
  async open(id: number): Promise<void> {
    const key = keyOfScript(id);
    if (!this.doc(key)) {
      const script = await this.#client.scripts.get({ id });
      this.#open.add(docOfScript(script, this.store.get().drafts.get(key)));
    }
    this.activate(key);
  }

  /** Opens unsaved work on a script that was never saved. */
  openDraft(key: string): void {
    const draft = this.store.get().drafts.get(key);
    if (!this.doc(key) && draft) this.#open.add(docOfDraft(draft));
    this.activate(key);
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

  /** Closes a tab. Unsaved work stays as a draft and comes back when the script is opened again. */
  close(key: string): void {
    this.#open.close(key);
  }

  /** What was typed. */
  edit(key: string, change: Partial<ScriptText>): void {
    this.#open.change(key, (doc) => ({ ...doc, text: { ...doc.text, ...change } }));
    this.#open.keepDraft(key);
  }

  /** Puts a body into the editor from outside, so that Ctrl+Z takes it back. */
  replace(key: string, text: ScriptText): void {
    this.#open.replace(key, text);
  }

  /** Saves what stands in the editor as a new version. */
  async save(key: string): Promise<SaveOutcome> {
    const doc = this.doc(key);
    if (!doc) return { kind: 'refused', problem: problemOf(new Error('The script is not open any more.')) };
    if (doc.scriptId === null && (doc.text.group.trim() === '' || doc.text.name.trim() === '')) {
      return { kind: 'unnamed' };
    }
    this.#saving.add(key);
    try {
      const script = await this.#client.scripts.save({
        ...doc.text,
        ...(doc.scriptId === null || doc.deleted ? {} : { id: doc.scriptId, baseVersion: doc.baseVersion }),
      });
      this.#open.saved(key, script);
      return { kind: 'saved', script, before: doc.saved };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'CONFLICT' && doc.scriptId !== null && !doc.deleted) {
        // Deleted meanwhile, or nobody answers: then the refusal itself is what is said.
        const current = await this.#client.scripts.get({ id: doc.scriptId }).catch(() => null);
        if (current && current.version > doc.baseVersion) {
          this.#theirsCame(key, current);
          return { kind: 'conflict' };
        }
      }
      return { kind: 'refused', problem };
    } finally {
      this.#saving.delete(key);
    }
  }

  /** Goes on with what stands here: the next save comes after theirs, which stays in the history. */
  keepMine(key: string): void {
    this.#open.change(key, (doc) =>
      doc.theirs ? { ...doc, baseVersion: doc.theirs.version, saved: doc.theirs, theirs: null } : doc,
    );
    this.#open.keepDraft(key);
  }

  /** Takes the version of the other window; returns what stood here, so that it can be brought back. */
  takeTheirs(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc?.theirs) return null;
    this.#open.adopt(key, doc.theirs);
    return doc.text;
  }

  /** Goes back to what is saved, and forgets the draft; returns what stood here. A script never saved is closed. */
  discard(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc) return null;
    if (doc.saved) this.#open.adopt(key, doc.saved);
    else {
      this.#open.dropDraft(key);
      this.close(key);
    }
    return doc.text;
  }

  /** Brings back a script that was never saved and whose draft was just discarded. */
  bringBack(key: string, text: ScriptText): void {
    if (!this.doc(key)) {
      this.#open.add({ ...newDoc(key, text.group), text: textOf(text) });
      this.activate(key);
      this.#open.keepDraft(key);
    } else this.replace(key, text);
  }

  /** A script was saved, renamed or moved by this window outside of its editor. */
  savedElsewhereHere(before: Script, after: Script): void {
    const key = keyOfScript(after.id);
    this.#open.change(key, (doc) => ({
      ...doc,
      saved: after,
      baseVersion: doc.baseVersion === before.version ? after.version : doc.baseVersion,
      text: {
        ...doc.text,
        group: doc.text.group === before.group ? after.group : doc.text.group,
        name: doc.text.name === before.name ? after.name : doc.text.name,
      },
    }));
    this.#open.keepDraft(key);
  }

  /** Called as the page ends; false when what was typed last would be lost with it. */
  rescue(): boolean {
    return this.#open.rescue();
  }

  /** Guards a save that this window does by other means than `save`, so that its echo is not taken for a stranger's. */
  async quietly<T>(id: number, work: () => Promise<T>): Promise<T> {
    const key = keyOfScript(id);
    this.#saving.add(key);
    try {
      return await work();
    } finally {
      this.#saving.delete(key);
    }
  }

  #theirsCame(key: string, theirs: Script): void {
    const doc = this.doc(key);
    // An answer that was overtaken by a newer one says nothing any more.
    if (!doc || theirs.version <= doc.baseVersion) return;
    if (isDirty(doc)) {
      this.#open.change(key, (now) => ({ ...now, theirs }));
      // Their save has ended the draft of the script; this text is still not saved.
      this.#open.keepDraft(key);
    } else this.#open.adopt(key, theirs);
  }

  async #openRemembered(signal: AbortSignal): Promise<void> {
    const { scripts, drafts } = this.store.get();
    const known = new Set(scripts.map(({ id }) => keyOfScript(id)));
    const tabs = this.#open.rememberedTabs();
    const strays = [...drafts.keys()].filter((key) => !known.has(key));
    // Whoever starts for the first time sees the script that was written first: in the sample, the simplest one.
    const first = scripts.toSorted((a, b) => a.id - b.id)[0];
    const wanted = tabs?.keys ?? (first ? [keyOfScript(first.id)] : []);
    const keys = [...new Set([...wanted, ...strays])].filter((key) => known.has(key) || drafts.has(key));
    const docs = await Promise.all(keys.map((key) => this.#docOf(key, signal)));
    this.#open.openAll(docs, tabs?.active && keys.includes(tabs.active) ? tabs.active : (keys[0] ?? null));
  }

  async #docOf(key: string, signal: AbortSignal): Promise<Doc> {
    const { drafts, scripts } = this.store.get();
    const draft = drafts.get(key);
    const summary = scripts.find(({ id }) => keyOfScript(id) === key);
    if (!summary && draft) return docOfDraft(draft);
    const id = summary?.id ?? 0;
    return docOfScript(await this.#client.scripts.get({ id }, { signal }), draft);
  }
}

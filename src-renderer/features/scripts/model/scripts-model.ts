import type { Draft, Script, ScriptSummary, ScriptText } from '#domain/script';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import type { Problem } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { Store } from '../../../ui/store.ts';
import { docOfDraft, docOfScript, draftOf, isDirty, keyOfScript, newDoc, textOf } from './doc.ts';
import type { Doc } from './doc.ts';
import { DraftKeeper } from './draft-keeper.ts';

export type ScriptsClient = Pick<Client, 'app' | 'scripts' | 'drafts'>;

export interface ScriptsState {
  phase: 'loading' | 'ready' | 'failed';
  /** Why the library could not be read, in phase `failed`. */
  problem: Problem | null;
  /** The folder of the workspace; what is remembered in the browser belongs to it. */
  workspace: string;
  groups: readonly string[];
  scripts: readonly ScriptSummary[];
  /** Unsaved work that the workspace keeps, by key. */
  drafts: ReadonlyMap<string, Draft>;
  docs: ReadonlyMap<string, Doc>;
  /** Keys of the open docs, in the order of the tabs. */
  tabs: readonly string[];
  active: string | null;
}

export type SaveOutcome =
  | { kind: 'saved'; script: Script }
  /** A script that was never saved needs a group and a name first. */
  | { kind: 'unnamed' }
  /** Another window saved first; the doc's `theirs` is that version. Nothing was saved. */
  | { kind: 'conflict' }
  | { kind: 'refused'; problem: Problem };

/** What the browser remembers of a workspace. */
export interface Memory {
  read<T>(key: string, fallback: T): T;
  /** False when it could not be kept. */
  write(key: string, value: unknown): boolean;
}

interface Tabs {
  keys: string[];
  active: string | null;
}

/** The script library as this window sees it, the open scripts, and their unsaved work. */
export class ScriptsModel {
  readonly store = new Store<ScriptsState>({
    phase: 'loading',
    problem: null,
    workspace: '',
    groups: [],
    scripts: [],
    drafts: new Map(),
    docs: new Map(),
    tabs: [],
    active: null,
  });
  readonly #client: ScriptsClient;
  readonly #memory: Memory;
  readonly #now: () => Date;
  readonly #drafts: DraftKeeper;
  readonly #saving = new Set<string>();

  constructor(client: ScriptsClient, memory: Memory, now: () => Date = () => new Date()) {
    this.#client = client;
    this.#memory = memory;
    this.#now = now;
    this.#drafts = new DraftKeeper({
      store: {
        put: (draft) => client.drafts.put(draft),
        discard: (key) => client.drafts.discard({ key }),
      },
      mirror: {
        read: () => this.#remembered<Draft[]>('unsent-drafts', []),
        write: (drafts) => this.#remember('unsent-drafts', drafts.length > 0 ? drafts : null),
      },
    });
  }

  /** Reads the library, opens what was open, and follows changes until `signal` aborts. */
  async start(signal: AbortSignal): Promise<void> {
    try {
      const [info, library, kept] = await Promise.all([
        this.#client.app.info(undefined, { signal }),
        this.#client.scripts.list(undefined, { signal }),
        this.#client.drafts.list(undefined, { signal }),
      ]);
      this.#patch({ workspace: info.workspace });
      const drafts = new Map(kept.map((draft) => [draft.key, draft]));
      for (const draft of this.#drafts.recover(drafts)) drafts.set(draft.key, draft);
      this.#patch({ groups: library.groups, scripts: library.scripts, drafts });
      await this.#openRemembered(signal);
      this.#patch({ phase: 'ready' });
    } catch (error) {
      if (signal.aborted) return;
      this.#patch({ phase: 'failed', problem: problemOf(error) });
      return;
    }
    await follow(
      (end) => this.#client.scripts.changes(undefined, { signal: end }),
      () => void this.refresh(),
      signal,
    );
  }

  /** Lists the library again, and looks whether open scripts were saved or deleted elsewhere. */
  async refresh(): Promise<void> {
    const library = await this.#client.scripts.list();
    this.#patch({ groups: library.groups, scripts: library.scripts });
    const versions = new Map(library.scripts.map(({ id, version }) => [id, version]));
    await Promise.all(
      [...this.store.get().docs.values()].map(async (doc) => {
        if (doc.scriptId === null || this.#saving.has(doc.key)) return;
        const version = versions.get(doc.scriptId);
        if (version === undefined) return this.#change(doc.key, (now) => ({ ...now, deleted: true }));
        if (doc.deleted) this.#change(doc.key, (now) => ({ ...now, deleted: false }));
        if (version > Math.max(doc.baseVersion, doc.theirs?.version ?? 0)) {
          this.#theirsCame(doc.key, await this.#client.scripts.get({ id: doc.scriptId }));
        }
      }),
    );
  }

  doc(key: string): Doc | undefined {
    return this.store.get().docs.get(key);
  }

  /** Opens a saved script, or shows its tab. */
  async open(id: number): Promise<void> {
    const key = keyOfScript(id);
    if (!this.doc(key)) {
      const script = await this.#client.scripts.get({ id });
      this.#add(docOfScript(script, this.store.get().drafts.get(key)));
    }
    this.activate(key);
  }

  /** Opens unsaved work on a script that was never saved. */
  openDraft(key: string): void {
    const draft = this.store.get().drafts.get(key);
    if (!this.doc(key) && draft) this.#add(docOfDraft(draft));
    this.activate(key);
  }

  /** Opens an empty script; returns its key. */
  create(group: string): string {
    const key = `new-${crypto.randomUUID()}`;
    this.#add(newDoc(key, group));
    this.activate(key);
    return key;
  }

  activate(key: string): void {
    const { tabs } = this.store.get();
    this.#patch({ active: key, tabs: tabs.includes(key) ? tabs : [...tabs, key] });
    this.#rememberTabs();
  }

  /** Closes a tab. Unsaved work stays as a draft and comes back when the script is opened again. */
  close(key: string): void {
    const { tabs, active, docs } = this.store.get();
    const at = tabs.indexOf(key);
    const rest = tabs.filter((other) => other !== key);
    const left = new Map(docs);
    left.delete(key);
    this.#patch({
      tabs: rest,
      docs: left,
      active: active === key ? (rest[Math.min(Math.max(at, 0), rest.length - 1)] ?? null) : active,
    });
    this.#rememberTabs();
  }

  /** What was typed. */
  edit(key: string, change: Partial<ScriptText>): void {
    this.#change(key, (doc) => ({ ...doc, text: { ...doc.text, ...change } }));
    this.#keepDraft(key);
  }

  /** Puts a body into the editor from outside, so that Ctrl+Z takes it back. */
  replace(key: string, text: ScriptText): void {
    this.#change(key, (doc) => ({ ...doc, text: textOf(text), replaced: doc.replaced + 1 }));
    this.#keepDraft(key);
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
      this.#saved(key, script);
      return { kind: 'saved', script };
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'CONFLICT' && doc.scriptId !== null && !doc.deleted) {
        const current = await this.#client.scripts.get({ id: doc.scriptId });
        if (current.version > doc.baseVersion) {
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
    this.#change(key, (doc) =>
      doc.theirs ? { ...doc, baseVersion: doc.theirs.version, saved: doc.theirs, theirs: null } : doc,
    );
    this.#keepDraft(key);
  }

  /** Takes the version of the other window; returns what stood here, so that it can be brought back. */
  takeTheirs(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc?.theirs) return null;
    this.#adopt(key, doc.theirs);
    return doc.text;
  }

  /** Goes back to what is saved, and forgets the draft; returns what stood here. A script never saved is closed. */
  discard(key: string): ScriptText | null {
    const doc = this.doc(key);
    if (!doc) return null;
    if (doc.saved) this.#adopt(key, doc.saved);
    else {
      this.#dropDraft(key);
      this.close(key);
    }
    return doc.text;
  }

  /** Brings back a script that was never saved and whose draft was just discarded. */
  bringBack(key: string, text: ScriptText): void {
    if (!this.doc(key)) {
      this.#add({ ...newDoc(key, text.group), text: textOf(text) });
      this.activate(key);
      this.#keepDraft(key);
    } else this.replace(key, text);
  }

  /** A script was saved, renamed or moved by this window outside of its editor. */
  savedElsewhereHere(before: Script, after: Script): void {
    const key = keyOfScript(after.id);
    this.#change(key, (doc) => ({
      ...doc,
      saved: after,
      baseVersion: doc.baseVersion === before.version ? after.version : doc.baseVersion,
      text: {
        ...doc.text,
        group: doc.text.group === before.group ? after.group : doc.text.group,
        name: doc.text.name === before.name ? after.name : doc.text.name,
      },
    }));
    this.#keepDraft(key);
  }

  /** Called as the page ends; false when what was typed last would be lost with it. */
  rescue(): boolean {
    const safe = this.#drafts.rescue();
    void this.#drafts.flush();
    return safe;
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

  #saved(key: string, script: Script): void {
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
      // In its place, so that the order of the docs (and with it the editor's) does not change.
      const renamed = new Map([...docs].map(([other, value]) => (other === key ? [nextKey, next] : [other, value])));
      this.#patch({
        docs: renamed,
        tabs: tabs.map((tab) => (tab === key ? nextKey : tab)),
        active: active === key ? nextKey : active,
      });
      this.#rememberTabs();
    }
    this.#dropDraft(key);
    const now = this.doc(nextKey);
    if (now && isDirty(now)) this.#keepDraft(nextKey);
  }

  #theirsCame(key: string, theirs: Script): void {
    const doc = this.doc(key);
    if (!doc) return;
    if (isDirty(doc)) this.#change(key, (now) => ({ ...now, theirs }));
    else this.#adopt(key, theirs);
  }

  #adopt(key: string, script: Script): void {
    this.#change(key, (doc) => ({
      ...doc,
      baseVersion: script.version,
      saved: script,
      text: textOf(script),
      restoredFrom: null,
      theirs: null,
      replaced: doc.replaced + 1,
    }));
    this.#dropDraft(key);
  }

  async #openRemembered(signal: AbortSignal): Promise<void> {
    const { scripts, drafts } = this.store.get();
    const known = new Set(scripts.map(({ id }) => keyOfScript(id)));
    const tabs = this.#remembered<Tabs | null>('tabs', null);
    const strays = [...drafts.keys()].filter((key) => !known.has(key));
    // Whoever starts for the first time sees the script that was written first: in the sample, the simplest one.
    const first = scripts.toSorted((a, b) => a.id - b.id)[0];
    const wanted = tabs?.keys ?? (first ? [keyOfScript(first.id)] : []);
    const keys = [...new Set([...wanted, ...strays])].filter((key) => known.has(key) || drafts.has(key));
    const docs = await Promise.all(keys.map((key) => this.#docOf(key, signal)));
    this.#patch({
      docs: new Map(docs.map((doc) => [doc.key, doc])),
      tabs: keys,
      active: tabs?.active && keys.includes(tabs.active) ? tabs.active : (keys[0] ?? null),
    });
  }

  async #docOf(key: string, signal: AbortSignal): Promise<Doc> {
    const { drafts, scripts } = this.store.get();
    const draft = drafts.get(key);
    const summary = scripts.find(({ id }) => keyOfScript(id) === key);
    if (!summary && draft) return docOfDraft(draft);
    const id = summary?.id ?? 0;
    return docOfScript(await this.#client.scripts.get({ id }, { signal }), draft);
  }

  #keepDraft(key: string): void {
    const doc = this.doc(key);
    if (!doc) return;
    if (!isDirty(doc)) return this.#dropDraft(key);
    const draft = draftOf(doc, this.#now().toISOString());
    this.#patch({ drafts: new Map(this.store.get().drafts).set(key, draft) });
    this.#drafts.keep(draft);
  }

  #dropDraft(key: string): void {
    const { drafts } = this.store.get();
    this.#change(key, (doc) => (doc.restoredFrom === null ? doc : { ...doc, restoredFrom: null }));
    if (!drafts.has(key)) return;
    const left = new Map(drafts);
    left.delete(key);
    this.#patch({ drafts: left });
    this.#drafts.discard(key);
  }

  #add(doc: Doc): void {
    this.#patch({ docs: new Map(this.store.get().docs).set(doc.key, doc) });
  }

  #change(key: string, change: (doc: Doc) => Doc): void {
    const { docs } = this.store.get();
    const doc = docs.get(key);
    if (!doc) return;
    const next = change(doc);
    if (next !== doc) this.#patch({ docs: new Map(docs).set(key, next) });
  }

  #patch(patch: Partial<ScriptsState>): void {
    this.store.update((state) => ({ ...state, ...patch }));
  }

  #rememberTabs(): void {
    const { tabs, active } = this.store.get();
    this.#remember('tabs', { keys: [...tabs], active } satisfies Tabs);
  }

  #remembered<T>(key: string, fallback: T): T {
    return this.#memory.read(`${this.store.get().workspace}.${key}`, fallback);
  }

  #remember(key: string, value: unknown): boolean {
    return this.#memory.write(`${this.store.get().workspace}.${key}`, value);
  }
}

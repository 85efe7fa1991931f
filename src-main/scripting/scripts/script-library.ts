import { nameKey } from '#domain/text/name-key';
import { draftKey, partsOfDraftKey } from '#domain/run/script';
import type { Draft, DraftSummary, Script, ScriptRevision, ScriptSummary, ScriptVersion } from '#domain/run/script';
import type { Done } from '../../platform/done.ts';
import type { Clock } from '../../platform/clock.ts';
import { TagwrightError } from '../../platform/errors.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { DraftRepository } from '../../storage/repositories/draft-repository.ts';
import type { ScriptRepository } from '../../storage/repositories/script-repository.ts';
import { DraftFollowers } from './draft-followers.ts';
import { unknownName } from './library-errors.ts';
import { checkDraft, checkGroupName, checkScriptText } from './script-rules.ts';
import type { ScriptSave } from './script-shelf.ts';
import { scriptOf, ScriptShelf } from './script-shelf.ts';

export type ScriptRef = { id: number } | { group: string; name: string };

/** The changed script, or null for the groups. */
export interface LibraryChange {
  scriptId: number | null;
}

/** The parts of the open workspace that the library uses. */
export interface LibraryStore {
  readonly scripts: ScriptRepository;
  readonly drafts: DraftRepository;
  readonly commits: CommitQueue;
  readonly clock: Clock;
}

/**
 * The script library: groups of scripts, every save a version, drafts of unsaved work. Its methods are the procedures
 * of the contract. Names are unique regardless of case. The checks and the write of a call are one transaction, and a
 * write resolves once it is durable.
 */
export class ScriptLibrary {
  readonly #scripts: ScriptRepository;
  readonly #drafts: DraftRepository;
  readonly #commits: CommitQueue;
  readonly #shelf: ScriptShelf;
  readonly #changes = new Listeners<LibraryChange>();
  readonly #followers: DraftFollowers;

  /** `author` is stored with every version: the user of this instance, null if unknown. */
  constructor(store: LibraryStore, author: string | null = null) {
    this.#scripts = store.scripts;
    this.#drafts = store.drafts;
    this.#commits = store.commits;
    this.#shelf = new ScriptShelf({ ...store, author });
    this.#followers = new DraftFollowers(() => store.drafts.summaries());
  }

  /** Called after every change of groups or scripts; the returned function removes the listener. */
  onChange(listener: (change: LibraryChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Groups (including empty ones) and scripts that are not deleted, ordered by name. */
  list(): { groups: string[]; scripts: ScriptSummary[] } {
    return { groups: this.#scripts.groups().map((group) => group.name), scripts: this.#scripts.summaries() };
  }

  /** The current version of a script. NOT_FOUND with `data.suggestions`, each "Group/Name". */
  get(ref: ScriptRef): Script {
    if ('id' in ref) return scriptOf(this.#shelf.live(ref.id));
    const group = this.#scripts.groupByKey(nameKey(ref.group));
    const row = group && this.#scripts.byName(group.id, nameKey(ref.name));
    if (row) return scriptOf(row);
    const deleted = this.#scripts.lastDeleted(nameKey(ref.group), nameKey(ref.name));
    throw unknownName(ref, this.#scripts.summaries(), deleted);
  }

  /** The changes of each save of a script, deleted or not, newest first. */
  history({ id }: { id: number }): ScriptRevision[] {
    this.#shelf.any(id);
    return this.#scripts.history(id);
  }

  /** A saved version of a script, deleted or not. NOT_FOUND if it was never saved. */
  version({ id, version }: { id: number; version: number }): ScriptVersion {
    this.#shelf.any(id);
    const saved = this.#scripts.version(id, version);
    if (saved) return saved;
    throw new TagwrightError(
      'NOT_FOUND',
      `The script has no version ${version}. Open its history again to see its versions.`,
    );
  }

  /**
   * The scripts whose versions had these names at these times, also if they have other names now or were deleted; null
   * for an unknown one. `version` is the current one, null of a deleted script.
   */
  named({ versions }: { versions: readonly { name: string; version: number; at: string }[] }) {
    const current = new Map(this.#scripts.summaries().map((script) => [`${script.group}/${script.name}`, script.id]));
    const saved = this.#scripts.namedVersions([...new Set(versions.map(({ name }) => name))]);
    return versions.map(({ name, version, at }) => {
      const all = saved.filter((one) => one.fullName === name && one.version === version);
      const last = all.findLast(({ savedAt }) => Date.parse(savedAt) <= Date.parse(at)) ?? all[0];
      // A group that is renamed saves no versions.
      const id = last?.scriptId ?? current.get(name);
      const script = id === undefined ? undefined : this.#scripts.byId(id);
      return script ? { id: script.id, version: script.deletedAt === null ? script.version : null } : null;
    });
  }

  /** Every saved version of a script, deleted or not, newest first. */
  versions({ id }: { id: number }): ScriptVersion[] {
    this.#shelf.any(id);
    return this.#scripts.versions(id);
  }

  /**
   * Saves a new script (no `id`), or a new version of one: renaming and moving are saves too. A new one with the name of
   * a deleted one is the next version of that one, with its tests, contexts and references. Creates a missing group
   * and discards the draft that was saved, and drafts with the same text. A save without changes returns the current
   * version.
   *
   * BAD_REQUEST with `data.issues`. CONFLICT if the name is taken (`data.id` is the script that has it) or if
   * `baseVersion` is not the current version (`data.current` is that one). NOT_FOUND for an unknown or deleted `id`.
   */
  async save(input: ScriptSave): Promise<Script> {
    checkScriptText(input);
    const { script, changed } = await this.#commits.run(() => this.#shelf.save(input));
    this.#followers.changed();
    if (changed) this.#changes.emit({ scriptId: script.id });
    return script;
  }

  /**
   * Saves a new version of a script with another body, inside a job of the commit queue; drafts of the script stay.
   * Listeners are notified after the commit. Throws BAD_REQUEST for a body that is too long.
   */
  revise(id: number, body: string): Script {
    const current = this.#shelf.live(id);
    const { group, name, description } = current;
    checkScriptText({ group, name, description, body });
    const script = this.#shelf.revise(current, body);
    this.#commits.afterCommit(() => this.#changes.emit({ scriptId: id }));
    return script;
  }

  /** Deletes a script; its versions and its drafts stay, and `restore` restores it. */
  async delete({ id }: { id: number }): Promise<Done> {
    await this.#commits.run(() => this.#shelf.delete(id));
    return this.#changed(id);
  }

  /** Restores a deleted script, with its group. CONFLICT if another script has taken its name. */
  async restore({ id }: { id: number }): Promise<Script> {
    const script = await this.#commits.run(() => this.#shelf.restore(id));
    this.#changed(id);
    return script;
  }

  /** CONFLICT if the name is taken. */
  async createGroup({ name }: { name: string }): Promise<Done> {
    checkGroupName(name);
    await this.#commits.run(() => this.#shelf.createGroup(name));
    return this.#changed(null);
  }

  /** Renames a group and so all its scripts, which does not save them. CONFLICT if the name is taken. */
  async renameGroup({ name, newName }: { name: string; newName: string }): Promise<Done> {
    checkGroupName(newName, 'newName');
    await this.#commits.run(() => this.#shelf.renameGroup(name, newName));
    return this.#changed(null);
  }

  /** Deletes an empty group; CONFLICT with `data.scripts` (their number) if it has any. */
  async deleteGroup({ name }: { name: string }): Promise<Done> {
    await this.#commits.run(() => this.#shelf.deleteGroup(name));
    return this.#changed(null);
  }

  /** All unsaved work, last changed first. */
  listDrafts(): Draft[] {
    return this.#drafts.all();
  }

  /** A draft with its text. NOT_FOUND if it was saved or discarded. */
  getDraft({ key }: { key: string }): Draft {
    const draft = this.#drafts.get(key);
    if (draft) return draft;
    throw new TagwrightError(
      'NOT_FOUND',
      'The draft no longer exists: it was saved or discarded. Open the script to see its text.',
    );
  }

  /** All drafts without their texts, and again after each change; `window` counts as open until `signal` aborts. */
  followDrafts({ window }: { window: string }, signal: AbortSignal): AsyncIterable<DraftSummary[]> {
    return this.#followers.follow(window, signal);
  }

  /** Gives the draft of a closed window to another. CONFLICT while its window is open, or if the other has its own. */
  async takeDraft({ key, window }: { key: string; window: string }): Promise<Draft> {
    const draft = await this.#commits.run(() => {
      const { key: _former, ...taken } = this.getDraft({ key });
      const { script, window: owner } = partsOfDraftKey(key);
      const own = draftKey(script, window);
      if (this.#followers.isOpen(owner) || this.#drafts.get(own)) {
        throw new TagwrightError('CONFLICT', 'The draft belongs to an open window, or this window has its own draft');
      }
      this.#drafts.discard(key);
      this.#drafts.put({ ...taken, key: own });
      return { ...taken, key: own };
    });
    this.#followers.changed();
    return draft;
  }

  /** Saves unsaved work under its key, replacing an earlier draft. Fields may be empty or unfinished. */
  async putDraft(draft: Draft): Promise<Done> {
    checkDraft(draft);
    await this.#commits.run(() => {
      if (draft.scriptId !== null) this.#shelf.any(draft.scriptId);
      this.#drafts.put(draft);
    });
    this.#followers.changed();
    return {};
  }

  /** Discards unsaved work; a missing draft is not an error. */
  async discardDraft({ key }: { key: string }): Promise<Done> {
    await this.#commits.run(() => this.#drafts.discard(key));
    this.#followers.changed();
    return {};
  }

  #changed(scriptId: number | null): Done {
    this.#changes.emit({ scriptId });
    return {};
  }
}

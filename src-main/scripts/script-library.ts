import { nameKey } from '#domain/name-key';
import type { Draft, Script, ScriptRevision, ScriptSummary, ScriptText, ScriptVersion } from '#domain/script';
import type { Clock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import type { CommitQueue } from '../storage/commit-queue.ts';
import type { DraftRepository } from '../storage/draft-repository.ts';
import type { ScriptGroupRow, ScriptRepository, ScriptRow } from '../storage/script-repository.ts';
import {
  cannotRestore,
  editedMeanwhile,
  groupInUse,
  groupNameTaken,
  nameTaken,
  unknownGroup,
  unknownId,
  unknownName,
  wasDeleted,
} from './library-errors.ts';
import { checkDraft, checkGroupName, checkScriptText } from './script-rules.ts';

export type ScriptRef = { id: number } | { group: string; name: string };
export type SaveInput = ScriptText & { id?: number | undefined; baseVersion?: number | undefined };

/** What changed: a script, or (null) the groups. */
export interface LibraryChange {
  scriptId: number | null;
}

/** What the library needs of the open workspace. */
export interface LibraryStore {
  readonly scripts: ScriptRepository;
  readonly drafts: DraftRepository;
  readonly commits: CommitQueue;
  readonly clock: Clock;
}

type Done = Record<string, never>;

/**
 * The script library: groups of scripts, every save a version, drafts of unsaved work. Its methods are the procedures
 * of the contract. Names are unique without regard to case. The checks and the write of a call are one transaction,
 * and a write resolves once it is durable.
 */
export class ScriptLibrary {
  readonly #scripts: ScriptRepository;
  readonly #drafts: DraftRepository;
  readonly #commits: CommitQueue;
  readonly #clock: Clock;
  readonly #author: string | null;
  readonly #changes = new Listeners<LibraryChange>();

  /** `author` is stored with every version: whoever works with this instance, null where that is not known. */
  constructor(store: LibraryStore, author: string | null = null) {
    this.#scripts = store.scripts;
    this.#drafts = store.drafts;
    this.#commits = store.commits;
    this.#clock = store.clock;
    this.#author = author;
  }

  /** Called after every change of groups or scripts; the function returned removes the listener. */
  onChange(listener: (change: LibraryChange) => void): () => void {
    return this.#changes.add(listener);
  }

  /** Groups (empty ones too) and scripts that are not deleted, in order of name. */
  list(): { groups: string[]; scripts: ScriptSummary[] } {
    return { groups: this.#scripts.groups().map((group) => group.name), scripts: this.#scripts.summaries() };
  }

  /** The current version of a script. NOT_FOUND with `data.suggestions`, each "Group/Name". */
  get(ref: ScriptRef): Script {
    if ('id' in ref) return scriptOf(this.#live(ref.id));
    const group = this.#scripts.groupByKey(nameKey(ref.group));
    const row = group && this.#scripts.byName(group.id, nameKey(ref.name));
    if (row) return scriptOf(row);
    const deleted = this.#scripts.lastDeleted(nameKey(ref.group), nameKey(ref.name));
    throw unknownName(ref, this.#scripts.summaries(), deleted);
  }

  /** What each save of a script changed, deleted or not, newest first. */
  history({ id }: { id: number }): ScriptRevision[] {
    this.#any(id);
    return this.#scripts.history(id);
  }

  /** A saved version of a script, deleted or not. NOT_FOUND where it was never saved. */
  version({ id, version }: { id: number; version: number }): ScriptVersion {
    this.#any(id);
    const saved = this.#scripts.version(id, version);
    if (saved) return saved;
    throw new TagwrightError('NOT_FOUND', `The script has no version ${version}; list its history again`);
  }

  /** Every saved version of a script, deleted or not, newest first. */
  versions({ id }: { id: number }): ScriptVersion[] {
    this.#any(id);
    return this.#scripts.versions(id);
  }

  /**
   * Saves a new script (no `id`), or a new version of one: renaming and moving are saves too. Makes a group that does
   * not exist yet and discards the draft of the script. A save that changes nothing returns the current version.
   *
   * BAD_REQUEST with `data.issues`. CONFLICT when the name is taken (`data.id` is the script that has it) or when
   * `baseVersion` is not the current version (`data.current` is that one). NOT_FOUND for an unknown or deleted `id`.
   */
  async save(input: SaveInput): Promise<Script> {
    checkScriptText(input);
    const { script, changed } = await this.#commits.run(() => this.#save(input));
    if (changed) this.#changes.emit({ scriptId: script.id });
    return script;
  }

  /**
   * Saves a new version of a script with another body, as part of somebody else's job of the commit queue; drafts of
   * the script stay. `announce` is to be called once that is durable. Throws BAD_REQUEST for a body that is too long.
   */
  revise(id: number, body: string): Script {
    const current = this.#live(id);
    const { group, groupId, name, description, version } = current;
    const text = { group, name, description, body };
    checkScriptText(text);
    if (groupId === null) throw unknownGroup(group, this.list().groups);
    const saved = { version: version + 1, savedAt: this.#clock.iso(), savedBy: this.#author };
    const state = { ...text, groupId, nameKey: nameKey(name), ...saved };
    this.#scripts.update(id, state);
    return scriptOf(this.#live(id));
  }

  /** Tells that scripts were revised. */
  announce(ids: readonly number[]): void {
    for (const scriptId of ids) this.#changes.emit({ scriptId });
  }

  /** Deletes a script; its versions and its draft stay, and `restore` brings it back. */
  async delete({ id }: { id: number }): Promise<Done> {
    await this.#commits.run(() => this.#scripts.markDeleted(this.#live(id).id, this.#clock.iso()));
    return this.#changed(id);
  }

  /** Brings a deleted script back, with its group. CONFLICT when another script has taken its name. */
  async restore({ id }: { id: number }): Promise<Script> {
    const script = await this.#commits.run(() => {
      const row = this.#any(id);
      if (row.deletedAt !== null) this.#scripts.markRestored(id, this.#homeOf(row).id);
      return scriptOf(this.#live(id));
    });
    this.#changed(id);
    return script;
  }

  /** CONFLICT when the name is taken. */
  async createGroup({ name }: { name: string }): Promise<Done> {
    checkGroupName(name);
    await this.#commits.run(() => {
      this.#freeGroupName(name);
      this.#scripts.insertGroup(name, nameKey(name));
    });
    return this.#changed(null);
  }

  /** Renames a group and so all its scripts, which is not a save of them. CONFLICT when the name is taken. */
  async renameGroup({ name, newName }: { name: string; newName: string }): Promise<Done> {
    checkGroupName(newName, 'newName');
    await this.#commits.run(() => {
      const group = this.#group(name);
      this.#freeGroupName(newName, group.id);
      this.#scripts.renameGroup(group.id, newName, nameKey(newName));
    });
    return this.#changed(null);
  }

  /** Deletes an empty group; CONFLICT with `data.scripts` (how many) while it holds any. */
  async deleteGroup({ name }: { name: string }): Promise<Done> {
    await this.#commits.run(() => {
      const group = this.#group(name);
      const scripts = this.#scripts.countInGroup(group.id);
      if (scripts > 0) throw groupInUse(group.name, scripts);
      this.#scripts.deleteGroup(group.id);
    });
    return this.#changed(null);
  }

  /** All unsaved work, the one changed last first. */
  listDrafts(): Draft[] {
    return this.#drafts.all();
  }

  /** Keeps unsaved work, in place of what was kept under its key. Fields may be empty or unfinished. */
  async putDraft(draft: Draft): Promise<Done> {
    checkDraft(draft);
    await this.#commits.run(() => {
      if (draft.scriptId !== null) this.#any(draft.scriptId);
      this.#drafts.put(draft);
    });
    return {};
  }

  /** Forgets unsaved work; that there was none is no error. */
  async discardDraft({ key }: { key: string }): Promise<Done> {
    await this.#commits.run(() => this.#drafts.discard(key));
    return {};
  }

  #save({ id, baseVersion, ...text }: SaveInput): { script: Script; changed: boolean } {
    const current = id === undefined ? null : this.#live(id);
    const known = this.#scripts.groupByKey(nameKey(text.group));
    if (current) this.#drafts.discardOfScript(current.id);
    if (current && isUnchanged(current, known, text)) return { script: scriptOf(current), changed: false };
    if (current && baseVersion !== undefined && baseVersion !== current.version)
      throw editedMeanwhile(scriptOf(current));
    const taken = known && this.#scripts.byName(known.id, nameKey(text.name));
    if (taken && taken.id !== current?.id) throw nameTaken(taken);

    const group = known ?? { id: this.#scripts.insertGroup(text.group, nameKey(text.group)), name: text.group };
    const state = {
      ...text,
      group: group.name,
      groupId: group.id,
      nameKey: nameKey(text.name),
      version: (current?.version ?? 0) + 1,
      savedAt: this.#clock.iso(),
      savedBy: this.#author,
    };
    if (current) this.#scripts.update(current.id, state);
    const savedId = current?.id ?? this.#scripts.insert(state);
    return { script: scriptOf(this.#live(savedId)), changed: true };
  }

  /** The group a deleted script returns to: its own, else one of the same name, else that made anew. */
  #homeOf(row: ScriptRow): ScriptGroupRow {
    const key = nameKey(row.group);
    const group = this.#scripts.groupByKey(key) ?? { id: this.#scripts.insertGroup(row.group, key), name: row.group };
    const taken = this.#scripts.byName(group.id, nameKey(row.name));
    if (taken) throw cannotRestore(row, taken.id);
    return group;
  }

  #any(id: number): ScriptRow {
    const row = this.#scripts.byId(id);
    if (!row) throw unknownId(id);
    return row;
  }

  #live(id: number): ScriptRow {
    const row = this.#any(id);
    if (row.deletedAt === null) return row;
    throw wasDeleted(row);
  }

  #group(name: string): ScriptGroupRow {
    const group = this.#scripts.groupByKey(nameKey(name));
    if (group) return group;
    throw unknownGroup(name, this.list().groups);
  }

  #freeGroupName(name: string, exceptId?: number): void {
    const taken = this.#scripts.groupByKey(nameKey(name));
    if (taken && taken.id !== exceptId) throw groupNameTaken(taken.name);
  }

  #changed(scriptId: number | null): Done {
    this.#changes.emit({ scriptId });
    return {};
  }
}

function scriptOf({ id, group, name, description, body, version, savedAt }: ScriptRow): Script {
  return { id, group, name, description, body, version, savedAt };
}

function isUnchanged(current: ScriptRow, group: ScriptGroupRow | undefined, text: ScriptText): boolean {
  return (
    group?.id === current.groupId &&
    text.name === current.name &&
    text.description === current.description &&
    text.body === current.body
  );
}

import { nameKey } from '#domain/text/name-key';
import type { Script, ScriptText } from '#domain/run/script';
import type { Clock } from '../../platform/clock.ts';
import type { DraftRepository } from '../../storage/repositories/draft-repository.ts';
import type { ScriptGroupRow, ScriptRepository, ScriptRow } from '../../storage/repositories/script-repository.ts';
import {
  cannotRestore,
  editedElsewhere,
  groupInUse,
  groupNameTaken,
  nameTaken,
  unknownGroup,
  unknownId,
  wasDeleted,
} from './library-errors.ts';

export type ScriptSave = ScriptText & {
  id?: number | undefined;
  baseVersion?: number | undefined;
  draft?: string | undefined;
};

export interface ShelfParts {
  scripts: ScriptRepository;
  drafts: DraftRepository;
  clock: Clock;
  /** Stored with every version; null if unknown. */
  author: string | null;
}

/**
 * Stored groups and scripts, and the rules for changing them: the part that runs inside a job of the commit queue.
 * Throws the errors documented in the script library.
 */
export class ScriptShelf {
  readonly #scripts: ScriptRepository;
  readonly #drafts: DraftRepository;
  readonly #clock: Clock;
  readonly #author: string | null;

  constructor({ scripts, drafts, clock, author }: ShelfParts) {
    this.#scripts = scripts;
    this.#drafts = drafts;
    this.#clock = clock;
    this.#author = author;
  }

  /** A script, deleted or not. */
  any(id: number): ScriptRow {
    const row = this.#scripts.byId(id);
    if (!row) throw unknownId(id);
    return row;
  }

  /** A script that is not deleted. */
  live(id: number): ScriptRow {
    const row = this.any(id);
    if (row.deletedAt === null) return row;
    throw wasDeleted(row);
  }

  save({ id, baseVersion, draft, ...text }: ScriptSave): { script: Script; changed: boolean } {
    const current = id === undefined ? this.#deletedAs(text) : this.live(id);
    const isContinued = current !== null && id === undefined;
    let known = this.#scripts.groupByKey(nameKey(text.group));
    if (isContinued) this.#scripts.markRestored(current.id, (known ??= this.#newGroup(text.group)).id);
    if (draft !== undefined) this.#drafts.discard(draft);
    if (current) this.#drafts.discardEqual(current.id, text);
    if (current && isUnchanged(current, known, text)) {
      return { script: scriptOf(this.live(current.id)), changed: isContinued };
    }
    if (current && baseVersion !== undefined && baseVersion !== current.version)
      throw editedElsewhere(scriptOf(current));
    const taken = known && this.#scripts.byName(known.id, nameKey(text.name));
    if (taken && taken.id !== current?.id) throw nameTaken(taken);

    const group = known ?? this.#newGroup(text.group);
    const state = { ...text, group: group.name, groupId: group.id, ...this.#stampOf(text.name, current) };
    if (current) this.#scripts.update(current.id, state);
    const savedId = current?.id ?? this.#scripts.insert(state);
    return { script: scriptOf(this.live(savedId)), changed: true };
  }

  /** The deleted script that a new one with its name continues: everything that refers to it works again. */
  #deletedAs({ group, name }: ScriptText): ScriptRow | null {
    const known = this.#scripts.groupByKey(nameKey(group));
    const taken = known && this.#scripts.byName(known.id, nameKey(name));
    const deleted = taken ? undefined : this.#scripts.lastDeleted(nameKey(group), nameKey(name));
    return deleted === undefined ? null : this.any(deleted);
  }

  /** A new version with another body; drafts stay. */
  revise(current: ScriptRow, body: string): Script {
    const { id, group, groupId, name, description } = current;
    if (groupId === null) throw this.#unknown(group);
    this.#scripts.update(id, { group, groupId, name, description, body, ...this.#stampOf(name, current) });
    return scriptOf(this.live(id));
  }

  delete(id: number): void {
    this.#scripts.markDeleted(this.live(id).id, this.#clock.iso());
  }

  restore(id: number): Script {
    const row = this.any(id);
    if (row.deletedAt !== null) this.#scripts.markRestored(id, this.#homeOf(row).id);
    return scriptOf(this.live(id));
  }

  createGroup(name: string): void {
    this.#freeGroupName(name);
    this.#newGroup(name);
  }

  renameGroup(name: string, newName: string): void {
    const group = this.#group(name);
    this.#freeGroupName(newName, group.id);
    this.#scripts.renameGroup(group.id, newName, nameKey(newName));
  }

  /** Deletes a group that holds no script. */
  deleteGroup(name: string): void {
    const group = this.#group(name);
    const scripts = this.#scripts.countInGroup(group.id);
    if (scripts > 0) throw groupInUse(group.name, scripts);
    this.#scripts.deleteGroup(group.id);
  }

  /** The data that every save stores besides the text. */
  #stampOf(name: string, current: ScriptRow | null) {
    return {
      nameKey: nameKey(name),
      version: (current?.version ?? 0) + 1,
      savedAt: this.#clock.iso(),
      savedBy: this.#author,
    };
  }

  /** The group of a restored script: its own, else one of the same name, else a recreated one. */
  #homeOf(row: ScriptRow): ScriptGroupRow {
    const group = this.#scripts.groupByKey(nameKey(row.group)) ?? this.#newGroup(row.group);
    const taken = this.#scripts.byName(group.id, nameKey(row.name));
    if (taken) throw cannotRestore(row, taken.id);
    return group;
  }

  #newGroup(name: string): ScriptGroupRow {
    return { id: this.#scripts.insertGroup(name, nameKey(name)), name };
  }

  #group(name: string): ScriptGroupRow {
    const group = this.#scripts.groupByKey(nameKey(name));
    if (group) return group;
    throw this.#unknown(name);
  }

  #unknown(group: string): Error {
    const names = this.#scripts.groups().map(({ name }) => name);
    return unknownGroup(group, names);
  }

  #freeGroupName(name: string, exceptId?: number): void {
    const taken = this.#scripts.groupByKey(nameKey(name));
    if (taken && taken.id !== exceptId) throw groupNameTaken(taken.name);
  }
}

/** A stored script in its public form. */
export function scriptOf({ id, group, name, description, body, version, savedAt }: ScriptRow): Script {
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

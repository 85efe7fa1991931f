import { isJsonObject, parseJson } from '#domain/text/json';
import type { Cause } from '#domain/run/journal';
import type { TagDefinition, TagKind } from '#domain/tag/tag';
import { TAG_KINDS, TAG_TYPES } from '#domain/tag/tag';
import { callerNow } from '../../../platform/caller.ts';
import { TagwrightError } from '../../../platform/errors.ts';
import type { TagRepository, TagRow } from '../../../storage/repositories/tag-repository.ts';
import type { TagCatalog } from './catalog.ts';
import { checkDefinition, definitionRefused, describeIssues, problemsOf } from './definition.ts';
import { inertKind } from '../kinds/inert.ts';
import type { KindLookup } from '../kinds/index.ts';
import type { KindOfTag } from '../kinds/kind.ts';
import { Tag } from './tag.ts';
import type { ChangeJournal, TagLog, TagTransactions } from '../values/tag-transactions.ts';

export interface TagLibraryParts {
  tags: TagRepository;
  catalog: TagCatalog;
  transactions: TagTransactions;
  kinds: KindLookup;
  journal: Pick<ChangeJournal, 'changed'>;
  log: TagLog;
}

/** The items that a rename also updates. */
export interface RenameWith {
  /** The paths of the tags whose settings refer to it. */
  referring: readonly string[];
  /** Runs in the transaction. */
  within: () => void;
}

interface StoredDefinition {
  id: number;
  isNew: boolean;
  definition: TagDefinition;
}

/** Stores definitions: in the workspace, in the catalog, and with their kinds. */
export class TagLibrary {
  readonly #parts: TagLibraryParts;

  constructor(parts: TagLibraryParts) {
    this.#parts = parts;
  }

  /**
   * Loads every tag of the workspace. A tag whose settings its kind rejects is kept, and reads as
   * BadConfigurationError.
   */
  load(): void {
    const tags: Tag[] = [];
    for (const row of this.#parts.tags.all()) {
      const tag = this.#tagOf(row);
      if (tag) tags.push(tag);
      else this.#parts.log('loading tags', new Error(`"${row.path}" has an unknown kind or type and is ignored`));
    }
    this.#parts.catalog.add(tags);
    attachAll(tags);
  }

  #tagOf(row: TagRow): Tag | null {
    const kind = TAG_KINDS.find((name) => name === row.kind);
    const type = TAG_TYPES.find((name) => name === row.type);
    const settings = parseJson(row.settings);
    if (!kind || !type || !isJsonObject(settings)) return null;
    const { path, description, unit, format } = row;
    const shown = format === null ? {} : { format };
    const definition: TagDefinition = { path, kind, type, description, unit, ...shown, settings };
    const serving = this.#parts.kinds(kind);
    const parsed = serving.parseStored?.(settings, type) ?? serving.parse(settings, type);
    if (parsed.ok) return new Tag(row.id, { ...definition, settings: parsed.settings }, serving);
    const reason = `the settings of the tag are invalid, save them again: ${describeIssues(parsed.issues)}`;
    this.#parts.log('loading tags', new Error(`"${path}": ${reason}`));
    return new Tag(row.id, definition, inertKind(kind, reason));
  }

  /**
   * Creates or replaces checked definitions in one transaction. The values of a tag stay; if its type changes, they
   * are converted if possible, and otherwise dropped; if its kind changes, all are dropped.
   */
  async save(definitions: readonly TagDefinition[]): Promise<void> {
    const retired: Tag[] = [];
    const caller = callerNow();
    await undoing(retired, () =>
      this.#parts.transactions.redefineEach(
        definitions,
        (definition) => this.#store(definition, retired),
        (stored) => this.#record(stored, caller),
        (stored) => {
          this.#remember(stored);
          return definitions.map(({ path }) => path);
        },
      ),
    );
  }

  /** Deletes tags with their values in one transaction. */
  async delete(tags: readonly Tag[]): Promise<void> {
    const { tags: repository, catalog, transactions, journal } = this.#parts;
    const retired: Tag[] = [];
    const caller = callerNow();
    const deleteOne = (tag: Tag): void => {
      retire(tag, retired);
      repository.delete(tag.id);
    };
    const paths = tags.map(({ path }) => path);
    const record = () => journal.changed('define', tags, `deleted ${paths[0]}`, caller, paths);
    const forget = (): string[] => {
      const gone = tags.filter((tag) => catalog.byPath.get(tag.path)?.id === tag.id);
      for (const tag of gone) catalog.byPath.get(tag.path)?.kind.detach(tag);
      catalog.remove(gone.map((tag) => tag.path));
      return gone.map((tag) => tag.path);
    };
    await undoing(retired, () => transactions.redefineEach(tags, deleteOne, record, forget));
  }

  /**
   * Renames a tag, in one transaction with `within` and with the settings of the tags `referring` to it, which are
   * updated. Throws NOT_FOUND, CONFLICT if the path is taken, or any error of `within`.
   */
  async rename(tag: Tag, newPath: string, { referring, within }: RenameWith): Promise<void> {
    const { tags, catalog, kinds, journal } = this.#parts;
    const retired: Tag[] = [];
    const { path } = tag;
    const caller = callerNow();
    const job = (): StoredDefinition[] => {
      if (tags.byPath(path)?.id !== tag.id) throw changedElsewhere(path);
      if (tags.byPath(newPath)) throw pathTaken(newPath);
      retire(tag, retired);
      tags.rename(tag.id, newPath);
      within();
      const others = referring.map((one) => this.#withNewPath(one, path, newPath));
      const [problem] = problemsOf([{ ...tag.definition, path: newPath }, ...others], kinds);
      if (problem) throw definitionRefused(problem[0], [problem[1]]);
      journal.changed('define', [tag], `renamed from ${path}`, caller);
      const stored = others.map((definition) => this.#store(definition, retired));
      this.#record(stored, caller);
      return stored;
    };
    const show = (stored: StoredDefinition[]): string[] => {
      const known = catalog.byPath.get(path) ?? tag;
      known.kind.detach(known);
      catalog.remove([path]);
      const renamed = new Tag(tag.id, { ...known.definition, path: newPath }, known.kind);
      catalog.add([renamed]);
      attachAll([renamed]);
      this.#remember(stored);
      return [path, newPath, ...stored.map(({ definition }) => definition.path)];
    };
    await undoing(retired, () => this.#parts.transactions.redefine(job, show));
  }

  /**
   * Saves the definitions that `change` changes, in one transaction with `within`. Tags that no longer exist are
   * skipped. Throws BAD_REQUEST for an invalid definition, or any error of `change` and `within`.
   */
  async rewriteDefinitions(
    paths: readonly string[],
    change: (definition: TagDefinition) => TagDefinition,
    within: () => void,
  ): Promise<void> {
    const { tags, kinds, transactions } = this.#parts;
    const retired: Tag[] = [];
    const caller = callerNow();
    const job = (): StoredDefinition[] => {
      const changed = paths.flatMap((path): TagDefinition[] => {
        const row = tags.byPath(path);
        const definition = row && this.#tagOf(row)?.definition;
        const next = definition && change(definition);
        if (!next || next === definition) return [];
        const checked = checkDefinition(next, kinds);
        if (!checked.ok) throw definitionRefused(path, checked.issues);
        return [checked.definition];
      });
      const [problem] = problemsOf(changed, kinds);
      if (problem) throw definitionRefused(problem[0], [problem[1]]);
      within();
      const stored = changed.map((definition) => this.#store(definition, retired));
      this.#record(stored, caller);
      return stored;
    };
    await undoing(retired, () =>
      transactions.redefine(job, (stored) => {
        this.#remember(stored);
        return stored.map(({ definition }) => definition.path);
      }),
    );
  }

  /** The stored definition of a tag with the new path in place of the former one. */
  #withNewPath(path: string, former: string, newPath: string): TagDefinition {
    const row = this.#parts.tags.byPath(path);
    const tag = row && this.#tagOf(row);
    if (!tag) throw changedElsewhere(path);
    const settings = tag.kind.renameIn?.(tag.definition.settings, former, newPath) ?? tag.definition.settings;
    const checked = checkDefinition({ ...tag.definition, settings }, this.#parts.kinds);
    if (!checked.ok) throw definitionRefused(path, checked.issues);
    return checked.definition;
  }

  /** Runs a job that changes stored data of the tags of a kind, and then reloads their values. */
  rewrite<T>(kind: TagKind, job: () => T): Promise<T> {
    const { catalog, transactions } = this.#parts;
    return transactions.keep(job, () => {
      const changed = catalog.ordered.filter(({ definition }) => definition.kind === kind);
      attachAll(changed);
      return changed.map(({ path }) => path);
    });
  }

  /** Inside the transaction: which definitions are new, and which are changed. */
  #record(stored: readonly StoredDefinition[], caller: Cause): void {
    const [created, changed] = [stored.filter(({ isNew }) => isNew), stored.filter(({ isNew }) => !isNew)];
    this.#parts.journal.changed('define', created, 'created', caller);
    this.#parts.journal.changed('define', changed, 'changed', caller);
  }

  /** Inside the transaction: the stored data may be newer than the memory. */
  #store(definition: TagDefinition, retired: Tag[]): StoredDefinition {
    const { tags, catalog, kinds } = this.#parts;
    const { path, kind, type, description, unit, format = null } = definition;
    const values = {
      path,
      kind,
      type,
      description,
      unit,
      format,
      settings: JSON.stringify(kinds(kind).stored?.(definition.settings) ?? definition.settings),
    };
    const row = tags.byPath(path);
    if (!row) return { id: tags.insert(values), isNew: true, definition };
    if (row.kind !== kind || row.type !== type) {
      const known = catalog.byPath.get(path);
      if (known) retire(known, retired);
      const former = TAG_KINDS.find((name) => name === row.kind);
      if (row.kind === kind) kinds(kind).retype(row.id, type);
      else if (former) kinds(former).erase(row.id);
    }
    tags.update({ id: row.id, ...values });
    return { id: row.id, isNew: false, definition };
  }

  #remember(stored: readonly StoredDefinition[]): void {
    const { catalog, kinds } = this.#parts;
    const fresh: Tag[] = [];
    const touched: Tag[] = [];
    for (const { id, definition } of stored) {
      const kind = kinds(definition.kind);
      const known = catalog.byPath.get(definition.path);
      if (known && isHandledEqually(known, id, kind, definition)) {
        known.definition = definition;
        touched.push(known);
        continue;
      }
      known?.kind.detach(known);
      const tag = new Tag(id, definition, kind);
      fresh.push(tag);
      touched.push(tag);
    }
    catalog.add(fresh);
    attachAll(touched);
  }
}

function isHandledEqually(known: Tag, id: number, kind: KindOfTag, { type }: TagDefinition): boolean {
  return known.id === id && known.kind === kind && known.definition.type === type && !known.retired;
}

function changedElsewhere(path: string): TagwrightError {
  return new TagwrightError('CONFLICT', `"${path}" was changed in the meantime; nothing was renamed. Try again.`);
}

function pathTaken(path: string): TagwrightError {
  return new TagwrightError('CONFLICT', `A tag "${path}" already exists. Choose another path, or delete that one.`);
}

function retire(tag: Tag, retired: Tag[]): void {
  if (tag.retired) return;
  tag.retired = true;
  retired.push(tag);
}

/** If the transaction is undone, the tags that it retired stay active. */
async function undoing(retired: readonly Tag[], redefining: () => Promise<unknown>): Promise<void> {
  try {
    await redefining();
  } catch (thrown) {
    for (const tag of retired) tag.retired = false;
    throw thrown;
  }
}

function attachAll(tags: readonly Tag[]): void {
  for (const [kind, ofKind] of Map.groupBy(tags, (tag) => tag.kind)) kind.attach(ofKind);
}

import { isDeepStrictEqual } from 'node:util';
import { abbreviate } from '#domain/text/abbreviate';
import type { Cause } from '#domain/run/journal';
import type { JsonObject } from '#domain/text/json';
import type { MissingReference, TagDefinition, TagKind, TagLoss } from '#domain/tag/tag';
import { problemOfTagPath } from '#domain/tag/tag-path';
import type { Done } from '../../../platform/done.ts';
import { done } from '../../../platform/done.ts';
import { calledBy, callerNow } from '../../../platform/caller.ts';
import { TagwrightError } from '../../../platform/errors.ts';
import { Listeners } from '../../../platform/events.ts';
import type { TagCatalog } from './catalog.ts';
import { firstIndex } from './catalog.ts';
import { completionsOf } from './completion.ts';
import { checkSave, definitionRefused, problemsOf, sentIssues } from './definition.ts';
import type { ExchangeFormat } from './exchange.ts';
import { exportText, importedRows } from './exchange.ts';
import type { ImportRefusal, ImportStep } from './import-plan.ts';
import { planImport } from './import-plan.ts';
import type { ImportOutcome } from './import-progress.ts';
import { importProgress } from './import-progress.ts';
import { InTurn } from '../../../platform/in-turn.ts';
import type { KindLookup } from '../kinds/index.ts';
import type { Reference, SettingIssue } from '../kinds/kind.ts';
import { nearestPaths, unknownTag } from './nearest.ts';
import { wordsOf } from './search-index.ts';
import type { Tag } from './tag.ts';
import type { TagLibrary } from './tag-library.ts';

export interface DefinitionsParts {
  catalog: TagCatalog;
  kinds: KindLookup;
  library: TagLibrary;
}

interface TagText {
  format: ExchangeFormat;
  text: string;
}

interface TagImport extends TagText {
  /** Imports nothing if it would drop stored values. */
  keepValues?: boolean;
}

interface ImportLosses {
  losses: TagLoss[];
  refused?: ImportRefusal[];
}

const PAGE = 1_000;
const COMPLETIONS = 200;
const SHOWN_PATH = 120;
/** Maximum number of suggestions: finding the nearest takes ms among 50,000 tags. */
const NEAREST_OF = 32;

/** The tags and their definitions, independent of their values. */
export class TagDefinitions {
  readonly #catalog: TagCatalog;
  readonly #kinds: KindLookup;
  readonly #library: TagLibrary;
  readonly #changed = new Listeners<{ total: number }>();
  /** Changes that could close a cycle of calculations: each is checked when those before it are stored. */
  readonly #calculations = new InTurn();

  constructor({ catalog, kinds, library }: DefinitionsParts) {
    this.#catalog = catalog;
    this.#kinds = kinds;
    this.#library = library;
  }

  /** The number of tags. */
  get size(): number {
    return this.#catalog.size;
  }

  /** Removes all listeners. */
  close(): void {
    this.#changed.clear();
  }

  /** Tags ordered by path whose path contains every word of `filter`, a page at a time; `total` counts all of them. */
  list(input: { limit?: number | undefined; after?: string | undefined; filter?: string | undefined }) {
    const { limit = PAGE, after, filter = '' } = input;
    const words = wordsOf(filter);
    const fitting = words.length === 0 ? this.#catalog.ordered : [...this.#catalog.holding(words)];
    const start = after === undefined ? 0 : firstIndex(fitting, (tag) => tag.path > after);
    const page = fitting.slice(start, start + limit);
    const next = start + limit < fitting.length ? (page.at(-1)?.path ?? null) : null;
    return { tags: page.map((tag) => tag.definition), total: fitting.length, next };
  }

  /** Throws NOT_FOUND with the nearest paths. */
  definition({ path }: { path: string }): TagDefinition {
    return this.tag(path).definition;
  }

  /**
   * Creates the tag or replaces its definition. Throws BAD_REQUEST with `data.issues`. Values stay; if the type
   * changes, its values are converted if possible, and otherwise dropped; if the kind changes, all are dropped.
   */
  async save(given: TagDefinition): Promise<Done> {
    const save = () => {
      const checked = checkSave(given, this.#kinds);
      if (!checked.ok) throw definitionRefused(given.path, checked.issues);
      return this.#library.save([checked.definition]);
    };
    await (given.kind === 'calculation' ? this.#calculations.run(async () => save()) : save());
    this.#changed.emit({ total: this.size });
    return done;
  }

  #refuseCycle(definition: TagDefinition): void {
    const problem = problemsOf([definition], this.#kinds).get(definition.path);
    if (problem) throw definitionRefused(definition.path, [problem]);
  }

  /** The issues with which `save` would reject the definition, without saving it. */
  problems(given: TagDefinition): { issues: SettingIssue[] } {
    const checked = checkSave(given, this.#kinds);
    return { issues: checked.ok ? [] : sentIssues(checked.issues) };
  }

  /** Deletes tags with their values, all or none; throws NOT_FOUND with the nearest paths. */
  async delete({ paths }: { paths: readonly string[] }): Promise<Done> {
    const tags = [...new Set(paths)].map((path) => this.tag(path));
    if (tags.length === 0) return done;
    await this.#library.delete(tags);
    this.#changed.emit({ total: this.size });
    return done;
  }

  has(path: string): boolean {
    return this.#catalog.byPath.get(path) !== undefined;
  }

  /** The number formats of the tags that have one, by path. */
  formats(): Record<string, string> {
    const formatted = this.#catalog.ordered.filter(({ definition }) => definition.format !== undefined);
    return Object.fromEntries(formatted.map(({ path, definition }) => [path, definition.format ?? '']));
  }

  /** Paths that complete the typed text, best first. */
  complete({ text, limit = COMPLETIONS }: { text: string; limit?: number | undefined }) {
    const { tags, incomplete } = completionsOf(this.#catalog, text, limit);
    return { tags: tags.map((tag) => tag.definition), incomplete };
  }

  /** The paths without a tag, each once and in order, with the nearest existing ones (for the first 32). */
  check({ paths }: { paths: readonly string[] }) {
    const missing = [...new Set(paths)].filter((path) => !this.#catalog.byPath.get(path));
    return {
      unknown: missing.map((path, index) => ({
        path,
        nearest: index < NEAREST_OF ? nearestPaths(this.#catalog, path) : [],
      })),
    };
  }

  /** Called after definitions changed, with the number of tags; the returned function removes the listener. */
  onChange(listener: (change: { total: number }) => void): () => void {
    return this.#changed.add(listener);
  }

  /**
   * The stored values that an import would drop because it changes types or kinds; with `mirror` also those of the tags
   * that it does not have. None if it would be rejected: then `refused` has the rows.
   */
  async losses({ format, text, mirror = false }: TagText & { mirror?: boolean }): Promise<ImportLosses> {
    const { definitions, refused } = await planImport(await importedRows(format, text), this.#kinds);
    if (refused.length > 0) return { losses: [], refused };
    const losses = this.#lossesBy(definitions);
    if (!mirror) return { losses };
    const given = new Set(definitions.map(({ path }) => path));
    const deleted = this.#catalog.ordered.filter(({ path }) => !given.has(path));
    return { losses: [...losses, ...deleted.flatMap(lossByDelete)] };
  }

  #lossesBy(definitions: readonly TagDefinition[]): TagLoss[] {
    return definitions.flatMap((definition) => lossBy(this.#catalog.byPath.get(definition.path), definition));
  }

  /**
   * Creates and replaces the tags of a text, all or nothing: `refused` is empty, or nothing was imported. With
   * `keepValues`, nothing is imported either if that would drop stored values; `losses` are those.
   */
  import(input: TagImport): Promise<ImportOutcome> {
    return this.#import(input);
  }

  /** Like `import`, with progress; if the reader stops or aborts before the last value, nothing is imported. */
  importing(input: TagImport, signal: AbortSignal) {
    return importProgress((step) => this.#import(input, step), signal);
  }

  /** The definitions (not the values) of the tags whose path contains every word of `filter`, as text. */
  export({ format, filter = '' }: { format: ExchangeFormat; filter?: string | undefined }) {
    const definitions = [...this.#catalog.holding(wordsOf(filter))].map((tag) => tag.definition);
    return { text: exportText(format, definitions), count: definitions.length };
  }

  /** The tags from which the value of a tag is calculated. */
  inputsOf(path: string): readonly string[] {
    const tag = this.#catalog.byPath.get(path);
    return tag?.kind.inputs?.(tag) ?? [];
  }

  /** All references in the settings of tags. */
  *references(): Generator<{ path: string; kind: TagKind; reference: Reference }, void, undefined> {
    for (const tag of this.#catalog.ordered) {
      const { path, definition } = tag;
      for (const reference of tag.kind.references?.(tag) ?? []) yield { path, kind: definition.kind, reference };
    }
  }

  /**
   * Renames a tag; it keeps its values and its id. With `updateReferences`, the settings of other tags are updated.
   * `within` runs in the same transaction and gets the other tags that it changes. Throws NOT_FOUND, BAD_REQUEST for an
   * invalid path or a calculation that would depend on itself, or CONFLICT if the path is taken.
   */
  async rename(
    { path, newPath, updateReferences }: { path: string; newPath: string; updateReferences: boolean },
    within: (changed: readonly string[]) => void,
  ): Promise<void> {
    if (this.tag(path).definition.kind !== 'calculation') return this.#rename(path, newPath, updateReferences, within);
    await this.#calculations.run(() => {
      // Calculations may already refer to the new path.
      this.#refuseCycle({ ...this.tag(path).definition, path: newPath });
      return this.#rename(path, newPath, updateReferences, within);
    });
  }

  async #rename(
    path: string,
    newPath: string,
    updateReferences: boolean,
    within: (changed: readonly string[]) => void,
  ): Promise<void> {
    const tag = this.tag(path);
    const problem = problemOfTagPath(newPath);
    if (problem) throw definitionRefused(newPath, [{ path: ['newPath'], message: problem }]);
    const named = updateReferences
      ? [...this.references()].filter(({ reference }) => reference.to === 'tag' && reference.path === path)
      : [];
    const referring = [...new Set(named.map((one) => one.path))].filter((one) => one !== path);
    await this.#library.rename(tag, newPath, { referring, within: () => within(referring) });
    this.#changed.emit({ total: this.size });
  }

  /** See the library; calculations are checked for cycles. */
  async rewriteDefinitions(
    paths: readonly string[],
    change: (definition: TagDefinition) => TagDefinition,
    within: () => void,
  ): Promise<void> {
    await this.#calculations.run(() => this.#library.rewriteDefinitions(paths, change, within));
    this.#changed.emit({ total: this.size });
  }

  /** Runs a job that changes stored data of the tags of a kind, and then reloads their values. */
  rewrite<T>(kind: TagKind, job: () => T): Promise<T> {
    return this.#library.rewrite(kind, job);
  }

  /** The tag of a path. Throws NOT_FOUND with the nearest paths. */
  tag(path: string): Tag {
    const tag = this.#catalog.byPath.get(path);
    if (tag) return tag;
    throw new TagwrightError('NOT_FOUND', `"${abbreviate(path, SHOWN_PATH)}": ${unknownTag(this.#catalog, path)}`);
  }

  #import(input: TagImport, step?: ImportStep): Promise<ImportOutcome> {
    return this.#calculations.run(() => calledBy(importBy(callerNow()), () => this.#importNow(input, step)));
  }

  async #importNow({ format, text, keepValues = false }: TagImport, step?: ImportStep): Promise<ImportOutcome> {
    const { definitions, refused } = await planImport(await importedRows(format, text), this.#kinds, step);
    if (refused.length > 0) return { created: 0, updated: 0, refused };
    const losses = keepValues ? this.#lossesBy(definitions) : [];
    if (losses.length > 0) return { created: 0, updated: 0, refused, losses };
    step?.(definitions.length, definitions.length);
    const changed = definitions.filter((definition) => !this.#isStored(definition));
    const updated = changed.filter(({ path }) => this.#catalog.byPath.get(path)).length;
    if (changed.length > 0) {
      await this.#library.save(changed);
      this.#changed.emit({ total: this.size });
    }
    const missing = [...this.#missingIn(definitions)];
    const unchanged = definitions.length - changed.length;
    return {
      created: changed.length - updated,
      updated,
      ...(unchanged > 0 && { unchanged }),
      refused,
      ...(missing.length > 0 && { missing }),
    };
  }

  /** Whether a tag already has this definition, also in its stored form. */
  #isStored(definition: TagDefinition): boolean {
    const tag = this.#catalog.byPath.get(definition.path);
    if (!tag || tag.definition.kind !== definition.kind || tag.kind !== this.#kinds(definition.kind)) return false;
    const { settings, ...members } = definition;
    const { settings: before, ...membersBefore } = tag.definition;
    const storedAs = (one: JsonObject): JsonObject => tag.kind.stored?.(one) ?? one;
    return isDeepStrictEqual(members, membersBefore) && isDeepStrictEqual(storedAs(settings), storedAs(before));
  }

  /** The references of tags to missing items. */
  *#missingIn(definitions: readonly TagDefinition[]): Generator<MissingReference> {
    for (const { path } of definitions) {
      const tag = this.#catalog.byPath.get(path);
      for (const reference of tag?.kind.references?.(tag) ?? []) {
        const [exists, name] =
          reference.to === 'tag' ? [this.has(reference.path), reference.path] : [reference.exists, reference.name];
        if (!exists) yield { path, member: `settings.${reference.member}`, name };
      }
    }
  }
}

/** The cause of an import that is not a part of another one. */
const importBy = (caller: Cause): Cause => (caller.by === 'person' ? { ...caller, by: 'import', what: '' } : caller);

function lossBy(tag: Tag | undefined, { kind, type }: TagDefinition): TagLoss[] {
  if (!tag) return [];
  const { path, kind: formerKind, type: formerType } = tag.definition;
  if (kind === formerKind && type === formerType) return [];
  const values = tag.kind.lostBy?.(tag, kind === formerKind ? type : null) ?? 0;
  const [from, to] = kind === formerKind ? [formerType, type] : [formerKind, kind];
  return values === 0 ? [] : [{ path, from, to, values }];
}

function lossByDelete(tag: Tag): TagLoss[] {
  const values = tag.kind.lostBy?.(tag, null) ?? 0;
  return values === 0 ? [] : [{ path: tag.path, from: tag.definition.type, to: 'deleted', values }];
}

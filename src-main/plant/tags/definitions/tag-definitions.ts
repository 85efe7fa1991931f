import { abbreviate } from '#domain/text/abbreviate';
import type { TagDefinition, TagKind } from '#domain/tag/tag';
import { problemOfTagPath } from '#domain/tag/tag-path';
import { TagwrightError } from '../../../platform/errors.ts';
import { Listeners } from '../../../platform/events.ts';
import type { TagCatalog } from './catalog.ts';
import { firstIndex } from './catalog.ts';
import { completionsOf } from './completion.ts';
import { checkDefinition, definitionRefused, problemsOf } from './definition.ts';
import type { ExchangeFormat } from './exchange.ts';
import { exportText, importedRows } from './exchange.ts';
import type { ImportStep } from './import-plan.ts';
import { planImport } from './import-plan.ts';
import { importProgress } from './import-progress.ts';
import type { KindLookup } from '../kinds/index.ts';
import type { Reference } from '../kinds/kind.ts';
import { nearestPaths, unknownTag } from './nearest.ts';
import { wordsOf } from './search-index.ts';
import type { Tag } from './tag.ts';
import type { TagLibrary } from './tag-library.ts';

export interface DefinitionsParts {
  catalog: TagCatalog;
  kinds: KindLookup;
  library: TagLibrary;
}

type Done = Record<string, never>;

const done: Done = {};
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
   * changes, those that can be converted are, and the others are dropped; if the kind changes, all are dropped.
   */
  async save(given: TagDefinition): Promise<Done> {
    const checked = checkDefinition(given, this.#kinds);
    if (!checked.ok) throw definitionRefused(given.path, checked.issues);
    const problem = problemsOf([checked.definition], this.#kinds).get(given.path);
    if (problem) throw definitionRefused(given.path, [problem]);
    await this.#library.save([checked.definition]);
    this.#changed.emit({ total: this.size });
    return done;
  }

  /** Deletes tags with their values, all or none; throws NOT_FOUND with the nearest paths. */
  async delete({ paths }: { paths: readonly string[] }): Promise<Done> {
    const tags = [...new Set(paths)].map((path) => this.tag(path));
    if (tags.length === 0) return done;
    await this.#library.delete(tags);
    this.#changed.emit({ total: this.size });
    return done;
  }

  /** Paths that complete the typed text, best first. */
  complete({ text, limit = COMPLETIONS }: { text: string; limit?: number | undefined }) {
    const { tags, incomplete } = completionsOf(this.#catalog, text, limit);
    return { tags: tags.map((tag) => tag.definition), incomplete };
  }

  /** The paths without a tag, each once and in order, with the nearest existing ones (for the first 32). */
  check({ paths }: { paths: readonly string[] }) {
    const missing = [...new Set(paths)].filter((path) => !this.#catalog.get(path));
    return {
      unknown: missing.map((path, index) => ({
        path,
        nearest: index < NEAREST_OF ? nearestPaths(this.#catalog, path) : [],
      })),
    };
  }

  /** Whether reading the tag is immediate: its kind keeps values in memory, or the tag does not exist. */
  isImmediate(path: string): boolean {
    return (this.#catalog.get(path)?.kind.mode ?? 'immediate') === 'immediate';
  }

  /** Called after definitions changed, with the number of tags; the returned function removes the listener. */
  onChange(listener: (change: { total: number }) => void): () => void {
    return this.#changed.add(listener);
  }

  /** Creates and replaces the tags of a text, all or nothing: `refused` is empty, or nothing was imported. */
  import(input: { format: ExchangeFormat; text: string }) {
    return this.#import(input);
  }

  /** Like `import`, with progress; if the reader stops or aborts before the last value, nothing is imported. */
  importing(input: { format: ExchangeFormat; text: string }, signal: AbortSignal) {
    return importProgress((step) => this.#import(input, step), signal);
  }

  /** The definitions (not the values) of the tags whose path contains every word of `filter`, as text. */
  export({ format, filter = '' }: { format: ExchangeFormat; filter?: string | undefined }) {
    const definitions = [...this.#catalog.holding(wordsOf(filter))].map((tag) => tag.definition);
    return { text: exportText(format, definitions), count: definitions.length };
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
   * `within` runs in the same transaction. Returns the other tags that were changed. Throws NOT_FOUND, BAD_REQUEST for
   * an invalid path, or CONFLICT if it is taken.
   */
  async rename(
    { path, newPath, updateReferences }: { path: string; newPath: string; updateReferences: boolean },
    within: () => void,
  ): Promise<{ changed: string[] }> {
    const tag = this.tag(path);
    const problem = problemOfTagPath(newPath);
    if (problem) throw definitionRefused(newPath, [{ path: ['newPath'], message: problem }]);
    const named = updateReferences
      ? [...this.references()].filter(({ reference }) => reference.to === 'tag' && reference.path === path)
      : [];
    const referring = [...new Set(named.map((one) => one.path))].filter((one) => one !== path);
    await this.#library.rename(tag, newPath, { referring, within });
    this.#changed.emit({ total: this.size });
    return { changed: referring };
  }

  /** Runs a job that changes stored data of the tags of a kind, and then reloads their values. */
  rewrite<T>(kind: TagKind, job: () => T): Promise<T> {
    return this.#library.rewrite(kind, job);
  }

  /** The tag of a path. Throws NOT_FOUND with the nearest paths. */
  tag(path: string): Tag {
    const tag = this.#catalog.get(path);
    if (tag) return tag;
    throw new TagwrightError('NOT_FOUND', `"${abbreviate(path, SHOWN_PATH)}": ${unknownTag(this.#catalog, path)}`);
  }

  async #import({ format, text }: { format: ExchangeFormat; text: string }, step?: ImportStep) {
    const { definitions, refused } = await planImport(await importedRows(format, text), this.#kinds, step);
    if (refused.length > 0) return { created: 0, updated: 0, refused };
    step?.(definitions.length, definitions.length);
    const updated = definitions.filter(({ path }) => this.#catalog.get(path)).length;
    if (definitions.length > 0) {
      await this.#library.save(definitions);
      this.#changed.emit({ total: this.size });
    }
    return { created: definitions.length - updated, updated, refused };
  }
}

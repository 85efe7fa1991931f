import { abbreviate } from '#domain/abbreviate';
import type { Quality } from '#domain/quality';
import type { ScopedValue } from '#domain/scope';
import { scopeOf } from '#domain/scope';
import type { TagDefinition, TagKind, TagValue, TagWrite } from '#domain/tag';
import { problemOfTagPath } from '#domain/tag-path';
import type { Clock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { CommitQueue } from '../storage/commit-queue.ts';
import type { TagRepository } from '../storage/tag-repository.ts';
import type { WriteIntentRepository } from '../storage/write-intent-repository.ts';
import { firstIndex, TagCatalog } from './catalog.ts';
import { completionsOf } from './completion.ts';
import { checkDefinition, definitionRefused, problemsOf } from './definition.ts';
import { changesAt, withDependents } from './dependence.ts';
import type { ExchangeFormat } from './exchange.ts';
import { exportText, importedRows } from './exchange.ts';
import type { ImportStep } from './import-plan.ts';
import { planImport } from './import-plan.ts';
import { importProgress } from './import-progress.ts';
import { overridesOf, scopesOf } from './kind-abilities.ts';
import type { KindLookup, KindParts } from './kinds/index.ts';
import { createKinds, kindsByName } from './kinds/index.ts';
import type { KindOfTag, Reference, StateChange } from './kinds/kind.ts';
import { nearestPaths, unknownTag } from './nearest.ts';
import type { ScriptEvaluator } from './script-evaluator.ts';
import { NO_SCRIPTS } from './script-evaluator.ts';
import { wordsOf } from './search-index.ts';
import type { Tag } from './tag.ts';
import { checkScope, TagEngine } from './tag-engine.ts';
import { TagLibrary } from './tag-library.ts';
import { TagSession } from './tag-session.ts';
import type { CommitStep, TagLog } from './tag-transactions.ts';
import { TagTransactions } from './tag-transactions.ts';
import { watchTags } from './watch.ts';
import type { ViewParts } from './write-set.ts';
import { EngineView, writeTags } from './write-set.ts';

export interface TagServiceParts extends KindParts {
  tags: TagRepository;
  commits: CommitQueue;
  clock: Clock;
  log: TagLog;
  /** Runs the scripts of tags that are read and written outside of any run. */
  evaluator?: ScriptEvaluator;
  /** Needed for DB tags. */
  intents?: WriteIntentRepository;
  /** Where a write set over two files stands; tests end the process there. */
  onCommitStep?: (step: CommitStep) => void;
  /** The kinds of tags, where they are not those of the build. */
  kinds?: readonly KindOfTag[];
}

/** Scopes as callers give them: null, absent and `''` mean the internal default. */
interface ScopeInput {
  diagram?: string | null | undefined;
  location?: string | null | undefined;
}

type Done = Record<string, never>;

const done: Done = {};
const PAGE = 1_000;
const COMPLETIONS = 200;
const SHOWN_PATH = 120;
/** To look for the nearest takes ms among 50,000 tags. */
const NEAREST_OF = 32;

/**
 * The tags of a workspace. Methods are named after the procedures of the contract and take and return what these do;
 * errors are TagwrightErrors. Definitions and values are in memory, so reads of storage and machine tags wait for
 * nothing.
 */
export class TagService {
  readonly #catalog = new TagCatalog();
  readonly #kinds: KindLookup;
  readonly #engine: TagEngine;
  readonly #library: TagLibrary;
  readonly #scripts: ScriptEvaluator;
  readonly #changed = new Listeners<{ total: number }>();
  /** As the engine's, with the tags that follow from those that were touched. */
  readonly #touched = new Listeners<readonly string[]>();
  readonly #closing = new AbortController();

  constructor(parts: TagServiceParts) {
    const { tags, commits, clock, log } = parts;
    const catalog = this.#catalog;
    const kinds = kindsByName(parts.kinds ?? createKinds(parts));
    this.#kinds = kinds;
    this.#scripts = parts.evaluator ?? NO_SCRIPTS;
    const { intents, onCommitStep } = parts;
    const transactions = new TagTransactions({ commits, clock, log, intents, onCommitStep });
    transactions.touched.add((paths) => this.#touched.emit(withDependents(paths, kinds)));
    this.#engine = new TagEngine({ catalog, clock, log, transactions });
    this.#library = new TagLibrary({ tags, catalog, transactions, kinds, log });
    this.#library.load();
  }

  /** The number of tags. */
  get size(): number {
    return this.#catalog.size;
  }

  /** Ends every watch. */
  close(): void {
    this.#closing.abort();
    this.#changed.clear();
  }

  /** Tags in order of path whose path holds every word of `filter`, a page at a time; `total` counts all of them. */
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
    return this.#tag(path).definition;
  }

  /**
   * Creates the tag or replaces its definition. Throws BAD_REQUEST with `data.issues`. Values stay; when the type
   * changes, those that convert are converted and the others dropped; when the kind changes, all are dropped.
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
    const tags = [...new Set(paths)].map((path) => this.#tag(path));
    if (tags.length === 0) return done;
    await this.#library.delete(tags);
    this.#changed.emit({ total: this.size });
    return done;
  }

  /** Paths that complete what was typed, best first. */
  complete({ text, limit = COMPLETIONS }: { text: string; limit?: number | undefined }) {
    const { tags, incomplete } = completionsOf(this.#catalog, text, limit);
    return { tags: tags.map((tag) => tag.definition), incomplete };
  }

  /** The paths that no tag has, each once and in order, with the nearest that there are (for the first 32). */
  check({ paths }: { paths: readonly string[] }) {
    const missing = [...new Set(paths)].filter((path) => !this.#catalog.get(path));
    return {
      unknown: missing.map((path, index) => ({
        path,
        nearest: index < NEAREST_OF ? nearestPaths(this.#catalog, path) : [],
      })),
    };
  }

  /** One value a path, in order; no promise where all values are in memory. Throws BAD_REQUEST for an odd scope. */
  get({ paths, diagram, location }: { paths: readonly string[] } & ScopeInput): MaybePromise<TagValue[]> {
    return new EngineView(this.#direct()).get(paths, scopeOf(diagram, location));
  }

  /** All or nothing: throws WRITE_REFUSED with every item that is wrong. Returns the values as written. */
  async set({ items, diagram, location }: { items: readonly TagWrite[] } & ScopeInput): Promise<TagValue[]> {
    const { values } = await writeTags(this.#direct(), items, scopeOf(diagram, location));
    return values;
  }

  /** All values at once, then those that changed, at most ten batches a second, until the signal aborts. */
  watch(
    { paths, diagram, location }: { paths: readonly string[] } & ScopeInput,
    signal: AbortSignal,
  ): AsyncGenerator<TagValue[], void, undefined> {
    const scope = scopeOf(diagram, location);
    checkScope(scope);
    const engine = this.#engine;
    const source = {
      read: (some: readonly string[]) => engine.read(some, scope, new EngineView(this.#direct())),
      now: () => engine.clock.now(),
      changesAt: (path: string, now: number) => changesAt(path, now, this.#catalog),
      onTouched: (listener: (touched: readonly string[]) => void) => this.onValues(listener),
    };
    return watchTags(paths, source, AbortSignal.any([signal, this.#closing.signal]));
  }

  /** The kind of a tag; null when there is none. */
  kindOf(path: string): TagKind | null {
    return this.#catalog.get(path)?.definition.kind ?? null;
  }

  /** When a read may next give another value without `onValues` saying so; ms since 1970, Infinity for never. */
  changesAt(path: string): number {
    return changesAt(path, this.#engine.clock.now(), this.#catalog);
  }

  /** Called when definitions changed, with how many tags there are; the function returned removes the listener. */
  onChange(listener: (change: { total: number }) => void): () => void {
    return this.#changed.add(listener);
  }

  /**
   * Called with the paths whose values were written, forced, released or redefined, and those of calculations over them,
   * after it is durable.
   */
  onValues(listener: (paths: readonly string[]) => void): () => void {
    return this.#touched.add(listener);
  }

  /** Forces the quality of a machine tag until lifted with null. Throws NOT_FOUND, or BAD_REQUEST for other kinds. */
  async force({ path, quality }: { path: string; quality: Quality | null }): Promise<Done> {
    const tag = this.#tag(path);
    await this.#engine.change([{ tag, change: overridesOf(tag).force(tag, quality) }]);
    return done;
  }

  /** Lifts the values that override machine tags, all or none; forced qualities stay. */
  async release({ paths }: { paths: readonly string[] }): Promise<Done> {
    const changes = [...new Set(paths)].map((path): { tag: Tag; change: StateChange } => {
      const tag = this.#tag(path);
      return { tag, change: overridesOf(tag).release(tag) };
    });
    await this.#engine.change(changes);
    return done;
  }

  /** What a storage tag holds, in order of Diagram and location. Throws NOT_FOUND, or BAD_REQUEST for other kinds. */
  scopes({ path }: { path: string }): { values: ScopedValue[] } {
    const tag = this.#tag(path);
    const values = scopesOf(tag).stored(tag);
    return { values: values.toSorted((a, b) => byText(a.diagram, b.diagram) || byText(a.location, b.location)) };
  }

  /** Takes the value away that a storage tag holds for exactly this scope. Throws as `scopes`. */
  async clear({ path, diagram, location }: { path: string } & ScopeInput): Promise<Done> {
    const tag = this.#tag(path);
    const scope = scopeOf(diagram, location);
    checkScope(scope);
    await this.#engine.change([{ tag, change: scopesOf(tag).clear(tag, scope) }]);
    return done;
  }

  /** Creates and replaces the tags of a text, all or nothing: `refused` is empty, or nothing was imported. */
  async import({ format, text }: { format: ExchangeFormat; text: string }, step?: ImportStep) {
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

  /** As `import`, with how far it is; who stops reading, or aborts, before the last has imported nothing. */
  importing(input: { format: ExchangeFormat; text: string }, signal: AbortSignal) {
    return importProgress((step) => this.import(input, step), signal);
  }

  /** The definitions (not the values) of the tags whose path holds every word of `filter`, as text. */
  export({ format, filter = '' }: { format: ExchangeFormat; filter?: string | undefined }) {
    const definitions = [...this.#catalog.holding(wordsOf(filter))].map((tag) => tag.definition);
    return { text: exportText(format, definitions), count: definitions.length };
  }

  /** Everything that the settings of tags name. */
  *references(): Generator<{ path: string; kind: TagKind; reference: Reference }, void, undefined> {
    for (const tag of this.#catalog.ordered) {
      const { path, definition } = tag;
      for (const reference of tag.kind.references?.(tag) ?? []) yield { path, kind: definition.kind, reference };
    }
  }

  /**
   * Gives a tag another path; it keeps its values and its id. With `updateReferences` the settings of other tags name
   * the new path then. `within` runs in the same transaction. Returns the other tags that were changed. Throws NOT_FOUND,
   * BAD_REQUEST for a path that is none, or CONFLICT for one that is taken.
   */
  async rename(
    { path, newPath, updateReferences }: { path: string; newPath: string; updateReferences: boolean },
    within: () => void,
  ): Promise<{ changed: string[] }> {
    const tag = this.#tag(path);
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

  /** Runs a job that changes what is stored of the tags of a kind, and then loads their values anew. */
  rewrite<T>(kind: TagKind, job: () => T): Promise<T> {
    return this.#library.rewrite(kind, job);
  }

  /** The reads and writes of one run. */
  session({ dryRun, scripts = this.#scripts }: { dryRun: boolean; scripts?: ScriptEvaluator }): TagSession {
    return new TagSession(this.#engine, { dryRun, scripts });
  }

  /** What is read and written outside of any run. */
  #direct(): ViewParts {
    return { engine: this.#engine, pending: null, dryRun: false, scripts: this.#scripts };
  }

  #tag(path: string): Tag {
    const tag = this.#catalog.get(path);
    if (tag) return tag;
    throw new TagwrightError('NOT_FOUND', `"${abbreviate(path, SHOWN_PATH)}": ${unknownTag(this.#catalog, path)}`);
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

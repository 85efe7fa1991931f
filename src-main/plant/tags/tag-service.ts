import type { PastValues } from '#domain/tag/past-values';
import type { Cause } from '#domain/run/journal';
import type { Quality } from '#domain/tag/quality';
import { isUsable } from '#domain/tag/quality';
import type { Scope, ScopedValue } from '#domain/tag/scope';
import { scopeOf } from '#domain/tag/scope';
import type { SignalCurve } from '#domain/tag/signal-curve';
import { signalCurve } from '#domain/tag/signal-curve';
import { seedOf } from '#domain/tag/signal-noise';
import type { TagDefinition, TagValue, TagWrite } from '#domain/tag/tag';
import type { OrderBy, TagOrder } from '#domain/tag/tag-order';
import type { Done } from '../../platform/done.ts';
import { done } from '../../platform/done.ts';
import { callerNow } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { Listeners } from '../../platform/events.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { TagRepository } from '../../storage/repositories/tag-repository.ts';
import type { WriteIntentRepository } from '../../storage/repositories/write-intent-repository.ts';
import { TagCatalog } from './definitions/catalog.ts';
import { withDependents } from './definitions/dependence.ts';
import { badTags, type BadTags } from './values/bad-tags.ts';
import { orderTags } from './values/order-tags.ts';
import { overridesOf, scopesOf } from './values/kind-abilities.ts';
import type { KindParts } from './kinds/index.ts';
import { definitionRefused } from './definitions/definition.ts';
import { parseMachineSettings } from './kinds/machine-settings.ts';
import { type KindLookup, createKinds, kindsByName } from './kinds/index.ts';
import type { KindOfTag, StateChange } from './kinds/kind.ts';
import type { ScriptEvaluator } from '#domain/run/script-evaluator';
import { NO_SCRIPTS } from './values/script-evaluator.ts';
import type { Tag } from './definitions/tag.ts';
import { LiveTags, TagReads, TagSession, TagView, type ViewParts, checkScope } from './values/tag-reads.ts';
import { TagWrites } from './values/tag-writes.ts';
import { TagDefinitions } from './definitions/tag-definitions.ts';
import { TagLibrary } from './definitions/tag-library.ts';
import type { ChangeJournal, CommitStep, TagLog } from './values/tag-transactions.ts';
import { TagTransactions } from './values/tag-transactions.ts';
import { ValuesMemory } from './values/values-memory.ts';
import { watchTags } from './values/watch.ts';
import { ChangeTimes } from './values/change-times.ts';

export interface TagServiceParts extends KindParts {
  tags: TagRepository;
  commits: CommitQueue;
  clock: Clock;
  journal: ChangeJournal;
  log: TagLog;
  /** Runs the scripts of tags that are read and written outside of any run. */
  evaluator?: ScriptEvaluator;
  /** Needed for DB tags. */
  intents?: WriteIntentRepository;
  /** The progress of a write set over two files; tests end the process there. */
  onCommitStep?: (step: CommitStep) => void;
  /** The memory limit for the values of all tags, MB; the default of the setting unless given. */
  valuesMb?: () => number;
  /** Maximum number of records in the ERP outbox; the default of the setting unless given. */
  erpRecords?: () => number;
  /** Whether tags are loaded when one is first asked for: a short command may need none. */
  loadsLate?: boolean;
  /** The kinds of tags, if they are not those of the build. */
  kinds?: readonly KindOfTag[];
}

/** Scopes as callers pass them: null, absent and `''` are the internal default. */
interface ScopeInput {
  diagram?: string | null | undefined;
  location?: string | null | undefined;
}

interface TimedInput extends ScopeInput {
  /** Whether values need the time when they last changed. */
  times?: boolean;
}

interface OrderInput extends ScopeInput {
  paths: readonly string[];
  by: OrderBy;
  descending?: boolean;
}

/**
 * The tags of a workspace: their definitions and values. Methods are named after the procedures of the contract and
 * have the same parameters and results; errors are TagwrightErrors. Definitions and values are in memory, so reads of
 * storage and machine tags wait for nothing.
 */
export class TagService {
  /** Which tags there are; see `TagDefinitions`. */
  readonly definitions: TagDefinitions;
  /** Reads in the default scope, outside of any run. */
  readonly live: LiveTags;
  readonly #catalog: TagCatalog;
  readonly #kinds: KindLookup;
  readonly #reads: TagReads;
  readonly #writes: TagWrites;
  readonly #scripts: ScriptEvaluator;
  /** Like the engine's, plus the tags that depend on the touched ones. */
  readonly #touched = new Listeners<readonly string[]>();
  readonly #closing = new AbortController();
  readonly #times: ChangeTimes;
  readonly #journal: ChangeJournal;

  constructor(parts: TagServiceParts) {
    const { tags, commits, clock, journal, log, intents, onCommitStep } = parts;
    this.#journal = journal;
    const catalog = new TagCatalog();
    const memory = new ValuesMemory(parts.valuesMb);
    const kindOf = kindsByName(parts.kinds ?? createKinds({ ...parts, memory }));
    // A kind knows its tags only when they are loaded.
    const kinds: KindLookup = (name) => {
      catalog.load();
      return kindOf(name);
    };
    const transactions = new TagTransactions({ commits, clock, log, memory, journal, intents, onCommitStep });
    const library = new TagLibrary({ tags, catalog, transactions, kinds, journal, log });
    this.definitions = new TagDefinitions({ catalog, kinds, library });
    this.#catalog = catalog;
    this.#kinds = kinds;
    this.#reads = new TagReads({ catalog, clock, log, transactions });
    this.#writes = new TagWrites(catalog, transactions);
    this.#scripts = parts.evaluator ?? NO_SCRIPTS;
    this.live = new LiveTags(this.#direct(undefined, OF_RULES));
    this.#times = new ChangeTimes(catalog, clock);
    this.#touched.add((paths) => this.#times.touched(paths));
    transactions.touched.add((paths) => this.#touched.emit(withDependents(paths, kinds)));
    catalog.loadWith(() => {
      library.load();
      const { excess } = memory;
      if (excess !== null)
        log('holding the values of all tags', new Error(`${excess}: writes that add to them are rejected`));
    });
    if (!parts.loadsLate) catalog.load();
  }

  /** Loads the tags, if they are not loaded yet. */
  load(): void {
    this.#catalog.load();
  }

  /** Ends every watch. */
  close(): void {
    this.#closing.abort();
    this.definitions.close();
  }

  /**
   * One value per path, in order; not a promise if all values are in memory. When the signal aborts, the SQL of DB tags
   * is no longer run. With `times`, values have `changedAt` if it is known. Throws BAD_REQUEST for an invalid scope.
   */
  get(
    { paths, diagram, location, times = false }: { paths: readonly string[] } & TimedInput,
    signal?: AbortSignal,
  ): MaybePromise<TagValue[]> {
    const scope = scopeOf(diagram, location);
    const view = new TagView(this.#direct(signal));
    const values = view.get(paths, scope);
    return times ? this.#timed(values, scope, view.now) : values;
  }

  /** The tags with a bad quality in the scope; see `badTags`. */
  bad({ diagram, location }: ScopeInput, signal?: AbortSignal): Promise<BadTags> {
    const scope = scopeOf(diagram, location);
    const read = (paths: readonly string[]) => new TagView(this.#direct(signal)).get(paths, scope);
    return badTags(this.#catalog.ordered, read, signal);
  }

  /** The order of tags by one reading of each in the scope; see `orderTags`. */
  order({ paths, by, descending = false, ...scope }: OrderInput, signal?: AbortSignal): Promise<TagOrder> {
    const read = (some: readonly string[]) => this.get({ paths: some, ...scope, times: by === 'time' }, signal);
    const isImmediate = (path: string) => this.#reads.isImmediate(path);
    return orderTags(paths, { by, descending, isImmediate, read, signal });
  }

  /** The curve of the signal of a machine tag with this definition. Throws BAD_REQUEST with `data.issues`. */
  preview({ path, type, settings }: TagDefinition): SignalCurve {
    const parsed = parseMachineSettings(settings, type);
    if (!parsed.ok) throw definitionRefused(path, parsed.issues);
    return signalCurve(parsed.settings, type, { seed: seedOf(path), now: this.#reads.clock.now() });
  }

  #timed(values: MaybePromise<TagValue[]>, scope: Scope, now: number): MaybePromise<TagValue[]> {
    const added = (read: TagValue[]) => this.#times.added(read, scope, now);
    return values instanceof Promise ? values.then(added) : added(values);
  }

  /**
   * All or nothing: throws WRITE_REFUSED with every rejected item. Returns the written values. When the signal aborts, a
   * Set that is not decided writes nothing, and throws CANCELLED.
   */
  async set(
    { items, diagram, location }: { items: readonly TagWrite[] } & ScopeInput,
    signal?: AbortSignal,
  ): Promise<TagValue[]> {
    const { values } = await this.#writes.write(this.#direct(signal, callerNow()), items, scopeOf(diagram, location));
    return values;
  }

  /** All values, then the changed ones, at most ten times a second, in batches of at most 1,000, until the signal aborts. */
  watch(
    { paths, diagram, location, times = false }: { paths: readonly string[] } & TimedInput,
    signal: AbortSignal,
  ): AsyncGenerator<TagValue[], void, undefined> {
    const scope = scopeOf(diagram, location);
    checkScope(scope);
    const reads = this.#reads;
    const either = AbortSignal.any([signal, this.#closing.signal]);
    const source = {
      read: (some: readonly string[]) => {
        const view = new TagView(this.#direct(either, WATCHED));
        const values = reads.read(some, scope, view);
        return times ? this.#timed(values, scope, view.now) : values;
      },
      now: () => reads.clock.now(),
      changesAt: (path: string, now: number) => reads.changesAt(path, now),
      onTouched: (listener: (touched: readonly string[]) => void) => this.onValues(listener),
    };
    return watchTags(paths, source, either);
  }

  /** The numbers of tags at equal steps of a past time, until now; no points for tags without a computable past. */
  past({ paths, from, to, points }: { paths: readonly string[]; from: number; to: number; points: number }): {
    path: string;
    points: { at: number; value: number | null }[];
  }[] {
    const end = Math.min(to, this.#reads.clock.now());
    const step = (end - from) / (points - 1);
    return paths.map((path) => {
      const past = this.pastOf(path);
      if (past?.basis !== 'signal' || !(step > 0)) return { path, points: [] };
      return {
        path,
        points: Array.from({ length: points }, (_, place) => {
          const at = from + place * step;
          return { at, value: numberIn(past.at(at)) };
        }),
      };
    });
  }

  /** The values of a tag in the past; null for kinds that can't compute them, and if there is no such tag. */
  pastOf(path: string): PastValues | null {
    const tag = this.#catalog.byPath.get(path);
    return tag?.kind.past?.(tag) ?? null;
  }

  /**
   * Called with the paths whose values were written, forced, released or redefined, and those of calculations over
   * them, after the change is durable.
   */
  onValues(listener: (paths: readonly string[]) => void): () => void {
    return this.#touched.add(listener);
  }

  /** Forces the quality of a machine tag; null clears it. Throws NOT_FOUND, or BAD_REQUEST for other kinds. */
  force({ path, quality }: { path: string; quality: Quality | null }): Promise<Done> {
    return this.forceAll({ paths: [path], quality });
  }

  /** The same for many tags, all or none. */
  async forceAll({ paths, quality }: { paths: readonly string[]; quality: Quality | null }): Promise<Done> {
    const changes = [...new Set(paths)].map((path): { tag: Tag; change: StateChange } => {
      const tag = this.definitions.tag(path);
      return { tag, change: overridesOf(tag).force(tag, quality) };
    });
    const caller = callerNow();
    await this.#writes.change(changes, (tags) => this.#journal.changed('force', tags, quality ?? '', caller));
    return done;
  }

  /** Releases the overrides of machine tags, all or none; forced qualities stay. */
  async release({ paths }: { paths: readonly string[] }): Promise<Done> {
    const changes = [...new Set(paths)].map((path): { tag: Tag; change: StateChange } => {
      const tag = this.definitions.tag(path);
      return { tag, change: overridesOf(tag).release(tag) };
    });
    const caller = callerNow();
    await this.#writes.change(changes, (tags) => this.#journal.changed('release', tags, '', caller));
    return done;
  }

  /** The values of a storage tag, ordered by Diagram and location. Throws NOT_FOUND, or BAD_REQUEST for other kinds. */
  scopes({ path }: { path: string }): { values: ScopedValue[] } {
    const tag = this.definitions.tag(path);
    const values = scopesOf(tag).stored(tag);
    return { values: values.toSorted((a, b) => byText(a.diagram, b.diagram) || byText(a.location, b.location)) };
  }

  /** The locations of all stored values, without the default one. */
  storedLocations(): ReadonlySet<string> {
    return this.#kinds('storage').scopes?.locations() ?? new Set();
  }

  /** Clears the value of a storage tag for exactly this scope. Throws the errors of `scopes`. */
  async clear({ path, diagram, location }: { path: string } & ScopeInput): Promise<Done> {
    const tag = this.definitions.tag(path);
    const scope = scopeOf(diagram, location);
    checkScope(scope);
    const caller = callerNow();
    await this.#writes.change([{ tag, change: scopesOf(tag).clear(tag, scope) }], (tags) =>
      this.#journal.changed('clear', tags, JSON.stringify([scope.diagram, scope.location]), caller),
    );
    return done;
  }

  /** null for a tag that does not exist. */
  kindOf(path: string): TagDefinition['kind'] | null {
    return this.#catalog.byPath.get(path)?.definition.kind ?? null;
  }

  /** When each of the values that were just read last changed, ms since 1970; null if that is not known. */
  timesOf(values: readonly TagValue[], scope: Scope): (number | null)[] {
    return this.#times.of(values, scope, this.#reads.clock.now());
  }

  /** The reads and writes of one run. */
  session({ dryRun, scripts = this.#scripts }: { dryRun: boolean; scripts?: ScriptEvaluator }): TagSession {
    return new TagSession({ reads: this.#reads, writes: this.#writes }, { dryRun, scripts, cause: callerNow() });
  }

  /** The reads and writes outside of any run. */
  #direct(signal?: AbortSignal, cause: Cause = READ): ViewParts {
    return {
      reads: this.#reads,
      writes: this.#writes,
      pending: null,
      dryRun: false,
      scripts: this.#scripts,
      cause,
      signal,
    };
  }
}

const READ: Cause = { by: 'read' };
const WATCHED: Cause = { by: 'read', of: 'watch' };
const OF_RULES: Cause = { by: 'read', of: 'rule' };

/** null while it is bad, or no number. */
function numberIn(value: TagValue | null): number | null {
  if (value === null || !isUsable(value.quality)) return null;
  if (typeof value.value === 'boolean') return value.value ? 1 : 0;
  return typeof value.value === 'number' ? value.value : null;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

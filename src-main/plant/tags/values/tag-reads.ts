import { setTimeout as delay } from 'node:timers/promises';
import type { Cause } from '#domain/run/journal';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import { DEFAULT_SCOPE, type Scope, problemOfScope } from '#domain/tag/scope';
import type { TagValue, TagWrite } from '#domain/tag/tag';
import type { Clock } from '../../../platform/clock.ts';
import { TagwrightError } from '../../../platform/errors.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { TagCatalog } from '../definitions/catalog.ts';
import type { Tag } from '../definitions/tag.ts';
import type { BatchKind, ReadView } from '../kinds/kind.ts';
import { ChainLink } from './chain-link.ts';
import { PendingWrites } from './pending-writes.ts';
import type { TagLog, TagTransactions } from './tag-transactions.ts';

export interface ReadParts {
  catalog: Pick<TagCatalog, 'byPath' | 'loaded'>;
  clock: Clock;
  log: TagLog;
  transactions: Pick<TagTransactions, 'deciding' | 'decisions' | 'undisturbed'>;
}

/** How long a read of both files waits for a set that is about to become visible, ms. */
const SHOWING_MS = 1_000;
/** A slower read is not repeated; also how long to wait for sets in progress, ms. */
const AGAIN_MS = 1_000;
const UNDISTURBED_MS = 2_000;

/** Reads tags of all kinds: defines the order of steps, independent of the kinds. */
export class TagReads {
  readonly clock: Clock;
  readonly #catalog: ReadParts['catalog'];
  readonly #transactions: ReadParts['transactions'];
  readonly #log: TagLog;

  constructor({ catalog, clock, log, transactions }: ReadParts) {
    this.#catalog = catalog;
    this.clock = clock;
    this.#log = log;
    this.#transactions = transactions;
  }

  tag(path: string): Tag | undefined {
    return this.#catalog.loaded.get(path) ?? this.#catalog.byPath.get(path);
  }

  /** Whether reading the tag is immediate: its kind keeps values in memory, or the tag does not exist. */
  isImmediate(path: string): boolean {
    return this.tag(path)?.kind.mode !== 'batch';
  }

  /**
   * When a read of the path may next return another value without a notification, because of the tag itself or one of
   * its dependencies; ms since 1970, Infinity for never.
   */
  changesAt(path: string, now: number): number {
    let first = Infinity;
    const seen = new Set([path]);
    for (const one of seen) {
      const tag = this.tag(one);
      if (!tag) continue;
      first = Math.min(first, tag.kind.changesAt(tag, now));
      for (const input of tag.kind.inputs?.(tag) ?? []) seen.add(input);
    }
    return first;
  }

  /**
   * One value per path, in order. Waits only if a kind has to fetch values: values in memory cost no turn of the event
   * loop.
   */
  read(paths: readonly string[], scope: Scope, view: ReadView): MaybePromise<TagValue[]> {
    const begun = this.#begin(paths, scope, view);
    const { values, batches } = begun;
    if (batches === null) return values;
    return view.pending === null && isOverBothFiles(batches, values.length)
      ? this.#readConsistently(begun, () => this.#begin(paths, scope, view), scope, view)
      : this.#readBatches(batches, values, scope, view);
  }

  /** Tags that run scripts are read once, even if the read of both files is repeated. */
  async #readConsistently(begun: BegunRead, again: () => BegunRead, scope: Scope, view: ReadView): Promise<TagValue[]> {
    const others = new Map([...(begun.batches ?? [])].filter(([kind]) => !kind.isOfOtherFile));
    const [values] = await Promise.all([
      this.#readBothFiles(begun, again, scope, view),
      this.#readBatches(others, begun.values, scope, view),
    ]);
    if (values === begun.values) return values;
    for (const { places } of others.values()) {
      for (const place of places) {
        const other = begun.values[place];
        if (other) values[place] = other;
      }
    }
    return values;
  }

  /** The values in memory, each at its index, and what must be fetched. */
  #begin(paths: readonly string[], scope: Scope, view: ReadView): BegunRead {
    const values: TagValue[] = [];
    let batches: Map<BatchKind, ReadBatch> | null = null;
    for (const path of paths) {
      const tag = this.tag(path);
      if (tag === undefined) {
        values.push({ path, value: null, quality: 'BadNodeIdUnknown', type: 'Unknown' });
      } else if (tag.kind.mode === 'immediate') {
        values.push(tag.kind.read(tag, scope, view));
      } else {
        batches ??= new Map();
        const batch = batches.get(tag.kind) ?? { tags: [], places: [] };
        batches.set(tag.kind, batch);
        batch.tags.push(tag);
        batch.places.push(values.length);
        values.push(faultOf(tag));
      }
    }
    return { values, batches };
  }

  /**
   * If a write set over both files came in between, everything is read again without such a set in progress, so that
   * all or nothing of a set is seen. Neither a slow read nor an endlessly delayed one is repeated.
   */
  async #readBothFiles(first: BegunRead, again: () => BegunRead, scope: Scope, view: ReadView): Promise<TagValue[]> {
    const transactions = this.#transactions;
    const read = ({ values, batches }: BegunRead) => {
      const files = [...(batches ?? [])].filter(([kind]) => kind.isOfOtherFile);
      return this.#readBatches(new Map(files), values, scope, view);
    };
    let begun = first;
    if (transactions.deciding) {
      await Promise.race([transactions.deciding, delay(SHOWING_MS, undefined, { ref: false })]);
      begun = again();
    }
    const [since, before] = [performance.now(), transactions.decisions];
    const values = await read(begun);
    if (transactions.decisions === before || performance.now() - since > AGAIN_MS) return values;
    const undisturbed = transactions.undisturbed(() => read(again()));
    return Promise.race([undisturbed, delay(UNDISTURBED_MS, values, { ref: false })]);
  }

  async #readBatches(
    batches: ReadonlyMap<BatchKind, ReadBatch>,
    values: TagValue[],
    scope: Scope,
    view: ReadView,
  ): Promise<TagValue[]> {
    const readOne = async (kind: BatchKind, { tags, places }: ReadBatch): Promise<void> => {
      try {
        const read = await kind.read(tags, scope, view);
        for (const [index, value] of read.entries()) {
          const place = places[index];
          if (place !== undefined) values[place] = value;
        }
      } catch (thrown) {
        this.#log(`reading tags of kind ${kind.kind}`, thrown);
      }
    };
    await Promise.all([...batches].map(([kind, batch]) => readOne(kind, batch)));
    return values;
  }
}

/** A read whose values in memory are available; `batches` must be fetched, null if there is nothing to fetch. */
interface BegunRead {
  values: TagValue[];
  batches: Map<BatchKind, ReadBatch> | null;
}

interface ReadBatch {
  tags: Tag[];
  places: number[];
}

/** Whether values in memory are read together with values of the other file. */
function isOverBothFiles(batches: ReadonlyMap<BatchKind, ReadBatch>, count: number): boolean {
  let requested = 0;
  for (const { places } of batches.values()) requested += places.length;
  return requested < count && [...batches.keys()].some((kind) => kind.isOfOtherFile);
}

function faultOf({ definition: { path, type } }: Tag): TagValue {
  const reason = 'an internal error of Tagwright: the log has the details';
  return { path, value: null, quality: 'BadInternalError', type, reason };
}

/** Throws BAD_REQUEST for a scope that no Diagram or location can have. */
export function checkScope(scope: Scope): void {
  const problem = problemOfScope(scope);
  if (problem)
    throw new TagwrightError('BAD_REQUEST', problem, { data: { issues: [{ path: ['scope'], message: problem }] } });
}

/** Makes the writes of views and sessions. */
export interface TagWriter {
  /** All or nothing. Throws WRITE_REFUSED with every rejected item. */
  write(parts: ViewParts, items: readonly TagWrite[], scope: Scope): Promise<WrittenTags>;
}

/** The context of a read or a write set. */
export interface ViewParts<Pending extends PendingWrites | null = PendingWrites | null> {
  reads: TagReads;
  writes: TagWriter;
  /** The pending writes of a dry run or a transaction. */
  pending: Pending;
  dryRun: boolean;
  scripts: ScriptEvaluator;
  /** What led to it, for the journal, unless that is a run: then the line of its script is known. */
  cause: Cause;
  line?: number | null | undefined;
  /** The tag whose script or expression reads or writes; absent for the outermost call. */
  from?: ChainLink | null;
  /** The moment of the call, in ms since 1970; now unless given. */
  now?: number;
  /** Aborts when the values are no longer needed; when the run ends unless given. */
  signal?: AbortSignal | undefined;
}

/** The view of a read or a write set: the moment, the pending writes, and the chain of tags that led here. */
export class TagView<Pending extends PendingWrites | null = PendingWrites | null> implements ReadView {
  readonly pending: Pending;
  readonly dryRun: boolean;
  readonly scripts: ScriptEvaluator;
  readonly #reads: TagReads;
  readonly #writes: TagWriter;
  readonly #from: ChainLink | null;
  readonly #cause: Cause;
  readonly #signal: AbortSignal | undefined;
  /** The line of the current call of the run, which makes one at a time. */
  #line: number | null;
  #now: number | undefined;

  constructor(parts: ViewParts<Pending>) {
    const { reads, writes, pending, dryRun, scripts, cause, line = null, from = null, now, signal } = parts;
    this.#reads = reads;
    this.#writes = writes;
    this.pending = pending;
    this.dryRun = dryRun;
    this.scripts = scripts;
    this.#cause = cause;
    this.#line = line;
    this.#from = from;
    this.#now = now;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.scripts.signal;
  }

  get cause(): Cause {
    const { origin } = this.scripts;
    return origin === null ? this.#cause : { by: 'run', run: origin, line: this.#line };
  }

  get chain(): readonly string[] {
    return this.#from?.chain ?? [];
  }

  get cycle(): string | null {
    return this.#from?.cycle ?? null;
  }

  closesCycle(entry: string): string | null {
    return this.#from?.closesCycle(entry) ?? null;
  }

  get now(): number {
    return (this.#now ??= this.#reads.clock.now());
  }

  tag(path: string): Tag | undefined {
    return this.#reads.tag(path);
  }

  get(paths: readonly string[], scope: Scope, line: number | null = this.#line): MaybePromise<TagValue[]> {
    checkScope(scope);
    this.#line = line;
    return this.#reads.read(paths, scope, this);
  }

  set(items: readonly TagWrite[], scope: Scope, line: number | null = this.#line): Promise<WrittenTags> {
    this.#line = line;
    return this.#writes.write(this.#parts(this.#from, this.scripts), items, scope);
  }

  within(path: string, scripts: ScriptEvaluator = this.scripts): TagView<Pending> {
    return new TagView({ ...this.#parts(new ChainLink(path, this.#from), scripts), now: this.now });
  }

  #parts(from: ChainLink | null, scripts: ScriptEvaluator): ViewParts<Pending> {
    const { pending, dryRun } = this;
    // A nested run has lines of its own, and ends with the run around it.
    const own = scripts === this.scripts ? { signal: this.#signal, line: this.#line } : {};
    return { reads: this.#reads, writes: this.#writes, pending, dryRun, scripts, cause: this.#cause, from, ...own };
  }
}

interface SessionOptions {
  dryRun: boolean;
  /** Runs the scripts of the tags that the run reads and writes, as part of it. */
  scripts: ScriptEvaluator;
  /** What leads to its writes, unless `scripts` has a run. */
  cause: Cause;
}

/** The reads and writes of one script run. Only a dry run itself sees its own writes. */
export class TagSession {
  readonly #parts: ViewParts;

  constructor(tags: Pick<ViewParts, 'reads' | 'writes'>, { dryRun, scripts, cause }: SessionOptions) {
    this.#parts = { ...tags, pending: dryRun ? new PendingWrites() : null, dryRun, scripts, cause };
  }

  /**
   * One value per path, in order; not a promise if all values are in memory. Throws BAD_REQUEST for an invalid scope.
   */
  get(paths: readonly string[], scope: Scope, line: number | null = null): MaybePromise<TagValue[]> {
    return new TagView(this.#parts).get(paths, scope, line);
  }

  /** What `get` would return now, if all values are in memory and the scope is valid; null otherwise. */
  inMemory(paths: readonly string[], scope: Scope): TagValue[] | null {
    const { reads } = this.#parts;
    if (problemOfScope(scope) !== null) return null;
    for (const path of paths) if (!reads.isImmediate(path)) return null;
    const values = reads.read(paths, scope, new TagView(this.#parts));
    return values instanceof Promise ? null : values;
  }

  /** All or nothing; resolves when it is durable. Throws WRITE_REFUSED with every rejected item. */
  set(items: readonly TagWrite[], scope: Scope, line: number | null = null): Promise<WrittenTags> {
    return this.#parts.writes.write({ ...this.#parts, line }, items, scope);
  }
}

/** Reads in the default scope, outside of any run, for code that follows values. */
export class LiveTags {
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.#parts = parts;
  }

  /** One value per path, in order; not a promise if all values are in memory. */
  get({ paths }: { paths: readonly string[] }): MaybePromise<TagValue[]> {
    return new TagView(this.#parts).get(paths, DEFAULT_SCOPE);
  }

  /** When a read may next return another value without a notification; ms since 1970, Infinity for never. */
  changesAt(path: string): number {
    const { reads } = this.#parts;
    return reads.changesAt(path, reads.clock.now());
  }

  /** Whether reading the tag is immediate: its kind keeps values in memory, or the tag does not exist. */
  isImmediate(path: string): boolean {
    return this.#parts.reads.isImmediate(path);
  }
}

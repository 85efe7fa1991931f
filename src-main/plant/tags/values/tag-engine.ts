import { setTimeout as delay } from 'node:timers/promises';
import { valueOfItem } from '#domain/tag/convert';
import { abbreviate } from '#domain/text/abbreviate';
import type { Cause } from '#domain/run/journal';
import type { Json } from '#domain/text/json';
import { type Scope, problemOfScope } from '#domain/tag/scope';
import type { TagValue, TagWrite, WriteFailure } from '#domain/tag/tag';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import type { Clock } from '../../../platform/clock.ts';
import { settledOrAborted } from '../../../platform/pause.ts';
import { withinResponse } from '../../../platform/response-size.ts';
import { TagwrightError } from '../../../platform/errors.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import { Turns } from '../../../platform/turns.ts';
import type { TagCatalog } from '../definitions/catalog.ts';
import type { ScriptEvaluator, WrittenTags } from '#domain/run/script-evaluator';
import type { BatchKind, ReadView, StateChange, WriteView } from '../kinds/kind.ts';
import { unknownTag } from '../definitions/nearest.ts';
import { refuseAfterEnd } from './script-evaluator.ts';
import type { Tag } from '../definitions/tag.ts';
import type { SetEntry, TagLog, TagTransactions } from './tag-transactions.ts';
import { WriteOrder } from './write-order.ts';
import { withPlaces, writeRefused } from './write-refused.ts';
import { ChainLink } from './chain-link.ts';
import { PendingWrites } from './pending-writes.ts';

export interface EngineParts {
  catalog: TagCatalog;
  clock: Clock;
  log: TagLog;
  transactions: TagTransactions;
}

/** How long a read of both files waits for a set that is about to become visible, ms. */
const SHOWING_MS = 1_000;
/** A slower read is not repeated; also how long to wait for sets in progress, ms. */
const AGAIN_MS = 1_000;
const UNDISTURBED_MS = 2_000;
/** Maximum number of unknown tags of one Set with suggestions: finding them takes ms among 50,000 tags. */
const SUGGESTED_FOR = 3;
/** Characters of a reason: those of the first failures may name a long chain of tags. */
const MAX_REASON = 400;
const MAX_FIRST_REASON = 4_000;
const FIRST_REASONS = 10;
const MB = 1_048_576;
/** Memory limit of the pending writes of a dry run, or of a Set with its write scripts. */
const MAX_PENDING_BYTES = 256 * MB;

/** Reads and writes tags of all kinds: defines the order of steps, independent of the kinds. */
export class TagEngine {
  readonly clock: Clock;
  readonly order = new WriteOrder();
  readonly transactions: TagTransactions;
  readonly #catalog: TagCatalog;
  readonly #log: TagLog;

  constructor({ catalog, clock, log, transactions }: EngineParts) {
    this.#catalog = catalog;
    this.clock = clock;
    this.#log = log;
    this.transactions = transactions;
  }

  tag(path: string): Tag | undefined {
    return this.#catalog.get(path);
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
  async #readConsistently(begun: Begun, again: () => Begun, scope: Scope, view: ReadView): Promise<TagValue[]> {
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
  #begin(paths: readonly string[], scope: Scope, view: ReadView): Begun {
    const values: TagValue[] = [];
    let batches: Map<BatchKind, ReadBatch> | null = null;
    for (const path of paths) {
      const tag = this.#catalog.get(path);
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
  async #readBothFiles(first: Begun, again: () => Begun, scope: Scope, view: ReadView): Promise<TagValue[]> {
    const { transactions } = this;
    const read = ({ values, batches }: Begun) => {
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

  /**
   * Checks every item in order, each seeing the writes before it; valid ones are added to the view's pending writes and
   * to `entries`. Throws WRITE_REFUSED with every rejected item. Many items are checked a few ms at a time.
   */
  async prepare(items: readonly TagWrite[], scope: Scope, view: WriteView, entries: SetEntry[]): Promise<WrittenTags> {
    checkScope(scope);
    const values: TagValue[] = [];
    const before: (Json | undefined)[] = [];
    const failures: WriteFailure[] = [];
    let unknown = 0;
    const fail = (tag: string, reason: string, index: number) => {
      const room = failures.length < FIRST_REASONS ? MAX_FIRST_REASON : MAX_REASON;
      failures.push({ tag: abbreviate(tag, MAX_PATH_LENGTH), reason: abbreviate(reason, room), index });
    };
    const turns = new Turns();
    for (const [index, item] of items.entries()) {
      const { tag: path } = item;
      const pause = turns.due();
      if (pause) {
        await pause;
        refuseAfterEnd(view.signal);
      }
      const tag = this.#catalog.get(path);
      if (!tag) {
        unknown++;
        fail(path, unknown > SUGGESTED_FOR ? 'the tag does not exist' : unknownTag(this.#catalog, path), index);
        continue;
      }
      const given = valueOfItem(item, tag.definition.type);
      if (!given.ok) {
        fail(path, given.reason, index);
        continue;
      }
      const preparation = tag.kind.prepare({ tag, value: given.value, scope }, view);
      const result = preparation instanceof Promise ? await preparation : preparation;
      if (!result.ok) {
        fail(path, result.reason, index);
        continue;
      }
      entries.push({ tag, write: result.write, scope, cause: view.cause });
      values.push(result.write.written);
      before.push(result.write.before);
    }
    refuseAfterEnd(view.signal);
    if (failures.length > 0) throw writeRefused(failures, items.length);
    // Checked here, because a value that cannot be returned must not be written.
    withinResponse(values, 'Set');
    if (view.pending.bytes > MAX_PENDING_BYTES) throw pendingFull(items);
    return { values, before };
  }

  /**
   * Makes a change of a tag's stored data durable, then visible, after earlier writes of the tag. `record` puts it into
   * the journal, inside the transaction.
   */
  async change(
    changes: readonly { tag: Tag; change: StateChange }[],
    record: (tags: readonly Tag[]) => void,
  ): Promise<void> {
    const paths = changes.map(({ tag }) => tag.path);
    const turn = this.order.enter(paths);
    try {
      if (turn.before) await turn.before;
      const kept = this.transactions.keep(
        () => {
          for (const { change } of changes) change.apply();
          record(changes.map(({ tag }) => tag));
        },
        () => {
          for (const { change } of changes) change.committed();
          return paths;
        },
      );
      turn.end();
      await kept;
    } finally {
      turn.end();
    }
  }
}

/** A read whose values in memory are available; `batches` must be fetched, null if there is nothing to fetch. */
interface Begun {
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

function pendingFull(items: readonly TagWrite[]): TagwrightError {
  const reason = `the pending writes of this dry run or Set use more than ${MAX_PENDING_BYTES / MB} MB of memory; write less at once`;
  return writeRefused([{ tag: items.at(-1)?.tag ?? '', reason }], items.length);
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

/** The context of a read or a write set. */
export interface ViewParts {
  engine: TagEngine;
  /** The pending writes of a dry run or a transaction. */
  pending: PendingWrites | null;
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
export class EngineView implements ReadView {
  readonly pending: PendingWrites | null;
  readonly dryRun: boolean;
  readonly scripts: ScriptEvaluator;
  /** The line of the current call of the run, which makes one at a time. */
  protected line: number | null;
  protected readonly engine: TagEngine;
  protected readonly from: ChainLink | null;
  readonly #cause: Cause;
  readonly #signal: AbortSignal | undefined;
  #now: number | undefined;

  constructor({ engine, pending, dryRun, scripts, cause, line = null, from = null, now, signal }: ViewParts) {
    this.engine = engine;
    this.pending = pending;
    this.dryRun = dryRun;
    this.scripts = scripts;
    this.#cause = cause;
    this.line = line;
    this.from = from;
    this.#now = now;
    this.#signal = signal;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.scripts.signal;
  }

  get cause(): Cause {
    const { origin } = this.scripts;
    return origin === null ? this.#cause : { by: 'run', run: origin, line: this.line };
  }

  get chain(): readonly string[] {
    return this.from?.chain ?? [];
  }

  get cycle(): string | null {
    return this.from?.cycle ?? null;
  }

  closesCycle(entry: string): string | null {
    return this.from?.closesCycle(entry) ?? null;
  }

  get now(): number {
    return (this.#now ??= this.engine.clock.now());
  }

  tag(path: string): Tag | undefined {
    return this.engine.tag(path);
  }

  get(paths: readonly string[], scope: Scope, line: number | null = this.line): MaybePromise<TagValue[]> {
    checkScope(scope);
    this.line = line;
    return this.engine.read(paths, scope, this);
  }

  set(items: readonly TagWrite[], scope: Scope, line: number | null = this.line): Promise<WrittenTags> {
    this.line = line;
    return writeTags(this.parts(this.from, this.scripts), items, scope);
  }

  within(path: string, scripts: ScriptEvaluator = this.scripts): ReadView {
    return new EngineView({ ...this.parts(new ChainLink(path, this.from), scripts), now: this.now });
  }

  protected parts(from: ChainLink | null, scripts: ScriptEvaluator): ViewParts {
    const { engine, pending, dryRun } = this;
    // A nested run has lines of its own, and ends with the run around it.
    const own = scripts === this.scripts ? { signal: this.#signal, line: this.line } : {};
    return { engine, pending, dryRun, scripts, cause: this.#cause, from, ...own };
  }
}

/** The context of a write for a kind: a layer of pending writes and the list of writes to apply. */
class SetView extends EngineView implements WriteView {
  declare readonly pending: PendingWrites;
  readonly #entries: SetEntry[];

  constructor(parts: ViewParts & { pending: PendingWrites }, entries: SetEntry[]) {
    super(parts);
    this.#entries = entries;
  }

  /** A nested Set: its own layer and list, merged into the outer ones if all of it is valid. */
  override async set(items: readonly TagWrite[], scope: Scope, line: number | null = this.line): Promise<WrittenTags> {
    this.line = line;
    const layer = new PendingWrites(this.pending);
    const entries: SetEntry[] = [];
    const view = new SetView({ ...this.parts(this.from, this.scripts), pending: layer }, entries);
    try {
      const written = await this.engine.prepare(items, scope, view, entries);
      await layer.mergeDown();
      for (const entry of entries) this.#entries.push(entry);
      return written;
    } catch (thrown) {
      await layer.drop();
      throw thrown;
    }
  }

  override within(path: string, scripts: ScriptEvaluator = this.scripts): WriteView {
    const parts = this.parts(new ChainLink(path, this.from), scripts);
    return new SetView({ ...parts, pending: this.pending, now: this.now }, this.#entries);
  }
}

/**
 * Writes items all or nothing: every item is checked, then all are written in one transaction, in order. Sets of the
 * same tag are made in the order of their requests. In a dry run they only change its pending writes.
 */
export async function writeTags(parts: ViewParts, items: readonly TagWrite[], scope: Scope): Promise<WrittenTags> {
  // Writes within another Set or a dry run are already in its order.
  if (parts.pending) return prepareAndCommit(parts, items, scope, () => undefined);
  const turn = parts.engine.order.enter(items.map(({ tag }) => tag));
  try {
    if (turn.before) {
      const { signal = parts.scripts.signal } = parts;
      await settledOrAborted(turn.before, signal);
      refuseAfterEnd(signal);
    }
    return await prepareAndCommit(parts, items, scope, () => turn.end());
  } finally {
    turn.end();
  }
}

/** @param queued called when nothing can come between this set and its transaction, or when it no longer has one */
async function prepareAndCommit(
  { engine, pending: kept, dryRun, scripts, cause, line, from = null, signal = scripts.signal }: ViewParts,
  items: readonly TagWrite[],
  scope: Scope,
  queued: () => void,
): Promise<WrittenTags> {
  const layer = new PendingWrites(kept, signal);
  layer.onLost = queued;
  const entries: SetEntry[] = [];
  const view = new SetView({ engine, pending: layer, dryRun, scripts, cause, line, from, signal }, entries);
  try {
    const written = await engine.prepare(items, scope, view, entries);
    if (kept) await layer.mergeDown();
    else await engine.transactions.commit(entries, { outside: layer.outside, queued });
    return written;
  } catch (thrown) {
    await layer.drop();
    throw withPlaces(thrown, items);
  }
}

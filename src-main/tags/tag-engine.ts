import { abbreviate } from '#domain/abbreviate';
import type { Json } from '#domain/json';
import type { Scope } from '#domain/scope';
import { problemOfScope } from '#domain/scope';
import type { TagValue, TagWrite, WriteFailure } from '#domain/tag';
import { MAX_PATH_LENGTH } from '#domain/tag-path';
import type { Clock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import type { MaybePromise } from '../platform/maybe-promise.ts';
import { Turns } from '../platform/turns.ts';
import type { CommitQueue } from '../storage/commit-queue.ts';
import type { WriteIntentRepository } from '../storage/write-intent-repository.ts';
import type { TagCatalog } from './catalog.ts';
import { Gate } from './gate.ts';
import type { BatchKind, PreparedWrite, ReadView, StateChange, WriteView, WrittenTags } from './kinds/kind.ts';
import { unknownTag } from './nearest.ts';
import type { OutsideWork } from './pending-writes.ts';
import type { Tag } from './tag.ts';
import { WriteOrder } from './write-order.ts';
import { writeRefused } from './write-refused.ts';

/** Where the details of a fault go. */
export type TagLog = (where: string, fault: unknown) => void;

/** What a write set over two files has done last: tests end the process there. */
export type CommitStep = 'intended' | 'deciding' | 'decided' | 'finished';

export interface EngineParts {
  catalog: TagCatalog;
  commits: CommitQueue;
  clock: Clock;
  log: TagLog;
  /** Needed where a kind writes outside of workspace.db. */
  intents?: WriteIntentRepository | undefined;
  onCommitStep?: ((step: CommitStep) => void) | undefined;
}

/** A write of a set, with the tag that it is for. */
export interface SetEntry {
  tag: Tag;
  write: PreparedWrite;
}

/** Unknown tags of one Set that get suggestions: looking for them takes ms among 50,000 tags. */
const SUGGESTED_FOR = 3;
const MAX_REASON = 400;
/** Writes of one Set from which on they are made in steps: about 10 ms. */
const MANY = 4_000;
/** Writes between two looks at the clock. */
const AT_ONCE = 100;

export interface CommitOptions {
  outside: OutsideWork | null;
  /** Called when the transaction has its place among all others, where it has one before it is committed. */
  queued: () => void;
}

/** Reads and writes tags of all kinds: the order of things, without knowing what a kind does. */
export class TagEngine {
  readonly clock: Clock;
  /** Emits the paths of which a read may give another value now, for everybody. */
  readonly touched = new Listeners<readonly string[]>();
  readonly order = new WriteOrder();
  readonly #catalog: TagCatalog;
  readonly #commits: CommitQueue;
  readonly #log: TagLog;
  readonly #intents: WriteIntentRepository | undefined;
  readonly #step: (step: CommitStep) => void;
  /** Definitions stay as they are while a write set over two files is being kept. */
  readonly #gate = new Gate();
  /** What sets that were decided on have still to write here, because the disk failed. */
  #unfinished: (() => void)[] = [];

  constructor({ catalog, commits, clock, log, intents, onCommitStep }: EngineParts) {
    this.#catalog = catalog;
    this.#commits = commits;
    this.clock = clock;
    this.#log = log;
    this.#intents = intents;
    this.#step = onCommitStep ?? (() => undefined);
  }

  tag(path: string): Tag | undefined {
    return this.#catalog.get(path);
  }

  /**
   * One value a path, in order. Waits only where a kind has to ask somebody: values in memory cost no turn of the
   * event loop.
   */
  read(paths: readonly string[], scope: Scope, view: ReadView): MaybePromise<TagValue[]> {
    const values: TagValue[] = [];
    let batches: Map<BatchKind, Batch> | null = null;
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
    return batches ? this.#readBatches(batches, values, scope, view) : values;
  }

  async #readBatches(
    batches: ReadonlyMap<BatchKind, Batch>,
    values: TagValue[],
    scope: Scope,
    view: ReadView,
  ): Promise<TagValue[]> {
    const readOne = async (kind: BatchKind, { tags, places }: Batch): Promise<void> => {
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
   * Checks every item in order, each seeing what those before it write; right ones are put into the view's pending
   * writes and into `entries`. Throws WRITE_REFUSED with every item that is wrong. Many
   * items are checked a few ms at a time.
   */
  async prepare(items: readonly TagWrite[], scope: Scope, view: WriteView, entries: SetEntry[]): Promise<WrittenTags> {
    checkScope(scope);
    const values: TagValue[] = [];
    const before: Json[] = [];
    const failures: WriteFailure[] = [];
    let unknown = 0;
    const fail = (tag: string, reason: string, index: number) =>
      failures.push({ tag: abbreviate(tag, MAX_PATH_LENGTH), reason: abbreviate(reason, MAX_REASON), index });
    const turns = new Turns();
    for (const [index, { tag: path, value }] of items.entries()) {
      const pause = turns.due();
      if (pause) await pause;
      const tag = this.#catalog.get(path);
      if (!tag) {
        unknown++;
        fail(path, unknown > SUGGESTED_FOR ? 'there is no such tag' : unknownTag(this.#catalog, path), index);
        continue;
      }
      const preparation = tag.kind.prepare({ tag, value, scope }, view);
      const result = preparation instanceof Promise ? await preparation : preparation;
      if (!result.ok) {
        fail(path, result.reason, index);
        continue;
      }
      entries.push({ tag, write: result.write });
      values.push(result.write.written);
      before.push(result.write.before);
    }
    if (failures.length > 0) throw writeRefused(failures, items.length);
    return { values, before };
  }

  /**
   * Makes prepared writes durable in one transaction, then visible. With work outside of workspace.db the two are kept
   * together: an intent is written here, the work outside is committed, which decides, and then all is written here.
   * After a crash the intent tells the next start what is missing. Throws with nothing written.
   */
  async commit(entries: readonly SetEntry[], { outside, queued }: CommitOptions): Promise<void> {
    if (outside) {
      await this.#gate.alone(() => this.#commitBoth(entries, outside));
      return;
    }
    const kept = entries.length === 0 ? null : this.#apply(entries);
    queued();
    await kept;
  }

  /** Many writes are made a few ms at a time. */
  #apply(entries: readonly SetEntry[]): Promise<void> {
    const committed = () => shown(entries);
    if (entries.length < MANY) {
      return this.keep(() => {
        refuseRetired(entries);
        for (const { write } of entries) write.apply();
      }, committed);
    }
    const early = entries.filter(({ write }) => write.isReadFromMemory);
    const late = entries.filter(({ write }) => !write.isReadFromMemory);
    return this.#keep(
      () =>
        this.#commits.runInSteps(function* () {
          refuseRetired(entries);
          for (const [place, { write }] of early.entries()) {
            write.apply();
            if (place % AT_ONCE === AT_ONCE - 1) yield;
          }
          yield;
          for (const { write } of late) write.apply();
        }),
      committed,
    );
  }

  async #commitBoth(entries: readonly SetEntry[], outside: OutsideWork): Promise<void> {
    const writes = entries.flatMap(({ write }) => write.stored?.() ?? []);
    const intents = this.#intents;
    if (writes.length === 0 || !intents) {
      refuseRetired(entries);
      await outside.commit();
      this.touched.emit(shown(entries));
      return;
    }
    const intent = await this.#commits.run(() => {
      refuseRetired(entries);
      return intents.insert({ evidence: outside.evidence, writes }, this.clock.iso());
    });
    this.#step('intended');
    try {
      const deciding = outside.commit();
      this.#step('deciding');
      await deciding;
    } catch (thrown) {
      // Left there, it would tell the next start the same: that nothing was committed.
      await this.#commits.run(() => intents.delete(intent)).catch((fault: unknown) => this.#log('a write set', fault));
      throw thrown;
    }
    this.#step('decided');
    await this.#finish(() => {
      for (const { write } of entries) write.apply();
      intents.delete(intent);
    });
    this.#step('finished');
    this.touched.emit(shown(entries));
  }

  /** What was decided is kept: where the disk does not let it be written now, it is written before what comes next. */
  async #finish(job: () => void): Promise<void> {
    try {
      await this.#commits.run(job);
    } catch (thrown) {
      this.#log('finishing a write set', thrown);
      this.#unfinished.push(job);
    }
  }

  /** As `keep`, for changes of definitions: not in the middle of a write set over two files. */
  redefine<T>(job: () => T, committed: (result: T) => readonly string[]): Promise<T> {
    return this.#gate.together(() => this.keep(job, committed));
  }

  /** Makes a change of what a kind keeps for a tag durable, then visible; after the writes of it that were asked before. */
  async change(changes: readonly { tag: Tag; change: StateChange }[]): Promise<void> {
    const paths = changes.map(({ tag }) => tag.path);
    const turn = this.order.enter(paths);
    try {
      if (turn.before) await turn.before;
      const kept = this.keep(
        () => {
          for (const { change } of changes) change.apply();
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

  /**
   * Runs a job in a transaction and, directly after its COMMIT, brings the memory up to date with `committed`, which
   * returns the paths it touched. Everything that changes the memory goes through here, so that it changes in the
   * order of the transactions.
   */
  keep<T>(job: () => T, committed: (result: T) => readonly string[]): Promise<T> {
    return this.#keep(() => this.#commits.run(job), committed);
  }

  async #keep<T>(commit: () => Promise<T>, committed: (result: T) => readonly string[]): Promise<T> {
    for (const unfinished of this.#unfinished.splice(0)) void this.#finish(unfinished);
    const result = await commit();
    this.touched.emit(committed(result));
    return result;
  }
}

function refuseRetired(entries: readonly SetEntry[]): void {
  const retired = entries.filter(({ tag }) => tag.retired);
  if (retired.length === 0) return;
  const reason = 'its definition was changed meanwhile; write it again';
  throw writeRefused(
    retired.map(({ tag }) => ({ tag: tag.path, reason })),
    entries.length,
  );
}

/** Brings the memory up to date; returns the paths that were touched. */
function shown(entries: readonly SetEntry[]): string[] {
  for (const { write } of entries) write.committed();
  return entries.map(({ tag }) => tag.path);
}

interface Batch {
  tags: Tag[];
  places: number[];
}

function faultOf({ definition: { path, type } }: Tag): TagValue {
  return { path, value: null, quality: 'BadInternalError', type };
}

/** Throws BAD_REQUEST for a scope that no Diagram or location can have. */
export function checkScope(scope: Scope): void {
  const problem = problemOfScope(scope);
  if (problem)
    throw new TagwrightError('BAD_REQUEST', problem, { data: { issues: [{ path: ['scope'], message: problem }] } });
}

import type { Cause } from '#domain/run/journal';
import type { Scope } from '#domain/tag/scope';
import type { Clock } from '../../../platform/clock.ts';
import { Listeners } from '../../../platform/events.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { Journal } from '../../../storage/journal/journal.ts';
import type { StoredWrite, WriteIntentRepository } from '../../../storage/repositories/write-intent-repository.ts';
import { Gate } from './write-order.ts';
import { PlantCauses } from './plant-causes.ts';
import type { OutsideWork } from './pending-writes.ts';
import { Undecided } from './pending-writes.ts';
import type { Claim, ValueWrite, ValuesMemory } from './values-memory.ts';
import { writeRefused } from './write-refused.ts';

/** Receives the details of internal errors. */
export type TagLog = (where: string, fault: unknown) => void;

/** The last step of a write set over two files: tests end the process there. */
export type CommitStep = 'intended' | 'deciding' | 'decided' | 'finished';

export interface SetEntry extends ValueWrite {
  scope: Scope;
  /** What led to it, for the journal. */
  cause: Cause;
}

/** Records what led to writes and changes, inside their transaction. */
export type ChangeJournal = Pick<Journal, 'wrote' | 'intended' | 'placeOf' | 'wroteIntended' | 'changed'>;

export interface TransactionParts {
  commits: CommitQueue;
  clock: Clock;
  log: TagLog;
  memory: ValuesMemory;
  journal: ChangeJournal;
  /** Required if a kind writes outside of workspace.db. */
  intents?: WriteIntentRepository | undefined;
  onCommitStep?: ((step: CommitStep) => void) | undefined;
}

/** A Set with at least this many writes is applied in steps: about 10 ms. */
const MANY = 4_000;
/** The same for definitions, which take longer. */
const MANY_DEFINITIONS = 1_000;
/** Number of writes between two checks of the clock. */
const AT_ONCE = 100;
/** Writes of one step of the journal: a ms or two. */
const JOURNAL_AT_ONCE = 1_000;

export interface CommitOptions {
  outside: OutsideWork | null;
  /** Called when the transaction has its place in the order, if that is before the commit. */
  queued: () => void;
}

/** Makes writes and definitions durable, and then visible in memory, in the order of the transactions. */
export class TagTransactions {
  /** Emits the paths whose value may have changed for all readers. */
  readonly touched = new Listeners<readonly string[]>();
  readonly #commits: CommitQueue;
  readonly #clock: Clock;
  readonly #log: TagLog;
  readonly #memory: ValuesMemory;
  readonly #journal: ChangeJournal;
  readonly #intents: WriteIntentRepository | undefined;
  readonly #plantCauses: PlantCauses | undefined;
  readonly #step: (step: CommitStep) => void;
  /** Definitions must not change while a write set over two files is being committed. */
  readonly #gate = new Gate();
  /** Number of write sets over two files whose commit has begun; at most the last is visible in one file only. */
  #decisions = 0;
  #deciding: Promise<void> | null = null;
  /** The writes that decided sets still have to make here, because the disk failed. */
  #unfinished: (() => void)[] = [];

  constructor({ commits, clock, log, memory, journal, intents, onCommitStep }: TransactionParts) {
    this.#commits = commits;
    this.#clock = clock;
    this.#log = log;
    this.#memory = memory;
    this.#journal = journal;
    this.#intents = intents;
    this.#plantCauses =
      intents && new PlantCauses({ commits, clock, journal, intents, log: (fault) => log('the journal', fault) });
    this.#step = onCommitStep ?? (() => undefined);
  }

  /**
   * Changes when a write set over two files becomes visible: reads of both files with the same number are of one
   * moment.
   */
  get decisions(): number {
    return this.#decisions;
  }

  /** Until then one file may show a write set before the other; null if both agree. */
  get deciding(): Promise<void> | null {
    return this.#deciding;
  }

  /**
   * Makes prepared writes durable in one transaction, then visible. Work outside of workspace.db is committed together
   * with them: an intent is written here, the outside work is committed, which decides, and then everything is written
   * here. After a crash, the next start reads the missing writes from the intent. Throws if nothing was written.
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
    const claim = this.#memory.claim(entries);
    return this.#applyWith(entries, claim).finally(() => claim.release());
  }

  /**
   * @param claim acquired first inside the transaction; its exception rejects the set. Released when the values are
   * visible.
   */
  #applyWith(entries: readonly SetEntry[], claim: Claim): Promise<void> {
    const committed = () => {
      const paths = shown(entries);
      claim.release();
      return paths;
    };
    if (entries.length < MANY) {
      return this.keep(() => {
        refuseRetired(entries);
        claim.take();
        for (const { write } of entries) write.apply();
        this.#journal.wrote(entries);
      }, committed);
    }
    const journal = this.#journal;
    const early = entries.filter(({ write }) => write.isReadFromMemory);
    const late = entries.filter(({ write }) => !write.isReadFromMemory);
    return this.#keep(
      () =>
        this.#commits.runInSteps(function* () {
          refuseRetired(entries);
          claim.take();
          for (const [place, { write }] of early.entries()) {
            write.apply();
            if (place % AT_ONCE === AT_ONCE - 1) yield;
          }
          for (let from = 0; from < entries.length; from += JOURNAL_AT_ONCE) {
            yield;
            journal.wrote(entries.slice(from, from + JOURNAL_AT_ONCE));
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
      await this.#commitOutside(entries, outside);
      return;
    }
    const claim = this.#memory.claim(entries);
    try {
      const intent = await this.#commits.run(() => {
        refuseRetired(entries);
        claim.take();
        outside.beginCommit();
        return this.#intend(intents, [...writes, ...this.#causes(entries)], outside);
      });
      await this.#commitIntended(entries, outside, () => intents.delete(intent));
    } finally {
      claim.release();
    }
  }

  /** All values are in plant.db. */
  async #commitOutside(entries: readonly SetEntry[], outside: OutsideWork): Promise<void> {
    refuseRetired(entries);
    if (this.#plantCauses) {
      await this.#plantCauses.commit(entries, {
        outside,
        intended: () => this.#step('intended'),
        decide: (forget) => this.#decide(outside, forget),
      });
    } else await this.#decide(outside, () => undefined);
    this.touched.emit(shown(entries));
  }

  #causes(entries: readonly SetEntry[]): StoredWrite[] {
    const causes = this.#journal.intended(entries);
    return causes === null ? [] : [{ to: 'journal', entries: causes.text }];
  }

  #intend(intents: WriteIntentRepository, writes: StoredWrite[], { evidence }: OutsideWork): number {
    return intents.insert({ evidence, writes }, this.#clock.iso());
  }

  async #commitIntended(entries: readonly SetEntry[], outside: OutsideWork, forget: () => void): Promise<void> {
    this.#step('intended');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#decisions += 1;
    this.#deciding = promise;
    try {
      await this.#decide(outside, forget);
      await this.#finish(() => {
        for (const { write } of entries) write.apply();
        this.#journal.wrote(entries);
        forget();
      });
      this.#step('finished');
      this.touched.emit(shown(entries));
    } finally {
      this.#deciding = null;
      resolve();
    }
  }

  async #decide(outside: OutsideWork, forget: () => void): Promise<void> {
    try {
      const deciding = outside.commit();
      this.#step('deciding');
      await deciding;
    } catch (thrown) {
      if (thrown instanceof Undecided) throw thrown;
      // If it stayed, the next start would only find again that nothing was committed.
      await this.#commits.run(forget).catch((fault: unknown) => this.#log('a write set', fault));
      throw thrown;
    }
    this.#step('decided');
  }

  /** A decided set is final: if the disk fails now, it is written before the next one. */
  async #finish(job: () => void): Promise<void> {
    try {
      await this.#commits.run(job);
    } catch (thrown) {
      this.#log('finishing a write set', thrown);
      this.#unfinished.push(job);
    }
  }

  /** Like `keep`, for changes of definitions: not during a write set over two files. */
  redefine<T>(job: () => T, committed: (result: T) => readonly string[]): Promise<T> {
    return this.#gate.together(() => this.keep(job, committed));
  }

  /** Does work while no write set over two files is being committed; such sets wait for it. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.together(work);
  }

  /** Like `redefine`, item by item; many are made a few ms at a time. @param last called in the transaction, at its end */
  redefineEach<Item, T>(
    items: readonly Item[],
    each: (item: Item) => T,
    last: (results: T[]) => void,
    committed: (results: T[]) => readonly string[],
  ): Promise<T[]> {
    if (items.length < MANY_DEFINITIONS) {
      const job = (): T[] => {
        const results = items.map(each);
        last(results);
        return results;
      };
      return this.redefine(job, committed);
    }
    const steps = function* (): Generator<void, T[]> {
      const results: T[] = [];
      for (const item of items) {
        results.push(each(item));
        if (results.length % AT_ONCE === 0) yield;
      }
      last(results);
      return results;
    };
    return this.#gate.together(() => this.#keep(() => this.#commits.runInSteps(steps), committed));
  }

  /**
   * Runs a job in a transaction and, directly after its COMMIT, updates the memory with `committed`, which returns the
   * touched paths. Everything that changes the memory uses this, so that it changes in the order of the transactions.
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
  const reason = 'its definition was changed in the meantime; write it again';
  throw writeRefused(
    retired.map(({ tag }) => ({ tag: tag.path, reason })),
    entries.length,
  );
}

/** Updates the memory; returns the touched paths. */
function shown(entries: readonly SetEntry[]): string[] {
  for (const { write } of entries) write.committed();
  return entries.map(({ tag }) => tag.path);
}

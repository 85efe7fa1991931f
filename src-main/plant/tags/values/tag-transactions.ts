import type { Clock } from '../../../platform/clock.ts';
import { Listeners } from '../../../platform/events.ts';
import type { CommitQueue } from '../../../storage/commit-queue.ts';
import type { WriteIntentRepository } from '../../../storage/repositories/write-intent-repository.ts';
import { Gate } from './write-order.ts';
import type { OutsideWork } from './pending-writes.ts';
import { Undecided } from './pending-writes.ts';
import type { Claim, ValueWrite, ValuesMemory } from './values-memory.ts';
import { writeRefused } from './write-refused.ts';

/** Where the details of a fault go. */
export type TagLog = (where: string, fault: unknown) => void;

/** What a write set over two files has done last: tests end the process there. */
export type CommitStep = 'intended' | 'deciding' | 'decided' | 'finished';

export type SetEntry = ValueWrite;

export interface TransactionParts {
  commits: CommitQueue;
  clock: Clock;
  log: TagLog;
  memory: ValuesMemory;
  /** Needed where a kind writes outside of workspace.db. */
  intents?: WriteIntentRepository | undefined;
  onCommitStep?: ((step: CommitStep) => void) | undefined;
}

/** Writes of one Set from which on they are made in steps: about 10 ms. */
const MANY = 4_000;
/** The same for definitions, which take longer. */
const MANY_DEFINITIONS = 1_000;
/** Writes between two looks at the clock. */
const AT_ONCE = 100;

export interface CommitOptions {
  outside: OutsideWork | null;
  /** Called when the transaction has its place among all others, where it has one before it is committed. */
  queued: () => void;
}

/** Makes writes and definitions durable, and then visible in memory, in the order of the transactions. */
export class TagTransactions {
  /** Emits the paths of which a read may give another value now, for everybody. */
  readonly touched = new Listeners<readonly string[]>();
  readonly #commits: CommitQueue;
  readonly #clock: Clock;
  readonly #log: TagLog;
  readonly #memory: ValuesMemory;
  readonly #intents: WriteIntentRepository | undefined;
  readonly #step: (step: CommitStep) => void;
  /** Definitions stay as they are while a write set over two files is being kept. */
  readonly #gate = new Gate();
  /** How many write sets over two files were begun to be decided on; the one that shows in one of them at most. */
  #decisions = 0;
  #deciding: Promise<void> | null = null;
  /** What sets that were decided on have still to write here, because the disk failed. */
  #unfinished: (() => void)[] = [];

  constructor({ commits, clock, log, memory, intents, onCommitStep }: TransactionParts) {
    this.#commits = commits;
    this.#clock = clock;
    this.#log = log;
    this.#memory = memory;
    this.#intents = intents;
    this.#step = onCommitStep ?? (() => undefined);
  }

  /** Changes when a write set over two files begins to show: reads of both before and after it are of one moment. */
  get decisions(): number {
    return this.#decisions;
  }

  /** Until then one file may show a write set, and the other not yet; null where both tell the same. */
  get deciding(): Promise<void> | null {
    return this.#deciding;
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
    const claim = this.#memory.claim(entries);
    return this.#applyWith(entries, claim).finally(() => claim.release());
  }

  /** @param claim taken first inside the transaction; what it throws refuses the set. Released when the values are shown. */
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
      }, committed);
    }
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
    const claim = this.#memory.claim(entries);
    try {
      const intent = await this.#commits.run(() => {
        refuseRetired(entries);
        claim.take();
        return intents.insert({ evidence: outside.evidence, writes }, this.#clock.iso());
      });
      await this.#commitIntended(entries, outside, () => intents.delete(intent));
    } finally {
      claim.release();
    }
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
      // Left there, it would tell the next start the same: that nothing was committed.
      await this.#commits.run(forget).catch((fault: unknown) => this.#log('a write set', fault));
      throw thrown;
    }
    this.#step('decided');
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

  /** Does work while no write set over two files is being kept; such sets wait for it. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.together(work);
  }

  /** As `redefine`, item by item; many are made a few ms at a time. */
  redefineEach<Item, T>(
    items: readonly Item[],
    each: (item: Item) => T,
    committed: (results: T[]) => readonly string[],
  ): Promise<T[]> {
    if (items.length < MANY_DEFINITIONS) return this.redefine(() => items.map(each), committed);
    const steps = function* (): Generator<void, T[]> {
      const results: T[] = [];
      for (const item of items) {
        results.push(each(item));
        if (results.length % AT_ONCE === 0) yield;
      }
      return results;
    };
    return this.#gate.together(() => this.#keep(() => this.#commits.runInSteps(steps), committed));
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

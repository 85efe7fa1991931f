import type { Json } from '#domain/text/json';
import type { CommitEvidence } from '../../../storage/plant/commit-evidence.ts';
import { messageOf } from '../../../platform/errors.ts';
import type { PlantTransaction } from '../../../storage/plant/plant-transaction.ts';
import { CommitUndecided } from '../../../storage/plant/plant-transaction.ts';
import type { PlantResult, PlantStatement } from '../../../storage/plant/protocol.ts';
import type { OutsideWork } from '../values/pending-writes.ts';
import { PendingWrites, Undecided } from '../values/pending-writes.ts';
import { writeRefused } from '../values/write-refused.ts';
import type { WriteView } from './kind.ts';

/** The parts of plant.db that this uses. */
export interface PlantTransactions {
  /** Undone if the signal aborts before it is decided. Throws if plant.db cannot be written now. */
  begin(signal?: AbortSignal): Promise<PlantTransaction>;
}

/** A statement that was run, and its tag. */
export interface PlantWrite {
  tag: string;
  statement: PlantStatement;
}

/**
 * The effect of the layers of a write set on plant.db. An outermost Set has a transaction from its first write to its
 * end; a nested Set is a savepoint. A dry run keeps no transaction between its calls, because it would block other
 * writers: it records the statements, and each call repeats them in a transaction that is rolled back.
 */
export class PlantWork {
  readonly #plant: PlantTransactions;
  readonly #levels = new WeakMap<PendingWrites, Promise<Level>>();
  /** The statements of dry runs, by the layer that lasts as long as the run. */
  readonly #journals = new WeakMap<PendingWrites, PlantWrite[]>();

  constructor(plant: PlantTransactions) {
    this.#plant = plant;
  }

  /** Runs a write as part of a layer. Throws if plant.db cannot be written. */
  async write(
    { pending, dryRun, signal }: Pick<WriteView, 'pending' | 'dryRun' | 'signal'>,
    write: PlantWrite,
  ): Promise<PlantResult> {
    const level = await this.#level(pending, dryRun);
    return level.write(write, signal);
  }

  /**
   * Reads plant.db as a layer sees it, until the signal of its run aborts; null if the layer has no writes of its own.
   * Throws if plant.db cannot be written, which a dry run needs.
   */
  async read(
    pending: PendingWrites,
    statements: readonly PlantStatement[],
    signal: AbortSignal,
  ): Promise<PlantResult[] | null> {
    for (let layer: PendingWrites | null = pending; layer; layer = layer.below) {
      const level = await this.#levels.get(layer)?.catch(() => null);
      if (level) return level.transaction.read(statements, signal);
    }
    const journal = this.#journals.get(outermost(pending));
    if (!journal || journal.length === 0) return null;
    const transaction = await this.#replay(journal, signal);
    try {
      return await transaction.read(statements, signal);
    } finally {
      await transaction.rollback();
    }
  }

  /** If it cannot be opened, the other writes of the layer fail too, without waiting again. */
  #level(pending: PendingWrites, dryRun: boolean): Promise<Level> {
    const known = this.#levels.get(pending);
    if (known) return known;
    const opened = this.#open(pending, dryRun);
    this.#levels.set(pending, opened);
    return opened;
  }

  async #open(pending: PendingWrites, dryRun: boolean): Promise<Level> {
    const { below, signal } = pending;
    let level: Level;
    if (below === null) {
      const transaction = await this.#plant.begin(signal);
      void transaction.undoneEarly.then(() => pending.onLost?.());
      level = new Level({ transaction, below: null, journal: null });
    } else if (dryRun && below.below === null) {
      const journal = this.#journals.get(below) ?? [];
      this.#journals.set(below, journal);
      level = new Level({ transaction: await this.#replay(journal, signal), below: null, journal });
    } else {
      const isOpen = this.#levels.has(below);
      const outer = this.#level(below, dryRun);
      // A script can catch the error of its Set, and try another.
      if (!isOpen) outer.catch(() => this.#levels.delete(below));
      level = await Level.above(await outer);
    }
    pending.outside = level;
    return level;
  }

  /** A transaction that contains the writes of a dry run. */
  async #replay(journal: readonly PlantWrite[], signal: AbortSignal | undefined): Promise<PlantTransaction> {
    const transaction = await this.#plant.begin(signal);
    for (const { tag, statement } of journal) {
      const result = await transaction.write(statement);
      if (!('error' in result)) continue;
      await transaction.rollback();
      throw new Error(`a write of this dry run to "${tag}" can no longer be repeated: ${result.error.message}`);
    }
    return transaction;
  }
}

function outermost(pending: PendingWrites): PendingWrites {
  let layer = pending;
  while (layer.below) layer = layer.below;
  return layer;
}

interface LevelParts {
  transaction: PlantTransaction;
  /** The level of the outer Set; null for an outermost Set. */
  below: Level | null;
  /** Where an outermost Set of a dry run puts its statements. */
  journal: PlantWrite[] | null;
  /** Lets the next concurrent Set begin. */
  leave?: () => void;
}

/** The part of one layer in a transaction. */
class Level implements OutsideWork {
  readonly transaction: PlantTransaction;
  readonly #below: Level | null;
  readonly #journal: PlantWrite[] | null;
  readonly #writes: PlantWrite[] = [];
  #leave: () => void;
  /** Concurrent Sets within one Set take turns, because savepoints nest. */
  #inner: Promise<void> = Promise.resolve();

  constructor({ transaction, below, journal, leave }: LevelParts) {
    this.transaction = transaction;
    this.#below = below;
    this.#journal = journal;
    this.#leave = leave ?? (() => undefined);
  }

  /** Opens a level above another as soon as no other is open there. */
  static async above(below: Level): Promise<Level> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const turn = below.#inner;
    below.#inner = promise;
    await turn;
    try {
      await below.transaction.save();
    } catch (thrown) {
      resolve();
      throw thrown;
    }
    return new Level({ transaction: below.transaction, below, journal: null, leave: resolve });
  }

  get evidence(): Json {
    return evidenceAsJson(this.transaction.evidence);
  }

  async write(write: PlantWrite, signal: AbortSignal): Promise<PlantResult> {
    const result = await this.transaction.write(write.statement, { signal });
    if (!('error' in result)) this.#writes.push(write);
    return result;
  }

  async join(): Promise<void> {
    if (this.#below) {
      await this.transaction.release();
      this.#below.#writes.push(...this.#writes);
      this.#left();
      return;
    }
    // The outermost Set of a dry run.
    if (this.transaction.lost) throw this.#refused(this.transaction.lost.message);
    try {
      await this.transaction.check();
    } catch (thrown) {
      throw this.#refused(messageOf(thrown));
    }
    await this.transaction.rollback();
    this.#journal?.push(...this.#writes);
  }

  async drop(): Promise<void> {
    await (this.#below ? this.transaction.undo() : this.transaction.rollback());
    this.#left();
  }

  beginCommit(): void {
    try {
      this.transaction.beginCommit();
    } catch (thrown) {
      throw this.#refused(messageOf(thrown));
    }
  }

  async commit(): Promise<void> {
    try {
      await this.transaction.commit();
    } catch (thrown) {
      if (thrown instanceof CommitUndecided) throw new Undecided(thrown.message);
      throw this.#refused(messageOf(thrown));
    }
  }

  #left(): void {
    this.#leave();
    this.#leave = () => undefined;
  }

  #refused(why: string): Error {
    const tags = [...new Set(this.#writes.map(({ tag }) => tag))];
    const reason = `plant.db was not written: ${why}`;
    return writeRefused(
      tags.map((tag) => ({ tag, reason })),
      this.#writes.length,
    );
  }
}

function evidenceAsJson(evidence: CommitEvidence): Json {
  return { ...evidence };
}

import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../platform/clock.ts';
import { systemClock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import { storageError } from './storage-error.ts';

interface QueuedJob {
  /** Does the work; returns how the promise settles once that is committed. */
  work: () => () => void;
  reject: (reason: unknown) => void;
}

/** A job that lets others have their turn between its steps. */
interface SteppedEntry {
  steps: () => Iterator<void, () => void>;
  reject: (reason: unknown) => void;
}

/** The stepped job whose transaction is open. */
interface UnderWay {
  steps: Iterator<void, () => void>;
  reject: (reason: unknown) => void;
  /** How its promise settles, when all of its steps are done: the COMMIT, which takes long, is left to a turn of its own. */
  settle: (() => void) | null;
}

const STEPS_MS = 10;

/**
 * Group commit: the jobs that arrive in one turn of the event loop are one transaction with a savepoint each, so that
 * many writers share the cost of making a write durable.
 *
 * A job is a synchronous function that writes through the same connection. Its promise settles after the COMMIT: what
 * was acknowledged survives a crash and a power cut. A job that throws is undone alone and its promise rejects with
 * what it threw; when the COMMIT itself fails, nothing of the turn is kept and every promise rejects.
 *
 * A job of many steps has a transaction alone, which stays open over several turns of the event loop: jobs that come
 * meanwhile wait for it, and whoever reads through the same connection sees what it has written so far.
 */
export class CommitQueue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #stepsMs: number;
  readonly #statements: Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit' | 'rollback', Statement<[]>>;
  readonly #committed = new Listeners<string>();
  readonly #refused = new Listeners<unknown>();
  /** What jobs of the open transaction asked for after its COMMIT. */
  #hooks: (() => void)[] = [];
  #waiting: (QueuedJob | SteppedEntry)[] = [];
  #underWay: UnderWay | null = null;
  #scheduled: NodeJS.Immediate | null = null;
  #running = false;
  #closed = false;
  #lastCommitAt: string | null = null;

  /** @param stepsMs how long the steps of a job hold this process at one go */
  constructor(database: Database, clock: Clock = systemClock, stepsMs = STEPS_MS) {
    this.#database = database;
    this.#stepsMs = stepsMs;
    this.#clock = clock;
    this.#statements = {
      begin: database.prepare('BEGIN IMMEDIATE'),
      savepoint: database.prepare('SAVEPOINT job'),
      release: database.prepare('RELEASE job'),
      undo: database.prepare('ROLLBACK TO job'),
      commit: database.prepare('COMMIT'),
      rollback: database.prepare('ROLLBACK'),
    };
  }

  /** When the last COMMIT was made, RFC 3339 in UTC; null before the first. */
  get lastCommitAt(): string | null {
    return this.#lastCommitAt;
  }

  /** Called after every COMMIT with its time; the function returned removes the listener. */
  onCommit(listener: (at: string) => void): () => void {
    return this.#committed.add(listener);
  }

  /**
   * Called inside a job: does this directly after the COMMIT that makes the job durable, before anything that waits for the
   * job goes on. Dropped when the job is undone. Must not throw.
   */
  afterCommit(hook: () => void): void {
    if (!this.#running) throw new Error('afterCommit() was called outside of a job');
    this.#hooks.push(hook);
  }

  /** Called with what a job or a COMMIT failed with; the function returned removes the listener. */
  onRefused(listener: (thrown: unknown) => void): () => void {
    return this.#refused.add(listener);
  }

  /**
   * Runs the job in the transaction of this turn and resolves with what it returned once that is durable. Jobs run in
   * the order in which they came. Rejects with what the job threw, with STORAGE_FULL, WORKSPACE_READ_ONLY or another
   * clear error where the disk failed, or with UNAVAILABLE after `close()`.
   */
  run<T>(job: () => T): Promise<T> {
    if (this.#closed) return Promise.reject(new TagwrightError('UNAVAILABLE', 'The workspace is closed.'));
    return new Promise<T>((resolve, reject) => {
      const work = (): (() => void) => {
        const value = job();
        if (value instanceof Promise) {
          value.catch(() => undefined);
          throw new TypeError('a job of the commit queue must be synchronous, this one returned a promise');
        }
        return () => resolve(value);
      };
      this.#add({ work, reject });
    });
  }

  /**
   * As `run`, for a job that holds this process for long: between its steps others get their turn. What it writes before
   * its last step is to be read by nobody else through this connection.
   */
  runInSteps<T>(job: () => Iterator<void, T>): Promise<T> {
    if (this.#closed) return Promise.reject(new TagwrightError('UNAVAILABLE', 'The workspace is closed.'));
    return new Promise<T>((resolve, reject) => {
      const steps = function* (): Generator<void, () => void> {
        const value = yield* { [Symbol.iterator]: job };
        return () => resolve(value);
      };
      this.#add({ steps, reject });
    });
  }

  /** Commits now what waits, without waiting for the end of the turn. Not to be called from inside a job. */
  flush(): void {
    if (this.#running) throw new Error('flush() was called from inside a job');
    while (this.#underWay || this.#waiting.length > 0) this.#goOn(Number.POSITIVE_INFINITY);
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = null;
  }

  /** Commits what waits and takes no more. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#committed.clear();
    this.#refused.clear();
  }

  #add(entry: QueuedJob | SteppedEntry): void {
    this.#waiting.push(entry);
    this.#schedule();
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = null;
      this.#goOn(this.#stepsMs);
      if (this.#underWay || this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Makes the next transaction, or so much of it as can be made in that time. */
  #goOn(ms: number): void {
    if (!this.#underWay) {
      const next = this.#waiting.findIndex((entry) => 'steps' in entry);
      const batch = this.#waiting.splice(0, next < 0 ? this.#waiting.length : next);
      const entries = batch.filter((entry) => 'work' in entry);
      if (entries.length > 0) {
        this.#commit(entries);
        return;
      }
      const [first] = this.#waiting.splice(0, 1);
      if (first && 'steps' in first) this.#begin(first);
    }
    if (this.#underWay) this.#advance(this.#underWay, ms);
  }

  #begin({ steps, reject }: SteppedEntry): void {
    try {
      this.#statements.begin.run();
      this.#underWay = { steps: steps(), reject, settle: null };
    } catch (thrown) {
      reject(this.#failure(thrown));
    }
  }

  #advance(underWay: UnderWay, ms: number): void {
    const { steps, settle, reject } = underWay;
    const until = performance.now() + ms;
    this.#running = true;
    try {
      if (settle) this.#statements.commit.run();
      else {
        let step = steps.next();
        while (!step.done && performance.now() < until) step = steps.next();
        if (step.done) underWay.settle = step.value;
        return;
      }
    } catch (thrown) {
      this.#underWay = null;
      const failure = this.#failure(thrown);
      this.#abandon();
      reject(failure);
      return;
    } finally {
      this.#running = false;
    }
    this.#underWay = null;
    this.#made([settle]);
  }

  #commit(batch: readonly QueuedJob[]): void {
    const settle: (() => void)[] = [];
    this.#running = true;
    try {
      this.#statements.begin.run();
      const [first, ...others] = batch;
      // Alone in its transaction a job needs no savepoint, which copies every page before it is changed.
      if (first && others.length === 0) settle.push(first.work());
      else for (const entry of batch) settle.push(this.#runOne(entry));
      this.#statements.commit.run();
    } catch (thrown) {
      const failure = this.#failure(thrown);
      this.#abandon();
      for (const entry of batch) entry.reject(failure);
      return;
    } finally {
      this.#running = false;
    }
    this.#made(settle);
  }

  /** A transaction is durable. */
  #made(settle: readonly (() => void)[]): void {
    this.#lastCommitAt = this.#clock.iso();
    const hooks = this.#hooks.splice(0);
    // Settled promises go on in later microtasks: the hooks come before them.
    for (const one of settle) one();
    for (const hook of hooks) hook();
    this.#committed.emit(this.#lastCommitAt);
  }

  /** Runs one job in its savepoint; returns how its promise settles once the transaction is committed. */
  #runOne({ work, reject }: QueuedJob): () => void {
    this.#statements.savepoint.run();
    const hooks = this.#hooks.length;
    try {
      const settle = work();
      this.#statements.release.run();
      return settle;
    } catch (thrown) {
      // A full disk can make SQLite give up the whole transaction: then nothing of the batch was kept.
      if (!this.#database.inTransaction) throw thrown;
      this.#hooks.length = hooks;
      this.#statements.undo.run();
      this.#statements.release.run();
      const failure = this.#failure(thrown);
      return () => reject(failure);
    }
  }

  #failure(thrown: unknown): unknown {
    const failure = storageError(thrown, this.#database.name);
    this.#refused.emit(failure);
    return failure;
  }

  #abandon(): void {
    this.#hooks = [];
    try {
      if (this.#database.inTransaction) this.#statements.rollback.run();
    } catch {
      // The connection is unusable; the next BEGIN says so to whoever asks next.
    }
  }
}

import type { Database, Statement } from 'better-sqlite3';
import type { Clock } from '../platform/clock.ts';
import { systemClock } from '../platform/clock.ts';
import { TagwrightError } from '../platform/errors.ts';
import { Listeners } from '../platform/events.ts';
import { inSpan, sqlSpan } from '../platform/telemetry/spans.ts';
import { storageError } from './storage-error.ts';
import { syncFile } from './sync-file.ts';

interface QueuedJob {
  /** Does the work; returns how the promise settles once that is committed. */
  work: () => () => void;
  reject: (reason: unknown) => void;
  /** Whether its COMMIT waits for the disk. */
  isSynced: boolean;
}

/** A job that lets others run between its steps. */
interface SteppedEntry {
  steps: () => Iterator<void, () => void>;
  reject: (reason: unknown) => void;
}

/** A job that waits for the next transaction. */
export interface LateJob {
  /** Takes it back, unless it no longer waits. Returns whether it did. */
  take(): boolean;
}

/** The stepped job whose transaction is open. */
interface ActiveJob {
  steps: Iterator<void, () => void>;
  reject: (reason: unknown) => void;
  /** How its promise settles, once all of its steps are done: the slow COMMIT gets a separate turn. */
  settle: (() => void) | null;
}

const STEPS_MS = 10;
/** Whether COMMIT waits for the disk. `pragma()` of better-sqlite3 takes seven times as long. */
const [WITH_WAIT, WITHOUT_WAIT] = ['PRAGMA synchronous = FULL', 'PRAGMA synchronous = NORMAL'];
const COMMIT = sqlSpan('sqlite', 'COMMIT');

/**
 * Group commit: the jobs that arrive in one turn of the event loop are one transaction with a savepoint each, so that
 * many writers share the cost of making a write durable.
 *
 * A job is a synchronous function that writes through the same connection. Its promise settles after the COMMIT:
 * acknowledged writes survive a crash and a power cut. A job that throws is undone alone and its promise rejects with
 * the error; if the COMMIT itself fails, nothing of the turn is kept and every promise rejects.
 *
 * A job of many steps has its own transaction, which stays open over several turns of the event loop: other jobs wait
 * for it, and readers of the same connection see what it has written so far.
 */
export class CommitQueue {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #stepsMs: number;
  readonly #statements: Record<'begin' | 'savepoint' | 'release' | 'undo' | 'commit' | 'rollback', Statement<[]>>;
  readonly #committed = new Listeners<string>();
  readonly #refused = new Listeners<unknown>();
  /** Hooks of jobs for after the COMMIT of the open transaction. */
  #hooks: (() => void)[] = [];
  /** The same for just before it. */
  #lastSteps: (() => void)[] = [];
  #waiting: (QueuedJob | SteppedEntry)[] = [];
  /** Jobs that wait for the next transaction. */
  #late: { job: QueuedJob; timer: NodeJS.Timeout }[] = [];
  #inProgress: ActiveJob | null = null;
  #scheduled: NodeJS.Immediate | null = null;
  #running = false;
  /** Whether all commits are durable. */
  #isSynced = true;
  #closed = false;
  #lastCommitAt: string | null = null;

  /** @param stepsMs how long the steps of a job may block this process at a time */
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

  /** Called after every COMMIT with its time; the returned function removes the listener. */
  onCommit(listener: (at: string) => void): () => void {
    return this.#committed.add(listener);
  }

  /**
   * Called inside a job: runs the hook directly after the COMMIT that makes the job durable, before any code that waits
   * for the job continues. Dropped if the job is undone. Must not throw.
   */
  afterCommit(hook: () => void): void {
    if (!this.#running) throw new Error('afterCommit() was called outside of a job');
    this.#hooks.push(hook);
  }

  /**
   * Called inside a job: runs the hook in the same transaction just before its COMMIT, when all jobs of it are done. A
   * hook may add another one, which runs after those of the jobs. Dropped if the job is undone. One that throws undoes
   * the transaction.
   */
  beforeCommit(hook: () => void): void {
    if (!this.#running) throw new Error('beforeCommit() was called outside of a job');
    this.#lastSteps.push(hook);
  }

  /** Called with the error of a failed job or COMMIT; the returned function removes the listener. */
  onRefused(listener: (thrown: unknown) => void): () => void {
    return this.#refused.add(listener);
  }

  /**
   * Runs the job in the transaction of this turn and resolves with its result once that is durable. Jobs run in the
   * order of the calls. Rejects with the exception of the job, with STORAGE_FULL, WORKSPACE_READ_ONLY or another clear
   * error if the disk failed, or with UNAVAILABLE after `close()`.
   */
  run<T>(job: () => T): Promise<T> {
    return this.#run(job, true);
  }

  /**
   * Like `run`, for a job that the next start repeats if it is lost: its COMMIT does not wait for the disk. A crash of the
   * process keeps it. A power cut may undo it, but only together with everything since: the next COMMIT that waits makes
   * it durable, too.
   */
  runUnsynced<T>(job: () => T): Promise<T> {
    return this.#run(job, false);
  }

  /**
   * Like `runUnsynced`, but in the transaction of the next job, before it, and without one after so many ms. Dropped after
   * `close()`, which does it.
   * @param onFailure called with the error of the job or of the disk
   */
  runLate(job: () => void, ms: number, onFailure: (fault: unknown) => void): LateJob {
    if (this.#closed) return { take: () => false };
    const work = () => {
      job();
      return () => undefined;
    };
    const late = {
      job: { work, reject: onFailure, isSynced: false },
      timer: setTimeout(() => this.#queueLate(), ms).unref(),
    };
    this.#late.push(late);
    return {
      take: () => {
        const at = this.#late.indexOf(late);
        if (at < 0) return false;
        clearTimeout(late.timer);
        this.#late.splice(at, 1);
        return true;
      },
    };
  }

  /** Whether jobs wait for the next transaction. */
  get hasLate(): boolean {
    return this.#late.length > 0;
  }

  /** Whether no job waits and no transaction is open; late jobs do not count. */
  get isIdle(): boolean {
    return this.#inProgress === null && this.#waiting.length === 0;
  }

  /**
   * Makes everything durable that was committed without waiting for the disk, and late jobs. Must not be called inside a
   * job.
   */
  sync(): void {
    if (this.hasLate) this.flush();
    if (this.#isSynced) return;
    syncFile(`${this.#database.name}-wal`);
    this.#isSynced = true;
  }

  #run<T>(job: () => T, isSynced: boolean): Promise<T> {
    if (this.#closed) return Promise.reject(new TagwrightError('UNAVAILABLE', 'The workspace is closed.'));
    return inSpan(COMMIT, () => this.#queued(job, isSynced));
  }

  #queued<T>(job: () => T, isSynced: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const work = (): (() => void) => {
        const value = job();
        if (value instanceof Promise) {
          value.catch(() => undefined);
          throw new TypeError('a job of the commit queue must be synchronous, this one returned a promise');
        }
        return () => resolve(value);
      };
      this.#add({ work, reject, isSynced });
    });
  }

  /**
   * Like `run`, for a job that would block this process for long: others run between its steps. Other code must not
   * read its writes through this connection before its last step.
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

  /** Like `run`, in a transaction of its own: the promises of earlier jobs have settled when it runs. */
  runAlone<T>(job: () => T): Promise<T> {
    return this.runInSteps(() => ({ next: () => ({ done: true, value: job() }) }));
  }

  /** Commits waiting jobs now, without waiting for the end of the turn. Must not be called inside a job. */
  flush(): void {
    if (this.#running) throw new Error('flush() was called from inside a job');
    this.#queueLate();
    while (this.#inProgress || this.#waiting.length > 0) this.#goOn(Number.POSITIVE_INFINITY);
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = null;
  }

  /** Commits waiting jobs and accepts no more. */
  close(): void {
    this.flush();
    this.#closed = true;
    this.#committed.clear();
    this.#refused.clear();
  }

  #add(entry: QueuedJob | SteppedEntry): void {
    this.#queueLate();
    this.#waiting.push(entry);
    this.#schedule();
  }

  #queueLate(): void {
    if (this.#late.length === 0) return;
    for (const { job, timer } of this.#late.splice(0)) {
      clearTimeout(timer);
      this.#waiting.push(job);
    }
    this.#schedule();
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = null;
      this.#goOn(this.#stepsMs);
      if (this.#inProgress || this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Makes the next transaction, or as much of it as fits into the time. */
  #goOn(ms: number): void {
    if (!this.#inProgress) {
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
    if (this.#inProgress) this.#advance(this.#inProgress, ms);
  }

  #begin({ steps, reject }: SteppedEntry): void {
    try {
      this.#statements.begin.run();
      this.#inProgress = { steps: steps(), reject, settle: null };
    } catch (thrown) {
      reject(this.#failure(thrown));
    }
  }

  #advance(inProgress: ActiveJob, ms: number): void {
    const { steps, settle, reject } = inProgress;
    const until = performance.now() + ms;
    this.#running = true;
    try {
      if (settle) this.#finish();
      else {
        let step = steps.next();
        while (!step.done && performance.now() < until) step = steps.next();
        if (step.done) inProgress.settle = step.value;
        return;
      }
    } catch (thrown) {
      this.#inProgress = null;
      const failure = this.#failure(thrown);
      this.#abandon();
      reject(failure);
      return;
    } finally {
      this.#running = false;
    }
    this.#inProgress = null;
    this.#made([settle]);
  }

  #commit(batch: readonly QueuedJob[]): void {
    const settle: (() => void)[] = [];
    const isSynced = batch.some((entry) => entry.isSynced);
    this.#running = true;
    try {
      if (!isSynced) this.#database.exec(WITHOUT_WAIT);
      this.#statements.begin.run();
      const [first, ...others] = batch;
      // A job that is alone in its transaction needs no savepoint, which would copy every page before it is changed.
      if (first && others.length === 0) settle.push(first.work());
      else for (const entry of batch) settle.push(this.#runOne(entry));
      this.#finish();
    } catch (thrown) {
      const failure = this.#failure(thrown);
      this.#abandon();
      for (const entry of batch) entry.reject(failure);
      return;
    } finally {
      if (!isSynced) this.#database.exec(WITH_WAIT);
      this.#running = false;
    }
    this.#isSynced = isSynced;
    this.#made(settle);
  }

  #finish(): void {
    // Hooks may add others.
    for (const step of this.#lastSteps) step();
    this.#lastSteps = [];
    this.#statements.commit.run();
  }

  /** A transaction is durable. */
  #made(settle: readonly (() => void)[]): void {
    this.#lastCommitAt = this.#clock.iso();
    const hooks = this.#hooks.splice(0);
    // Code after settled promises runs in later microtasks: the hooks come first.
    for (const one of settle) one();
    for (const hook of hooks) hook();
    this.#committed.emit(this.#lastCommitAt);
  }

  /** Runs one job in its savepoint; returns how its promise settles once the transaction is committed. */
  #runOne({ work, reject }: QueuedJob): () => void {
    this.#statements.savepoint.run();
    const [hooks, lastSteps] = [this.#hooks.length, this.#lastSteps.length];
    try {
      const settle = work();
      this.#statements.release.run();
      return settle;
    } catch (thrown) {
      // A full disk can make SQLite roll back the whole transaction: then nothing of the batch was kept.
      if (!this.#database.inTransaction) throw thrown;
      this.#hooks.length = hooks;
      this.#lastSteps.length = lastSteps;
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
    this.#lastSteps = [];
    try {
      if (this.#database.inTransaction) this.#statements.rollback.run();
    } catch {
      // The connection is unusable; the next BEGIN reports that.
    }
  }
}

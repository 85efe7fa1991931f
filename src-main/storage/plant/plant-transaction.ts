import type { CommitEvidence } from './commit-evidence.ts';
import { type EarlyEnd, endEarly } from './end-early.ts';
import type { PlantFile } from './plant-file.ts';
import { identityOf } from '../workspace/file-identity.ts';
import type { PlantProcess, PlantReply } from './plant-process.ts';
import {
  CANCELLED,
  setTooLong,
  type Limits,
  type PlantError,
  type PlantResult,
  type PlantStatement,
  timeInTotal,
} from './protocol.ts';

/** A failed step of a transaction. */
export class PlantFailure extends Error {
  readonly fault: PlantError['fault'];

  constructor({ fault, message }: PlantError) {
    super(message);
    this.fault = fault;
  }
}

/** Whether a transaction was committed is only known at the next start. */
export class CommitUndecided extends Error {
  constructor() {
    super('Tagwright ended before it was known whether plant.db was written; the next start will determine it');
  }
}

interface PlantTransactionParts {
  process: PlantProcess;
  file: PlantFile;
  limits: () => Limits;
  evidence: CommitEvidence;
  /** Determines, after the process has ended, whether the transaction was committed. Throws CommitUndecided. */
  isCommitted: (before: CommitEvidence) => Promise<boolean>;
  /** Called once, when it has ended. */
  done: () => void;
  /** Aborts when the transaction is no longer needed. */
  signal: AbortSignal | undefined;
}

/**
 * An open transaction of plant.db: one at a time, in the process that writes. It is undone, so that others can write,
 * if its signal aborts or its time is up before `beginCommit`.
 */
export class PlantTransaction {
  readonly evidence: CommitEvidence;
  /** Settles when it was undone before its Set ended, so that it can no longer be committed. */
  readonly undoneEarly: Promise<void>;
  readonly #undoneEarly = Promise.withResolvers<void>();
  readonly #parts: PlantTransactionParts;
  /** Why it can no longer be committed. */
  #lost: PlantError | null = null;
  /** Aborts with it, and so ends the statement in progress. */
  readonly #abandoned = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  #undoing: Promise<void> | null = null;
  #isDeciding = false;
  #over = false;

  constructor(parts: PlantTransactionParts) {
    this.#parts = parts;
    this.evidence = parts.evidence;
    this.undoneEarly = this.#undoneEarly.promise;
    const limits = parts.limits();
    const time = { ms: timeInTotal(limits), error: () => setTooLong(limits) };
    void this.#endWith(this.#ended.promise, { signal: parts.signal, time });
  }

  /** Why it can no longer be committed; null otherwise. */
  get lost(): PlantError | null {
    return this.#lost;
  }

  /**
   * Reads that see the writes of the transaction. One result per statement; never rejects. If the signal aborts before
   * they have ended, the transaction is lost.
   */
  async read(statements: readonly PlantStatement[], signal?: AbortSignal): Promise<PlantResult[]> {
    const limits = this.#parts.limits();
    return this.#run('read', statements, { ...limits, totalMs: timeInTotal(limits) }, signal);
  }

  /**
   * Runs one write; a result with an error has changed nothing. Never rejects. If the signal aborts before it has ended,
   * the transaction is lost.
   */
  async write(
    statement: PlantStatement,
    { limits, signal }: { limits?: Limits; signal?: AbortSignal | undefined } = {},
  ): Promise<PlantResult> {
    const [result] = await this.#run('write', [statement], limits, signal);
    return result ?? { error: { fault: 'lost', message: 'there was no response' } };
  }

  /** Runs any number of statements of Tagwright's own. Throws PlantFailure. */
  async script(sql: string): Promise<void> {
    this.#checkOpen();
    const reply = await this.#parts.process.script(sql, this.#parts.limits());
    if ('error' in reply) throw new PlantFailure(reply.error);
  }

  /** Begins a level that can be undone alone. Throws PlantFailure. */
  save(): Promise<void> {
    return this.#step('save');
  }

  /** Merges the last level into the one below. Throws PlantFailure. */
  release(): Promise<void> {
    return this.#step('release');
  }

  /** Undoes the last level. */
  async undo(): Promise<void> {
    if (this.#lost === null && !this.#over) await this.#step('undo').catch(() => undefined);
  }

  /** Checks whether a commit would be rejected; only `rollback` may follow. Throws PlantFailure if it would. */
  check(): Promise<void> {
    return this.#step('check');
  }

  /**
   * From here on, only `commit` or `rollback` end it: another file may refer to its evidence. Throws PlantFailure if
   * nothing of it can be committed.
   */
  beginCommit(): void {
    this.#checkOpen();
    this.#isDeciding = true;
  }

  /** Commits all of it, durably. Throws PlantFailure if nothing was committed, or CommitUndecided. */
  async commit(): Promise<void> {
    const { file, process } = this.#parts;
    try {
      this.beginCommit();
      if (identityOf(file.path) !== this.evidence.file) {
        throw new PlantFailure({ fault: 'file', message: 'plant.db was replaced or removed in the meantime' });
      }
      const reply = await process.step('commit', this.#parts.limits());
      if (!('error' in reply)) {
        this.#end();
        return;
      }
      if (process.usable) throw new PlantFailure(reply.error);
      // It ended during the commit: the file shows whether before or after.
      if (!(await this.#parts.isCommitted(this.evidence))) throw new PlantFailure(reply.error);
      this.#end();
    } catch (thrown) {
      await this.rollback();
      throw thrown;
    }
  }

  /** Undoes all of it. May be called at any time; has no effect after a commit. Never rejects. */
  rollback(): Promise<void> {
    return (this.#undoing ??= this.#rollBack());
  }

  async #rollBack(): Promise<void> {
    if (this.#over) return;
    const { process, limits } = this.#parts;
    const reply = await process.step('rollback', limits());
    // A process that cannot even do this must not continue with an unknown transaction.
    if ('error' in reply && process.usable) process.kill();
    this.#end();
  }

  /** The process belongs to the next transaction from here on. */
  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#ended.resolve();
    this.#parts.done();
  }

  /** The work; undoes the transaction, so that others can write, if the work ends early. */
  #endWith<T>(work: Promise<T>, early: EarlyEnd): Promise<T> {
    const abandon = (why: PlantError) => {
      if (this.#over || this.#isDeciding) return;
      this.#abandoned.abort();
      this.#lose(why);
    };
    return endEarly(work, abandon, early);
  }

  /** Throws PlantFailure if it can no longer be committed. */
  #checkOpen(): void {
    const error = this.#lost ?? (this.#over ? GONE : null);
    if (error) throw new PlantFailure(error);
  }

  async #run(
    op: 'read' | 'write',
    statements: readonly PlantStatement[],
    limits: Limits = this.#parts.limits(),
    signal?: AbortSignal,
  ): Promise<PlantResult[]> {
    const none = this.#lost ?? (this.#over ? GONE : signal?.aborted ? CANCELLED : null);
    if (none) return statements.map(() => ({ error: none }));
    const running = this.#parts.process.run(op, statements, limits, this.#abandoned.signal);
    const reply = await this.#endWith(running, { signal });
    if (this.#abandoned.signal.aborted) return statements.map(() => ({ error: this.#lost ?? CANCELLED }));
    if (!('error' in reply)) {
      for (const result of reply.results)
        if ('error' in result && result.error.fault === 'lost') this.#lose(asEarlier(result.error));
      return reply.results;
    }
    this.#lose(asEarlier(reply.error));
    return statements.map((_, at) => ({ error: errorAt(reply, at) }));
  }

  async #step(op: 'save' | 'release' | 'undo' | 'check'): Promise<void> {
    this.#checkOpen();
    const reply = await this.#parts.process.step(op, this.#parts.limits());
    if (!('error' in reply)) return;
    this.#lose(asEarlier(reply.error));
    throw new PlantFailure(reply.error);
  }

  /** Undoes it before its Set ends, so that others can write. */
  #lose(error: PlantError): void {
    this.#lost ??= error;
    if (!this.#isDeciding) this.#undoneEarly.resolve(this.rollback());
  }
}

function asEarlier({ fault, message }: PlantError): PlantError {
  return { fault, message: `earlier writes to plant.db were undone: ${message}` };
}

const GONE: PlantError = { fault: 'lost', message: 'the transaction has ended' };

/** The statement that exceeded its time or memory is at fault, the others fail with it. */
function errorAt(reply: Extract<PlantReply, { error: PlantError }>, at: number): PlantError {
  if (reply.at === undefined || reply.at === at) return reply.error;
  return { fault: 'lost', message: 'another statement of the same transaction timed out or used too much memory' };
}

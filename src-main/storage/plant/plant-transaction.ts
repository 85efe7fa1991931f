import type { CommitEvidence } from './commit-evidence.ts';
import type { PlantFile } from './plant-file.ts';
import { identityOf } from '../workspace/file-identity.ts';
import type { PlantProcess, PlantReply } from './plant-process.ts';
import { type Limits, type PlantError, type PlantResult, type PlantStatement, timeOfRead } from './protocol.ts';

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
}

/** An open transaction of plant.db: one at a time, in the process that writes. */
export class PlantTransaction {
  readonly evidence: CommitEvidence;
  readonly #parts: PlantTransactionParts;
  /** Why nothing of it can be committed any more. */
  #lost: PlantError | null = null;
  #over = false;

  constructor(parts: PlantTransactionParts) {
    this.#parts = parts;
    this.evidence = parts.evidence;
  }

  /** Why nothing of it can be committed any more; null otherwise. */
  get lost(): PlantError | null {
    return this.#lost;
  }

  /**
   * Reads that see the writes of the transaction. One result per statement; never rejects. If the signal aborts before
   * they have ended, the transaction is lost.
   */
  async read(statements: readonly PlantStatement[], signal?: AbortSignal): Promise<PlantResult[]> {
    const limits = this.#parts.limits();
    return this.#run('read', statements, { ...limits, totalMs: timeOfRead(limits) }, signal);
  }

  /** Runs one write; a result with an error has changed nothing. Never rejects. */
  async write(statement: PlantStatement, limits?: Limits): Promise<PlantResult> {
    const [result] = await this.#run('write', [statement], limits);
    return result ?? { error: { fault: 'lost', message: 'there was no response' } };
  }

  /** Runs any number of statements of Tagwright's own. Throws PlantFailure. */
  async script(sql: string): Promise<void> {
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

  /** Commits all of it, durably. Throws PlantFailure if nothing was committed, or CommitUndecided. */
  async commit(): Promise<void> {
    const { file, process } = this.#parts;
    try {
      if (this.#lost) throw new PlantFailure(this.#lost);
      if (identityOf(file.path) !== this.evidence.file) {
        throw new PlantFailure({ fault: 'file', message: 'plant.db was replaced or removed in the meantime' });
      }
      const reply = await process.step('commit', this.#parts.limits());
      if (!('error' in reply)) return;
      if (process.usable) throw new PlantFailure(reply.error);
      // It ended during the commit: the file shows whether before or after.
      if (!(await this.#parts.isCommitted(this.evidence))) throw new PlantFailure(reply.error);
    } catch (thrown) {
      await this.#rollBack();
      throw thrown;
    } finally {
      this.#end();
    }
  }

  /** Undoes all of it. May be called at any time; has no effect after a commit. Never rejects. */
  async rollback(): Promise<void> {
    if (this.#over) return;
    await this.#rollBack();
    this.#end();
  }

  async #rollBack(): Promise<void> {
    const { process, limits } = this.#parts;
    const reply = await process.step('rollback', limits());
    // A process that cannot even do this must not continue with an unknown transaction.
    if ('error' in reply && process.usable) process.kill();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    this.#parts.done();
  }

  async #run(
    op: 'read' | 'write',
    statements: readonly PlantStatement[],
    limits: Limits = this.#parts.limits(),
    signal?: AbortSignal,
  ): Promise<PlantResult[]> {
    if (this.#lost) return statements.map(() => ({ error: this.#lost ?? GONE }));
    if (this.#over) return statements.map(() => ({ error: GONE }));
    const reply = await this.#parts.process.run(op, statements, limits, signal);
    if (!('error' in reply)) {
      for (const result of reply.results)
        if ('error' in result && result.error.fault === 'lost') this.#lose(result.error);
      return reply.results;
    }
    this.#lose(reply.error);
    return statements.map((_, at) => ({ error: errorAt(reply, at) }));
  }

  async #step(op: 'save' | 'release' | 'undo'): Promise<void> {
    if (this.#over) throw new PlantFailure(GONE);
    if (this.#lost) throw new PlantFailure(this.#lost);
    const reply = await this.#parts.process.step(op, this.#parts.limits());
    if (!('error' in reply)) return;
    this.#lose(reply.error);
    throw new PlantFailure(reply.error);
  }

  #lose(error: PlantError): void {
    this.#lost ??= { fault: error.fault, message: `earlier writes to plant.db were undone: ${error.message}` };
  }
}

const GONE: PlantError = { fault: 'lost', message: 'the transaction has ended' };

/** The statement that exceeded its time or memory is at fault, the others fail with it. */
function errorAt(reply: Extract<PlantReply, { error: PlantError }>, at: number): PlantError {
  if (reply.at === undefined || reply.at === at) return reply.error;
  return { fault: 'lost', message: 'another statement of the same transaction timed out or used too much memory' };
}

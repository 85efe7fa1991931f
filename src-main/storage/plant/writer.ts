import { grouped } from '#domain/text/grouped';
import { pause } from '../../platform/pause.ts';
import { endEarly } from './end-early.ts';
import type { CommitEvidence, CommitOutcome } from './commit-evidence.ts';
import { evidenceOf, outcomeOf } from './commit-evidence.ts';
import type { PlantFile } from './plant-file.ts';
import type { PlantHostOptions } from './plant-process.ts';
import { PlantProcess } from './plant-process.ts';
import { CommitUndecided, PlantFailure, PlantTransaction } from './plant-transaction.ts';
import { CANCELLED, type Limits, type PlantError } from './protocol.ts';

export interface WriterParts {
  host: PlantHostOptions;
  file: PlantFile;
  limits: () => Limits;
  /** Checks whether the file is still the same one; returns why it cannot be used. */
  look: () => Promise<PlantError | null>;
}

/** The one process that writes to plant.db, and the queue for it. */
export class PlantWriter {
  readonly #parts: WriterParts;
  #process: PlantProcess | null = null;
  #busy = false;
  readonly #line: (() => void)[] = [];
  readonly #end = new AbortController();

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Whether no process writes, and none is requested. */
  get isUnused(): boolean {
    return !this.#busy && !this.#process?.usable;
  }

  /**
   * Opens a transaction as soon as no other is open. If the signal aborts before it is decided, it is undone. Throws
   * PlantFailure: `taken` if opening it takes longer than a statement may, or why the file cannot be written.
   */
  async begin(signal?: AbortSignal): Promise<PlantTransaction> {
    await this.#turn(signal);
    try {
      return await this.#begin(signal);
    } catch (thrown) {
      this.#next();
      throw thrown;
    }
  }

  /**
   * What became of a transaction during which a process ended; null if that cannot be determined. Throws PlantFailure if
   * the file cannot be opened. Only the caller may have the turn.
   */
  async outcomeOf(before: CommitEvidence): Promise<CommitOutcome | null> {
    const { process, limits } = { process: this.#started(), limits: this.#parts.limits() };
    const begun = await process.step('begin', limits);
    if ('error' in begun) throw new PlantFailure(begun.error);
    const outcome = outcomeOf(this.#parts.file.path, before);
    await process.step('rollback', limits);
    return outcome;
  }

  /**
   * Like `outcomeOf`, but waits as long as necessary: while another program holds the file, the outcome is unknown,
   * and a write would hide it. Throws CommitUndecided if the instance ends before.
   */
  async #judge(before: CommitEvidence): Promise<boolean> {
    for (;;) {
      if (this.#end.signal.aborted) throw new CommitUndecided();
      try {
        const outcome = await this.outcomeOf(before);
        return outcome !== null && outcome !== 'undone';
      } catch (thrown) {
        if (!(thrown instanceof PlantFailure) || !NOT_KNOWN.has(thrown.fault)) throw thrown;
      }
      await pause(RETRY_MS, this.#end.signal);
    }
  }

  /** The settings or the sandbox have changed: a process that may no longer be used ends, if it is idle. */
  review(): void {
    if (this.#busy || !this.#process?.usable) return;
    if (this.#process.isOutdated || this.#parts.host.refusal?.()) this.#process.kill();
  }

  /** Ends the process at once, with its uncommitted work. */
  async abandon(): Promise<void> {
    const process = this.#process;
    this.#process = null;
    process?.kill();
    await process?.gone;
  }

  /** Closes the file, so that it is complete without its log. */
  async close(): Promise<void> {
    this.#end.abort();
    const process = this.#process;
    if (!process?.usable) return;
    const patience = setTimeout(() => process.kill(), CLOSE_MS);
    await process.step('close', this.#parts.limits());
    clearTimeout(patience);
    process.kill();
    await process.gone;
  }

  async #begin(signal: AbortSignal | undefined): Promise<PlantTransaction> {
    const { file, limits, look } = this.#parts;
    const problem = (await look()) ?? (signal?.aborted ? CANCELLED : null);
    if (problem) throw new PlantFailure(problem);
    const process = this.#started();
    const reply = await process.step('begin', limits());
    if ('error' in reply) throw new PlantFailure(reply.error);
    const evidence = evidenceOf(file.path);
    if (evidence === null) {
      process.kill();
      throw new PlantFailure({ fault: 'file', message: 'plant.db no longer exists' });
    }
    return new PlantTransaction({
      process,
      file,
      limits,
      evidence,
      signal,
      isCommitted: (before) => this.#judge(before),
      done: () => {
        file.noteLog();
        this.#next();
      },
    });
  }

  #started(): PlantProcess {
    if (this.#process?.isOutdated === true) this.#process.kill();
    else if (this.#process?.usable) return this.#process;
    this.#process = new PlantProcess(this.#parts.host, 'writer');
    return this.#process;
  }

  /** Resolves when it is the caller's turn; throws if that takes too long, or the signal aborts. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    if (!this.#busy) {
      this.#busy = true;
      return;
    }
    const { ms } = this.#parts.limits();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#line.push(resolve);
    const leave = (why: PlantError) => {
      const at = this.#line.indexOf(resolve);
      // It has its turn.
      if (at < 0) return;
      this.#line.splice(at, 1);
      reject(new PlantFailure(why));
    };
    await endEarly(promise, leave, { signal, time: { ms, error: () => heldTooLong(ms) } });
  }

  #next(): void {
    const next = this.#line.shift();
    if (next) {
      next();
      return;
    }
    this.#busy = false;
    // One that is outdated stays until the next transaction, so that it can close the file in order.
    if (this.#parts.host.refusal?.()) this.review();
  }
}

function heldTooLong(ms: number): PlantError {
  return { fault: 'taken', message: `another write has held plant.db for more than ${grouped(ms)} ms; try again` };
}

const CLOSE_MS = 1_000;
const RETRY_MS = 250;
/** Another program holds the file, or the process ended before it could check. */
const NOT_KNOWN: ReadonlySet<PlantError['fault']> = new Set(['busy', 'lost']);

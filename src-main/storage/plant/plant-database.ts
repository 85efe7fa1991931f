import { join } from 'node:path';
import type { JsonObject } from '#domain/text/json';
import type { Settings } from '#domain/workspace/settings';
import { osSandbox, sandboxRefusal, type OsSandbox } from '../../platform/os-sandbox/os-sandbox.ts';
import { versionTrial } from '../../platform/os-sandbox/trial.ts';
import { Listeners } from '../../platform/events.ts';
import { IdleWatch } from '../../platform/host-pipe/idle-watch.ts';
import { makePrivateFile } from '../../platform/files/private-files.ts';
import { codeOf } from '../storage-error.ts';
import type { CommitEvidence, CommitOutcome } from './commit-evidence.ts';
import { PlantFile } from './plant-file.ts';
import type { PlantHostOptions, PlantProcess, PlantReply } from './plant-process.ts';
import type { PlantTransaction } from './plant-transaction.ts';
import { PlantFailure } from './plant-transaction.ts';
import {
  CANCELLED,
  type Limits,
  notInTime,
  type PlantError,
  type PlantResult,
  type PlantStatement,
  timeInTotal,
} from './protocol.ts';
import { type ReadBy, ReaderPool } from './reader-pool.ts';
import { PlantWriter } from './writer.ts';

export interface PlantDatabaseOptions {
  /** The folder of the workspace. */
  directory: string;
  /** A plain Node of the product. */
  nodeBinary: string;
  /** The program of the plant host. */
  hostFile: string;
  /** The current settings. */
  settings: {
    get(): Pick<Settings, 'db.statementMs' | 'db.maxRows'> & Partial<Pick<Settings, 'hosts.requireOsSandbox'>>;
  };
  /** The OS sandbox of the processes; the system's own by default. */
  sandbox?: OsSandbox;
  /** How long a process may be silent beyond the time of its statement, ms. */
  patienceMs?: number;
  /** How long after its first request a process is replaced, ms. */
  renewMs?: number;
  /** `fields` identify the event for programs that read the log. */
  log?: (message: string, fields: JsonObject) => void;
}

/** Number of statements of one read that may exceed their time or memory before the rest of it is skipped. */
const ENDED_IN_ONE_READ = 3;

/**
 * plant.db, the database behind the DB tags, which belongs to the user. All its SQL runs in separate processes, so that
 * a statement can neither block nor crash the application. A replaced file is opened at the next use.
 */
export class PlantDatabase {
  readonly #file: PlantFile;
  readonly #settings: PlantDatabaseOptions['settings'];
  readonly #sandbox: OsSandbox;
  readonly #readers: ReaderPool;
  readonly #writer: PlantWriter;
  readonly #running = new Set<PlantProcess>();
  readonly #forgetSandbox: () => void;
  readonly #idleWatch = new IdleWatch(this.#running);
  readonly #fileFaults = new Listeners<number>();
  #replacing: Promise<void> | null = null;
  readonly #violated = new Listeners<number>();
  #violations = 0;
  #hasRead = false;
  #closed = false;

  /** Creates an empty plant.db if there is none. */
  constructor({ directory, nodeBinary, hostFile, settings, sandbox, patienceMs, renewMs, log }: PlantDatabaseOptions) {
    const path = join(directory, 'plant.db');
    this.#sandbox = sandbox ?? osSandbox(versionTrial(nodeBinary));
    makeFile(path);
    const host: PlantHostOptions = {
      nodeBinary,
      hostFile,
      file: path,
      onFileFault: (sqlite) => this.#fileFaults.emit(sqlite),
      givenUp: (event, message) => {
        log?.(message, { event });
        if (event !== 'host.violated') return;
        this.#violations += 1;
        this.#violated.emit(this.#violations);
      },
      sandbox: this.#sandbox,
      running: this.#running,
      refusal: () => this.#refusal(),
      ...(patienceMs !== undefined && { patienceMs }),
      ...(renewMs !== undefined && { renewMs }),
    };
    this.#idleWatch.start();
    this.#file = new PlantFile(path);
    this.#file.dropLogLeftBehind();
    this.#settings = settings;
    this.#readers = new ReaderPool(host);
    this.#forgetSandbox = this.#sandbox.onChange(() => this.review());
    const limits = () => this.#limits();
    this.#writer = new PlantWriter({ host, file: this.#file, limits, look: () => this.#look() });
  }

  get path(): string {
    return this.#file.path;
  }

  /** How many of its processes were ended since the start because of an invalid frame. */
  get violations(): number {
    return this.#violations;
  }

  /** Called with that number when it has changed. */
  onViolation(listener: (violations: number) => void): () => void {
    return this.#violated.add(listener);
  }

  /** Called with the result code of SQLite for errors of the file; the returned function removes the listener. */
  onFileFault(listener: (sqlite: number) => void): () => void {
    return this.#fileFaults.add(listener);
  }

  /** Reads and begins to write, without any change. Throws PlantFailure if either fails. */
  async tryOut(): Promise<void> {
    const [read] = await this.read([{ sql: 'SELECT count(*) FROM sqlite_schema' }]);
    if (read && 'error' in read) throw new PlantFailure(read.error);
    await (await this.begin()).rollback();
  }

  /** The settings or the sandbox have changed: idle processes that may no longer be used end, waiting reads fail. */
  review(): void {
    this.#readers.review();
    this.#writer.review();
  }

  /** The limits of a statement, from the settings. */
  get limits(): Readonly<Limits> {
    return this.#limits();
  }

  /**
   * Runs reads in one call, all at the same moment. One result per statement, in order; never rejects. If one times
   * out, the others are run again without it. Statements that do not begin within the time of a read are not run.
   */
  async read(
    statements: readonly PlantStatement[],
    { limits = this.#limits(), ...by }: ReadBy & { limits?: Limits } = {},
  ): Promise<PlantResult[]> {
    const until = performance.now() + timeInTotal(limits);
    const problem = await this.#look();
    if (problem) return statements.map(() => ({ error: problem }));
    const read = () => this.#read(statements, limits, by, until);
    const results = await read();
    if (!results.some((result) => 'error' in result && result.error.fault === 'recover')) return results;
    const inTheWay = await this.#recover(by.signal);
    return inTheWay ? statements.map(() => ({ error: inTheWay })) : read();
  }

  /** A connection that only reads cannot undo leftovers of a crash in the file: one that writes does. */
  async #recover(signal: AbortSignal | undefined): Promise<PlantError | null> {
    try {
      await (await this.begin(signal)).rollback();
    } catch (thrown) {
      if (!(thrown instanceof PlantFailure)) throw thrown;
      // The program that holds the file has done it.
      if (thrown.fault !== 'taken') return { fault: thrown.fault, message: thrown.message };
    }
    return null;
  }

  async #read(
    statements: readonly PlantStatement[],
    limits: Limits,
    by: ReadBy,
    until: number,
  ): Promise<PlantResult[]> {
    const results: PlantResult[] = [];
    let left = statements.map((statement, place) => ({ statement, place }));
    for (let ended = 0, lost = 0; left.length > 0;) {
      const reply = await this.#readers.read(
        left.map(({ statement }) => statement),
        limits,
        by,
        until,
      );
      if (!('error' in reply)) {
        for (const [index, { place }] of left.entries()) results[place] = reply.results[index] ?? NO_RESPONSE;
        break;
      }
      const over = by.signal?.aborted ? CANCELLED : performance.now() >= until ? notInTime(limits) : null;
      // It may have ended for another reason, such as a replaced file.
      if (over === null && reply.error.fault === 'lost' && !this.#closed && (lost += 1) === 1) continue;
      ended += 1;
      const culprit = culpritOf(reply, left.length);
      if (culprit === null || over !== null || ended >= ENDED_IN_ONE_READ) {
        for (const [index, { place }] of left.entries()) {
          results[place] = { error: index === culprit || culprit === null ? reply.error : (over ?? GIVEN_UP) };
        }
        break;
      }
      for (const { place } of left.splice(culprit, 1)) results[place] = { error: reply.error };
    }
    this.#file.noteLog();
    this.#hasRead = true;
    return results;
  }

  /** Opens a transaction. Throws PlantFailure; see PlantWriter. */
  begin(signal?: AbortSignal): Promise<PlantTransaction> {
    return this.#writer.begin(signal);
  }

  /** Runs SQL of Tagwright's own if plant.db is empty, all or nothing. Throws PlantFailure. */
  async setUp(sql: string): Promise<void> {
    const transaction = await this.begin();
    try {
      const [found] = await transaction.read([{ sql: 'SELECT count(*) FROM sqlite_schema' }]);
      if (found && 'error' in found) throw new PlantFailure(found.error);
      if (found?.rows[0]?.[0] !== 0) return;
      await transaction.script(sql);
      await transaction.commit();
    } finally {
      await transaction.rollback();
    }
  }

  /**
   * What became of a transaction during which Tagwright ended; null if that cannot be determined. Throws PlantFailure if
   * the file cannot be opened, or may not be without an OS sandbox: it can be the work of an intruder, and opening it
   * undoes leftovers of a crash.
   */
  async outcomeOf(before: CommitEvidence): Promise<CommitOutcome | null> {
    if (this.#file.look() === 'missing' || this.#file.isWorkspace) return null;
    await this.#sandbox.known;
    const refusal = this.#refusal();
    if (refusal !== null) throw new PlantFailure(refusal);
    return this.#writer.outcomeOf(before);
  }

  /** Ends all processes; plant.db is then complete without its log. */
  async close(): Promise<void> {
    await this.#checkpointLog();
    this.#closed = true;
    this.#idleWatch.stop();
    this.#forgetSandbox();
    await this.#readers.close();
    await this.#writer.close();
    this.#file.noteLog();
  }

  /**
   * The writer moves the log into the file when it closes; without a writer, leftovers of a crash would stay. Skipped
   * if nothing was read yet, or during a Set: the next start may need the log to find out what was committed.
   */
  async #checkpointLog(): Promise<void> {
    if (this.#closed || !this.#hasRead || !this.#writer.isUnused || !this.#file.hasLog) return;
    try {
      await (await this.begin()).rollback();
    } catch (thrown) {
      if (!(thrown instanceof PlantFailure)) throw thrown;
    }
  }

  #limits(): Limits {
    const { 'db.statementMs': ms, 'db.maxRows': rows } = this.#settings.get();
    return { ms, rows };
  }

  #refusal(): PlantError | null {
    if (!this.#settings.get()['hosts.requireOsSandbox']) return null;
    const message = sandboxRefusal('SQL', this.#sandbox.state);
    return message === null ? null : { fault: 'file', message };
  }

  /** Ensures that the processes have the current file open; returns why nothing can be done. */
  async #look(): Promise<PlantError | null> {
    await this.#sandbox.known;
    if (this.#closed) return { fault: 'lost', message: 'the workspace is closed' };
    const refusal = this.#refusal();
    if (refusal !== null) return refusal;
    const found = this.#file.look();
    if (found === 'missing') return MISSING;
    if (found === 'other') {
      this.#replacing ??= this.#replace().finally(() => {
        this.#replacing = null;
      });
    }
    await this.#replacing;
    return this.#file.isWorkspace ? WORKSPACE : null;
  }

  /** Work on the previous file ends here: its reads are repeated, its transaction is lost. */
  async #replace(): Promise<void> {
    await Promise.all([this.#readers.abandon(), this.#writer.abandon()]);
    this.#file.dropFormerLog();
    this.#file.noteLog();
  }
}

const MISSING: PlantError = {
  fault: 'file',
  message: 'the folder of the workspace has no plant.db: put one there, or restart Tagwright',
};
const WORKSPACE: PlantError = {
  fault: 'file',
  message: 'plant.db is a link to workspace.db, which is not for SQL: put a database of your own there',
};
const NO_RESPONSE: PlantResult = { error: { fault: 'lost', message: 'there was no response' } };
const GIVEN_UP: PlantError = {
  fault: 'time',
  message: `it was not run: ${ENDED_IN_ONE_READ} others of the same read timed out or used too much memory`,
};

/** Which statement exceeded its time or memory; null for any other failure. */
function culpritOf(reply: Extract<PlantReply, { error: PlantError }>, count: number): number | null {
  if (reply.at === undefined) return null;
  return reply.at >= 0 && reply.at < count ? reply.at : null;
}

/** An empty file is an empty database. */
function makeFile(path: string): void {
  try {
    makePrivateFile(path);
  } catch (thrown) {
    // A failure is reported at the first use.
    if (!['EEXIST', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EISDIR'].includes(codeOf(thrown))) throw thrown;
  }
}

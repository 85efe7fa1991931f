import {
  type HostRole,
  type Limits,
  MAX_MESSAGE,
  notInTime,
  type PlantError,
  type PlantFault,
  type PlantRequest,
  type PlantResult,
  type SentStatement,
} from '../protocol.ts';
import { Connection, NotAllowed, TooLarge } from './connection.ts';
import type { Watch } from './watchdog.ts';

export interface HostOptions {
  file: string;
  role: HostRole;
  busyMs: number;
}

interface HostRequest {
  id: number;
  limits: Limits;
  add: (result: PlantResult) => void;
}

/** The statements that end and begin a transaction. */
const CONTROL = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  save: 'SAVEPOINT tagwright',
  release: 'RELEASE tagwright',
  undo: 'ROLLBACK TO tagwright; RELEASE tagwright',
} as const;

/** Responds to the requests of main, one after another. */
export class HostSession {
  readonly #options: HostOptions;
  readonly #watch: Watch;
  readonly #texts = new Map<number, string>();
  #connection: Connection | null = null;
  /** Whether main expects a transaction. */
  #begun = false;

  constructor(options: HostOptions, watch: Watch) {
    this.#options = options;
    this.#watch = watch;
  }

  /** Carries out the request. Passes results to `add` as they come; returns why it failed, or null. */
  handle(request: PlantRequest, add: (result: PlantResult) => void): PlantError | null {
    const { id, limits } = request;
    for (const [number, text] of request.texts ?? []) this.#texts.set(number, text);
    this.#watch.begin(id, -1, limits.ms + this.#options.busyMs);
    try {
      const connection = this.#open();
      connection.newResponse();
      if (request.op === 'read' || request.op === 'write') {
        this.#runAll(connection, request.statements, { id, limits, add });
      } else if (request.op === 'script') {
        connection.control(request.sql);
      } else {
        return this.#control(connection, request.op);
      }
      return null;
    } catch (thrown) {
      return faultOf(thrown, 'data', this.#options.role);
    } finally {
      this.#watch.end();
    }
  }

  #open(): Connection {
    const { file, role, busyMs } = this.#options;
    return (this.#connection ??= new Connection(file, role, busyMs));
  }

  #control(connection: Connection, op: keyof typeof CONTROL | 'check' | 'close'): PlantError | null {
    if (op === 'close') {
      connection.close();
      this.#connection = null;
      return null;
    }
    if (op === 'check') return connection.inTransaction ? this.#check(connection) : ENDED;
    if (op === 'rollback' && !connection.inTransaction) this.#begun = false;
    else if (op === 'begin' || connection.inTransaction) connection.control(CONTROL[op]);
    else return ENDED;
    if (op === 'begin') this.#begun = true;
    if (op === 'commit' || op === 'rollback') this.#begun = false;
    return null;
  }

  /**
   * Whether COMMIT would fail, without one. Violations that were in the file before do not count; to know them, the
   * transaction is rolled back, which is next anyway.
   */
  #check(connection: Connection): PlantError | null {
    const found = connection.violations();
    if (found.size === 0) return null;
    connection.control('ROLLBACK; BEGIN');
    const before = connection.violations();
    connection.control('ROLLBACK');
    for (const [what, { count, message }] of found) {
      if (count > (before.get(what)?.count ?? 0)) return { fault: 'data', message: message.slice(0, MAX_MESSAGE) };
    }
    return null;
  }

  /** All in one transaction, so that all see the same moment. */
  #runAll(connection: Connection, statements: readonly SentStatement[], request: HostRequest): void {
    if (this.#begun) {
      this.#runEach(connection, statements, request);
      return;
    }
    connection.control('BEGIN');
    try {
      this.#runEach(connection, statements, request);
    } finally {
      if (connection.inTransaction) connection.control('ROLLBACK');
    }
  }

  #runEach(connection: Connection, statements: readonly SentStatement[], { id, limits, add }: HostRequest): void {
    const until = performance.now() + (limits.totalMs ?? Infinity);
    // A problem of the file affects all statements: waiting for each again would take forever.
    let unusable: PlantResult | null = null;
    for (const [at, sent] of statements.entries()) {
      if (performance.now() >= until) unusable ??= { error: notInTime(limits) };
      const result: PlantResult = unusable ?? this.#run(connection, sent, { id, at, limits });
      if ('error' in result && ['busy', 'file', 'recover'].includes(result.error.fault)) unusable = result;
      add(result);
    }
  }

  #run(
    connection: Connection,
    [number, bind]: SentStatement,
    { id, at, limits }: { id: number; at: number; limits: Limits },
  ): PlantResult {
    // A trigger or an OR ROLLBACK can end the transaction: later statements would be committed at once, one by one.
    if (!connection.inTransaction) return { error: ENDED };
    const sql = this.#texts.get(number);
    if (sql === undefined) throw new Error(`main has not sent statement ${number}`);
    this.#watch.begin(id, at, limits.ms);
    try {
      const result = connection.run(sql, bind, limits);
      return connection.inTransaction ? result : { error: ENDED };
    } catch (thrown) {
      return { error: faultOf(thrown, connection.isPrepared(sql) ? 'data' : 'sql', this.#options.role) };
    }
  }
}

const ENDED: PlantError = { fault: 'lost', message: 'a statement or trigger has rolled the transaction back' };

/** Primary result codes of SQLite that the statement did not cause. */
const FAULTS: Readonly<Record<number, PlantFault>> = {
  3: 'file', // PERM
  5: 'busy',
  6: 'busy', // LOCKED
  7: 'size', // NOMEM
  8: 'file', // READONLY
  10: 'file', // IOERR
  11: 'file', // CORRUPT
  13: 'file', // FULL
  14: 'file', // CANTOPEN
  15: 'busy', // PROTOCOL
  18: 'size', // TOOBIG
  26: 'file', // NOTADB
};

const READONLY = 8;

/** Classifies an error of SQLite. A reader also gets "cannot be written" if a crash has left something to undo. */
function faultOf(thrown: unknown, otherwise: 'sql' | 'data', role: HostRole): PlantError {
  // A trigger can raise an error with any text.
  const message = (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MAX_MESSAGE);
  if (thrown instanceof NotAllowed) return { fault: 'sql', message };
  if (thrown instanceof TooLarge) return { fault: 'size', message };
  const sqlite = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) : 0;
  const code = sqlite & 0xff;
  if (code === READONLY && role === 'reader') return { fault: 'recover', message };
  const fault = FAULTS[code] ?? otherwise;
  return { fault, message, ...(fault === 'file' && { sqlite }) };
}

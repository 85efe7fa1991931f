import type {
  HostRole,
  Limits,
  PlantAnswer,
  PlantError,
  PlantRequest,
  PlantResult,
  SentStatement,
} from '../protocol.ts';
import { Connection } from './connection.ts';
import { faultOf } from './faults.ts';
import type { Watch } from './watchdog.ts';

export interface HostOptions {
  file: string;
  role: HostRole;
  busyMs: number;
}

/** What ends a transaction that is being written to, and begins one. */
const CONTROL = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  save: 'SAVEPOINT tagwright',
  release: 'RELEASE tagwright',
  undo: 'ROLLBACK TO tagwright; RELEASE tagwright',
} as const;

/** Answers the requests of main, one after another. */
export class HostSession {
  readonly #options: HostOptions;
  readonly #watch: Watch;
  readonly #texts = new Map<number, string>();
  #connection: Connection | null = null;
  /** Whether main believes to be in a transaction. */
  #begun = false;

  constructor(options: HostOptions, watch: Watch) {
    this.#options = options;
    this.#watch = watch;
  }

  handle(request: PlantRequest): PlantAnswer {
    const { id, limits } = request;
    for (const [number, text] of request.texts ?? []) this.#texts.set(number, text);
    this.#watch.begin(id, -1, limits.ms + this.#options.busyMs);
    try {
      const connection = this.#open();
      connection.newAnswer();
      if (request.op === 'read' || request.op === 'write') {
        return { id, results: this.#runAll(connection, request.statements, id, limits) };
      }
      if (request.op === 'script') {
        connection.control(request.sql);
        return { id, results: [] };
      }
      return this.#control(connection, request.op, id);
    } catch (thrown) {
      return { id, error: faultOf(thrown, 'data', this.#options.role) };
    } finally {
      this.#watch.end();
    }
  }

  #open(): Connection {
    const { file, role, busyMs } = this.#options;
    return (this.#connection ??= new Connection(file, role, busyMs));
  }

  #control(connection: Connection, op: keyof typeof CONTROL | 'close', id: number): PlantAnswer {
    if (op === 'close') {
      connection.close();
      this.#connection = null;
      return { id, results: [] };
    }
    if (op === 'rollback' && !connection.inTransaction) this.#begun = false;
    else if (op === 'begin' || connection.inTransaction) connection.control(CONTROL[op]);
    else return { id, error: ENDED };
    if (op === 'begin') this.#begun = true;
    if (op === 'commit' || op === 'rollback') this.#begun = false;
    return { id, results: [] };
  }

  /** All in one transaction, so that all see the same moment. */
  #runAll(connection: Connection, statements: readonly SentStatement[], id: number, limits: Limits): PlantResult[] {
    if (this.#begun) return this.#runEach(connection, statements, id, limits);
    connection.control('BEGIN');
    try {
      return this.#runEach(connection, statements, id, limits);
    } finally {
      if (connection.inTransaction) connection.control('ROLLBACK');
    }
  }

  #runEach(connection: Connection, statements: readonly SentStatement[], id: number, limits: Limits): PlantResult[] {
    // What is wrong with the file is so for all: waiting for it again and again would take for ever.
    let unusable: PlantResult | null = null;
    return statements.map((sent, at) => {
      if (unusable) return unusable;
      const result = this.#run(connection, sent, { id, at, limits });
      if ('error' in result && ['busy', 'file', 'recover'].includes(result.error.fault)) unusable = result;
      return result;
    });
  }

  #run(
    connection: Connection,
    [number, bind]: SentStatement,
    { id, at, limits }: { id: number; at: number; limits: Limits },
  ): PlantResult {
    // A trigger or an OR ROLLBACK can end the transaction: what follows would be kept at once, by itself.
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

import type { SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { constants, DatabaseSync } from 'node:sqlite';
import type { Json } from '#domain/text/json';
import type { Bound, HostRole, Limits, PlantRows } from '../protocol.ts';
import { MAX_RESPONSE_SIZE, MAX_VALUE_BYTES, sizeOf } from '../protocol.ts';

/** Number of prepared statements to keep, most recently used. */
const KEPT = 5_000;

/** The permitted actions in statements of users: SQLite rejects everything else, such as ATTACH, PRAGMA and COMMIT. */
const READS = [constants.SQLITE_SELECT, constants.SQLITE_READ, constants.SQLITE_RECURSIVE];
const ALLOWED: Record<HostRole, ReadonlySet<number>> = {
  reader: new Set(READS),
  writer: new Set([...READS, constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE]),
};
/** Requested by the full-text and R-tree modules themselves; they change nothing. */
const HARMLESS_PRAGMAS = new Set(['data_version', 'page_size']);
const REFUSED_FUNCTIONS = new Set(['load_extension', 'fts3_tokenizer']);
const WITH_DEFERRABLE_KEYS = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%deferrable%'";
const ACTIONS = new Map(Object.entries(constants).map(([name, code]) => [code, name.replace('SQLITE_', '')]));

/** A result that exceeds the limit. */
export class TooLarge extends Error {}

/** The action that SQLite's authorizer rejected. */
export class NotAllowed extends Error {}

/** One connection to plant.db, for the statements of users and the transactions around them. */
export class Connection {
  readonly #database: DatabaseSync;
  readonly #role: HostRole;
  readonly #statements = new Map<string, StatementSync>();
  /** Whether Tagwright's own statement is being prepared. */
  #own = true;
  #refused: string | null = null;
  #room = MAX_RESPONSE_SIZE;

  /** @param busyMs how long a statement waits for another program that holds the file */
  constructor(file: string, role: HostRole, busyMs: number) {
    this.#role = role;
    this.#database = new DatabaseSync(file, {
      readOnly: role === 'reader',
      timeout: busyMs,
      returnArrays: true,
      limits: { length: MAX_VALUE_BYTES },
    });
    try {
      this.#database.enableDefensive(true);
      if (role === 'writer') this.#begin();
      this.#database.setAuthorizer((action, first, second) => this.#authorize(action, first, second));
    } catch (thrown) {
      this.#database.close();
      throw thrown;
    }
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }

  /** Whether SQLite has accepted this text, so that only its execution can fail. */
  isPrepared(sql: string): boolean {
    return this.#statements.has(sql);
  }

  /** Runs a statement of Tagwright's own, such as BEGIN. */
  control(sql: string): void {
    this.#own = true;
    try {
      this.#database.exec(sql);
    } finally {
      this.#own = false;
    }
  }

  /** A new response begins: its values together have a limit. */
  newResponse(): void {
    this.#room = MAX_RESPONSE_SIZE;
  }

  /** Runs one statement of a user. Throws the error of SQLite, NotAllowed or TooLarge. */
  run(sql: string, bind: Readonly<Record<string, Bound>> = {}, limits: Limits): PlantRows {
    this.#refused = null;
    try {
      return this.#run(sql, bind, limits);
    } catch (thrown) {
      throw this.#refused === null ? thrown : new NotAllowed(`${String(this.#refused)} is not allowed here`);
    }
  }

  #run(sql: string, bind: Readonly<Record<string, Bound>>, limits: Limits): PlantRows {
    const start = performance.now();
    const statement = this.#prepare(sql);
    const parameters = boundValues(bind);
    const columns = statement.columns().map(({ name }) => name);
    // A statement without columns is run to its end by run(), which counts the changes.
    if (columns.length === 0) {
      const changes = Number(statement.run(parameters).changes);
      return { columns, rows: [], changes, ms: performance.now() - start };
    }
    const before = this.#totalChanges();
    const { rows, more } = this.#rows(statement, parameters, limits.rows);
    const changes = this.#totalChanges() - before;
    return { columns, rows, ...(more && { more }), changes, ms: performance.now() - start };
  }

  /**
   * The rows that violate a deferrable foreign key, which SQLite checks only in COMMIT: by table, row and key, with the
   * number of such rows. Reads all rows of the tables with such keys.
   */
  violations(): Map<string, { count: number; message: string }> {
    const found = new Map<string, { count: number; message: string }>();
    this.#own = true;
    try {
      const tables = this.#database.prepare(WITH_DEFERRABLE_KEYS).all() as unknown as [string][];
      for (const [table] of tables) this.#addViolations(table, found);
      return found;
    } finally {
      this.#own = false;
    }
  }

  #addViolations(table: string, found: ReturnType<Connection['violations']>): void {
    try {
      for (const row of this.#database.prepare('SELECT * FROM pragma_foreign_key_check(?)').iterate(table)) {
        const [child, rowid, parent, key] = row as unknown as SQLOutputValue[];
        const place = `${String(child)} ${String(rowid)} ${String(key)}`;
        const message = `FOREIGN KEY constraint failed: a row of "${String(child)}" refers to a row of "${String(parent)}" that does not exist`;
        found.set(place, { count: (found.get(place)?.count ?? 0) + 1, message });
      }
    } catch (thrown) {
      // A key that SQLite cannot check, because its parent is no key or is missing, rejects every write of its table.
      if (!(thrown instanceof Error && /mismatch|no such table/.test(thrown.message))) throw thrown;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  /** An empty file is a new one; a file with content stays in the mode that its owner chose. */
  #begin(): void {
    const [pages] = this.#database.prepare('PRAGMA page_count').get() as unknown as number[];
    if (pages === 0) this.#database.exec('PRAGMA journal_mode = WAL');
    this.#database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  }

  #totalChanges(): number {
    if (this.#role === 'reader') return 0;
    const [count] = this.#prepare('SELECT total_changes()').get() as unknown as bigint[];
    return Number(count);
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#database.prepare(sql);
    if (this.#role === 'writer') statement.setReadBigInts(true);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > KEPT && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  #rows(statement: StatementSync, bind: Record<string, SQLInputValue>, limit: number) {
    try {
      return this.#collect(statement, bind, limit);
    } catch (thrown) {
      // An integer that a number cannot represent: it is read again exactly.
      if (!(thrown instanceof RangeError) || !isOutOfRange(thrown)) throw thrown;
    }
    statement.setReadBigInts(true);
    try {
      return this.#collect(statement, bind, limit);
    } finally {
      statement.setReadBigInts(false);
    }
  }

  #collect(statement: StatementSync, bind: Record<string, SQLInputValue>, limit: number) {
    const rows: Json[][] = [];
    let room = this.#room - sizeOfAll(statement.columns().map(({ name }) => name));
    for (const row of statement.iterate(bind) as unknown as Iterable<SQLOutputValue[]>) {
      if (rows.length === limit) {
        this.#room = room;
        return { rows, more: true };
      }
      const values = row.map(jsonOf);
      room -= sizeOfAll(values);
      if (room < 0) throw new TooLarge(`its result has more than ${MAX_RESPONSE_SIZE.toLocaleString('en')} characters`);
      rows.push(values);
    }
    this.#room = room;
    return { rows, more: false };
  }

  #authorize(action: number, first: string | null, second: string | null): number {
    if (this.#own) return constants.SQLITE_OK;
    if (action === constants.SQLITE_READ && (first ?? '').toLowerCase().startsWith('pragma_')) {
      this.#refused = 'PRAGMA';
      return constants.SQLITE_DENY;
    }
    if (ALLOWED[this.#role].has(action)) return constants.SQLITE_OK;
    if (action === constants.SQLITE_FUNCTION) {
      if (!REFUSED_FUNCTIONS.has((second ?? '').toLowerCase())) return constants.SQLITE_OK;
      this.#refused = `${second}()`;
      return constants.SQLITE_DENY;
    }
    if (action === constants.SQLITE_PRAGMA && HARMLESS_PRAGMAS.has((first ?? '').toLowerCase())) {
      return constants.SQLITE_OK;
    }
    this.#refused = ACTIONS.get(action)?.replaceAll('_', ' ') ?? 'this';
    return constants.SQLITE_DENY;
  }
}

function sizeOfAll(values: readonly Json[]): number {
  let size = 0;
  for (const value of values) size += sizeOf(value);
  return size;
}

function isOutOfRange(thrown: RangeError): boolean {
  return 'code' in thrown && thrown.code === 'ERR_OUT_OF_RANGE';
}

function boundValues(bind: Readonly<Record<string, Bound>>): Record<string, SQLInputValue> {
  const values: Record<string, SQLInputValue> = {};
  for (const [name, value] of Object.entries(bind)) values[name] = boundValue(value);
  return values;
}

/** A bound number becomes a REAL, so integers are bound as a type that becomes an INTEGER. */
function boundValue(value: Bound): SQLInputValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  return 'real' in value ? value.real : Buffer.from(value.bytes, 'base64');
}

function jsonOf(value: SQLOutputValue): Json {
  if (typeof value === 'string' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return Buffer.from(value).toString('base64');
}

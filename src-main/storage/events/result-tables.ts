import type { Database, Statement } from 'better-sqlite3';
import type { ColumnType } from '#domain/rule/rule';

export interface ResultColumn {
  name: string;
  type: ColumnType;
}

export type ColumnValue = number | string | null;

/** The columns of every data row besides the outputs. Times are RFC 3339 local time with offset and ms. */
export interface DataRow {
  firedAt: string;
  firedBy: 'window' | 'hand';
  windowStart: string;
  windowEnd: string;
  samples: number;
  badSamples: number;
  /** Outputs in the order of the given columns. */
  values: ColumnValue[];
}

/** The columns of every result table before those of the outputs. */
export const OWN_COLUMNS: readonly ResultColumn[] = [
  { name: 'id', type: 'INTEGER' },
  { name: 'fired_at', type: 'TEXT' },
  { name: 'fired_by', type: 'TEXT' },
  { name: 'window_start', type: 'TEXT' },
  { name: 'window_end', type: 'TEXT' },
  { name: 'samples', type: 'INTEGER' },
  { name: 'bad_samples', type: 'INTEGER' },
];

interface ColumnInfo {
  name: string;
  type: ColumnType;
}

/**
 * The tables with the data rows of rules: real tables with typed columns, one per rule. Columns are only ever added, so
 * that old rows stay unchanged. Methods that write must be called inside a job of the commit queue.
 */
export class ResultTables {
  readonly #database: Database;
  /** By table, with their columns: firings of a previous definition of the rule may follow its change. */
  readonly #inserts = new Map<string, { names: readonly string[]; insert: Statement<ColumnValue[]> }>();
  readonly #exists: Statement<[string], number>;
  readonly #hasTrigger: Statement<[string], number>;

  constructor(database: Database) {
    this.#database = database;
    this.#exists = database
      .prepare<[string], number>(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`)
      .pluck();
    this.#hasTrigger = database
      .prepare<[string], number>(`SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND name = ?`)
      .pluck();
  }

  /** The tables of all rules, also of deleted ones whose rows are kept; some may not exist yet. */
  names(): string[] {
    return this.#database
      .prepare<[], string>(`SELECT result_table FROM rules WHERE result_table <> '' AND drop_rows = 0 ORDER BY id`)
      .pluck()
      .all();
  }

  /** All columns of a table in order; none if the table does not exist. */
  columns(table: string): ResultColumn[] {
    return this.#database.prepare<[], ColumnInfo>(`SELECT name, type FROM pragma_table_info(${text(table)})`).all();
  }

  /** Creates the table, or adds missing columns, after which SQLite reads the schema of all tables again. */
  ensure(table: string, columns: readonly ResultColumn[]): void {
    const definitions = columns.map(({ name, type }) => ({ name, definition: `${quoted(name)} ${type}` }));
    if (!this.#exists.get(table)) {
      this.#database.exec(`CREATE TABLE ${quoted(table)} (
        id INTEGER PRIMARY KEY,
        fired_at TEXT NOT NULL,
        fired_by TEXT NOT NULL,
        window_start TEXT NOT NULL,
        window_end TEXT NOT NULL,
        samples INTEGER NOT NULL,
        bad_samples INTEGER NOT NULL
        ${definitions.map(({ definition }) => `, ${definition}`).join('')}
      ) STRICT`);
      this.#database.exec(`CREATE TRIGGER ${quoted(triggerOf(table))} AFTER DELETE ON ${quoted(table)}
        WHEN old.id > (SELECT coalesce(max(id), 0) FROM ${quoted(table)})
        BEGIN
          INSERT INTO last_result_ids (result_table, last_id) VALUES (${text(table)}, old.id)
            ON CONFLICT DO UPDATE SET last_id = max(last_id, excluded.last_id);
        END`);
    }
    const present = new Set(this.columns(table).map(({ name }) => name));
    for (const { name, definition } of definitions) {
      if (!present.has(name)) this.#database.exec(`ALTER TABLE ${quoted(table)} ADD COLUMN ${definition}`);
    }
  }

  /**
   * Writes a row and returns its id, which was never used before.
   * @param names the columns of the values; the table has them
   */
  insert(table: string, names: readonly string[], row: DataRow): number {
    const { firedAt, firedBy, windowStart, windowEnd, samples, badSamples, values } = row;
    const insert = this.#insertOf(table, names);
    const result = insert.run(firedAt, firedBy, windowStart, windowEnd, samples, badSamples, ...values);
    return Number(result.lastInsertRowid);
  }

  #insertOf(table: string, names: readonly string[]): Statement<ColumnValue[]> {
    const known = this.#inserts.get(table);
    if (known?.names.length === names.length && known.names.every((name, at) => name === names[at]))
      return known.insert;
    const all = [...OWN_COLUMNS.map(({ name }) => name), ...names];
    const given = all.slice(1).map(() => '?');
    const insert = this.#database.prepare<ColumnValue[]>(
      `INSERT INTO ${quoted(table)} (${all.map(quoted).join(', ')}) VALUES (${[this.#nextId(table), ...given].join(', ')})`,
    );
    this.#inserts.set(table, { names, insert });
    return insert;
  }

  /**
   * The id of a new row; NULL leaves it to SQLite, which continues from the newest row, as is almost always the case.
   */
  #nextId(table: string): string {
    // A table that was made by an earlier version has AUTOINCREMENT.
    if (!this.#hasTrigger.get(triggerOf(table))) return 'NULL';
    return `CASE WHEN EXISTS (SELECT 1 FROM last_result_ids) THEN 1 + max(
      (SELECT coalesce(max(id), 0) FROM ${quoted(table)}),
      coalesce((SELECT last_id FROM last_result_ids WHERE result_table = ${text(table)}), 0)) END`;
  }

  /** Rows with ids below `before`, newest first, as arrays in the order of `columns(table)`. */
  page(table: string, { before, limit }: { before: number; limit: number }): ColumnValue[][] {
    if (!this.#exists.get(table)) return [];
    return this.#database
      .prepare<[number, number], ColumnValue[]>(`SELECT * FROM ${quoted(table)} WHERE id < ? ORDER BY id DESC LIMIT ?`)
      .raw()
      .all(before, limit);
  }

  /** Rows with ids above `after`, oldest first, as arrays in the order of `columns(table)`. */
  first(table: string, { after, limit }: { after: number; limit: number }): ColumnValue[][] {
    if (!this.#exists.get(table)) return [];
    return this.#database
      .prepare<[number, number], ColumnValue[]>(`SELECT * FROM ${quoted(table)} WHERE id > ? ORDER BY id LIMIT ?`)
      .raw()
      .all(after, limit);
  }

  /** Ids have no gaps, because only the oldest rows are ever deleted: only the first and the last row are read. */
  count(table: string): number {
    if (!this.#exists.get(table)) return 0;
    return (
      this.#database
        .prepare<[], number>(
          `SELECT coalesce((SELECT max(id) FROM ${quoted(table)}) - (SELECT min(id) FROM ${quoted(table)}) + 1, 0)`,
        )
        .pluck()
        .get() ?? 0
    );
  }

  /** Deletes the oldest rows, up to a limit, and the table once it is empty; returns whether it was dropped. */
  dropSome(table: string, limit: number): boolean {
    if (!this.#exists.get(table)) return true;
    const { changes } = this.#database
      .prepare<[number]>(
        `DELETE FROM ${quoted(table)} WHERE id IN (SELECT id FROM ${quoted(table)} ORDER BY id LIMIT ?)`,
      )
      .run(limit);
    if (changes === limit) return false;
    this.#database.exec(`DROP TABLE ${quoted(table)}`);
    this.#inserts.delete(table);
    return true;
  }
}

const triggerOf = (table: string): string => `${table}_deleted`;
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

import type { Database } from 'better-sqlite3';

/** A row of `rules`; `definition` is JSON text, Booleans are 0 and 1. */
export interface RuleRow {
  id: number;
  name: string;
  nameKey: string;
  enabled: number;
  triggersEvents: number;
  definition: string;
  resultTable: string;
  savedAt: string;
}

/** The rules. Methods that write must be called inside a job of the commit queue. */
export class RuleRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** The rules that are not deleted. */
  all(): RuleRow[] {
    return this.#statements.all.all();
  }

  /** A rule that is not deleted. */
  get(id: number): RuleRow | undefined {
    return this.#statements.get.get(id);
  }

  /** Whether the rule exists and is not deleted. */
  has(id: number): boolean {
    return this.#statements.has.get(id) === 1;
  }

  /** A rule that is deleted. */
  deleted(id: number): RuleRow | undefined {
    return this.#statements.deleted.get(id);
  }

  /** The rule that has a name and is not deleted. */
  named(nameKey: string): RuleRow | undefined {
    return this.#statements.named.get(nameKey);
  }

  /** Returns the id of the new rule; ids are never reused. */
  insert(row: Omit<RuleRow, 'id' | 'resultTable'>): number {
    return Number(this.#statements.insert.run(row).lastInsertRowid);
  }

  nameTable(id: number, resultTable: string): void {
    this.#statements.nameTable.run(resultTable, id);
  }

  update(row: Omit<RuleRow, 'resultTable'>): void {
    this.#statements.update.run(row);
  }

  /** Marks a rule as deleted. @param at RFC 3339 in UTC */
  delete(id: number, at: string, dropRows: boolean): void {
    this.#statements.delete.run({ id, at, dropRows: dropRows ? 1 : 0 });
  }

  /** Removes the mark; rows that are not dropped yet stay. */
  restore(id: number, savedAt: string): void {
    this.#statements.restore.run(savedAt, id);
  }

  /** Whether the rows of a rule are (still) to be dropped. */
  isToDrop(id: number): boolean {
    return this.#statements.isToDrop.get(id) === 1;
  }

  /** Deleted rules whose rows are still to be dropped. */
  toDrop(): { id: number; resultTable: string }[] {
    return this.#statements.toDrop.all();
  }

  /** Records that the rows of a deleted rule are dropped. */
  dropped(id: number): void {
    this.#statements.dropped.run(id);
  }
}

function prepare(database: Database) {
  const row = `SELECT id, name, name_key AS nameKey, enabled, triggers_events AS triggersEvents, definition,
    result_table AS resultTable, saved_at AS savedAt FROM rules`;
  return {
    all: database.prepare<[], RuleRow>(`${row} WHERE deleted_at IS NULL ORDER BY name_key`),
    get: database.prepare<[number], RuleRow>(`${row} WHERE id = ? AND deleted_at IS NULL`),
    has: database.prepare<[number], number>('SELECT 1 FROM rules WHERE id = ? AND deleted_at IS NULL').pluck(),
    deleted: database.prepare<[number], RuleRow>(`${row} WHERE id = ? AND deleted_at IS NOT NULL`),
    named: database.prepare<[string], RuleRow>(`${row} WHERE name_key = ? AND deleted_at IS NULL`),
    // The name of the table contains the id, which is assigned first.
    insert: database.prepare<[Omit<RuleRow, 'id' | 'resultTable'>]>(`
      INSERT INTO rules (name, name_key, enabled, triggers_events, definition, result_table, saved_at)
      VALUES (@name, @nameKey, @enabled, @triggersEvents, @definition, '', @savedAt)`),
    nameTable: database.prepare<[string, number]>('UPDATE rules SET result_table = ? WHERE id = ?'),
    update: database.prepare<[Omit<RuleRow, 'resultTable'>]>(`
      UPDATE rules SET name = @name, name_key = @nameKey, enabled = @enabled, triggers_events = @triggersEvents,
        definition = @definition, saved_at = @savedAt
      WHERE id = @id`),
    delete: database.prepare<[{ id: number; at: string; dropRows: number }]>(
      'UPDATE rules SET deleted_at = @at, drop_rows = @dropRows WHERE id = @id',
    ),
    restore: database.prepare<[string, number]>(
      'UPDATE rules SET deleted_at = NULL, drop_rows = 0, saved_at = ? WHERE id = ?',
    ),
    isToDrop: database.prepare<[number], number>('SELECT drop_rows FROM rules WHERE id = ?').pluck(),
    toDrop: database.prepare<[], { id: number; resultTable: string }>(
      'SELECT id, result_table AS resultTable FROM rules WHERE drop_rows = 1',
    ),
    dropped: database.prepare<[number]>('UPDATE rules SET drop_rows = 0 WHERE id = ?'),
  };
}

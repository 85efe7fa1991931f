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

/** The rules. What writes is to be called inside a job of the commit queue. */
export class RuleRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Those that are not deleted. */
  all(): RuleRow[] {
    return this.#statements.all.all();
  }

  /** Returns the id of the new rule; ids are never used again. */
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

  /** Deleted rules whose rows are still to be dropped. */
  toDrop(): { id: number; resultTable: string }[] {
    return this.#statements.toDrop.all();
  }

  /** Says that the rows of a deleted rule are gone. */
  dropped(id: number): void {
    this.#statements.dropped.run(id);
  }
}

function prepare(database: Database) {
  return {
    all: database.prepare<[], RuleRow>(`
      SELECT id, name, name_key AS nameKey, enabled, triggers_events AS triggersEvents, definition,
        result_table AS resultTable, saved_at AS savedAt
      FROM rules WHERE deleted_at IS NULL ORDER BY name_key`),
    // The name of the table holds the id: it is given directly after.
    insert: database.prepare<[Omit<RuleRow, 'id' | 'resultTable'>]>(`
      INSERT INTO rules (name, name_key, enabled, triggers_events, definition, result_table, saved_at)
      VALUES (@name, @nameKey, @enabled, @triggersEvents, @definition, '', @savedAt)`),
    nameTable: database.prepare<[string, number]>('UPDATE rules SET result_table = ? WHERE id = ?'),
    update: database.prepare<[Omit<RuleRow, 'resultTable'>]>(`
      UPDATE rules SET name = @name, name_key = @nameKey, enabled = @enabled, triggers_events = @triggersEvents,
        definition = @definition, saved_at = @savedAt
      WHERE id = @id`),
    delete: database.prepare<[{ id: number; at: string; dropRows: number }]>(
      'UPDATE rules SET deleted_at = @at, drop_rows = @dropRows, enabled = 0 WHERE id = @id',
    ),
    toDrop: database.prepare<[], { id: number; resultTable: string }>(
      'SELECT id, result_table AS resultTable FROM rules WHERE drop_rows = 1',
    ),
    dropped: database.prepare<[number]>('UPDATE rules SET drop_rows = 0 WHERE id = ?'),
  };
}

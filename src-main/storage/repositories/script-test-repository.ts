import type { Database } from 'better-sqlite3';

/** A row of `script_tests`; `test` is JSON text: context, fixtures and expected results. */
export interface ScriptTestRow {
  id: number;
  scriptId: number;
  name: string;
  nameKey: string;
  test: string;
  savedAt: string;
}

/** The tests of scripts. Methods that write must be called inside a job of the commit queue. */
export class ScriptTestRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** In order of creation; tests of deleted scripts only if that script is given. */
  list(scriptId: number | null): ScriptTestRow[] {
    return this.#statements.list.all({ scriptId });
  }

  get(id: number): ScriptTestRow | undefined {
    return this.#statements.get.get(id);
  }

  count(scriptId: number): number {
    return this.#statements.count.get(scriptId)?.count ?? 0;
  }

  /** Returns its id; ids are never reused. */
  insert(row: Omit<ScriptTestRow, 'id'>): number {
    return Number(this.#statements.insert.run(row).lastInsertRowid);
  }

  update(row: Omit<ScriptTestRow, 'scriptId'>): void {
    this.#statements.update.run(row);
  }

  delete(id: number): void {
    this.#statements.delete.run(id);
  }
}

const COLUMNS = 't.id, t.script_id AS scriptId, t.name, t.name_key AS nameKey, t.test, t.saved_at AS savedAt';

function prepare(database: Database) {
  return {
    list: database.prepare<[{ scriptId: number | null }], ScriptTestRow>(`
      SELECT ${COLUMNS} FROM script_tests t JOIN scripts s ON s.id = t.script_id
      WHERE CASE WHEN @scriptId IS NULL THEN s.deleted_at IS NULL ELSE t.script_id = @scriptId END
      ORDER BY t.script_id, t.id`),
    get: database.prepare<[number], ScriptTestRow>(`SELECT ${COLUMNS} FROM script_tests t WHERE t.id = ?`),
    count: database.prepare<[number], { count: number }>(
      'SELECT count(*) AS count FROM script_tests WHERE script_id = ?',
    ),
    insert: database.prepare<[Omit<ScriptTestRow, 'id'>]>(`
      INSERT INTO script_tests (script_id, name, name_key, test, saved_at)
      VALUES (@scriptId, @name, @nameKey, @test, @savedAt)`),
    update: database.prepare<[Omit<ScriptTestRow, 'scriptId'>]>(`
      UPDATE script_tests SET name = @name, name_key = @nameKey, test = @test, saved_at = @savedAt WHERE id = @id`),
    delete: database.prepare<[number]>('DELETE FROM script_tests WHERE id = ?'),
  };
}

import type { Database } from 'better-sqlite3';

/** A row of `diagrams`; `page` is JSON text: width, height and parts. */
export interface DiagramRow {
  id: number;
  name: string;
  nameKey: string;
  version: number;
  page: string;
  savedAt: string;
}

/** The Diagrams. Methods that write must be called inside a job of the commit queue. */
export class DiagramRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Ordered by name. */
  all(): DiagramRow[] {
    return this.#statements.all.all();
  }

  get(id: number): DiagramRow | undefined {
    return this.#statements.get.get(id);
  }

  named(nameKey: string): DiagramRow | undefined {
    return this.#statements.named.get(nameKey);
  }

  /** Returns its id; ids are never reused. */
  insert(row: Omit<DiagramRow, 'id'>): number {
    return Number(this.#statements.insert.run(row).lastInsertRowid);
  }

  update(row: DiagramRow): void {
    this.#statements.update.run(row);
  }

  delete(id: number): void {
    this.#statements.delete.run(id);
  }
}

const ROW = 'SELECT id, name, name_key AS nameKey, version, page, saved_at AS savedAt FROM diagrams';

function prepare(database: Database) {
  return {
    all: database.prepare<[], DiagramRow>(`${ROW} ORDER BY name_key`),
    get: database.prepare<[number], DiagramRow>(`${ROW} WHERE id = ?`),
    named: database.prepare<[string], DiagramRow>(`${ROW} WHERE name_key = ?`),
    insert: database.prepare<[Omit<DiagramRow, 'id'>]>(`
      INSERT INTO diagrams (name, name_key, version, page, saved_at)
      VALUES (@name, @nameKey, @version, @page, @savedAt)`),
    update: database.prepare<[DiagramRow]>(`
      UPDATE diagrams SET name = @name, name_key = @nameKey, version = @version, page = @page, saved_at = @savedAt
      WHERE id = @id`),
    delete: database.prepare<[number]>('DELETE FROM diagrams WHERE id = ?'),
  };
}

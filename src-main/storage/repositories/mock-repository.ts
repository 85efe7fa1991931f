import type { Database } from 'better-sqlite3';

/** A mock as it is stored: `route` is JSON text. */
export interface MockRow {
  id: number;
  name: string;
  enabled: number;
  priority: number;
  route: string;
  hits: number;
  lastHitAt: string | null;
  position: number;
}

export type NewMockRow = Omit<MockRow, 'id' | 'hits' | 'lastHitAt' | 'position'>;

/** The mocks of API calls. Methods that write must be called inside a job of the commit queue. */
export class MockRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** All of them, oldest first. */
  all(): MockRow[] {
    return this.#statements.all.all();
  }

  get(id: number): MockRow | undefined {
    return this.#statements.get.get(id);
  }

  /** Returns its id. */
  add(row: NewMockRow): number {
    return Number(this.#statements.add.run(row).lastInsertRowid);
  }

  /** Adds a former mock, with its id and hits. */
  restore(row: MockRow): void {
    this.#statements.restore.run(row);
  }

  replace(id: number, row: NewMockRow): void {
    this.#statements.replace.run({ ...row, id });
  }

  delete(id: number): void {
    this.#statements.delete.run(id);
  }

  setHits(hits: Pick<MockRow, 'id' | 'hits' | 'lastHitAt' | 'position'>): void {
    this.#statements.hits.run(hits);
  }
}

const SELECT = 'SELECT id, name, enabled, priority, route, hits, last_hit_at AS lastHitAt, position FROM api_mocks';

function prepare(database: Database) {
  return {
    all: database.prepare<[], MockRow>(`${SELECT} ORDER BY id`),
    get: database.prepare<[number], MockRow>(`${SELECT} WHERE id = ?`),
    add: database.prepare<[NewMockRow]>(
      'INSERT INTO api_mocks (name, enabled, priority, route) VALUES (@name, @enabled, @priority, @route)',
    ),
    restore: database.prepare<[MockRow]>(
      'INSERT INTO api_mocks (id, name, enabled, priority, route, hits, last_hit_at, position)' +
        ' VALUES (@id, @name, @enabled, @priority, @route, @hits, @lastHitAt, @position)',
    ),
    replace: database.prepare<[NewMockRow & { id: number }]>(
      'UPDATE api_mocks SET name = @name, enabled = @enabled, priority = @priority, route = @route WHERE id = @id',
    ),
    delete: database.prepare<[number]>('DELETE FROM api_mocks WHERE id = ?'),
    hits: database.prepare<[Pick<MockRow, 'id' | 'hits' | 'lastHitAt' | 'position'>]>(
      'UPDATE api_mocks SET hits = @hits, last_hit_at = @lastHitAt, position = @position WHERE id = @id',
    ),
  };
}

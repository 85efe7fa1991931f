import type { Database } from 'better-sqlite3';

export interface SecretRow {
  name: string;
  /** The value as sealed by a cipher. */
  sealed: string;
  /** RFC 3339 in UTC. */
  changedAt: string;
}

/** The named secrets, sealed. Methods that write must be called inside a job of the commit queue. */
export class SecretRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  all(): SecretRow[] {
    return this.#statements.all.all();
  }

  get(name: string): SecretRow | null {
    return this.#statements.get.get(name) ?? null;
  }

  put(row: SecretRow): void {
    this.#statements.put.run(row);
  }

  /** Whether there was one. */
  delete(name: string): boolean {
    return this.#statements.delete.run(name).changes > 0;
  }
}

function prepare(database: Database) {
  const columns = 'name, sealed, changed_at AS changedAt';
  return {
    all: database.prepare<[], SecretRow>(`SELECT ${columns} FROM api_secrets ORDER BY name`),
    get: database.prepare<[string], SecretRow>(`SELECT ${columns} FROM api_secrets WHERE name = ?`),
    put: database.prepare<[SecretRow]>(`
      INSERT INTO api_secrets (name, sealed, changed_at) VALUES (@name, @sealed, @changedAt)
      ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, changed_at = excluded.changed_at`),
    delete: database.prepare<[string]>('DELETE FROM api_secrets WHERE name = ?'),
  };
}

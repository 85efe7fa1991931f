import type { Database } from 'better-sqlite3';
import type { Draft } from '#domain/run/script';

/** Unsaved work, by its key. */
export class DraftRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Every draft, last changed first. */
  all(): Draft[] {
    return this.#statements.all.all();
  }

  put(draft: Draft): void {
    this.#statements.put.run(draft);
  }

  discard(key: string): void {
    this.#statements.discard.run(key);
  }

  discardOfScript(scriptId: number): void {
    this.#statements.discardOfScript.run(scriptId);
  }
}

function prepare(database: Database) {
  return {
    all: database.prepare<[], Draft>(`
      SELECT key, script_id AS scriptId, base_version AS baseVersion, script_group AS "group", name, description, body,
             changed_at AS changedAt
      FROM drafts ORDER BY changed_at DESC, key`),
    put: database.prepare<[Draft]>(`
      INSERT INTO drafts (key, script_id, base_version, script_group, name, description, body, changed_at)
      VALUES (@key, @scriptId, @baseVersion, @group, @name, @description, @body, @changedAt)
      ON CONFLICT (key) DO UPDATE SET
        script_id = excluded.script_id, base_version = excluded.base_version, script_group = excluded.script_group,
        name = excluded.name, description = excluded.description, body = excluded.body,
        changed_at = excluded.changed_at`),
    discard: database.prepare<[string]>('DELETE FROM drafts WHERE key = ?'),
    discardOfScript: database.prepare<[number]>('DELETE FROM drafts WHERE script_id = ?'),
  };
}

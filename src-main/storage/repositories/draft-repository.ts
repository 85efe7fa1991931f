import type { Database } from 'better-sqlite3';
import type { Draft, DraftSummary, ScriptText } from '#domain/run/script';

export type StoredDraft = Omit<DraftSummary, 'isOpen'>;

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

  /** Every draft without its text, last changed first. */
  summaries(): StoredDraft[] {
    return this.#statements.summaries.all();
  }

  get(key: string): Draft | undefined {
    return this.#statements.get.get(key);
  }

  put(draft: Draft): void {
    this.#statements.put.run(draft);
  }

  discard(key: string): void {
    this.#statements.discard.run(key);
  }

  /** Discards the drafts of a script that equal its text: nothing of them is unsaved. */
  discardEqual(scriptId: number, { group, name, description, body }: ScriptText): void {
    this.#statements.discardEqual.run({ scriptId, group, name, description, body });
  }
}

const SUMMARY =
  'key, script_id AS scriptId, base_version AS baseVersion, script_group AS "group", name, changed_at AS changedAt';
const NEWEST_FIRST = 'ORDER BY changed_at DESC, key';

function prepare(database: Database) {
  return {
    all: database.prepare<[], Draft>(`SELECT ${SUMMARY}, description, body FROM drafts ${NEWEST_FIRST}`),
    summaries: database.prepare<[], StoredDraft>(`SELECT ${SUMMARY} FROM drafts ${NEWEST_FIRST}`),
    get: database.prepare<[string], Draft>(`SELECT ${SUMMARY}, description, body FROM drafts WHERE key = ?`),
    put: database.prepare<[Draft]>(`
      INSERT INTO drafts (key, script_id, base_version, script_group, name, description, body, changed_at)
      VALUES (@key, @scriptId, @baseVersion, @group, @name, @description, @body, @changedAt)
      ON CONFLICT (key) DO UPDATE SET
        script_id = excluded.script_id, base_version = excluded.base_version, script_group = excluded.script_group,
        name = excluded.name, description = excluded.description, body = excluded.body,
        changed_at = excluded.changed_at`),
    discard: database.prepare<[string]>('DELETE FROM drafts WHERE key = ?'),
    discardEqual: database.prepare<[ScriptText & { scriptId: number }]>(`
      DELETE FROM drafts
      WHERE script_id = @scriptId AND script_group = @group AND name = @name AND description = @description
        AND body = @body`),
  };
}

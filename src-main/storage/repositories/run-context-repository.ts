import type { Database } from 'better-sqlite3';
import type { ScriptContexts } from '#domain/run/saved-context';
import { NO_CONTEXTS } from '#domain/run/saved-context';

/** The inputs of scripts in the preview. Methods that write must be called inside a job of the commit queue. */
export class RunContextRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Ordered by script. */
  all(): { scriptId: number; contexts: ScriptContexts }[] {
    return this.#statements.all.all().map(({ scriptId, text }) => ({ scriptId, contexts: JSON.parse(text) }));
  }

  get(scriptId: number): ScriptContexts {
    const text = this.#statements.get.get(scriptId);
    if (text === undefined) return NO_CONTEXTS;
    const contexts: ScriptContexts = JSON.parse(text);
    return contexts;
  }

  put(scriptId: number, contexts: ScriptContexts): void {
    this.#statements.put.run(scriptId, JSON.stringify(contexts));
  }
}

function prepare(database: Database) {
  return {
    all: database.prepare<[], { scriptId: number; text: string }>(
      'SELECT script_id AS scriptId, contexts AS text FROM run_contexts ORDER BY script_id',
    ),
    get: database.prepare<[number], string>('SELECT contexts FROM run_contexts WHERE script_id = ?').pluck(),
    put: database.prepare<[number, string]>(`
      INSERT INTO run_contexts (script_id, contexts) VALUES (?, ?)
      ON CONFLICT (script_id) DO UPDATE SET contexts = excluded.contexts`),
  };
}

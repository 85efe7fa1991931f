import type { Database, Statement } from 'better-sqlite3';
import type { Json } from '#domain/text/json';

/** Settings that differ from their defaults, as JSON by key. */
export class SettingsRepository {
  readonly #all: Statement<[], { key: string; value: string }>;
  readonly #put: Statement<[string, string]>;
  readonly #delete: Statement<[string]>;

  constructor(database: Database) {
    this.#all = database.prepare('SELECT key, value FROM settings');
    this.#put = database.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    this.#delete = database.prepare('DELETE FROM settings WHERE key = ?');
  }

  /** JSON text by key. */
  all(): Map<string, string> {
    return new Map(this.#all.all().map((row) => [row.key, row.value]));
  }

  put(key: string, value: Json): void {
    this.#put.run(key, JSON.stringify(value));
  }

  delete(key: string): void {
    this.#delete.run(key);
  }
}

import type { Database, Statement } from 'better-sqlite3';

/** One stored value of a storage tag; `''` is the internal default of a scope, `value` is JSON text. */
export interface StorageValueRow {
  tagId: number;
  diagram: string;
  location: string;
  value: string;
}

/** The values of storage tags by scope. Methods that write must be called inside a job of the commit queue. */
export class StorageValueRepository {
  readonly #all: Statement<[], StorageValueRow>;
  readonly #of: Statement<[number], StorageValueRow>;
  readonly #put: Statement<[number, string, string, string, string]>;
  readonly #delete: Statement<[number, string, string]>;
  readonly #deleteOf: Statement<[number]>;
  readonly #writtenAt: Statement<[number, string, string], string>;

  constructor(database: Database) {
    const columns = 'tag_id AS tagId, diagram, location, value';
    this.#all = database.prepare(`SELECT ${columns} FROM storage_values`);
    this.#of = database.prepare(`SELECT ${columns} FROM storage_values WHERE tag_id = ?`);
    this.#put = database.prepare(
      'INSERT INTO storage_values (tag_id, diagram, location, value, written_at) VALUES (?, ?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET value = excluded.value, written_at = excluded.written_at',
    );
    this.#delete = database.prepare('DELETE FROM storage_values WHERE tag_id = ? AND diagram = ? AND location = ?');
    this.#deleteOf = database.prepare('DELETE FROM storage_values WHERE tag_id = ?');
    this.#writtenAt = database
      .prepare<[number, string, string], string>(
        'SELECT written_at FROM storage_values WHERE tag_id = ? AND diagram = ? AND location = ?',
      )
      .pluck();
  }

  all(): IterableIterator<StorageValueRow> {
    return this.#all.iterate();
  }

  of(tagId: number): StorageValueRow[] {
    return this.#of.all(tagId);
  }

  /** When the value of exactly this scope was written, RFC 3339 in UTC; null if there is none. */
  writtenAt({ tagId, diagram, location }: Omit<StorageValueRow, 'value'>): string | null {
    return this.#writtenAt.get(tagId, diagram, location) ?? null;
  }

  /** @param writtenAt RFC 3339 in UTC */
  put({ tagId, diagram, location, value }: StorageValueRow, writtenAt: string): void {
    this.#put.run(tagId, diagram, location, value, writtenAt);
  }

  delete({ tagId, diagram, location }: Omit<StorageValueRow, 'value'>): void {
    this.#delete.run(tagId, diagram, location);
  }

  deleteOf(tagId: number): void {
    this.#deleteOf.run(tagId);
  }
}

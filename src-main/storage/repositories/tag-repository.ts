import type { Database, Statement } from 'better-sqlite3';

/** A row of `tags`; `settings` is JSON text, `kind` and `type` are as written, by any version. */
export interface TagRow {
  id: number;
  path: string;
  kind: string;
  type: string;
  description: string;
  unit: string;
  /** null for none. */
  format: string | null;
  settings: string;
}

/** The definitions of tags. Methods that write must be called inside a job of the commit queue. */
export class TagRepository {
  readonly #all: Statement<[], TagRow>;
  readonly #byPath: Statement<[string], TagRow>;
  readonly #insert: Statement<[Omit<TagRow, 'id'>]>;
  readonly #update: Statement<[TagRow]>;
  readonly #rename: Statement<[string, number]>;
  readonly #delete: Statement<[number]>;

  constructor(database: Database) {
    const columns = 'id, path, kind, type, description, unit, format, settings';
    this.#all = database.prepare(`SELECT ${columns} FROM tags`);
    this.#byPath = database.prepare(`SELECT ${columns} FROM tags WHERE path = ?`);
    this.#insert = database.prepare(
      'INSERT INTO tags (path, kind, type, description, unit, format, settings) ' +
        'VALUES (@path, @kind, @type, @description, @unit, @format, @settings)',
    );
    this.#update = database.prepare(
      'UPDATE tags SET kind = @kind, type = @type, description = @description, unit = @unit, format = @format, ' +
        'settings = @settings WHERE id = @id',
    );
    this.#rename = database.prepare('UPDATE tags SET path = ? WHERE id = ?');
    this.#delete = database.prepare('DELETE FROM tags WHERE id = ?');
  }

  all(): TagRow[] {
    return this.#all.all();
  }

  byPath(path: string): TagRow | null {
    return this.#byPath.get(path) ?? null;
  }

  /** Returns the id of the new tag; ids are never reused. */
  insert(row: Omit<TagRow, 'id'>): number {
    return Number(this.#insert.run(row).lastInsertRowid);
  }

  update(row: TagRow): void {
    this.#update.run(row);
  }

  /** Renames the tag; its stored data stays. */
  rename(id: number, path: string): void {
    this.#rename.run(path, id);
  }

  /** Deletes the tag with its values and overrides. */
  delete(id: number): void {
    this.#delete.run(id);
  }
}

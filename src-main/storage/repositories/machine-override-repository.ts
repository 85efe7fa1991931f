import type { Database, Statement } from 'better-sqlite3';

/**
 * The overrides of a machine tag: a value (JSON text) until released, a quality until cleared; null if there is none.
 */
export interface MachineOverrideRow {
  tagId: number;
  value: string | null;
  quality: string | null;
}

/** The overrides of machine tags. Methods that write must be called inside a job of the commit queue. */
export class MachineOverrideRepository {
  readonly #all: Statement<[], MachineOverrideRow>;
  readonly #of: Statement<[number], MachineOverrideRow>;
  readonly #putValue: Statement<[number, string | null]>;
  readonly #putQuality: Statement<[number, string | null]>;
  readonly #deleteEmpty: Statement<[number]>;
  readonly #deleteOf: Statement<[number]>;

  constructor(database: Database) {
    const columns = 'tag_id AS tagId, value, quality';
    this.#all = database.prepare(`SELECT ${columns} FROM machine_overrides`);
    this.#of = database.prepare(`SELECT ${columns} FROM machine_overrides WHERE tag_id = ?`);
    this.#putValue = database.prepare(
      'INSERT INTO machine_overrides (tag_id, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    this.#putQuality = database.prepare(
      'INSERT INTO machine_overrides (tag_id, quality) VALUES (?, ?) ' +
        'ON CONFLICT DO UPDATE SET quality = excluded.quality',
    );
    this.#deleteEmpty = database.prepare(
      'DELETE FROM machine_overrides WHERE tag_id = ? AND value IS NULL AND quality IS NULL',
    );
    this.#deleteOf = database.prepare('DELETE FROM machine_overrides WHERE tag_id = ?');
  }

  all(): MachineOverrideRow[] {
    return this.#all.all();
  }

  of(tagId: number): MachineOverrideRow | null {
    return this.#of.get(tagId) ?? null;
  }

  /** @param value JSON text; null releases the tag */
  putValue(tagId: number, value: string | null): void {
    this.#putValue.run(tagId, value);
    if (value === null) this.#deleteEmpty.run(tagId);
  }

  /** @param quality null clears the forced quality */
  putQuality(tagId: number, quality: string | null): void {
    this.#putQuality.run(tagId, quality);
    if (quality === null) this.#deleteEmpty.run(tagId);
  }

  deleteOf(tagId: number): void {
    this.#deleteOf.run(tagId);
  }
}

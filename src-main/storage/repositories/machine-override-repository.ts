import type { Database, Statement } from 'better-sqlite3';

/**
 * The overrides of a machine tag: a value (JSON text) until released, a quality until cleared; null if there is none. The
 * row stays after that, with the time of the last change.
 */
export interface MachineOverrideRow {
  tagId: number;
  value: string | null;
  quality: string | null;
  /** When one of them was last set or cleared, RFC 3339 in UTC; null if unknown. */
  changedAt: string | null;
}

/** The overrides of machine tags. Methods that write must be called inside a job of the commit queue. */
export class MachineOverrideRepository {
  readonly #all: Statement<[], MachineOverrideRow>;
  readonly #of: Statement<[number], MachineOverrideRow>;
  readonly #putValue: Statement<[number, string, string | null]>;
  readonly #putQuality: Statement<[number, string, string]>;
  readonly #release: Statement<[string | null, number]>;
  readonly #clear: Statement<[string, number]>;
  readonly #deleteOf: Statement<[number]>;

  constructor(database: Database) {
    const columns = 'tag_id AS tagId, value, quality, changed_at AS changedAt';
    this.#all = database.prepare(`SELECT ${columns} FROM machine_overrides`);
    this.#of = database.prepare(`SELECT ${columns} FROM machine_overrides WHERE tag_id = ?`);
    this.#putValue = database.prepare(
      'INSERT INTO machine_overrides (tag_id, value, changed_at) VALUES (?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET value = excluded.value, changed_at = excluded.changed_at',
    );
    this.#putQuality = database.prepare(
      'INSERT INTO machine_overrides (tag_id, quality, changed_at) VALUES (?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET quality = excluded.quality, changed_at = excluded.changed_at',
    );
    this.#release = database.prepare(
      'UPDATE machine_overrides SET value = NULL, changed_at = ? WHERE tag_id = ? AND value IS NOT NULL',
    );
    this.#clear = database.prepare(
      'UPDATE machine_overrides SET quality = NULL, changed_at = ? WHERE tag_id = ? AND quality IS NOT NULL',
    );
    this.#deleteOf = database.prepare('DELETE FROM machine_overrides WHERE tag_id = ?');
  }

  all(): MachineOverrideRow[] {
    return this.#all.all();
  }

  of(tagId: number): MachineOverrideRow | null {
    return this.#of.get(tagId) ?? null;
  }

  /**
   * @param value JSON text; null releases the tag
   * @param changedAt RFC 3339 in UTC; null if unknown
   */
  putValue(tagId: number, value: string | null, changedAt: string | null): void {
    if (value === null) this.#release.run(changedAt, tagId);
    else this.#putValue.run(tagId, value, changedAt);
  }

  /** @param quality null clears the forced quality */
  putQuality(tagId: number, quality: string | null, changedAt: string): void {
    if (quality === null) this.#clear.run(changedAt, tagId);
    else this.#putQuality.run(tagId, quality, changedAt);
  }

  deleteOf(tagId: number): void {
    this.#deleteOf.run(tagId);
  }
}

import type { Database, Statement } from 'better-sqlite3';

/** A record to be sent: `record` is JSON text, `''` is the internal default of a scope, `sentAt` RFC 3339 in UTC. */
export interface NewErpRow {
  tagId: number;
  tagPath: string;
  record: string;
  diagram: string;
  location: string;
  sentAt: string;
}

export type ErpRow = Omit<NewErpRow, 'tagId'> & { id: number };

/** Which records to select; null matches everything. */
export interface ErpSelection {
  /** The path under which they were sent. */
  tagPath: string | null;
  /** Sent at this moment or later, and before that one; RFC 3339 in UTC with ms. */
  from: string | null;
  to: string | null;
  /** Contained in the record or in the path, regardless of the case of ASCII letters. */
  text: string | null;
}

/** A part of the outbox that was read: ids below `below`, down to `low`. */
export interface ErpStretch {
  low: number;
  below: number;
}

interface PagePosition {
  tagPath: string | null;
  below: number;
  rows: number;
}

/** The outbox of the ERP tags. Methods that write must be called inside a job of the commit queue. */
export class ErpOutboxRepository {
  readonly #statements: ReturnType<typeof prepare>;
  /** The number of records when the newest one had this id; deleting makes it unknown. */
  #counted: { count: number; newest: number } | null = null;
  /** The newest id, which every Set asks for; null after a change. */
  #newest: number | null = null;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  append(row: NewErpRow): void {
    this.#newest = null;
    this.#statements.append.run(row);
  }

  /** The record that was last sent for a tag, as JSON text. */
  last(tagId: number): string | null {
    return this.#statements.last.get(tagId) ?? null;
  }

  /** When that record was sent, RFC 3339 in UTC; null if there is none. */
  lastSentAt(tagId: number): string | null {
    return this.#statements.lastSentAt.get(tagId) ?? null;
  }

  /** Keeps the sent records, but detaches them from this tag. */
  detachTag(tagId: number): void {
    this.#statements.detachTag.run(tagId);
  }

  /** A record by its id, with the tag if that still exists; null if there is none. */
  get(id: number): (ErpRow & { tagId: number | null }) | null {
    return this.#statements.get.get(id) ?? null;
  }

  count(): number {
    return this.#statements.count.get() ?? 0;
  }

  /** Whether there are at least `most` records; counts them only if their ids do not show it. */
  hasAtLeast(most: number): boolean {
    const { oldest, newest } = this.#statements.ends.get() ?? { oldest: 0, newest: 0 };
    if (newest - oldest + 1 < most) return false;
    // A transaction that was undone has taken the newest ids away.
    if (this.#counted !== null && newest < this.#counted.newest) this.#counted = null;
    if (this.#counted === null || this.#counted.count + newest - this.#counted.newest >= most) {
      if (this.#counted?.newest !== newest) this.#counted = { count: this.count(), newest };
    }
    return this.#counted.count + newest - this.#counted.newest >= most;
  }

  /** The id of the newest record, 0 if there is none. */
  newest(): number {
    return (this.#newest ??= this.#statements.newest.get() ?? 0);
  }

  /** The next part with at most the given number of records with ids below `below`, or null at the end. */
  stretch(place: PagePosition): ErpStretch | null {
    const { tagPath, below, rows } = place;
    const low =
      tagPath === null ? this.#statements.low.get(below, rows) : this.#statements.lowOfTag.get(tagPath, below, rows);
    return typeof low === 'number' ? { low, below } : null;
  }

  /** The selected records of a part, newest first. The connection is blocked until the iterator ends. */
  select(stretch: ErpStretch, selection: ErpSelection): IterableIterator<ErpRow> {
    return this.#statements.selected(selection).select.iterate({ ...stretch, ...likePatternOf(selection) });
  }

  /** Deletes the selected records of a part; returns how many. */
  delete(stretch: ErpStretch, selection: ErpSelection): number {
    this.#counted = null;
    this.#newest = null;
    return this.#statements.selected(selection).delete.run({ ...stretch, ...likePatternOf(selection) }).changes;
  }

  /** Deletes everything up to an id; returns how many. */
  deleteUpTo(id: number): number {
    this.#counted = null;
    this.#newest = null;
    return this.#statements.deleteUpTo.run(id).changes;
  }
}

/** Escapes the wildcards of LIKE. */
function likePatternOf({ text, ...rest }: ErpSelection): ErpSelection {
  return { ...rest, text: text === null ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` };
}

const SELECTED = `id < @below AND id >= @low
  AND (@from IS NULL OR sent_at >= @from) AND (@to IS NULL OR sent_at < @to)
  AND (@text IS NULL OR record LIKE @text ESCAPE '\\' OR tag_path LIKE @text ESCAPE '\\')`;

const lowest = (where: string): string =>
  `SELECT min(id) FROM (SELECT id FROM erp_outbox WHERE ${where} ORDER BY id DESC LIMIT ?)`;

function prepare(database: Database) {
  const selected = (where: string) => ({
    select: database.prepare<[ErpStretch & ErpSelection], ErpRow>(`
      SELECT id, tag_path AS tagPath, record, diagram, location, sent_at AS sentAt
      FROM erp_outbox WHERE ${where} ORDER BY id DESC`),
    delete: database.prepare<[ErpStretch & ErpSelection]>(`DELETE FROM erp_outbox WHERE ${where}`),
  });
  const [ofAll, ofTag] = [selected(SELECTED), selected(`tag_path = @tagPath AND ${SELECTED}`)];
  const last: Statement<[number], string> = database
    .prepare<[number], string>('SELECT record FROM erp_outbox WHERE tag_id = ? ORDER BY id DESC LIMIT 1')
    .pluck();
  return {
    last,
    get: database.prepare<[number], ErpRow & { tagId: number | null }>(`
      SELECT id, tag_id AS tagId, tag_path AS tagPath, record, diagram, location, sent_at AS sentAt
      FROM erp_outbox WHERE id = ?`),
    lastSentAt: database
      .prepare<[number], string>('SELECT sent_at FROM erp_outbox WHERE tag_id = ? ORDER BY id DESC LIMIT 1')
      .pluck(),
    append: database.prepare<[NewErpRow]>(`
      INSERT INTO erp_outbox (tag_id, tag_path, record, diagram, location, sent_at)
      VALUES (@tagId, @tagPath, @record, @diagram, @location, @sentAt)`),
    detachTag: database.prepare<[number]>('UPDATE erp_outbox SET tag_id = NULL WHERE tag_id = ?'),
    count: database.prepare<[], number>('SELECT count(*) FROM erp_outbox').pluck(),
    ends: database.prepare<[], { oldest: number; newest: number }>(
      'SELECT (SELECT coalesce(min(id), 1) FROM erp_outbox) AS oldest, (SELECT coalesce(max(id), 0) FROM erp_outbox) AS newest',
    ),
    newest: database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM erp_outbox').pluck(),
    low: database.prepare<[number, number], number | null>(lowest('id < ?')).pluck(),
    lowOfTag: database.prepare<[string, number, number], number | null>(lowest('tag_path = ? AND id < ?')).pluck(),
    selected: ({ tagPath }: ErpSelection) => (tagPath === null ? ofAll : ofTag),
    deleteUpTo: database.prepare<[number]>('DELETE FROM erp_outbox WHERE id <= ?'),
  };
}

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

/** Which records are meant; null where that does not matter. */
export interface ErpSelection {
  /** The path under which they were sent. */
  tagPath: string | null;
  /** Sent at this moment or later, and before that one; RFC 3339 in UTC with ms. */
  from: string | null;
  to: string | null;
  /** Stands in the record or in the path, without regard to the case of ASCII letters. */
  text: string | null;
}

/** A stretch of the outbox that was looked at: ids below `below`, down to `low`. */
export interface ErpStretch {
  low: number;
  below: number;
}

interface PagePosition {
  tagPath: string | null;
  below: number;
  rows: number;
}

/** The outbox of the ERP tags. What writes is to be called inside a job of the commit queue. */
export class ErpOutboxRepository {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  append(row: NewErpRow): void {
    this.#statements.append.run(row);
  }

  /** The record that was last sent for a tag, as JSON text. */
  last(tagId: number): string | null {
    return this.#statements.last.get(tagId) ?? null;
  }

  /** Keeps what was sent, but no longer as of this tag. */
  disown(tagId: number): void {
    this.#statements.disown.run(tagId);
  }

  count(): number {
    return this.#statements.count.get() ?? 0;
  }

  /** The id of the newest record, 0 where there is none. */
  newest(): number {
    return this.#statements.newest.get() ?? 0;
  }

  /** The next stretch of at most so many records with ids below `below`, or null at the end. */
  stretch(place: PagePosition): ErpStretch | null {
    const { tagPath, below, rows } = place;
    const low =
      tagPath === null ? this.#statements.low.get(below, rows) : this.#statements.lowOfTag.get(tagPath, below, rows);
    return typeof low === 'number' ? { low, below } : null;
  }

  /** The records of a stretch that are meant, newest first. The connection is taken until the iterator ends. */
  select(stretch: ErpStretch, selection: ErpSelection): IterableIterator<ErpRow> {
    return this.#statements.meant(selection).select.iterate({ ...stretch, ...likeOf(selection) });
  }

  /** Deletes the records of a stretch that are meant; returns how many. */
  delete(stretch: ErpStretch, selection: ErpSelection): number {
    return this.#statements.meant(selection).delete.run({ ...stretch, ...likeOf(selection) }).changes;
  }

  /** Deletes everything up to an id; returns how many. */
  deleteUpTo(id: number): number {
    return this.#statements.deleteUpTo.run(id).changes;
  }
}

/** The characters that mean something to LIKE mean themselves. */
function likeOf({ text, ...rest }: ErpSelection): ErpSelection {
  return { ...rest, text: text === null ? null : `%${text.replaceAll(/[\\%_]/g, '\\$&')}%` };
}

const MEANT = `id < @below AND id >= @low
  AND (@from IS NULL OR sent_at >= @from) AND (@to IS NULL OR sent_at < @to)
  AND (@text IS NULL OR record LIKE @text ESCAPE '\\' OR tag_path LIKE @text ESCAPE '\\')`;

const lowest = (where: string): string =>
  `SELECT min(id) FROM (SELECT id FROM erp_outbox WHERE ${where} ORDER BY id DESC LIMIT ?)`;

function prepare(database: Database) {
  const meant = (where: string) => ({
    select: database.prepare<[ErpStretch & ErpSelection], ErpRow>(`
      SELECT id, tag_path AS tagPath, record, diagram, location, sent_at AS sentAt
      FROM erp_outbox WHERE ${where} ORDER BY id DESC`),
    delete: database.prepare<[ErpStretch & ErpSelection]>(`DELETE FROM erp_outbox WHERE ${where}`),
  });
  const [ofAll, ofTag] = [meant(MEANT), meant(`tag_path = @tagPath AND ${MEANT}`)];
  const last: Statement<[number], string> = database
    .prepare<[number], string>('SELECT record FROM erp_outbox WHERE tag_id = ? ORDER BY id DESC LIMIT 1')
    .pluck();
  return {
    last,
    append: database.prepare<[NewErpRow]>(`
      INSERT INTO erp_outbox (tag_id, tag_path, record, diagram, location, sent_at)
      VALUES (@tagId, @tagPath, @record, @diagram, @location, @sentAt)`),
    disown: database.prepare<[number]>('UPDATE erp_outbox SET tag_id = NULL WHERE tag_id = ?'),
    count: database.prepare<[], number>('SELECT count(*) FROM erp_outbox').pluck(),
    newest: database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM erp_outbox').pluck(),
    low: database.prepare<[number, number], number | null>(lowest('id < ?')).pluck(),
    lowOfTag: database.prepare<[string, number, number], number | null>(lowest('tag_path = ? AND id < ?')).pluck(),
    meant: ({ tagPath }: ErpSelection) => (tagPath === null ? ofAll : ofTag),
    deleteUpTo: database.prepare<[number]>('DELETE FROM erp_outbox WHERE id <= ?'),
  };
}

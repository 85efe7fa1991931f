import type { Database } from 'better-sqlite3';
import type { AggregationEvent } from '#domain/event/event';
import type { EventChange, EventChangeKind } from '#domain/event/event-change';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import type { EventRepository } from './event-repository.ts';

/** A change without its number. */
export type NewEventChange = Omit<EventChange, 'seq'>;

/** The first and the last kept number; the last is one less than the first if none is kept. */
export interface FeedRange {
  first: number;
  last: number;
}

interface ChangeRow {
  seq: number;
  count: number;
  kind: number;
  eventId: number;
  at: number;
}

/** With its time, ms since 1970 in UTC. */
export type TimedChange = EventChange & { at: number };

/** Changes of one row: a step of an action on many events has as many. */
const MOST_OF_ROW = 1_000;

const LAST_OF_ROWS = 'SELECT seq + count - 1 FROM event_changes ORDER BY seq DESC LIMIT 1';

/** The number of the last change of any event, for a workspace of the newest schema. */
export function lastChangeOf(database: Database): number {
  const before = database.prepare<[], number>('SELECT before FROM event_feed').pluck().get() ?? 0;
  return database.prepare<[], number>(LAST_OF_ROWS).pluck().get() ?? before;
}

/** The change feed of the events in the workspace database. Methods that write must be called inside a job. */
export class EventChangeRepository {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #database: Database;

  readonly #events: Pick<EventRepository, 'get'>;

  /** @param events those of the same connection */
  constructor(database: Database, events: Pick<EventRepository, 'get'>) {
    this.#database = database;
    this.#events = events;
    this.#statements = prepare(database);
  }

  range(): FeedRange {
    const last = lastChangeOf(this.#database);
    return { first: this.#statements.first.get() ?? last + 1, last };
  }

  /** Appends changes, numbered from `first` in their order. */
  append(first: number, changes: readonly NewEventChange[], at: number): void {
    let seq = first;
    for (const row of rowsOf(changes)) {
      const [{ kind, event }] = row;
      const events = kind === 'deleted' ? JSON.stringify(row.map((one) => withoutId(one.event))) : null;
      this.#statements.insert.run(seq, row.length, numberOf(kind), event.AggregationEventId, at, events);
      seq += row.length;
    }
  }

  /** The changes after a number, oldest first. */
  *after(seq: number): Generator<TimedChange> {
    const from = this.#statements.rowOf.get(seq + 1) ?? seq + 1;
    for (const row of this.#statements.rows.iterate(from)) {
      const kind = EVENT_CHANGE_KINDS[row.kind - 1] ?? 'created';
      for (let n = Math.max(0, seq + 1 - row.seq); n < row.count; n += 1) {
        const event = this.#eventOf(row.eventId + n);
        if (!event) continue;
        // This is the only member of an event that changes.
        const Active = kind === 'deleted' ? event.Active : kind !== 'disabled';
        yield { seq: row.seq + n, kind, event: { ...event, Active }, at: row.at };
      }
    }
  }

  /**
   * Deletes the oldest changes: those made before a moment (ms since 1970 in UTC), and those beyond a count. Returns
   * whether some may be left.
   */
  expire({ before, keep, limit }: { before: number; keep: number; limit: number }): boolean {
    const { last } = this.range();
    let seq = 0;
    let count = 0;
    for (const row of this.#statements.oldest.iterate(limit)) {
      if (row.at >= before && row.seq + row.count - 1 > last - keep) break;
      seq = row.seq;
      count += 1;
    }
    if (count === 0) return false;
    this.#statements.setBefore.run(last);
    this.#statements.delete.run(seq);
    return count === limit;
  }

  #eventOf(id: number): AggregationEvent | null {
    const event = this.#events.get(id);
    if (event) return event;
    const deleted = this.#statements.deleted.get(id);
    if (!deleted || id >= deleted.eventId + deleted.count) return null;
    const events: Omit<AggregationEvent, 'AggregationEventId'>[] = JSON.parse(deleted.events);
    const last = events[id - deleted.eventId];
    return last ? { AggregationEventId: id, ...last } : null;
  }
}

type Row = [NewEventChange, ...NewEventChange[]];

/** The same change of events with consecutive ids is one row. */
function rowsOf(changes: readonly NewEventChange[]): Row[] {
  const rows: Row[] = [];
  for (const change of changes) {
    const row = rows.at(-1);
    const isNext =
      row?.[0].kind === change.kind &&
      row[0].event.AggregationEventId + row.length === change.event.AggregationEventId &&
      row.length < MOST_OF_ROW;
    if (isNext) row.push(change);
    else rows.push([change]);
  }
  return rows;
}

const numberOf = (kind: EventChangeKind): number => EVENT_CHANGE_KINDS.indexOf(kind) + 1;

function withoutId({ AggregationEventId: _id, ...event }: AggregationEvent) {
  return event;
}

function prepare(database: Database) {
  return {
    first: database.prepare<[], number>('SELECT seq FROM event_changes ORDER BY seq LIMIT 1').pluck(),
    insert: database.prepare<[number, number, number, number, number, string | null]>(
      'INSERT INTO event_changes (seq, count, kind, event_id, at_ms, events) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    rowOf: database.prepare<[number], number | null>('SELECT max(seq) FROM event_changes WHERE seq <= ?').pluck(),
    rows: database.prepare<[number], ChangeRow>(
      'SELECT seq, count, kind, event_id AS eventId, at_ms AS at FROM event_changes WHERE seq >= ? ORDER BY seq',
    ),
    deleted: database.prepare<[number], { eventId: number; count: number; events: string }>(
      `SELECT event_id AS eventId, count, events FROM event_changes
       WHERE kind = 4 AND event_id <= ? ORDER BY event_id DESC LIMIT 1`,
    ),
    oldest: database.prepare<[number], { seq: number; count: number; at: number }>(
      'SELECT seq, count, at_ms AS at FROM event_changes ORDER BY seq LIMIT ?',
    ),
    delete: database.prepare<[number]>('DELETE FROM event_changes WHERE seq <= ?'),
    /** Matters while the table is empty. */
    setBefore: database.prepare<[number]>('UPDATE event_feed SET before = ?'),
  };
}

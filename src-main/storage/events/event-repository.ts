import type { Database, Statement } from 'better-sqlite3';
import type { AggregationEvent, EventFilter } from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { EventChange, EventChangeKind } from '#domain/event/event-change';
import { EVENT_CHANGE_KINDS } from '#domain/event/event-change';
import type { EventSpan } from './event-blocks.ts';
import { BY_BLOCK, BY_BLOCK_NEWEST_FIRST, EventSpans } from './event-blocks.ts';
import type { FilterParameters } from './event-filter.ts';
import { EVENT_BASES, IN_FILTER, OF_RULE, filterParameters, stateBaseOf } from './event-filter.ts';

/** An event to be written. */
export interface NewEvent {
  ruleId: number;
  /** RFC 3339 local time with offset and ms, and the same moment in ms since 1970 in UTC. */
  eventDateTime: string;
  at: number;
  resultTableName: string;
  resultTableRecordId: number;
}

interface EventRow extends Omit<AggregationEvent, 'Active'> {
  Active: number;
}

interface Page extends EventFilter {
  /** Ids below this one, newest first. */
  before: number;
  limit: number;
}

/** Both ids included. */
interface IdRange {
  first: number;
  last: number;
}

type PageParameters = FilterParameters & Pick<Page, 'before' | 'limit'>;

const EVENT_COLUMNS = `id AS AggregationEventId, rule_id AS RuleId, event_date_time AS EventDateTime,
  active AS Active, result_table_name AS ResultTableName, result_table_record_id AS ResultTableRecordId`;

/** The event records. Methods that write must be called inside a job of the commit queue. */
export class EventRepository {
  /** The file, for readers with their own connection. */
  readonly file: string;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #spans: EventSpans;

  constructor(database: Database) {
    this.file = database.name;
    this.#statements = prepare(database);
    this.#spans = new EventSpans(database);
  }

  get(id: number): AggregationEvent | null {
    const row = this.#statements.get.get(id);
    return row ? eventOf(row) : null;
  }

  /** Writes an active event and returns its id, which was never used before. */
  insert(event: NewEvent): number {
    const { ruleId, eventDateTime, at, resultTableName, resultTableRecordId } = event;
    const { insert } = this.#statements;
    return Number(insert.run(ruleId, eventDateTime, at, resultTableName, resultTableRecordId).lastInsertRowid);
  }

  setActive(id: number, active: boolean): void {
    this.#statements.setActive.run(active ? 1 : 0, id);
  }

  /** Whether there was one. */
  delete(id: number): boolean {
    return this.#statements.delete.run(id).changes > 0;
  }

  /** Newest first. */
  page({ before, limit, ...filter }: Page): AggregationEvent[] {
    const { pages, pageOfRule } = this.#statements;
    const page = { ...filterParameters(filter), before, limit };
    if (page.ruleId === null) return pages[stateBaseOf(page)].all(page).map(eventOf);
    return first(limit, this.#spans.downwards(before - 1, 0), (span, most) =>
      pageOfRule.all({ ...page, ...span, limit: most }),
    );
  }

  /** Active events with ids above this one, oldest first. */
  activeAfter({ after, ruleId, limit }: { after: number; ruleId: number | null; limit: number }): AggregationEvent[] {
    const { activeAfter, activeOfRule } = this.#statements;
    if (ruleId === null) return activeAfter.all(after, limit).map(eventOf);
    return first(limit, this.#spans.upwards(after + 1, Number.MAX_SAFE_INTEGER), (span, most) =>
      activeOfRule.all({ ...span, ruleId, limit: most }),
    );
  }

  /** Oldest first; reads every event between the two ids. */
  between({ first: from, last, limit, ...filter }: EventFilter & IdRange & { limit: number }): AggregationEvent[] {
    return this.#statements.between.all({ ...filterParameters(filter), first: from, last, limit }).map(eventOf);
  }

  /** The events of a rule, up to a limit. */
  ofRule(ruleId: number, limit: number): AggregationEvent[] {
    return first(limit, this.#spans.upwards(0, Number.MAX_SAFE_INTEGER), (span, most) =>
      this.#statements.ofRule.all({ ruleId, ...span, limit: most }),
    );
  }

  /** The oldest disabled events, up to a limit. */
  oldestDisabled(limit: number): AggregationEvent[] {
    return this.#statements.oldestDisabled.all(limit).map(eventOf);
  }
}

function eventOf(row: EventRow): AggregationEvent {
  return { ...row, Active: row.Active === 1 };
}

/** The first events in the spans, up to a limit. */
function first(
  limit: number,
  spans: Iterable<EventSpan>,
  rowsOf: (span: EventSpan, limit: number) => EventRow[],
): AggregationEvent[] {
  const events: AggregationEvent[] = [];
  for (const span of spans) {
    for (const row of rowsOf(span, limit - events.length)) events.push(eventOf(row));
    if (events.length >= limit) break;
  }
  return events;
}

function prepare(database: Database) {
  const page = (base: string): Statement<[PageParameters], EventRow> =>
    database.prepare(
      `SELECT ${EVENT_COLUMNS} FROM events ${base} id < @before AND ${IN_FILTER} ORDER BY id DESC LIMIT @limit`,
    );
  return {
    get: database.prepare<[number], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`),
    insert: database.prepare<[number, string, number, string, number]>(`
      INSERT INTO events (rule_id, event_date_time, at_ms, result_table_name, result_table_record_id)
      VALUES (?, ?, ?, ?, ?)`),
    setActive: database.prepare<[number, number]>('UPDATE events SET active = ? WHERE id = ?'),
    delete: database.prepare<[number]>('DELETE FROM events WHERE id = ?'),
    pages: { all: page(EVENT_BASES.all), active: page(EVENT_BASES.active), disabled: page(EVENT_BASES.disabled) },
    pageOfRule: database.prepare<[PageParameters & EventSpan], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENT_BASES.rule} id BETWEEN @first AND @last AND ${IN_FILTER}
       ORDER BY ${BY_BLOCK_NEWEST_FIRST} LIMIT @limit`,
    ),
    between: database.prepare<[FilterParameters & IdRange & { limit: number }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events NOT INDEXED WHERE id BETWEEN @first AND @last
       AND ${OF_RULE} AND ${IN_FILTER} ORDER BY id LIMIT @limit`,
    ),
    ofRule: database.prepare<[EventSpan & { ruleId: number; limit: number }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENT_BASES.rule} id BETWEEN @first AND @last
       ORDER BY ${BY_BLOCK} LIMIT @limit`,
    ),
    oldestDisabled: database.prepare<[number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_disabled WHERE active = 0 ORDER BY id LIMIT ?`,
    ),
    activeAfter: database.prepare<[number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENT_BASES.active} id > ? ORDER BY id LIMIT ?`,
    ),
    activeOfRule: database.prepare<[EventSpan & { ruleId: number; limit: number }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENT_BASES.rule} id BETWEEN @first AND @last AND active = 1
       ORDER BY ${BY_BLOCK} LIMIT @limit`,
    ),
  };
}

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

/** With its time, ms since 1970 in UTC, and whether the event was deleted since. */
export type TimedChange = EventChange & { at: number; isGone: boolean };

/** Changes of one row: a step of an action on many events has as many. */
const MOST_OF_ROW = 1_000;
/** Events of a row that are read at once. */
const READ_AT_ONCE = 200;
const ALL = eventFilter({});

const LAST_OF_ROWS = 'SELECT seq + count - 1 FROM event_changes ORDER BY seq DESC LIMIT 1';

/** The number of the last change of any event, for a workspace of the newest schema. */
export function lastChangeOf(database: Database): number {
  const before = database.prepare<[], number>('SELECT before FROM event_feed').pluck().get() ?? 0;
  return database.prepare<[], number>(LAST_OF_ROWS).pluck().get() ?? before;
}

/** The change feed of the events in the workspace database. Methods that write must be called inside a job. */
export class EventChangeRepository {
  readonly #statements: ReturnType<typeof prepareChanges>;
  readonly #database: Database;

  readonly #events: Pick<EventRepository, 'get' | 'between'>;

  /** @param events those of the same connection */
  constructor(database: Database, events: Pick<EventRepository, 'get' | 'between'>) {
    this.#database = database;
    this.#events = events;
    this.#statements = prepareChanges(database);
  }

  range(): FeedRange {
    const last = lastChangeOf(this.#database);
    return { first: this.#statements.first.get() ?? last + 1, last };
  }

  /** Appends changes, numbered from `next` in their order. */
  append(next: number, changes: readonly NewEventChange[], at: number): void {
    let seq = next;
    for (const row of changeRows(changes)) {
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
      for (let n = Math.max(0, seq + 1 - row.seq); n < row.count; n += READ_AT_ONCE) {
        const count = Math.min(READ_AT_ONCE, row.count - n);
        const present = this.#eventsOf(row.eventId + n, count);
        for (let of = n; of < n + count; of += 1) {
          const id = row.eventId + of;
          const found = present.get(id);
          const event = found ?? this.#deletedOf(id);
          if (!event) continue;
          // This is the only member of an event that changes.
          if (kind !== 'deleted') event.Active = kind !== 'disabled';
          yield { seq: row.seq + of, kind, event, at: row.at, isGone: found === undefined };
        }
      }
    }
  }

  #eventsOf(from: number, count: number): Map<number, AggregationEvent> {
    const range = { ...ALL, first: from, last: from + count - 1, limit: count };
    return new Map(this.#events.between(range).map((event) => [event.AggregationEventId, event]));
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

  #deletedOf(id: number): AggregationEvent | null {
    const deleted = this.#statements.deleted.get(id);
    if (!deleted || id >= deleted.eventId + deleted.count) return null;
    const events: Omit<AggregationEvent, 'AggregationEventId'>[] = JSON.parse(deleted.events);
    const last = events[id - deleted.eventId];
    return last ? { AggregationEventId: id, ...last } : null;
  }
}

type ChangesOfRow = [NewEventChange, ...NewEventChange[]];

/** The same change of events with consecutive ids is one row. */
function changeRows(changes: readonly NewEventChange[]): ChangesOfRow[] {
  const rows: ChangesOfRow[] = [];
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

function prepareChanges(database: Database) {
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

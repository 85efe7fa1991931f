import type { Database, Statement } from 'better-sqlite3';
import type { AggregationEvent } from '#domain/event/event';
import type { EventSpan } from './event-blocks.ts';
import { BY_BLOCK, BY_BLOCK_NEWEST_FIRST, EVENTS_OF_RULE, EventSpans } from './event-blocks.ts';

/** An event that is about to be written. */
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

/** Which events a page of the workbench holds; null where that does not matter. */
export interface EventPage {
  active: number | null;
  ruleId: number | null;
  from: number | null;
  to: number | null;
  /** Ids below this one, newest first. */
  before: number;
  limit: number;
}

/** Which events between two ids, both included; oldest first. */
export interface EventRange {
  active: boolean | null;
  ruleId: number | null;
  from: number | null;
  to: number | null;
  first: number;
  last: number;
  limit: number;
}

const EVENT_COLUMNS = `id AS AggregationEventId, rule_id AS RuleId, event_date_time AS EventDateTime,
  active AS Active, result_table_name AS ResultTableName, result_table_record_id AS ResultTableRecordId`;

/** The event records. What writes is to be called inside a job of the commit queue. */
export class EventRepository {
  /** The file, for those who read it through a connection of their own. */
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
  page(page: EventPage): AggregationEvent[] {
    const { page: pages, pageOfRule } = this.#statements;
    if (page.ruleId === null) return pages(page).all(page).map(eventOf);
    return first(page.limit, this.#spans.downwards(page.before - 1, 0), (span, limit) =>
      pageOfRule.all({ ...page, ...span, limit }),
    );
  }

  /** Oldest first; looks at every event between the two ids. */
  between(range: EventRange): AggregationEvent[] {
    const active = range.active === null ? null : Number(range.active);
    return this.#statements.between.all({ ...range, active }).map(eventOf);
  }

  /** The events of a rule, at most so many. */
  ofRule(ruleId: number, limit: number): AggregationEvent[] {
    return first(limit, this.#spans.upwards(0, Number.MAX_SAFE_INTEGER), (span, most) =>
      this.#statements.ofRule.all({ ruleId, ...span, limit: most }),
    );
  }

  /** The oldest disabled events, at most so many. */
  oldestDisabled(limit: number): AggregationEvent[] {
    return this.#statements.oldestDisabled.all(limit).map(eventOf);
  }

  /** The stretch of version numbers that is taken. */
  epoch(): number {
    return this.#statements.epoch.get() ?? 0;
  }

  setEpoch(epoch: number): void {
    this.#statements.setEpoch.run(epoch);
  }
}

function eventOf(row: EventRow): AggregationEvent {
  return { ...row, Active: row.Active === 1 };
}

/** The first events that the spans hold, at most so many. */
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
  const meant = `(@active IS NULL OR active = @active)
    AND (@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to)`;
  const page = (base: string): Statement<[EventPage], EventRow> =>
    database.prepare(
      `SELECT ${EVENT_COLUMNS} FROM events ${base} id < @before AND ${meant} ORDER BY id DESC LIMIT @limit`,
    );
  const pages = {
    all: page('NOT INDEXED WHERE'),
    active: page('INDEXED BY events_active WHERE active = 1 AND'),
    disabled: page('INDEXED BY events_disabled WHERE active = 0 AND'),
  };
  return {
    get: database.prepare<[number], EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE id = ?`),
    insert: database.prepare<[number, string, number, string, number]>(`
      INSERT INTO events (rule_id, event_date_time, at_ms, result_table_name, result_table_record_id)
      VALUES (?, ?, ?, ?, ?)`),
    setActive: database.prepare<[number, number]>('UPDATE events SET active = ? WHERE id = ?'),
    delete: database.prepare<[number]>('DELETE FROM events WHERE id = ?'),
    page: ({ active }: EventPage) => pages[active === null ? 'all' : active === 1 ? 'active' : 'disabled'],
    pageOfRule: database.prepare<[EventPage & EventSpan], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENTS_OF_RULE} id BETWEEN @first AND @last AND ${meant}
       ORDER BY ${BY_BLOCK_NEWEST_FIRST} LIMIT @limit`,
    ),
    between: database.prepare<[Omit<EventRange, 'active'> & { active: number | null }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events NOT INDEXED WHERE id BETWEEN @first AND @last
       AND (@active IS NULL OR active = @active) AND (@ruleId IS NULL OR rule_id = @ruleId)
       AND (@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to) ORDER BY id LIMIT @limit`,
    ),
    ofRule: database.prepare<[EventSpan & { ruleId: number; limit: number }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events ${EVENTS_OF_RULE} id BETWEEN @first AND @last
       ORDER BY ${BY_BLOCK} LIMIT @limit`,
    ),
    oldestDisabled: database.prepare<[number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_disabled WHERE active = 0 ORDER BY id LIMIT ?`,
    ),
    epoch: database.prepare<[], number>('SELECT epoch FROM event_epoch').pluck(),
    setEpoch: database.prepare<[number]>('UPDATE event_epoch SET epoch = ?'),
  };
}

import type { Database, Statement } from 'better-sqlite3';
import type { AggregationEvent, EventFilter } from '#domain/event/event';
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

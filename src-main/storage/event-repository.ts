import type { Database, Statement } from 'better-sqlite3';
import type { AggregationEvent } from '#domain/event';

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

  constructor(database: Database) {
    this.file = database.name;
    this.#statements = prepare(database);
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
    return this.#statements.page(page).all(page).map(eventOf);
  }

  /** Oldest first; looks at every event between the two ids. */
  between(range: EventRange): AggregationEvent[] {
    const active = range.active === null ? null : Number(range.active);
    return this.#statements.between.all({ ...range, active }).map(eventOf);
  }

  /** The events of a rule, at most so many. */
  ofRule(ruleId: number, limit: number): AggregationEvent[] {
    return this.#statements.ofRule.all(ruleId, limit).map(eventOf);
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

function prepare(database: Database) {
  const page = (base: string): Statement<[EventPage], EventRow> =>
    database.prepare(`SELECT ${EVENT_COLUMNS} FROM events ${base} id < @before
      AND (@active IS NULL OR active = @active) AND (@ruleId IS NULL OR rule_id = @ruleId)
      AND (@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to)
      ORDER BY id DESC LIMIT @limit`);
  const pages = {
    all: page('NOT INDEXED WHERE'),
    rule: page('INDEXED BY events_by_rule WHERE rule_id = @ruleId AND'),
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
    page: ({ ruleId, active }: EventPage) =>
      pages[ruleId !== null ? 'rule' : active === null ? 'all' : active === 1 ? 'active' : 'disabled'],
    between: database.prepare<[Omit<EventRange, 'active'> & { active: number | null }], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events NOT INDEXED WHERE id BETWEEN @first AND @last
       AND (@active IS NULL OR active = @active) AND (@ruleId IS NULL OR rule_id = @ruleId)
       AND (@from IS NULL OR at_ms >= @from) AND (@to IS NULL OR at_ms < @to) ORDER BY id LIMIT @limit`,
    ),
    ofRule: database.prepare<[number, number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE rule_id = ? LIMIT ?`,
    ),
    oldestDisabled: database.prepare<[number], EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events INDEXED BY events_disabled WHERE active = 0 ORDER BY id LIMIT ?`,
    ),
    epoch: database.prepare<[], number>('SELECT epoch FROM event_epoch').pluck(),
    setEpoch: database.prepare<[number]>('UPDATE event_epoch SET epoch = ?'),
  };
}

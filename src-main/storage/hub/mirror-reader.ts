import Database from 'better-sqlite3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AggregationEvent } from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { FeedPosition } from '#domain/event/event-change';
import type { TimedChange } from '../events/event-repository.ts';
import { EventChangeRepository, EventRepository } from '../events/event-repository.ts';
import { ResultTables } from '../events/result-tables.ts';
import type { MirrorPart } from './mirror-part.ts';
import { RowLines } from './row-lines.ts';

export interface MirrorLimits {
  /** Events and rows of a part. */
  count: number;
  /** Text of its rows, characters. */
  characters: number;
}

/** After this time, the others get their turn, ms. */
const TURN_MS = 3;
/** Events of one query. */
const PAGE = 200;
const ALL = eventFilter({});

interface SiteSource {
  database: Database.Database;
  events: EventRepository;
  changes: EventChangeRepository;
  results: ResultTables;
}

/**
 * Reads parts of the change feed with the rows that their events name, from a separate connection and one snapshot for
 * each part, in short turns. One part at a time.
 */
export class MirrorReader {
  readonly #file: string;
  #source: SiteSource | null = null;

  /** @param file the workspace database, in WAL mode */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * The part after a position; null for a hub that has nothing.
   * @param marks the last row of each table that the hub has
   * @param allRows whether the part also has rows that no event names, after everything else
   */
  async read(
    from: FeedPosition | null,
    marks: ReadonlyMap<string, number>,
    limits: MirrorLimits,
    allRows = false,
  ): Promise<MirrorPart> {
    const source = (this.#source ??= open(this.#file));
    const { database } = source;
    database.exec('BEGIN');
    try {
      const reading = new PartReading(source, marks, limits);
      for (const _ of reading.steps(from, allRows)) await reading.turn();
      return reading.part;
    } finally {
      if (database.open && database.inTransaction) database.exec('COMMIT');
    }
  }

  /** Whether a table of a rule has rows above its mark. In short turns. */
  async hasRowsAbove(marks: ReadonlyMap<string, number>): Promise<boolean> {
    const { results } = (this.#source ??= open(this.#file));
    let turnEnds = performance.now() + TURN_MS;
    for (const table of results.names()) {
      if (results.first(table, { after: marks.get(table) ?? 0, limit: 1 }).length > 0) return true;
      if (performance.now() < turnEnds) continue;
      await nextTurn();
      turnEnds = performance.now() + TURN_MS;
    }
    return false;
  }

  close(): void {
    this.#source?.database.close();
    this.#source = null;
  }
}

function open(file: string): SiteSource {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  const events = new EventRepository(database);
  const changes = new EventChangeRepository(database, events);
  return { database, events, changes, results: new ResultTables(database) };
}

class PartReading {
  readonly part: MirrorPart = {
    isReset: false,
    position: { seq: 0, listed: 0 },
    isEnd: false,
    hasAllRows: false,
    at: null,
    rows: [],
    marks: new Map(),
    events: new Map(),
    states: new Map(),
    deleted: new Set(),
    changes: [],
    listed: null,
  };
  readonly #source: SiteSource;
  readonly #tables = new Map<string, RowLines>();
  readonly #marks: ReadonlyMap<string, number>;
  readonly #limits: MirrorLimits;
  #count = 0;
  #characters = 0;
  #turnEnds = performance.now() + TURN_MS;

  constructor(source: SiteSource, marks: ReadonlyMap<string, number>, limits: MirrorLimits) {
    this.#source = source;
    this.#marks = marks;
    this.#limits = limits;
  }

  async turn(): Promise<void> {
    if (performance.now() < this.#turnEnds) return;
    await nextTurn();
    this.#turnEnds = performance.now() + TURN_MS;
  }

  *steps(from: FeedPosition | null, allRows: boolean): Generator<void> {
    const { part } = this;
    const { first, last } = this.#source.changes.range();
    const isKnown = from !== null && from.seq >= first - 1 && from.seq <= last;
    part.isReset = from !== null && !isKnown;
    part.position = isKnown ? from : { seq: last, listed: 0 };
    const { listed } = part.position;
    // A statement that is still open prevents the end of a snapshot: pages are read completely.
    for (;;) {
      const page = some(this.#source.changes.after(part.position.seq), PAGE);
      if (page.length === 0) break;
      for (const change of page) {
        if (this.#isFull()) return;
        const { seq, kind, event, at } = change;
        if (listed === null || event.AggregationEventId <= listed) {
          if (kind === 'created') {
            if (!this.#hasRow(event)) yield* this.#rowsFor(event);
            if (!this.#hasRow(event)) return;
          }
          this.#change(change);
        }
        part.position = { seq, listed };
        part.at = at;
      }
      yield;
    }
    if (listed !== null) yield* this.#list(listed, last);
    if (part.position.listed !== null) return;
    if (allRows) yield* this.#otherRows();
    part.hasAllRows = allRows && !this.#isFull();
    part.isEnd = !allRows || part.hasAllRows;
  }

  /** Copies the rows after those of events, or as many as fit. */
  *#otherRows(): Generator<void> {
    for (const table of this.#source.results.names()) {
      const rows = this.#rowsOf(table);
      while (!this.#isFull()) {
        if (rows.isPageEnd()) yield;
        const id = rows.peek();
        if (id === null) break;
        this.#copy(rows);
        this.part.marks.set(table, id);
      }
    }
  }

  *#list(listed: number, seq: number): Generator<void> {
    const { part } = this;
    part.listed = { after: listed, last: listed };
    for (;;) {
      const after: number = part.listed.last ?? listed;
      const page = this.#source.events.between({
        ...ALL,
        first: after + 1,
        last: Number.MAX_SAFE_INTEGER,
        limit: PAGE,
      });
      for (const event of page) {
        if (this.#isFull()) return;
        if (!this.#hasRow(event)) yield* this.#rowsFor(event);
        if (!this.#hasRow(event)) return;
        part.events.set(event.AggregationEventId, event);
        part.listed.last = event.AggregationEventId;
        part.position = { seq, listed: event.AggregationEventId };
        this.#count += 1;
      }
      yield;
      if (page.length === PAGE) continue;
      part.listed.last = null;
      part.position = { seq, listed: null };
      return;
    }
  }

  #change({ kind, event, isGone }: TimedChange): void {
    const { part } = this;
    const id = event.AggregationEventId;
    this.#count += 1;
    part.changes.push({ kind, event });
    if (kind === 'deleted') {
      part.events.delete(id);
      part.states.delete(id);
      part.deleted.add(id);
      return;
    }
    const created = part.events.get(id);
    if (created) part.events.set(id, { ...created, Active: event.Active });
    else if (kind !== 'created') part.states.set(id, event.Active);
    // The row of an event that is deleted later may be deleted, too.
    else if (!isGone) part.events.set(id, event);
  }

  /** Copies the rows of a table up to that of an event, or as many as fit. */
  *#rowsFor({ ResultTableName: table, ResultTableRecordId: last }: AggregationEvent): Generator<void> {
    const { part } = this;
    const rows = this.#rowsOf(table);
    while (!this.#hasRowAt(table, last) && !this.#isFull()) {
      if (rows.isPageEnd()) yield;
      const id = rows.peek();
      if (id !== null && id <= last) this.#copy(rows);
      // Rows that are not there were deleted with their rule.
      part.marks.set(table, Math.min(id ?? last, last));
    }
  }

  #copy(rows: RowLines): void {
    const line = rows.next();
    this.part.rows.push(line);
    this.#count += 1;
    this.#characters += line.length;
  }

  #rowsOf(table: string): RowLines {
    const known = this.#tables.get(table);
    if (known) return known;
    const rows = new RowLines(this.#source.results, table, this.#marks.get(table) ?? 0);
    this.#tables.set(table, rows);
    return rows;
  }

  #hasRow({ ResultTableName: table, ResultTableRecordId: id }: AggregationEvent): boolean {
    return this.#hasRowAt(table, id);
  }

  #hasRowAt(table: string, id: number): boolean {
    return (this.part.marks.get(table) ?? this.#marks.get(table) ?? 0) >= id;
  }

  #isFull(): boolean {
    return this.#count >= this.#limits.count || this.#characters >= this.#limits.characters;
  }
}

function some<T>(from: Generator<T>, count: number): T[] {
  const taken: T[] = [];
  for (const one of from) {
    taken.push(one);
    if (taken.length === count) break;
  }
  return taken;
}

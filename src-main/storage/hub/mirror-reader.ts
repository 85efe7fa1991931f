import Database from 'better-sqlite3';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AggregationEvent } from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { FeedPosition } from '#domain/event/event-change';
import { EventChangeRepository, EventRepository } from '../events/event-repository.ts';
import { ResultTables } from '../events/result-tables.ts';
import type { MirrorPart } from './mirror-part.ts';

export interface MirrorLimits {
  /** Events and rows of a part. */
  count: number;
  /** Text of its rows, characters. */
  characters: number;
}

/** How long a part may block this process at a time, ms. */
const TURN_MS = 5;
/** Events of one query. */
const PAGE = 200;

/**
 * Reads parts of the change feed with the rows that their events name, from a separate connection and one snapshot for
 * each part, in short turns.
 */
export class MirrorReader {
  readonly #file: string;
  #database: Database.Database | null = null;

  /** @param file the workspace database, in WAL mode */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * The part after a position; null for a hub that has nothing.
   * @param marks the last row of each table that the hub has
   */
  async read(from: FeedPosition | null, marks: ReadonlyMap<string, number>, limits: MirrorLimits): Promise<MirrorPart> {
    const database = (this.#database ??= new Database(this.#file, { readonly: true, fileMustExist: true }));
    database.exec('BEGIN');
    try {
      const reading = new PartReading(database, marks, limits);
      for (const _ of reading.steps(from)) await reading.turn();
      return reading.part;
    } finally {
      if (database.open && database.inTransaction) database.exec('COMMIT');
    }
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }
}

class PartReading {
  readonly part: MirrorPart = {
    isReset: false,
    position: { seq: 0, listed: 0 },
    isEnd: false,
    at: null,
    rows: [],
    marks: new Map(),
    events: new Map(),
    states: new Map(),
    deleted: new Set(),
    changes: [],
    listed: null,
  };
  readonly #events: EventRepository;
  readonly #changes: EventChangeRepository;
  readonly #results: ResultTables;
  readonly #columns = new Map<string, string[]>();
  readonly #marks: ReadonlyMap<string, number>;
  readonly #limits: MirrorLimits;
  #count = 0;
  #characters = 0;
  #turnEnds = performance.now() + TURN_MS;

  constructor(database: Database.Database, marks: ReadonlyMap<string, number>, limits: MirrorLimits) {
    this.#events = new EventRepository(database);
    this.#changes = new EventChangeRepository(database, this.#events);
    this.#results = new ResultTables(database);
    this.#marks = marks;
    this.#limits = limits;
  }

  async turn(): Promise<void> {
    if (performance.now() < this.#turnEnds) return;
    await nextTurn();
    this.#turnEnds = performance.now() + TURN_MS;
  }

  *steps(from: FeedPosition | null): Generator<void> {
    const { part } = this;
    const { first, last } = this.#changes.range();
    const isKnown = from !== null && from.seq >= first - 1 && from.seq <= last;
    part.isReset = from !== null && !isKnown;
    part.position = isKnown ? from : { seq: last, listed: 0 };
    const { listed } = part.position;
    // A statement that is still open prevents the end of a snapshot: pages are read completely.
    for (;;) {
      const page = some(this.#changes.after(part.position.seq), PAGE);
      if (page.length === 0) break;
      for (const { seq, kind, event, at } of page) {
        if (this.#isFull()) return;
        if (listed === null || event.AggregationEventId <= listed) {
          if (kind === 'created') {
            yield* this.#rowsFor(event);
            if (!this.#hasRow(event)) return;
          }
          this.#change(kind, event);
        }
        part.position = { seq, listed };
        part.at = at;
        yield;
      }
    }
    if (listed !== null) yield* this.#list(listed, last);
    part.isEnd = part.position.listed === null;
  }

  *#list(listed: number, seq: number): Generator<void> {
    const { part } = this;
    part.listed = { after: listed, last: listed };
    const filter = eventFilter({});
    for (;;) {
      const after: number = part.listed.last ?? listed;
      const page = this.#events.between({ ...filter, first: after + 1, last: Number.MAX_SAFE_INTEGER, limit: PAGE });
      for (const event of page) {
        if (this.#isFull()) return;
        yield* this.#rowsFor(event);
        if (!this.#hasRow(event)) return;
        part.events.set(event.AggregationEventId, event);
        part.listed.last = event.AggregationEventId;
        part.position = { seq, listed: event.AggregationEventId };
        this.#count += 1;
        yield;
      }
      if (page.length === PAGE) continue;
      part.listed.last = null;
      part.position = { seq, listed: null };
      return;
    }
  }

  #change(kind: MirrorPart['changes'][number]['kind'], event: AggregationEvent): void {
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
    else if (this.#events.get(id)) part.events.set(id, event);
  }

  /** Copies the rows of a table up to that of an event, or as many as fit. */
  *#rowsFor({ ResultTableName: table, ResultTableRecordId: last }: AggregationEvent): Generator<void> {
    const { part } = this;
    for (;;) {
      const after = part.marks.get(table) ?? this.#marks.get(table) ?? 0;
      if (after >= last || this.#isFull()) return;
      const page = some(this.#results.between(table, { after, last }), PAGE);
      for (const row of page) {
        this.#copy(table, row);
        if (this.#characters >= this.#limits.characters) break;
      }
      // Rows that are not there were deleted with their rule.
      if (page.length === 0) part.marks.set(table, last);
      yield;
    }
  }

  #copy(table: string, [id, ...values]: (string | number | null)[]): void {
    const names = this.#columns.get(table) ?? this.#results.columns(table).map(({ name }) => name);
    this.#columns.set(table, names);
    const data = JSON.stringify(Object.fromEntries(values.map((value, n) => [names[n + 1], storable(value)])));
    const line = `${copyText(table)}\t${id}\t${copyText(data)}\n`;
    this.part.rows.push(line);
    this.part.marks.set(table, Number(id));
    this.#count += 1;
    this.#characters += line.length;
  }

  #hasRow({ ResultTableName: table, ResultTableRecordId: id }: AggregationEvent): boolean {
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

/** PostgreSQL stores neither NUL nor half of a surrogate pair in JSON. */
const storable = (value: string | number | null): string | number | null =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD').toWellFormed() : value;

/** A field of a line in the text format of COPY. */
export const copyText = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r');

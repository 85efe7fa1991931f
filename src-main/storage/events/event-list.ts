import { setImmediate as turn } from 'node:timers/promises';
import type { Statement } from 'better-sqlite3';
import Database from 'better-sqlite3';
import type { EventListQuery } from '#domain/event/event';
import type { DeflatedText } from '../../platform/http/gzip-parts.ts';
import { BY_BLOCK, EVENT_BLOCK, EventSpans, blockOf, spanOf } from './event-blocks.ts';
import type { FilterParameters } from './event-filter.ts';
import { EVENT_BASES, IN_FILTER, IS_ACTIVE, filterParameters, stateBaseOf } from './event-filter.ts';
import { type BlockReader, JOINED_BLOCKS, KeptBlocks } from './kept-blocks.ts';

/** Some events of a list: the text of their JSON objects in UTF-8, separated by commas. */
export interface EventListChunk {
  /** As bytes: a text would only be decoded here to be encoded again when it is sent. May be inflated at each call. */
  readonly text: Uint8Array;
  /** Whether only this chunk uses the memory of `text`, so that it may be freed after its last use. */
  readonly isOwn?: boolean;
  /** The same, if it is there: it need not be compressed again. */
  readonly deflated?: DeflatedText;
  readonly lastId: number;
  readonly count: number;
}

export interface ListOptions {
  /** Whether `deflated` will be used: blocks are then compressed when they are rendered first. Default: false. */
  compressed?: boolean;
}

/** Rows of a chunk: about 1 ms of the event loop. */
const CHUNK_ROWS = 1_000;
/** Number of rows that one step reads if a filter excludes most of them. */
const STEP_ROWS = 5_000;
/** Number of matches of a time range for which its index is used. */
const NARROW = 5_000;
/** If at least one in this many ids matches, the table itself is read. */
const DENSE = 2;
/** Number of idle connections to keep for the next lists. */
const KEPT_CONNECTIONS = 4;

interface Bounds extends FilterParameters {
  after: number;
  upTo: number;
  rows: number;
}

/**
 * Streams lists of events, each from its own connection inside one transaction, so that a list is one consistent
 * snapshot, whatever is written in the meantime and however long the client takes. SQLite renders the JSON.
 */
export class EventList {
  readonly #file: string;
  readonly #idle: ListConnection[] = [];
  readonly #all = new Set<ListConnection>();
  readonly #blocks = new KeptBlocks();
  #closed = false;

  /** @param file the workspace database, in WAL mode */
  constructor(file: string) {
    this.#file = file;
  }

  /**
   * The matching events ordered by id, in chunks of at least one. The snapshot is taken at the first step; ending early
   * releases it.
   */
  async *stream(query: EventListQuery, { compressed = false }: ListOptions = {}): AsyncGenerator<EventListChunk> {
    const connection = this.#open();
    let reader: BlockReader | null = null;
    try {
      connection.begin.run();
      if (isWhole(query)) {
        // The first read takes the snapshot, in the turn in which the reader begins to follow changes.
        connection.first.get();
        reader = this.#blocks.reader();
        yield* wholeList(connection, query.after ?? 0, reader, compressed);
      } else yield* chunksOf(connection, query);
    } finally {
      reader?.close();
      this.#release(connection);
    }
  }

  /** Must be called after every commit with the id of each event that it created, changed or deleted. */
  changed(id: number): void {
    this.#blocks.changed(id);
  }

  /** Closes every connection; lists in progress end with an error. */
  close(): void {
    this.#closed = true;
    for (const connection of this.#all) connection.database.close();
    this.#all.clear();
  }

  #open(): ListConnection {
    const idle = this.#idle.pop();
    if (idle) return idle;
    const connection = connect(this.#file);
    this.#all.add(connection);
    return connection;
  }

  #release(connection: ListConnection): void {
    if (!connection.database.open) return;
    if (connection.database.inTransaction) connection.commit.run();
    if (!this.#closed && this.#idle.length < KEPT_CONNECTIONS) {
      this.#idle.push(connection);
      return;
    }
    connection.database.close();
    this.#all.delete(connection);
  }
}

/** The list of all active events, or of active events after an id: what most clients poll. */
const isWhole = ({ active, ruleId, from, to, limit }: EventListQuery): boolean =>
  active === true && ruleId === null && from === null && to === null && limit === null;

async function* chunksOf(connection: ListConnection, query: EventListQuery): AsyncGenerator<EventListChunk> {
  const { active, ruleId, from, to, limit } = query;
  const bounds: Bounds = {
    ...filterParameters(query),
    after: query.after ?? 0,
    upTo: Number.MAX_SAFE_INTEGER,
    rows: 0,
  };
  const timed = from !== null || to !== null;
  if (timed) {
    const narrow = connection.narrow.all({ from, to, most: NARROW + 1 });
    if (narrow.length === 0) return;
    if (narrow.length <= NARROW) {
      bounds.after = Math.max(bounds.after, Math.min(...narrow) - 1);
      bounds.upTo = Math.max(...narrow);
    }
  }
  const most = limit ?? Number.POSITIVE_INFINITY;
  if (ruleId !== null) {
    yield* chunksOfRule(connection, bounds, most, timed || active !== null);
  } else if (timed) {
    yield* selected(connection.bases[stateBaseOf(bounds)], bounds, most);
  } else {
    yield* chunksInPlace(connection, bounds, most);
  }
}

/** @param selective whether the filter excludes some events of the rule */
async function* chunksOfRule(
  { bases, spans }: ListConnection,
  bounds: Bounds,
  most: number,
  selective: boolean,
): AsyncGenerator<EventListChunk> {
  let left = most;
  for (const { first, last } of spans.upwards(bounds.after + 1, bounds.upTo)) {
    const within = { ...bounds, after: first - 1, upTo: last };
    const chunks = selective ? selected(bases.rule, within, left) : rendered(bases.rule.whole, within, left);
    for await (const chunk of chunks) {
      left -= chunk.count;
      yield chunk;
      if (left <= 0) return;
    }
    await turn();
  }
}

/** Chunks of a list that excludes events: each step is bounded by the rows that it reads, not by those it finds. */
async function* selected(base: Base, bounds: Bounds, most: number): AsyncGenerator<EventListChunk> {
  let { after } = bounds;
  for (let left = most; left > 0;) {
    const reach = base.step.get(spanned({ ...bounds, after, rows: STEP_ROWS }));
    if (typeof reach !== 'number') return;
    for (const chunk of rendered(base.filtered, { ...bounds, after, upTo: reach }, left)) {
      left -= chunk.count;
      yield chunk;
    }
    after = reach;
    await turn();
  }
}

function* rendered(render: Base['whole'], bounds: Bounds, most: number): Generator<EventListChunk> {
  let { after } = bounds;
  for (let left = most; left > 0;) {
    const chunk = render.get(spanned({ ...bounds, after, rows: Math.min(CHUNK_ROWS, left) }));
    if (!chunk?.count) return;
    after = chunk.lastId;
    left -= chunk.count;
    yield chunk;
  }
}

const spanned = (bounds: Bounds) => ({ ...bounds, ...spanOf(bounds.after + 1, bounds.upTo) });

/** Like `chunksInPlace` without a limit, by blocks of ids: blocks that did not change since the last lists are kept. */
function* wholeList(
  { bases, inPlace }: ListConnection,
  from: number,
  reader: BlockReader,
  compressed: boolean,
): Generator<EventListChunk> {
  const filter = filterParameters({ active: true, ruleId: null, from: null, to: null });
  const bounds: Bounds = { ...filter, after: from, upTo: Number.MAX_SAFE_INTEGER, rows: CHUNK_ROWS };
  for (let dense = true; ;) {
    const { after } = bounds;
    if (dense) {
      const block = blockOf(after + 1);
      const end = (block + 1) * EVENT_BLOCK - 1;
      // Ids begin at 1.
      const isBlock = after < Math.max(1, block * EVENT_BLOCK);
      const joined = compressed && isBlock ? reader.joined(block) : null;
      if (joined) {
        yield joined;
        bounds.after = (block + JOINED_BLOCKS) * EVENT_BLOCK - 1;
        continue;
      }
      const kept = isBlock ? reader.get(block) : null;
      const chunk: EventListChunk | undefined = kept ?? inPlace.get({ ...bounds, upTo: end });
      const count = chunk?.count ?? 0;
      if (chunk && count > 0) yield isBlock && !kept ? reader.keep(block, chunk, compressed) : chunk;
      bounds.after = end;
      dense = count * DENSE > end - after;
    } else {
      const chunk = bases.active.whole.get(spanned(bounds));
      if (!chunk?.count) return;
      yield chunk;
      bounds.after = chunk.lastId;
      dense = chunk.count * DENSE > chunk.lastId - after;
    }
  }
}

/**
 * If most events match, they are read in table order, by a range of ids: a quarter faster than through an index and a
 * LIMIT. If few of a range match, the index finds the next ones, until they are dense again.
 */
async function* chunksInPlace(
  { bases, inPlace }: ListConnection,
  bounds: Bounds,
  most: number,
): AsyncGenerator<EventListChunk> {
  const { whole } = bases[stateBaseOf(bounds)];
  let dense = true;
  for (let left = most; left > 0;) {
    const { after } = bounds;
    const rows = Math.min(CHUNK_ROWS, left);
    const chunk: EventListChunk | undefined = dense
      ? inPlace.get({ ...bounds, upTo: after + rows })
      : whole.get(spanned({ ...bounds, rows }));
    if (chunk?.count) yield chunk;
    else if (!dense) return;
    const count: number = chunk?.count ?? 0;
    left -= count;
    bounds.after = dense ? after + rows : (chunk?.lastId ?? after);
    dense = count * DENSE > bounds.after - after;
  }
}

type ListConnection = ReturnType<typeof connect>;
type Base = ListConnection['bases']['all'];
type Spanned = ReturnType<typeof spanned>;

/**
 * The JSON of an event, built as text: a quarter faster than json_object, and a tenth faster than ||. The time is our
 * own text and needs no escaping.
 */
const OBJECT = `format(
  '{"AggregationEventId":%d,"RuleId":%d,"EventDateTime":"%s","Active":%s,"ResultTableName":%s,"ResultTableRecordId":%d}',
  id, rule_id, event_date_time, iif(active, 'true', 'false'), json_quote(result_table_name), result_table_record_id)`;
const CHUNK = `SELECT CAST(group_concat(${OBJECT}, ',') AS BLOB) AS text, max(id) AS lastId, count(*) AS count`;

/** SQLite copies a text into memory of its own. */
function rendering<B>(statement: Statement<[B], EventListChunk>) {
  return {
    get(bounds: B): EventListChunk | undefined {
      const chunk = statement.get(bounds);
      return chunk && { ...chunk, isOwn: true };
    },
  };
}

function connect(file: string) {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  // Lists are read once from front to back: SQLite's default of 16 MB per connection would be wasted.
  database.pragma('cache_size = -2000');
  const base = (from: string, order = 'id') => {
    const rows = `FROM events ${from} id > @after AND id <= @upTo`;
    const next = `ORDER BY ${order} LIMIT @rows`;
    const render = (which: string) =>
      rendering(database.prepare<[Spanned], EventListChunk>(`${CHUNK} FROM (SELECT * ${rows} ${which} ${next})`));
    return {
      /** The highest id of the next rows, whether they match or not. */
      step: database.prepare<[Spanned], number | null>(`SELECT max(id) FROM (SELECT id ${rows} ${next})`).pluck(),
      filtered: render(`AND ${IN_FILTER}`),
      /** Every row of the base matches. */
      whole: render(''),
    };
  };
  return {
    database,
    begin: database.prepare<[]>('BEGIN'),
    first: database.prepare<[]>('SELECT id FROM events LIMIT 1'),
    commit: database.prepare<[]>('COMMIT'),
    spans: new EventSpans(database),
    narrow: database
      .prepare<[{ from: number | null; to: number | null; most: number }], number>(
        `SELECT id FROM events INDEXED BY events_by_time
         WHERE at_ms >= coalesce(@from, -9007199254740991) AND at_ms < coalesce(@to, 9007199254740991) LIMIT @most`,
      )
      .pluck(),
    inPlace: rendering(
      database.prepare<[Bounds], EventListChunk>(`
        ${CHUNK} FROM events NOT INDEXED
        WHERE id > @after AND id <= @upTo AND ${IS_ACTIVE}`),
    ),
    bases: {
      all: base(EVENT_BASES.all),
      rule: base(EVENT_BASES.rule, BY_BLOCK),
      active: base(EVENT_BASES.active),
      disabled: base(EVENT_BASES.disabled),
    },
  };
}

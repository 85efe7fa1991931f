import Database from 'better-sqlite3';
import type { AggregationEvent } from '#domain/event/event';
import type { EventChange, EventChangeKind, FeedPage, FeedPosition } from '#domain/event/event-change';
import type { FeedRange, TimedChange } from './event-repository.ts';
import { EventChangeRepository, EventRepository } from './event-repository.ts';

/** Changes that one step reads at most, if a filter excludes most of them: about 5 ms. */
const STEP = 2_000;

export interface FeedQuery {
  ruleId: number | null;
  /** Maximum number of changes. */
  limit: number;
}

export interface WantedQuery {
  isWanted: (change: EventChange) => boolean;
  /** Maximum number of changes. */
  limit: number;
}

/** A part of the change feed after a number. */
export interface WantedChanges extends FeedRange {
  changes: TimedChange[];
  /** The number up to which all changes were read; below `first - 1` or above `last` if nothing was. */
  seq: number;
}

/**
 * Reads the change feed for clients, from a separate connection: it sees whole transactions only. A client gets the
 * active events as a list first, in pages, each from a snapshot of its own. Changes of events that it has are sent
 * before the next page, so that it misses none, and gets none twice, wherever it is disconnected.
 */
export class EventChangeReader {
  readonly #file: string;
  #open: FeedConnection | null = null;

  /** @param file the workspace database, in WAL mode */
  constructor(file: string) {
    this.#file = file;
  }

  /** The changes after a position; null for a client that has nothing yet. */
  next(position: FeedPosition | null, query: FeedQuery): FeedPage {
    const connection = (this.#open ??= connect(this.#file));
    return connection.next(position, query);
  }

  /** The next changes after a number that are wanted, from one snapshot. */
  wantedAfter(seq: number, query: WantedQuery): WantedChanges {
    const connection = (this.#open ??= connect(this.#file));
    return connection.wantedAfter(seq, query);
  }

  close(): void {
    this.#open?.database.close();
    this.#open = null;
  }
}

interface FeedConnection {
  database: Database.Database;
  /** In one transaction. */
  next: (position: FeedPosition | null, query: FeedQuery) => FeedPage;
  wantedAfter: (seq: number, query: WantedQuery) => WantedChanges;
}

interface Repositories {
  changes: EventChangeRepository;
  events: EventRepository;
}

function connect(file: string): FeedConnection {
  const database = new Database(file, { readonly: true, fileMustExist: true });
  const events = new EventRepository(database);
  const changes = new EventChangeRepository(database, events);
  const next = database.transaction((from: FeedPosition | null, query: FeedQuery) =>
    nextOf({ changes, events }, from, query),
  );
  const wantedAfter = database.transaction((seq: number, query: WantedQuery) => wantedOf(changes, seq, query));
  return { database, next, wantedAfter };
}

function wantedOf(feed: EventChangeRepository, seq: number, { isWanted, limit }: WantedQuery): WantedChanges {
  const range = feed.range();
  const wanted: WantedChanges = { ...range, changes: [], seq };
  if (seq < range.first - 1 || seq >= range.last) return wanted;
  let read = 0;
  for (const change of feed.after(seq)) {
    if (read >= STEP || wanted.changes.length >= limit) return wanted;
    if (isWanted(change)) wanted.changes.push(change);
    wanted.seq = change.seq;
    read += 1;
  }
  return wanted;
}

function nextOf({ changes, events }: Repositories, from: FeedPosition | null, query: FeedQuery): FeedPage {
  const { first, last } = changes.range();
  const isKnown = from !== null && from.seq >= first - 1 && from.seq <= last;
  const page: FeedPage = {
    isReset: from !== null && !isKnown,
    changes: [],
    position: isKnown ? from : { seq: last, listed: 0 },
    isEnd: false,
  };
  const add = (kind: EventChangeKind, event: AggregationEvent, position: FeedPosition): void => {
    page.position = position;
    if (query.ruleId === null || event.RuleId === query.ruleId) page.changes.push({ kind, event, position });
  };

  const { listed } = page.position;
  let read = 0;
  for (const { seq, kind, event } of changes.after(page.position.seq)) {
    if (listed === null || event.AggregationEventId <= listed) add(kind, event, { seq, listed });
    else page.position = { seq, listed };
    read += 1;
    if (read >= STEP || page.changes.length >= query.limit) return page;
  }
  if (listed === null) return { ...page, isEnd: true };

  const rest = query.limit - page.changes.length;
  const some = events.activeAfter({ after: listed, ruleId: query.ruleId, limit: rest });
  for (const event of some) add('created', event, { seq: last, listed: event.AggregationEventId });
  // The feed continues where a list ends.
  if (some.length < rest) page.position = { seq: last, listed: null };
  return page;
}

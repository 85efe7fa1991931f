import type {
  AggregationEvent,
  EventChanges,
  EventClient,
  EventCounts,
  EventFilter,
  EventFilterInput,
  EventListQuery,
} from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { EventChange, EventChangeKind, FeedPage, FeedPosition } from '#domain/event/event-change';
import type { Cause } from '#domain/run/journal';
import { callerNow } from '../../platform/caller.ts';
import type { Clock } from '../../platform/clock.ts';
import { Listeners } from '../../platform/events.ts';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { FeedQuery, WantedChanges, WantedQuery } from '../../storage/events/event-change-reader.ts';
import { EventChangeReader } from '../../storage/events/event-change-reader.ts';
import type { EventListChunk, ListOptions } from '../../storage/events/event-list.ts';
import { EventList } from '../../storage/events/event-list.ts';
import { EventPlaces, isEvery } from '../../storage/events/event-places.ts';
import type { Journal } from '../../storage/journal/journal.ts';
import type {
  EventChangeRepository,
  EventRepository,
  NewEvent,
  NewEventChange,
} from '../../storage/events/event-repository.ts';
import type { BulkAct, BulkEvents, BulkProgress, RangeStep, StepDone, UndoProgress } from './event-bulk.ts';
import { actOnEvents, changedBy, KIND_OF_ACT, undoAction } from './event-bulk.ts';
import { EventNews } from './event-news.ts';
import type { ChangedEvents } from './event-undo.ts';
import { UndoTable } from './event-undo.ts';

/** The parts of the open workspace that the store uses. */
interface EventStorage {
  readonly events: EventRepository;
  readonly eventChanges: EventChangeRepository;
  readonly commits: CommitQueue;
  readonly journal: Pick<Journal, 'eventsChanged'>;
  readonly clock: Clock;
}

/** Number of events or changes that one step of a longer deletion deletes: a few ms. */
const STEP = 1_000;

/** The event records: reading, changing and subscribing to them. */
export class EventStore {
  readonly #store: EventStorage;
  readonly #list: EventList;
  readonly #places: EventPlaces;
  /** Like `#places`, for the two counts that every view shows: filters of others don't displace them. */
  readonly #totals: EventPlaces;
  readonly #news: EventNews;
  readonly #feed: ChangeFeed;
  readonly #undo: UndoTable;

  constructor(store: EventStorage) {
    this.#store = store;
    this.#list = new EventList(store.events.file);
    this.#places = new EventPlaces(store.events.file);
    this.#totals = new EventPlaces(store.events.file);
    this.#news = new EventNews(() => this.counts());
    this.#undo = new UndoTable(store.commits);
    this.#feed = new ChangeFeed(store);
    this.#feed.onChange((changes) => {
      for (const { event } of changes) {
        this.#list.changed(event.AggregationEventId);
        this.#places.changed(event.AggregationEventId);
        this.#totals.changed(event.AggregationEventId);
      }
      this.#news.changed();
    });
  }

  /** The event, active or not; null if there is none. */
  get(id: number): AggregationEvent | null {
    return this.#store.events.get(id);
  }

  /** A page of events with ids below `before`, newest first. */
  page({
    before,
    limit,
    ...filter
  }: EventFilterInput & { before?: number | null | undefined; limit: number }): AggregationEvent[] {
    return this.#store.events.page({ ...eventFilter(filter), before: before ?? Number.MAX_SAFE_INTEGER, limit });
  }

  /** Events from any position of the list, and the length of the list. */
  window(
    filter: EventFilter,
    where: { newestFirst: boolean; offset: number; limit: number },
  ): Promise<{ events: AggregationEvent[]; total: number }> {
    return (isEvery(filter) ? this.#totals : this.#places).window(filter, where);
  }

  /**
   * Does one action on many events in small transactions; see `actOnEvents`. With a name, `undo` can restore the events
   * that it changes, unless it deletes them.
   */
  bulk(act: BulkAct, events: BulkEvents, signal: AbortSignal, name?: string): AsyncGenerator<BulkProgress> {
    const action = name === undefined || act === 'delete' ? null : this.#undo.begin(name, act);
    const store = {
      blocks: (filter: EventFilter) => (isEvery(filter) ? this.#totals : this.#places).blocks(filter),
      actOnRange: (what: BulkAct, range: RangeStep) => this.#actOnRange(what, range, action),
      actOnIds: (what: BulkAct, ids: readonly number[]) =>
        this.#act(what, () => this.#existing([...new Set(ids)]), action),
    };
    return actOnEvents(store, act, events, signal);
  }

  /** Restores the events that an action changed, except for those changed since; null if they are no longer known. */
  undo(name: string, signal: AbortSignal): AsyncGenerator<UndoProgress> | null {
    const action = this.#undo.get(name);
    if (!action) return null;
    const opposite = action.act === 'disable' ? 'activate' : 'disable';
    const restore = (limit: number): Promise<StepDone> =>
      this.#act(opposite, () => this.#existing(this.#undo.some(action, limit)));
    const forget = (): void => this.#undo.delete(name);
    return (async function* () {
      yield* undoAction(action, restore, signal);
      if (action.left === 0) forget();
    })();
  }

  /** Counted a few ms at a time at the first request, and then after changes. */
  async counts(): Promise<EventCounts> {
    return { active: await this.#totals.count(ACTIVE), disabled: await this.#totals.count(DISABLED) };
  }

  /**
   * The matching events, oldest first, as JSON text in chunks: one consistent snapshot, taken at the first step.
   * Returning early releases it.
   */
  list(query: EventListQuery, options?: ListOptions): AsyncGenerator<EventListChunk> {
    return this.#list.stream(query, options);
  }

  /**
   * The number of the last change of any event. If it is read before a snapshot is taken, it may be older than that,
   * never newer.
   */
  version(): number {
    return this.#feed.last;
  }

  /** The next part of the change feed after a position; see `ChangeFeed`. */
  changesAfter(position: FeedPosition | null, query: FeedQuery): FeedPage {
    return this.#feed.next(position, query);
  }

  /** Active events with ids above this one, oldest first. */
  activeAfter(query: { after: number; ruleId: number | null; limit: number }): AggregationEvent[] {
    return this.#store.events.activeAfter(query);
  }

  /** The next changes of the feed after a number that are wanted; see `ChangeFeed`. */
  wantedAfter(seq: number, query: WantedQuery): WantedChanges {
    return this.#feed.wantedAfter(seq, query);
  }

  /** Called after each commit that changed events; the returned function removes the listener. */
  onFeed(listener: () => void): () => void {
    return this.#feed.onChange(listener);
  }

  /** Deletes old changes from the feed; see `ChangeFeed`. */
  expireChanges(limits: { before: number; keep: number }, isWanted: () => boolean): Promise<void> {
    return this.#feed.expire(limits, isWanted);
  }

  /** Called after commits with the changes; the returned function removes the listener. */
  onChange(listener: (changes: EventChanges) => void): () => void {
    return this.#news.onChange(listener);
  }

  /**
   * Resolves after the commit with the stored event, or null if there is none. Idempotent.
   * @param by the client; the user unless given
   */
  setActive(id: number, active: boolean, by?: EventClient): Promise<AggregationEvent | null> {
    const cause = causeOf(by);
    return this.#store.commits.run(() => this.#setActive(id, active, cause));
  }

  /**
   * Makes changes of clients in their order, and the writes of `also`, in one transaction; resolves after the commit.
   * Changes of missing events do nothing.
   */
  applyAll(
    changes: readonly { id: number; active: boolean | null; by: EventClient }[],
    also: () => void,
  ): Promise<void> {
    return this.#store.commits.run(() => {
      for (const { id, active, by } of changes) {
        if (active === null) this.#remove([this.get(id)], causeOf(by));
        else this.#setActive(id, active, causeOf(by));
      }
      also();
    });
  }

  /** Resolves after the commit; false if there was none. The data row stays. */
  delete(id: number, by?: EventClient): Promise<boolean> {
    const cause = causeOf(by);
    return this.#store.commits.run(() => this.#remove([this.get(id)], cause).length > 0);
  }

  /**
   * Writes a new event. Called inside a job of the commit queue, in the transaction of its data row; listeners are
   * notified after the commit.
   */
  insert(event: NewEvent): AggregationEvent {
    const inserted = {
      AggregationEventId: this.#store.events.insert(event),
      RuleId: event.ruleId,
      EventDateTime: event.eventDateTime,
      Active: true,
      ResultTableName: event.resultTableName,
      ResultTableRecordId: event.resultTableRecordId,
    };
    // No action can have changed a new event, and the entry of its firing is the cause.
    this.#feed.add([{ kind: 'created', event: inserted }]);
    return inserted;
  }

  /** Deletes all events of a rule in small steps while the check, made in each transaction, allows it. */
  async deleteOfRule(ruleId: number, isWanted: () => boolean): Promise<void> {
    await this.#deleteInSteps(() => (isWanted() ? this.#store.events.ofRule(ruleId, STEP) : []), callerNow());
  }

  /**
   * Deletes the oldest disabled events: events that fired before a moment, and events beyond a count. In small steps,
   * while allowed; resolves with their number.
   */
  async expire({ before, keep }: { before: number; keep: number }, isWanted: () => boolean): Promise<number> {
    let excess = 0;
    return this.#deleteInSteps(
      () => {
        if (!isWanted()) return [];
        const oldest = this.#store.events.oldestDisabled(STEP);
        return oldest.filter((event, place) => place < excess || Date.parse(event.EventDateTime) < before);
      },
      { by: 'retention' },
      async () => {
        excess = (await this.counts()).disabled - keep;
      },
    );
  }

  close(): void {
    this.#feed.close();
    this.#undo.close();
    this.#news.close();
    this.#list.close();
    this.#places.close();
    this.#totals.close();
  }

  /** @param prepare runs before each step */
  async #deleteInSteps(next: () => AggregationEvent[], cause: Cause, prepare = async () => {}): Promise<number> {
    let count = 0;
    for (;;) {
      await prepare();
      const step = await this.#store.commits.run(() =>
        this.#remove(
          next().map(({ AggregationEventId: id }) => this.get(id)),
          cause,
        ),
      );
      count += step.length;
      if (step.length === 0) return count;
    }
  }

  async #actOnRange(
    act: BulkAct,
    { except, limit, ...range }: RangeStep,
    action: ChangedEvents | null,
  ): Promise<StepDone & { lastId: number | null }> {
    let lastId: number | null = null;
    const find = (): AggregationEvent[] => {
      const rows = this.#store.events.between({ ...range, limit });
      lastId = rows.at(-1)?.AggregationEventId ?? null;
      return rows.filter(({ AggregationEventId: id }) => !except.has(id));
    };
    const done = await this.#act(act, find, action);
    return { ...done, lastId };
  }

  #existing(ids: readonly number[]): AggregationEvent[] {
    return ids.flatMap((id) => this.#store.events.get(id) ?? []);
  }

  /** One transaction over the events that `find` returns inside it; `action` records what it changes. */
  #act(act: BulkAct, find: () => AggregationEvent[], action: ChangedEvents | null = null): Promise<StepDone> {
    const caller = callerNow();
    return this.#store.commits.run(() => {
      const began = performance.now();
      const events = find();
      const changed = changedBy(act, events);
      for (const { AggregationEventId: id } of changed) {
        if (act === 'delete') this.#store.events.delete(id);
        else this.#store.events.setActive(id, act === 'activate');
      }
      this.#changed(KIND_OF_ACT[act], changed, caller, action);
      return { met: events.length, changed, ms: performance.now() - began };
    });
  }

  /** Inside a job. */
  #setActive(id: number, active: boolean, cause: Cause): AggregationEvent | null {
    const found = this.#store.events.get(id);
    // Also a client that sets the same state has decided: undoing another action does not change it.
    if (found) this.#undo.changed([id]);
    if (found === null || found.Active === active) return found;
    this.#store.events.setActive(id, active);
    const event = { ...found, Active: active };
    this.#changed(active ? 'reactivated' : 'disabled', [event], cause);
    return event;
  }

  /** Inside a job: deletes the existing ones of these events, and returns them. */
  #remove(found: readonly (AggregationEvent | null)[], cause: Cause): AggregationEvent[] {
    const events = found.filter((event) => event !== null);
    for (const { AggregationEventId: id } of events) this.#store.events.delete(id);
    this.#changed('deleted', events, cause);
    return events;
  }

  /** Inside a job: these events are created, changed or deleted with its commit. */
  #changed(
    kind: EventChangeKind,
    events: readonly AggregationEvent[],
    cause: Cause,
    action: ChangedEvents | null = null,
  ): void {
    if (events.length === 0) return;
    const ids = events.map(({ AggregationEventId: id }) => id);
    this.#undo.changed(ids, action);
    this.#store.journal.eventsChanged(kind, ids, cause);
    this.#feed.add(events.map((event) => ({ kind, event })));
  }
}

const causeOf = (by: EventClient | undefined): Cause => (by ? { by: 'client', ...by } : callerNow());

const ACTIVE = eventFilter({ active: true });
const DISABLED = eventFilter({ active: false });

/** Number of the newest changes that are also kept in memory, for clients that have all but these. */
const RECENT = 2_000;

/**
 * The change feed of the events: numbers every change in its own transaction, and notifies after the commit. The list,
 * the counts, the window and the stream of the events API follow it.
 */
class ChangeFeed {
  readonly #store: EventStorage;
  readonly #reader: EventChangeReader;
  readonly #listeners = new Listeners<readonly EventChange[]>();
  /** The changes of the open transaction. */
  #open: NewEventChange[] = [];
  readonly #recent: EventChange[] = [];
  #last: number;

  constructor(store: EventStorage) {
    this.#store = store;
    this.#reader = new EventChangeReader(store.events.file);
    this.#last = store.eventChanges.range().last;
  }

  /** The number of the last committed change: higher after every change of any event, over restarts too. */
  get last(): number {
    return this.#last;
  }

  /** Inside a job: changes that are made with its commit. */
  add(changes: readonly NewEventChange[]): void {
    const { commits } = this.#store;
    commits.beforeCommit(() => {
      // After the changes of all other jobs of the transaction.
      if (this.#open.length === 0) commits.beforeCommit(() => this.#write());
      this.#open.push(...changes);
    });
  }

  /** Called after each commit with its changes, in order; the returned function removes the listener. */
  onChange(listener: (changes: readonly EventChange[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  /** The changes after a position; null for a client that has nothing yet, which gets the active events first. */
  next(position: FeedPosition | null, query: FeedQuery): FeedPage {
    return this.#recentOf(position, query) ?? this.#reader.next(position, query);
  }

  /** The next changes after a number that are wanted, from one snapshot of committed changes. */
  wantedAfter(seq: number, query: WantedQuery): WantedChanges {
    return this.#reader.wantedAfter(seq, query);
  }

  /**
   * Deletes the oldest changes, in small steps while allowed: those made before a moment, and those beyond a count. A
   * client that has not got them starts with a new list.
   */
  async expire(limits: { before: number; keep: number }, isWanted: () => boolean): Promise<void> {
    const step = () => isWanted() && this.#store.eventChanges.expire({ ...limits, limit: STEP });
    while (await this.#store.commits.run(step));
  }

  close(): void {
    this.#listeners.clear();
    this.#reader.close();
  }

  /** In the transaction, when all of its jobs are done. */
  #write(): void {
    const changes = this.#open;
    this.#open = [];
    const { eventChanges, commits, clock } = this.#store;
    const first = this.#last + 1;
    eventChanges.append(first, changes, clock.now());
    commits.afterCommit(() => {
      const numbered = changes.map((change, n) => ({ seq: first + n, ...change }));
      this.#last += numbered.length;
      this.#recent.push(...numbered);
      if (this.#recent.length > 2 * RECENT) this.#recent.splice(0, this.#recent.length - RECENT);
      this.#listeners.emit(numbered);
    });
  }

  /** From memory, for a client that has its list and all changes but recent ones. */
  #recentOf(position: FeedPosition | null, { ruleId, limit }: FeedQuery): FeedPage | null {
    if (position === null || position.listed !== null || position.seq > this.#last) return null;
    const from = position.seq - this.#last + this.#recent.length;
    if (from < 0) return null;
    const some = this.#recent.slice(from, from + limit);
    const seq = some.at(-1)?.seq ?? position.seq;
    return {
      isReset: false,
      changes: some
        .filter(({ event }) => ruleId === null || event.RuleId === ruleId)
        .map((change) => ({ kind: change.kind, event: change.event, position: { seq: change.seq, listed: null } })),
      position: { seq, listed: null },
      isEnd: seq === this.#last,
    };
  }
}

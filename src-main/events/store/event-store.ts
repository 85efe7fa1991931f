import type {
  AggregationEvent,
  EventChanges,
  EventCounts,
  EventFilter,
  EventFilterInput,
  EventListQuery,
} from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { CommitQueue } from '../../storage/commit-queue.ts';
import type { EventListChunk, ListOptions } from '../../storage/events/event-list.ts';
import { EventList } from '../../storage/events/event-list.ts';
import { EventPlaces } from '../../storage/events/event-places.ts';
import type { EventRepository, NewEvent } from '../../storage/events/event-repository.ts';
import type { BulkAct, BulkEvents, BulkProgress, RangeStep, StepDone, UndoProgress } from './event-bulk.ts';
import { actOnEvents, undoAction } from './event-bulk.ts';
import { EventNews } from './event-news.ts';
import type { ChangedEvents } from './event-undo.ts';
import { UndoTable } from './event-undo.ts';

/** The parts of the open workspace that the store uses. */
interface EventStorage {
  readonly events: EventRepository;
  readonly commits: CommitQueue;
}

/** Number of events that one step of a longer deletion deletes. */
const STEP = 1_000;

/** The event records: reading, changing and subscribing to them. */
export class EventStore {
  readonly #store: EventStorage;
  readonly #list: EventList;
  readonly #places: EventPlaces;
  /** Like `#places`, for the two counts that every view shows: filters of others don't displace them. */
  readonly #totals: EventPlaces;
  readonly #news: EventNews;
  readonly #versions: EventVersions;
  readonly #undo: UndoTable;

  constructor(store: EventStorage) {
    this.#store = store;
    this.#list = new EventList(store.events.file);
    this.#places = new EventPlaces(store.events.file);
    this.#totals = new EventPlaces(store.events.file);
    this.#news = new EventNews(() => this.counts());
    this.#versions = new EventVersions(store);
    this.#undo = new UndoTable(store.commits);
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
    return this.#places.window(filter, where);
  }

  /**
   * Does one action on many events in small transactions; see `actOnEvents`. With a name, `undo` can restore the events
   * that it changes, unless it deletes them.
   */
  bulk(act: BulkAct, events: BulkEvents, signal: AbortSignal, name?: string): AsyncGenerator<BulkProgress> {
    const action = name === undefined || act === 'delete' ? null : this.#undo.begin(name, act);
    const store = {
      blocks: (filter: EventFilter) => this.#places.blocks(filter),
      actOnRange: (what: BulkAct, range: RangeStep) => this.#actOnRange(what, range, action),
      actOnIds: (what: BulkAct, ids: readonly number[]) =>
        this.#act(what, () => this.#existing([...new Set(ids)]), action),
    };
    return actOnEvents(store, act, events, signal);
  }

  /** Restores what an action changed and nobody else changed since; null if that is not known any more. */
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

  /** See the versions: a higher number after every change of any event. */
  version(): number {
    return this.#versions.current;
  }

  /** Called after commits with the changes; the returned function removes the listener. */
  onChange(listener: (changes: EventChanges) => void): () => void {
    return this.#news.onChange(listener);
  }

  /** Resolves after the commit with the stored event, or null if there is none. Idempotent. */
  setActive(id: number, active: boolean): Promise<AggregationEvent | null> {
    return this.#store.commits.run(() => {
      const found = this.#store.events.get(id);
      // Also a client that sets the same state has decided: undoing another action does not change it.
      if (found) this.#undo.changed([id]);
      if (found === null || found.Active === active) return found;
      this.#versions.changing();
      this.#store.events.setActive(id, active);
      const event = { ...found, Active: active };
      this.#changed([event]);
      return event;
    });
  }

  /** Resolves after the commit; false if there was none. The data row stays. */
  delete(id: number): Promise<boolean> {
    return this.#store.commits.run(() => this.#remove(id));
  }

  /**
   * Writes a new event. Called inside a job of the commit queue, in the transaction of its data row; listeners are
   * notified after the commit.
   */
  insert(event: NewEvent): AggregationEvent {
    this.#versions.changing();
    const inserted = {
      AggregationEventId: this.#store.events.insert(event),
      RuleId: event.ruleId,
      EventDateTime: event.eventDateTime,
      Active: true,
      ResultTableName: event.resultTableName,
      ResultTableRecordId: event.resultTableRecordId,
    };
    this.#changed([inserted]);
    return inserted;
  }

  /** Deletes all events of a rule in small steps while the check, made in each transaction, allows it. */
  async deleteOfRule(ruleId: number, isWanted: () => boolean): Promise<void> {
    await this.#deleteInSteps(() => (isWanted() ? this.#store.events.ofRule(ruleId, STEP) : []));
  }

  /**
   * Deletes the oldest disabled events: those that fired before a moment, and those beyond a count. In small steps,
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
      async () => {
        excess = (await this.counts()).disabled - keep;
      },
    );
  }

  close(): void {
    this.#versions.close();
    this.#undo.close();
    this.#news.close();
    this.#list.close();
    this.#places.close();
    this.#totals.close();
  }

  /** @param prepare runs before each step */
  async #deleteInSteps(next: () => AggregationEvent[], prepare = async () => {}): Promise<number> {
    let count = 0;
    for (;;) {
      await prepare();
      const step = await this.#store.commits.run(() =>
        next().filter((event) => this.#remove(event.AggregationEventId)),
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
    return this.#store.commits.run(() => {
      const began = performance.now();
      const events = find();
      const changed = events.filter(({ Active }) => act === 'delete' || Active !== (act === 'activate'));
      if (changed.length > 0) this.#versions.changing();
      for (const { AggregationEventId: id } of changed) {
        if (act === 'delete') this.#store.events.delete(id);
        else this.#store.events.setActive(id, act === 'activate');
      }
      this.#changed(changed, action);
      return { met: events.length, changed, ms: performance.now() - began };
    });
  }

  /** Inside a job: whether there was one. */
  #remove(id: number): boolean {
    const event = this.#store.events.get(id);
    if (event === null) return false;
    this.#versions.changing();
    this.#store.events.delete(id);
    this.#changed([event]);
    return true;
  }

  /** Inside a job: these events are created, changed or deleted with its commit. */
  #changed(events: readonly AggregationEvent[], action: ChangedEvents | null = null): void {
    if (events.length === 0) return;
    this.#undo.changed(
      events.map(({ AggregationEventId: id }) => id),
      action,
    );
    this.#store.commits.afterCommit(() => {
      for (const { AggregationEventId: id } of events) {
        this.#list.changed(id);
        this.#places.changed(id);
        this.#totals.changed(id);
      }
      this.#news.changed();
    });
  }
}

const ACTIVE = eventFilter({ active: true });
const DISABLED = eventFilter({ active: false });

/** Versions per process: far more than it can use. */
const VERSIONS_OF_EPOCH = 2 ** 32;

/**
 * Numbers the states of the events: every process reserves a range of numbers with its first change, so that they rise
 * over restarts without a write for each.
 */
class EventVersions {
  readonly #events: Pick<EventRepository, 'epoch' | 'setEpoch'>;
  readonly #unsubscribe: () => void;
  readonly #epoch: number;
  #made = 0;
  #epochIsTaken = false;
  /** Whether a job since the last commit changed events. */
  #dirty = false;

  constructor({ events, commits }: { events: Pick<EventRepository, 'epoch' | 'setEpoch'>; commits: CommitQueue }) {
    this.#events = events;
    this.#epoch = events.epoch() + 1;
    this.#unsubscribe = commits.onCommit(() => {
      if (!this.#dirty) return;
      this.#dirty = false;
      this.#made += 1;
      // Undoing the job also undid its reservation.
      this.#epochIsTaken ||= events.epoch() === this.#epoch;
    });
  }

  /**
   * A higher number after every change of any event, over restarts too. If it is read before a snapshot is taken, it
   * may be older than that, never newer.
   */
  get current(): number {
    return this.#epoch * VERSIONS_OF_EPOCH + this.#made;
  }

  /** Called inside a job before it changes events. The first change of a process reserves the range of versions. */
  changing(): void {
    this.#dirty = true;
    if (!this.#epochIsTaken) this.#events.setEpoch(this.#epoch);
  }

  close(): void {
    this.#unsubscribe();
  }
}

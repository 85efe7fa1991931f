import type { AggregationEvent, EventChanges, EventCounts } from '#domain/event';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';
import { Store } from '../../../ui/store.ts';

const PAGE = 500;

export interface EventsFilter {
  /** null: active and disabled ones. */
  active: boolean | null;
  /** null: of every rule. */
  ruleId: number | null;
}

export interface EventsState {
  filter: EventsFilter;
  /** Newest first: those that were fetched so far. */
  events: readonly AggregationEvent[];
  /** Whether there are older ones that were not fetched. */
  more: boolean;
  loaded: boolean;
  counts: EventCounts;
  problem: string | null;
}

/** The events that a filter lets through, newest first, a page at a time, kept up to date by what is told of changes. */
export class EventList {
  readonly store = new Store<EventsState>({
    filter: { active: null, ruleId: null },
    events: [],
    more: false,
    loaded: false,
    counts: { active: 0, disabled: 0 },
    problem: null,
  });
  readonly #client: Pick<Client, 'events'>;
  #end = new AbortController();
  #fetching = false;

  constructor(client: Pick<Client, 'events'>) {
    this.#client = client;
  }

  /** Lists, and follows changes until the signal aborts. */
  start(signal: AbortSignal): void {
    void this.#reload();
    void follow(
      (end) => this.#client.events.changes(undefined, { signal: end }),
      (changes) => this.#hear(changes),
      signal,
    );
    signal.addEventListener('abort', () => this.#end.abort());
  }

  setFilter(filter: EventsFilter): void {
    this.#set({ filter });
    void this.#reload();
  }

  /** Fetches the next page of older events. */
  async fetchMore(): Promise<void> {
    const { events, more } = this.store.get();
    const last = events.at(-1);
    if (!more || this.#fetching || !last) return;
    await this.#fetch(last.AggregationEventId, events);
  }

  async #reload(): Promise<void> {
    this.#end.abort();
    this.#end = new AbortController();
    await this.#fetch(null, []);
  }

  async #fetch(before: number | null, have: readonly AggregationEvent[]): Promise<void> {
    const { signal } = this.#end;
    const { filter } = this.store.get();
    this.#fetching = true;
    try {
      const { events, counts } = await this.#client.events.list({ ...filter, before, limit: PAGE }, { signal });
      if (signal.aborted) return;
      // What was told of meanwhile stays at the head of the list.
      const now = before === null ? have : this.store.get().events;
      const more = events.length === PAGE;
      this.#set({ events: [...now, ...events], counts, more, loaded: true, problem: null });
    } catch (error) {
      if (!signal.aborted && !isAbort(error)) this.#set({ problem: problemOf(error).message, loaded: true });
    } finally {
      if (!signal.aborted) this.#fetching = false;
    }
  }

  #hear(changes: EventChanges): void {
    this.#set({ counts: changes.counts });
    if (changes.more) void this.#reload();
    else if (this.store.get().loaded) this.#set({ events: withChanges(this.store.get(), changes) });
  }

  #set(change: Partial<EventsState>): void {
    this.store.update((state) => ({ ...state, ...change }));
  }
}

/** The list after changes: what is new comes to the head, what the filter no longer lets through goes. */
export function withChanges(
  { events, filter }: Pick<EventsState, 'events' | 'filter'>,
  { events: told, deleted }: Pick<EventChanges, 'events' | 'deleted'>,
): readonly AggregationEvent[] {
  const fits = ({ Active, RuleId }: AggregationEvent) =>
    (filter.active === null || Active === filter.active) && (filter.ruleId === null || RuleId === filter.ruleId);
  const now = new Map(told.map((event) => [event.AggregationEventId, event]));
  const gone = new Set(deleted);
  const kept = events
    .filter(({ AggregationEventId: id }) => !gone.has(id))
    .map((event) => now.get(event.AggregationEventId) ?? event)
    .filter(fits);
  const newest = events[0]?.AggregationEventId ?? 0;
  const added = told.filter((event) => event.AggregationEventId > newest && fits(event));
  return [...added.toSorted((a, b) => b.AggregationEventId - a.AggregationEventId), ...kept];
}

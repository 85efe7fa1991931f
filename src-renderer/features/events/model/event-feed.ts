import type { AggregationEvent, EventChanges, EventCounts } from '#domain/event/event';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import { stayCurrent } from '../../../client/stay-current.ts';
import { Store } from '../../../support/store.ts';

const PAGE = 200;
/** The number of pages that are kept besides the visible ones. */
const KEPT = 20;
/** Browsers limit the height of a page. */
const MOST_ROWS = 1_250_000;

export interface EventsFilter {
  /** null: active and disabled events. */
  active: boolean | null;
  /** null: events of all rules. */
  ruleId: number | null;
  /** ms since 1970 in UTC: at or after, and before; null: any time. */
  from: number | null;
  to: number | null;
}

export interface EventsState {
  filter: EventsFilter;
  newestFirst: boolean;
  /** The number of events that match the filter. */
  total: number;
  /** The number that the table can show: all, up to 1,250,000. */
  rows: number;
  /** Changes whenever rows may have changed. */
  revision: number;
  loaded: boolean;
  counts: EventCounts;
  problem: string | null;
}

interface EventPage {
  rows: readonly AggregationEvent[];
  /** Whether the page changed since it was loaded. */
  stale: boolean;
}

/** The events that match a filter: visible pages are loaded, and reloaded after changes. */
export class EventFeed {
  readonly store = new Store<EventsState>({
    filter: { active: null, ruleId: null, from: null, to: null },
    newestFirst: true,
    total: 0,
    rows: 0,
    revision: 0,
    loaded: false,
    counts: { active: 0, disabled: 0 },
    problem: null,
  });
  readonly #client: Pick<Client, 'events'>;
  readonly #pages = new Map<number, EventPage>();
  #sight = { first: 0, last: 0 };
  #end = new AbortController();
  #fetching = false;

  constructor(client: Pick<Client, 'events'>) {
    this.#client = client;
  }

  /** Lists, and follows changes until the signal aborts. */
  start(signal: AbortSignal): void {
    this.#end = new AbortController();
    this.#fetching = false;
    // Shown without waiting until main listens; then it is read again.
    void this.#fetchWhatIsSeen();
    void stayCurrent(
      {
        changes: [(end) => this.#client.events.changes(undefined, { signal: end })],
        read: async () => this.#outdate(),
        apply: (changes) => this.#applyChanges(changes),
      },
      signal,
    );
    signal.addEventListener('abort', () => this.#end.abort());
  }

  setFilter(filter: EventsFilter): void {
    this.#begin({ filter });
  }

  setNewestFirst(newestFirst: boolean): void {
    this.#begin({ newestFirst });
  }

  /** undefined while it is loading. */
  rowAt(index: number): AggregationEvent | undefined {
    return this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /** The position of a loaded event; -1 if it is not loaded. */
  placeOf(id: number): number {
    for (const [number, { rows }] of this.#pages) {
      const place = rows.findIndex(({ AggregationEventId }) => AggregationEventId === id);
      if (place >= 0) return number * PAGE + place;
    }
    return -1;
  }

  /** Sets the visible rows, which are loaded. */
  show(first: number, last: number): void {
    this.#sight = { first: Math.max(0, first), last: Math.max(0, last) };
    void this.#fetchWhatIsSeen();
  }

  /** The event at a position, loaded if necessary; undefined if there is none, or it can't be read. */
  async fetchAt(index: number): Promise<AggregationEvent | undefined> {
    const known = this.rowAt(index);
    if (known) return known;
    const { signal } = this.#end;
    try {
      await this.#fetch(Math.floor(index / PAGE), signal);
    } catch (error) {
      this.#fail(error, signal);
    }
    return this.rowAt(index);
  }

  #begin(change: Partial<EventsState>): void {
    this.#end.abort();
    this.#end = new AbortController();
    this.#fetching = false;
    this.#pages.clear();
    this.#sight = { first: 0, last: 0 };
    this.#set({ ...change, total: 0, rows: 0, loaded: false });
    void this.#fetchWhatIsSeen();
  }

  /** Loads one page at a time, visible at that moment: dragging the scroll bar loads no skipped pages. */
  async #fetchWhatIsSeen(): Promise<void> {
    if (this.#fetching) return;
    this.#fetching = true;
    const { signal } = this.#end;
    try {
      for (let page = this.#wanted(); page !== null && !signal.aborted; page = this.#wanted()) {
        await this.#fetch(page, signal);
      }
    } catch (error) {
      this.#fail(error, signal);
    } finally {
      if (!signal.aborted) this.#fetching = false;
    }
  }

  #wanted(): number | null {
    const { loaded, rows } = this.store.get();
    const last = loaded ? Math.min(this.#sight.last, Math.max(0, rows - 1)) : 0;
    for (let page = Math.floor(this.#sight.first / PAGE); page * PAGE <= last; page += 1) {
      if (this.#pages.get(page)?.stale ?? true) return page;
    }
    // The count is needed even if no row is visible.
    return loaded ? null : 0;
  }

  async #fetch(page: number, signal: AbortSignal): Promise<void> {
    const { filter, newestFirst } = this.store.get();
    // A change during the request makes its response stale.
    const fetched: EventPage = { rows: this.#pages.get(page)?.rows ?? [], stale: false };
    this.#pages.set(page, fetched);
    try {
      const { events, total, counts } = await this.#client.events.window(
        { ...filter, newestFirst, offset: page * PAGE, limit: PAGE },
        { signal },
      );
      if (signal.aborted) return;
      fetched.rows = events;
      this.#drop(page);
      this.#set({ total, rows: Math.min(total, MOST_ROWS), counts, loaded: true, problem: null });
    } catch (error) {
      fetched.stale = true;
      throw error;
    }
  }

  #drop(but: number): void {
    for (const page of this.#pages.keys()) {
      if (this.#pages.size <= KEPT) return;
      const isSeen = (page + 1) * PAGE > this.#sight.first && page * PAGE <= this.#sight.last;
      if (!isSeen && page !== but) this.#pages.delete(page);
    }
  }

  #applyChanges({ counts }: EventChanges): boolean {
    this.#set({ counts });
    return false;
  }

  #outdate(): void {
    for (const page of this.#pages.values()) page.stale = true;
    void this.#fetchWhatIsSeen();
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (!signal.aborted && !isAbort(error)) this.#set({ problem: problemOf(error).message, loaded: true });
  }

  #set(change: Partial<EventsState>): void {
    this.store.update((state) => ({ ...state, ...change, revision: state.revision + 1 }));
  }
}

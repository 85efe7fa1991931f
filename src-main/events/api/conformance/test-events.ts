import type { AggregationEvent, EventClient, EventListQuery } from '#domain/event/event';
import type { EventChange, EventChangeKind, FeedPage, FeedPosition } from '#domain/event/event-change';
import { localTimeText } from '#domain/text/local-time';
import type { Clock } from '../../../platform/clock.ts';
import { Listeners } from '../../../platform/events.ts';
import type { EventSource, ListChunk } from '../list/event-source.ts';

/** Events of one part of a list. */
const CHUNK = 500;

/** Test events in memory, with the same lists and change feed as those of a workspace. */
export class TestEvents implements EventSource {
  readonly #clock: Clock;
  readonly #ruleId: number;
  readonly #events = new Map<number, AggregationEvent>();
  /** All changes; the place of one is its number less 1. */
  readonly #changes: EventChange[] = [];
  readonly #listeners = new Listeners<void>();
  #lastId = 0;
  /** Positions below this number are unknown. */
  #forgotten = 0;
  /** How often a stream had to begin again. */
  resets = 0;

  constructor({ clock, ruleId }: { clock: Clock; ruleId: number }) {
    this.#clock = clock;
    this.#ruleId = ruleId;
  }

  /** Number of events that were created. */
  get created(): number {
    return this.#lastId;
  }

  /** Creates active events, and returns their ids. */
  create(count: number): number[] {
    return Array.from({ length: count }, () => {
      this.#lastId += 1;
      const event = {
        AggregationEventId: this.#lastId,
        RuleId: this.#ruleId,
        EventDateTime: localTimeText(this.#clock.now()),
        Active: true,
        ResultTableName: 'conformance_check',
        ResultTableRecordId: this.#lastId,
      };
      this.#change('created', event);
      return event.AggregationEventId;
    });
  }

  /** Deletes events as another client does; returns the existing ones. */
  deleteSome(ids: readonly number[]): number[] {
    return ids.filter((id) => this.#remove(id));
  }

  /** Whether the event waits to be processed. */
  isActive(id: number): boolean {
    return this.#events.get(id)?.Active ?? false;
  }

  /** Streams can't continue after the changes so far, once further events were created. */
  forgetChanges(): void {
    this.#forgotten = this.#changes.length + 1;
  }

  get(id: number): AggregationEvent | null {
    return this.#events.get(id) ?? null;
  }

  async setActive(id: number, active: boolean, _by?: EventClient): Promise<AggregationEvent | null> {
    const event = this.#events.get(id);
    if (event === undefined) return null;
    if (event.Active === active) return event;
    const changed = { ...event, Active: active };
    this.#change(active ? 'reactivated' : 'disabled', changed);
    return changed;
  }

  async delete(id: number, _by?: EventClient): Promise<boolean> {
    return this.#remove(id);
  }

  version(): number {
    return this.#changes.length;
  }

  activeAfter({ after, ruleId, limit }: { after: number; ruleId: number | null; limit: number }): AggregationEvent[] {
    return this.#matching({ active: true, ruleId, from: null, to: null, after, limit });
  }

  onFeed(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  async *list(query: EventListQuery): AsyncGenerator<ListChunk> {
    const events = this.#matching(query);
    for (let start = 0; start < events.length; start += CHUNK) {
      const some = events.slice(start, start + CHUNK);
      const text = Buffer.from(some.map((event) => JSON.stringify(event)).join(','));
      yield { text, lastId: some.at(-1)?.AggregationEventId ?? 0, count: some.length };
    }
  }

  changesAfter(from: FeedPosition | null, { ruleId, limit }: { ruleId: number | null; limit: number }): FeedPage {
    const isKnown = from !== null && from.seq >= this.#forgotten && from.seq <= this.#changes.length;
    const isReset = from !== null && !isKnown;
    if (isReset) this.resets += 1;
    const start = isKnown ? from : { seq: this.#changes.length, listed: 0 };
    const page = start.listed === null ? this.#feedAfter(start.seq, limit) : this.#listAfter(start.seq, start.listed);
    const isWanted = ({ event }: { event: AggregationEvent }) => ruleId === null || event.RuleId === ruleId;
    return { ...page, isReset, changes: page.changes.filter(isWanted) };
  }

  /** The events that were active when the list began, and still are: later changes follow it. */
  #listAfter(seq: number, listed: number): Omit<FeedPage, 'isReset'> {
    const known = new Set(this.#changes.slice(0, seq).map(({ event }) => event.AggregationEventId));
    const events = this.activeAfter({ after: listed, ruleId: null, limit: this.#events.size });
    const changes = events
      .filter(({ AggregationEventId: id }) => known.has(id))
      .map((event) => ({ kind: 'created' as const, event, position: { seq, listed: event.AggregationEventId } }));
    return { changes, position: { seq, listed: null }, isEnd: seq === this.#changes.length };
  }

  #feedAfter(seq: number, limit: number): Omit<FeedPage, 'isReset'> {
    const changes = this.#changes
      .slice(seq, seq + limit)
      .map(({ kind, event, seq: place }) => ({ kind, event, position: { seq: place, listed: null } }));
    const last = seq + changes.length;
    return { changes, position: { seq: last, listed: null }, isEnd: last === this.#changes.length };
  }

  #matching({ active, ruleId, from, to, after, limit }: EventListQuery): AggregationEvent[] {
    const found = [...this.#events.values()].filter((event) => {
      const at = Date.parse(event.EventDateTime);
      return (
        (active === null || event.Active === active) &&
        (ruleId === null || event.RuleId === ruleId) &&
        (from === null || at >= from) &&
        (to === null || at < to) &&
        event.AggregationEventId > (after ?? 0)
      );
    });
    return limit === null ? found : found.slice(0, limit);
  }

  #remove(id: number): boolean {
    const event = this.#events.get(id);
    if (event === undefined) return false;
    this.#change('deleted', event);
    return true;
  }

  #change(kind: EventChangeKind, event: AggregationEvent): void {
    if (kind === 'deleted') this.#events.delete(event.AggregationEventId);
    else this.#events.set(event.AggregationEventId, event);
    this.#changes.push({ seq: this.#changes.length + 1, kind, event });
    this.#listeners.emit();
  }
}

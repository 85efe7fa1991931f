import type { AggregationEvent } from '#domain/event/event';
import type { EventListQuery } from '#domain/event/event';
import type { EventChange, FeedPage, FeedPosition } from '#domain/event/event-change';
import { Listeners } from '../../../../src-main/platform/events.ts';
import type { EventSource } from '../../../../src-main/events/api/list/event-source.ts';

/** As large as those of the store, and larger than a response can take at once. */
const CHUNK = 1_000;
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z');

export function eventOf(id: number): AggregationEvent {
  return {
    AggregationEventId: id,
    RuleId: 1 + (id % 3),
    EventDateTime: `${new Date(FIRST_AT + id * 1_000 + 3_600_000).toISOString().slice(0, -1)}+01:00`,
    Active: true,
    ResultTableName: 'rule_1 "},{" ü',
    ResultTableRecordId: id * 10,
  };
}

/** Events in memory; `lists` counts the snapshots that are open. */
export class FakeEventSource implements EventSource {
  readonly events = new Map<number, AggregationEvent>();
  lists = 0;
  /** The error that the next call throws. */
  failNext: unknown = null;
  #version = 0;
  readonly #listeners = new Listeners<void>();
  readonly #changes: EventChange[] = [];

  constructor(count: number) {
    for (let id = 1; id <= count; id += 1) this.events.set(id, eventOf(id));
  }

  get(id: number): AggregationEvent | null {
    this.#fail();
    return this.events.get(id) ?? null;
  }

  async setActive(id: number, active: boolean): Promise<AggregationEvent | null> {
    this.#fail();
    const event = this.events.get(id);
    if (!event) return null;
    const changed = { ...event, Active: active };
    this.events.set(id, changed);
    if (event.Active !== active) this.#changed(active ? 'reactivated' : 'disabled', changed);
    return changed;
  }

  async delete(id: number): Promise<boolean> {
    this.#fail();
    const event = this.events.get(id);
    this.events.delete(id);
    if (event) this.#changed('deleted', event);
    return event !== undefined;
  }

  add(event: AggregationEvent): void {
    this.events.set(event.AggregationEventId, event);
    this.#changed('created', event);
  }

  /** Without pages: a client without a position gets the whole list at once. */
  changesAfter(position: FeedPosition | null, { ruleId }: { ruleId: number | null; limit: number }): FeedPage {
    this.#fail();
    const end = { seq: this.#version, listed: null };
    const active = [...this.events.values()].filter((event) => event.Active);
    const isReset = position !== null && position.seq > this.#version;
    const changes =
      position && !isReset
        ? this.#changes.filter(({ seq }) => seq > position.seq)
        : active.map((event) => ({ seq: this.#version, kind: 'created' as const, event }));
    const wanted = changes.filter(({ event }) => ruleId === null || event.RuleId === ruleId);
    return {
      isReset,
      changes: wanted.map(({ seq, kind, event }) => ({ kind, event, position: { seq, listed: null } })),
      position: end,
      isEnd: true,
    };
  }

  activeAfter({ after, ruleId, limit }: { after: number; ruleId: number | null; limit: number }): AggregationEvent[] {
    return [...this.events.values()]
      .filter(({ AggregationEventId: id, Active, RuleId }) => Active && id > after && (ruleId ?? RuleId) === RuleId)
      .slice(0, limit);
  }

  /** Listeners of the feed. */
  get listeners(): number {
    return this.#listeners.size;
  }

  onFeed(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  #changed(kind: EventChange['kind'], event: AggregationEvent): void {
    this.#version += 1;
    this.#changes.push({ seq: this.#version, kind, event });
    this.#listeners.emit();
  }

  version(): number {
    return this.#version;
  }

  async *list({ active, ruleId, from, to, after, limit }: EventListQuery) {
    this.#fail();
    this.lists += 1;
    try {
      const found = [...this.events.values()].filter((event) => {
        const at = Date.parse(event.EventDateTime);
        return (
          (active === null || event.Active === active) &&
          (ruleId === null || event.RuleId === ruleId) &&
          (from === null || at >= from) &&
          (to === null || at < to) &&
          event.AggregationEventId > (after ?? 0)
        );
      });
      const page = found.slice(0, limit ?? found.length);
      for (let start = 0; start < page.length; start += CHUNK) {
        const some = page.slice(start, start + CHUNK);
        const text = Buffer.from(some.map((event) => JSON.stringify(event)).join(','));
        yield { text, lastId: some.at(-1)?.AggregationEventId ?? 0, count: some.length };
        this.#fail();
      }
    } finally {
      this.lists -= 1;
    }
  }

  #fail(): void {
    const { failNext } = this;
    this.failNext = null;
    if (failNext !== null) throw failNext;
  }
}

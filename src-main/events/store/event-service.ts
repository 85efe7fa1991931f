import type { AggregationEvent, EventChanges, EventCounts, EventFilterInput } from '#domain/event/event';
import { eventFilter } from '#domain/event/event';
import type { Done } from '../../platform/done.ts';
import { done } from '../../platform/done.ts';
import { TagwrightError } from '../../platform/errors.ts';
import type { BulkAct, BulkEvents, BulkProgress, UndoProgress } from './event-bulk.ts';
import type { EventStore } from './event-store.ts';

/** Fires rules to create sample events. */
export interface TestFirings {
  list(): readonly { id: number; name: string; triggersEvents: boolean }[];
  fire(input: {
    id: number;
    times: number;
  }): Promise<{ fired: number; firstEvent: number | null; lastEvent: number | null }>;
}

interface EventWindowInput extends EventFilterInput {
  newestFirst: boolean;
  offset: number;
  limit: number;
}

interface BulkInput extends EventFilterInput {
  act: BulkAct;
  range?: BulkEvents['range'] | undefined;
  ids?: readonly number[] | undefined;
  key?: string | undefined;
}

const PAGE = 100;

/** The events for the workbench. Methods are named after the procedures of the contract. */
export class EventService {
  readonly #store: EventStore;
  readonly #rules: TestFirings;

  constructor(store: EventStore, rules: TestFirings) {
    this.#store = store;
    this.#rules = rules;
  }

  /** A page, newest first, with the total number of events. */
  async list({
    limit = PAGE,
    ...query
  }: EventFilterInput & { before?: number | null | undefined; limit?: number | undefined }): Promise<{
    events: AggregationEvent[];
    counts: EventCounts;
    version: number;
  }> {
    const counts = await this.#store.counts();
    const version = this.#store.version();
    return { events: this.#store.page({ ...query, limit }), counts, version };
  }

  /** Events from any position of the list, with the length of the list and the total number. */
  async window({ limit, offset, newestFirst, ...filter }: EventWindowInput): Promise<{
    events: AggregationEvent[];
    total: number;
    counts: EventCounts;
  }> {
    const found = await this.#store.window(eventFilter(filter), { newestFirst, offset, limit });
    return { ...found, counts: await this.#store.counts() };
  }

  /** Disables, re-activates or deletes many events; work that is done when the signal aborts stays. */
  bulk({ act, range = null, ids = [], key, ...filter }: BulkInput, signal: AbortSignal): AsyncGenerator<BulkProgress> {
    return this.#store.bulk(act, { ...eventFilter(filter), range, ids }, signal, key);
  }

  /** Restores the events that this call of `bulk` changed, except for those changed since. Throws NOT_FOUND. */
  undo({ key }: { key: string }, signal: AbortSignal): AsyncGenerator<UndoProgress> {
    const steps = this.#store.undo(key, signal);
    if (steps) return steps;
    throw new TagwrightError(
      'NOT_FOUND',
      'The events that this action changed are no longer known: it was undone, newer actions followed, or Tagwright ' +
        'was restarted. Nothing was changed. Select the events in the list, and change them there.',
    );
  }

  /** Throws NOT_FOUND. */
  get({ id }: { id: number }): AggregationEvent {
    return this.#store.get(id) ?? missing(id);
  }

  /** Throws NOT_FOUND. */
  async setActive({ id, active }: { id: number; active: boolean }): Promise<AggregationEvent> {
    return (await this.#store.setActive(id, active)) ?? missing(id);
  }

  /** The data row stays. Throws NOT_FOUND. */
  async delete({ id }: { id: number }): Promise<Done> {
    if (!(await this.#store.delete(id))) missing(id);
    return done;
  }

  onChange(listener: (changes: EventChanges) => void): () => void {
    return this.#store.onChange(listener);
  }

  /**
   * Creates sample events for testing a client, by firing a rule that triggers events: the named one, else the first.
   * They are ordinary events, with data rows. Throws CONFLICT if there is no such rule.
   */
  async createTest({ count, ruleId }: { count: number; ruleId?: number | undefined }): Promise<{
    ruleId: number;
    created: number;
    firstEvent: number | null;
    lastEvent: number | null;
  }> {
    const rules = this.#rules.list().filter((rule) => rule.triggersEvents);
    const rule = ruleId === undefined ? rules[0] : rules.find(({ id }) => id === ruleId);
    if (!rule) {
      const which = ruleId === undefined ? 'No rule triggers' : `Rule ${ruleId} does not trigger`;
      throw new TagwrightError('CONFLICT', `${which} events. Turn on "Triggers Events" of a rule, and try again.`);
    }
    const { fired, firstEvent, lastEvent } = await this.#rules.fire({ id: rule.id, times: count });
    return { ruleId: rule.id, created: fired, firstEvent, lastEvent };
  }
}

function missing(id: number): never {
  throw new TagwrightError(
    'NOT_FOUND',
    `Event ${id} does not exist; it may have been deleted. The Events view lists all events.`,
  );
}

import type { AggregationEvent, EventListQuery } from '#domain/event/event';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** Some events of a list, oldest first, as the text of their JSON objects with a comma in between. */
export interface ListChunk {
  /** In UTF-8. */
  text: Uint8Array;
  lastId: number;
  count: number;
}

/** What the API needs of the event store. */
export interface EventSource {
  get(id: number): MaybePromise<AggregationEvent | null>;
  /** Resolves after the commit with the event as stored; null when there is none. */
  setActive(id: number, active: boolean): Promise<AggregationEvent | null>;
  /** Resolves after the commit; false when there was none. */
  delete(id: number): Promise<boolean>;
  /** Another number after every change of any event. */
  version(): number;
  /** One consistent snapshot, taken at the first step; returning early gives it free. */
  list(query: EventListQuery): AsyncIterable<ListChunk>;
}

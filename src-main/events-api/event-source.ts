import type { MaybePromise } from '../platform/maybe-promise.ts';
import type { AggregationEvent } from './event-shape.ts';

/** Which events a list holds. Ids and moments bound it on both sides; what is null does not bound it. */
export interface ListFilter {
  /** null: all of them. */
  active: boolean | null;
  ruleId: number | null;
  /** ms since 1970 in UTC: at or after. */
  from: number | null;
  /** ms since 1970 in UTC: before. */
  to: number | null;
  /** Ids above this one. */
  after: number | null;
  limit: number | null;
}

/** Some events of a list, oldest first, as the text of their JSON objects, one to a line, with a comma in between. */
export interface ListChunk {
  text: string | Uint8Array;
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
  list(filter: ListFilter): AsyncIterable<ListChunk>;
}

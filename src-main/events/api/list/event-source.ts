import type { AggregationEvent, EventListQuery } from '#domain/event/event';
import type { DeflatedText } from '../../../platform/http/gzip-parts.ts';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** Some events of a list, oldest first, as the text of their JSON objects separated by commas. */
export interface ListChunk {
  /** In UTF-8. */
  readonly text: Uint8Array;
  /** The same, if it is kept in this form. */
  readonly deflated?: DeflatedText;
  readonly lastId: number;
  readonly count: number;
}

/** The parts of the event store that the API uses. */
export interface EventSource {
  get(id: number): MaybePromise<AggregationEvent | null>;
  /** Resolves after the commit with the stored event; null if there is none. */
  setActive(id: number, active: boolean): Promise<AggregationEvent | null>;
  /** Resolves after the commit; false if there was none. */
  delete(id: number): Promise<boolean>;
  /** Changes with every change of any event. */
  version(): number;
  /** One consistent snapshot, taken at the first step; returning early releases it. `compressed`: whether `deflated` will be used. */
  list(query: EventListQuery, options?: { compressed?: boolean }): AsyncIterable<ListChunk>;
}

import type { AggregationEvent, EventClient, EventListQuery } from '#domain/event/event';
import type { DeflatedText } from '../../../platform/http/gzip-parts.ts';
import type { FeedPage, FeedPosition } from '#domain/event/event-change';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';

/** Some events of a list, oldest first, as the text of their JSON objects separated by commas. */
export interface ListChunk {
  /** In UTF-8. */
  readonly text: Uint8Array;
  /** Whether only this chunk uses the memory of `text`, so that it may be freed after its last use. */
  readonly isOwn?: boolean;
  /** The same, if it is kept in this form. */
  readonly deflated?: DeflatedText;
  readonly lastId: number;
  readonly count: number;
}

/** The parts of the event store that the API uses. */
export interface EventSource {
  get(id: number): MaybePromise<AggregationEvent | null>;
  /** Resolves after the commit with the stored event; null if there is none. */
  setActive(id: number, active: boolean, by?: EventClient): Promise<AggregationEvent | null>;
  /** Resolves after the commit; false if there was none. */
  delete(id: number, by?: EventClient): Promise<boolean>;
  /** Changes with every change of any event. A number is valid in this process, a text in all of them. */
  version(): MaybePromise<number | string>;
  /** The next part of the change feed after a position; null for a client that has nothing yet. */
  changesAfter(position: FeedPosition | null, query: { ruleId: number | null; limit: number }): MaybePromise<FeedPage>;
  /** Active events with ids above this one, oldest first. */
  activeAfter(query: { after: number; ruleId: number | null; limit: number }): AggregationEvent[];
  /** Called after each commit that changed events; the returned function removes the listener. */
  onFeed(listener: () => void): () => void;
  /** One consistent snapshot, taken at the first step; returning early releases it. `compressed`: whether `deflated` will be used. */
  list(query: EventListQuery, options?: { compressed?: boolean }): AsyncIterable<ListChunk>;
}

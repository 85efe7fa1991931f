/** An event record, with the field names of the events API. */
export interface AggregationEvent {
  AggregationEventId: number;
  RuleId: number;
  /** When the rule fired: RFC 3339, local time of the host with offset and ms. */
  EventDateTime: string;
  Active: boolean;
  ResultTableName: string;
  ResultTableRecordId: number;
}

/** Which events are meant; null where that does not matter. */
export interface EventFilter {
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

/** How many events there are. */
export interface EventCounts {
  active: number;
  disabled: number;
}

/** What happened to the events since the last change that was told. */
export interface EventChanges {
  /** Another number after every change of any event; higher is later. */
  version: number;
  counts: EventCounts;
  /** New and changed events as they are now, oldest first; at most MAX_TOLD_CHANGES. */
  events: AggregationEvent[];
  /** Ids of deleted events; at most MAX_TOLD_CHANGES. */
  deleted: number[];
  /** Whether more happened than is told here: list the events again. */
  more: boolean;
}

/** The most events, and the most deleted ids, that one change tells. */
export const MAX_TOLD_CHANGES = 1_000;

/** Two batches of changes as one. */
export function mergeChanges(waiting: EventChanges, next: EventChanges): EventChanges {
  const events = new Map(waiting.events.map((event) => [event.AggregationEventId, event]));
  for (const event of next.events) {
    events.delete(event.AggregationEventId);
    events.set(event.AggregationEventId, event);
  }
  const deleted = new Set([...waiting.deleted, ...next.deleted]);
  for (const id of deleted) events.delete(id);
  return {
    version: next.version,
    counts: next.counts,
    events: [...events.values()].slice(-MAX_TOLD_CHANGES),
    deleted: [...deleted].slice(-MAX_TOLD_CHANGES),
    more: waiting.more || next.more || events.size > MAX_TOLD_CHANGES || deleted.size > MAX_TOLD_CHANGES,
  };
}

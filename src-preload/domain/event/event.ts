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

/** A filter of events; null matches all. */
export interface EventFilter {
  active: boolean | null;
  ruleId: number | null;
  /** ms since 1970 in UTC: at or after. */
  from: number | null;
  /** ms since 1970 in UTC: before. */
  to: number | null;
}

/** A filter as callers write it: what is left out matches everything. */
export type EventFilterInput = { [Name in keyof EventFilter]?: EventFilter[Name] | undefined };

export const eventFilter = ({ active, ruleId, from, to }: EventFilterInput): EventFilter => ({
  active: active ?? null,
  ruleId: ruleId ?? null,
  from: from ?? null,
  to: to ?? null,
});

/** The part of a list that the events API sends. */
export interface EventListQuery extends EventFilter {
  /** Ids above this one. */
  after: number | null;
  limit: number | null;
}

/** How many events there are. */
export interface EventCounts {
  active: number;
  disabled: number;
}

/** The changes of events since the last notification. */
export interface EventChanges {
  /** Changes with every change of any event; increasing. */
  version: number;
  counts: EventCounts;
  /** New and changed events, oldest first; at most MAX_NOTIFIED_CHANGES. */
  events: AggregationEvent[];
  /** Ids of deleted events; at most MAX_NOTIFIED_CHANGES. */
  deleted: number[];
  /** Whether there were more changes: list the events again. */
  more: boolean;
}

/** The maximum number of events, and of deleted ids, in one notification. */
export const MAX_NOTIFIED_CHANGES = 1_000;

/** Combines two batches of changes. */
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
    events: [...events.values()].slice(-MAX_NOTIFIED_CHANGES),
    deleted: [...deleted].slice(-MAX_NOTIFIED_CHANGES),
    more: waiting.more || next.more || events.size > MAX_NOTIFIED_CHANGES || deleted.size > MAX_NOTIFIED_CHANGES,
  };
}

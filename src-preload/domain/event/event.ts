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

/** A filter as callers write it: omitted members match everything. */
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

/** The number of events. */
export interface EventCounts {
  active: number;
  disabled: number;
}

/** Sent after events were created, changed or deleted: lists reload their visible part. */
export interface EventChanges {
  counts: EventCounts;
}

/** A client of the events API that changes an event. */
export interface EventClient {
  method: string;
  /** Its IP address and port. */
  address: string;
  /** Its name, if it sends one. */
  userAgent?: string;
}

import type { AggregationEvent } from './event.ts';

/** What can happen to an event; expired events are deleted ones. */
export const EVENT_CHANGE_KINDS = ['created', 'disabled', 'reactivated', 'deleted'] as const;
export type EventChangeKind = (typeof EVENT_CHANGE_KINDS)[number];

/** One change of one event. */
export interface EventChange {
  /** Its number in the change feed: one more than that of the change before, never reused. */
  seq: number;
  kind: EventChangeKind;
  /** The event after the change; a deleted one as it was before. */
  event: AggregationEvent;
}

/**
 * How much of the change feed a client has: all changes up to `seq`. While it receives its first list, only those of
 * events up to the id `listed`, and nothing of later events; null afterwards.
 */
export interface FeedPosition {
  seq: number;
  listed: number | null;
}

/** The next part of the change feed. */
export interface FeedPage {
  /** Whether the position is unknown or too old: the client forgets its events, and gets a new list. */
  isReset: boolean;
  /** In order, each with the position after it. Active events of a list are `created`. */
  changes: { kind: EventChangeKind; event: AggregationEvent; position: FeedPosition }[];
  /** Where the next part begins; it may lie behind the last change, if others did not match. */
  position: FeedPosition;
  /** Whether there is nothing more at present. */
  isEnd: boolean;
}

/** The first and the last of ids that follow each other. */
export function rangesOf(ids: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const id of ids) {
    const last = ranges.at(-1);
    if (last && id === last[1] + 1) last[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}

import type { AggregationEvent } from '#domain/event/event';
import type { EventChangeKind, FeedPosition } from '#domain/event/event-change';

/** What one step of the mirror copies. */
export interface MirrorPart {
  /** The feed does not have the position: the events are listed again. */
  isReset: boolean;
  /** Where the next part begins. */
  position: FeedPosition;
  /** Whether that is the end of the feed in the snapshot. */
  isEnd: boolean;
  /** Whether the part and those before it also have all rows that no event names. */
  hasAllRows: boolean;
  /** When the last change of the part was made, ms since 1970 in UTC; null if the part has none. */
  at: number | null;
  /** Rows by table with ids above the marks, as lines of COPY: table, id, JSON. */
  rows: string[];
  /** The new marks: the last row of each table. */
  marks: Map<string, number>;
  /** Events as they are to be stored: listed ones, and created ones. */
  events: Map<number, AggregationEvent>;
  /** Events of the hub with other states. */
  states: Map<number, boolean>;
  deleted: Set<number>;
  /** For the feed of the hub, in order; without the listed events. */
  changes: { kind: EventChangeKind; event: AggregationEvent }[];
  /** Events of a list: those of the hub with ids above `after`, up to `last`, that are not in it are deleted. */
  listed: { after: number; last: number | null } | null;
}

import type { EventClient } from '../event/event.ts';
import type { EventChangeKind } from '../event/event-change.ts';
import type { SampleValue } from '../rule/rule.ts';
import type { Quality } from '../tag/quality.ts';
import type { Json } from '../text/json.ts';
import type { RunStatus } from './run.ts';

/** A saved script at the time of a run: `Group/Name`, and its version. */
export interface JournalScript {
  name: string;
  version: number;
}

/** A run on its way into the journal: it gets a place there with its first change, or at its end. */
export interface RunOrigin {
  /** The id of its entry, whether or not that is stored. */
  readonly id: number;
  /** When it began, ms since 1970 in UTC. */
  readonly at: number;
  readonly script: JournalScript | null;
  /** The tag of its context. */
  readonly tag: string;
  readonly diagram: string;
  readonly location: string;
  /** Whether it is the read or the write script of that tag, the condition of a rule, or a body that a person ran. */
  readonly access: 'read' | 'write' | 'condition' | 'run';
  readonly cause: Cause;
  /** The secrets that its API calls used or got, or that it read. */
  readonly secrets?: {
    /** Hides them in a text. */
    readonly mask: ((text: string) => string) | null;
    /** Where they are in the JSON of a value: starts and ends alternately, in bytes of UTF-8; empty if that is not known. */
    placesIn?(text: string): readonly number[];
    /** Whether a number is one of them. */
    hasNumber?(value: number): boolean;
  };
  /** Null while it runs. */
  end: JournalRunEnd | null;
  /** Whether its entry is durable. */
  isStored: boolean;
}

/** What a run is, for its entry. */
export type NewRun = Omit<RunOrigin, 'id' | 'at' | 'end' | 'isStored'>;

/** A part of a stored value that is a secret, with a few characters around it, which show how it is encoded. */
export interface HiddenPart {
  readonly before: string;
  readonly text: string;
  readonly after: string;
}

/** Where a person made a call. */
export type CalledFrom = 'window' | 'command line';

/** Who reads a tag outside of any run. */
export type ReadSort = 'watch' | 'rule';

/** What led to a change. */
export type Cause =
  /** The user; `from` where, if that is known. */
  | { by: 'person'; from?: CalledFrom }
  /** The import of a file or folder with this name; '' if that is not known. */
  | { by: 'import'; from?: CalledFrom; what: string }
  | { by: 'run'; run: RunOrigin; line: number | null }
  /** A tag was read outside of any run; `of` by a watch or by a rule, if that is known. */
  | { by: 'read'; of?: ReadSort }
  /** The window of a rule closed. */
  | { by: 'rule' }
  /** A client of the events API. */
  | ({ by: 'client' } & EventClient)
  /** An age or a count that the settings limit. */
  | { by: 'retention' };

/** What an entry of the journal is about. */
export const JOURNAL_KINDS = [
  'write',
  'force',
  'release',
  'clear',
  'define',
  'rule',
  'firing',
  'event',
  'restore',
  'count',
] as const;
export type JournalKind = (typeof JOURNAL_KINDS)[number];

/** The cause of a stored entry. */
export type StoredCause =
  | { by: 'person'; user: string | null; from?: CalledFrom }
  | { by: 'import'; user: string | null; from?: CalledFrom; what: string }
  | { by: 'run'; run: number; line: number | null }
  | { by: 'read'; of?: ReadSort }
  | { by: 'rule' }
  | ({ by: 'client' } & EventClient)
  | { by: 'retention' };

/** The value of a tag that a firing by hand adds to its window. Without a value, it is excluded for its quality. */
export interface CurrentValue {
  tag: string;
  value: SampleValue | null;
  quality?: Quality;
}

/** Firings of one rule in one commit: their data rows and their events have consecutive ids. */
export interface JournalFiring {
  ruleId: number;
  /** The rule as it was. */
  rule: string;
  /** When that version of it was saved, RFC 3339 in UTC. */
  savedAt: string;
  condition: string;
  table: string;
  firstRow: number;
  lastRow: number;
  /** Null if it triggers no events. */
  firstEvent: number | null;
  /** What a firing by hand added to the window of each row, in the order of the tags; absent if the window closed. */
  current?: readonly CurrentValue[];
}

/** The end of a run. */
export interface JournalRunEnd {
  status: RunStatus;
  error: string | null;
  /** The line of the error in the body. */
  errorLine: number | null;
  ms: number;
  dryRun: boolean;
}

/** A value that was written. `before` is absent if it was not read. */
export interface JournalWrite {
  tagId: number;
  before?: Json;
  after: Json;
}

/** Runs of one script, or one condition, for one kind of caller within an hour, which changed nothing. */
export interface RunCount {
  /** The tag whose read script ran; null for a condition. */
  tagId: number | null;
  /** Null for a condition. */
  script: JournalScript | null;
  /** The rule whose condition ran, by the name that it had. */
  rule: { id: number; name: string } | null;
  runs: number;
  /** Runs that failed and have no entry, because many did. */
  failed: number;
  /** When the first began and the last ended, ms since 1970 in UTC. */
  from: number;
  to: number;
  /** Durations of all together, and of the longest, ms. */
  totalMs: number;
  longestMs: number;
  /** One of them, which is stored in full; null if none is. */
  sample: number | null;
}

/** An entry of the journal, without its id and time. */
export type JournalItem =
  | {
      kind: 'write';
      cause: StoredCause;
      diagram: string;
      location: string;
      writes: JournalWrite[];
      /** The process ended before it was known whether plant.db has the values. */
      isUncertain?: true;
      /** It stands for all writes after the entry before it, if there were any: their values are unknown. */
      isAgain?: true;
    }
  | {
      kind: 'force' | 'release' | 'clear' | 'define';
      cause: StoredCause;
      tagIds: number[];
      what: string;
      /** The paths of several tags that were deleted, in the order of their ids. */
      paths?: string[];
    }
  /** A rule was saved or deleted; `what` says which. */
  | { kind: 'rule'; cause: StoredCause; ruleId: number; rule: string; what: string }
  | { kind: 'firing'; cause: StoredCause; firing: JournalFiring }
  /** Events by their first and last ids. */
  | { kind: 'event'; cause: StoredCause; change: EventChangeKind; events: [number, number][] }
  /** The workspace was replaced by a backup. */
  | { kind: 'restore'; cause: StoredCause; backup: string }
  | { kind: 'count'; cause: StoredCause; count: RunCount };

/** The id of an entry, and when it was made, ms since 1970 in UTC. */
export type JournalEntry = JournalItem & { id: number; at: number };

/** A run in the journal. */
export interface JournalRun extends Omit<RunOrigin, 'cause' | 'isStored'> {
  cause: StoredCause;
  pinned: boolean;
  /** Whether everything that it saw is stored. */
  isFull: boolean;
}

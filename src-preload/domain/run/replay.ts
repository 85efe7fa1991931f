import type { Json } from '../text/json.ts';
import type { Capsule } from './capsule.ts';
import type { CalledFrom, JournalRunEnd, JournalScript } from './journal.ts';
import type { RunReport } from './run.ts';
import type { RunComparison } from './run-comparison.ts';
import type { ShownValues } from './shown-values.ts';

/** A recorded call, for people. */
export interface NearCall {
  /** Its number in the recorded run. */
  call: number;
  line: number | null;
  text: string;
}

/** A call that a capsule cannot answer: the replay ended there. */
export interface MissingCall {
  /** Its line in the replayed body; null if unknown. */
  line: number | null;
  access: 'read' | 'write' | 'call';
  /** Such as `Get "Plant.Line.Tag.Value"`. */
  call: string;
  reason: string;
  /** Recorded calls that resemble it, the nearest first. */
  nearest: NearCall[];
}

/** A written value that the recorded run did not write: it was converted to the type of the tag and taken as written. */
export interface AssumedWrite {
  tag: string;
  value: Json;
  diagram: string;
  location: string;
  line: number | null;
}

/** A run that got all of its answers from a capsule. */
export interface ReplayReport {
  /** The script of the capsule; null for an unsaved one. */
  script: string | null;
  /** When the recorded run started, RFC 3339 in UTC, and the version of Tagwright that recorded it. */
  recordedAt: string;
  product: string;
  /** Whether the capsule is as it was written. */
  intact: boolean;
  /** Whether another body than the recorded one ran. */
  edited: boolean;
  report: RunReport;
  missing: MissingCall | null;
  assumed: AssumedWrite[];
  /** The recorded run and this one. */
  comparison: RunComparison;
  /** What may make the replay differ. */
  warnings: string[];
}

/** A replay, and the values of its variables if they were requested; null for a body that does not parse. */
export interface ReplayWithValues extends ReplayReport {
  values: Omit<ShownValues, 'report'> | null;
}

/** A run that the journal has in full, so that it can become a capsule. */
export interface KeptRun extends JournalRunEnd {
  id: number;
  /** When it began, RFC 3339 in UTC. */
  at: string;
  /** Null for a text that was not saved. */
  script: JournalScript | null;
  /** Where it was started, if that is known. */
  from: CalledFrom | null;
  pinned: boolean;
}

/** A capsule that main has open for a window: what a person wants to know of it before its replay. */
export interface OpenedCapsule extends Pick<Capsule, 'context' | 'product' | 'masked' | 'report'> {
  /** Names it in requests. */
  key: string;
  script: { name: string | null; version: number | null };
  body: string;
  /** Whether the capsule is as it was written. */
  intact: boolean;
}

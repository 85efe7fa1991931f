import type { ApiExchange } from '../mock/api-call.ts';
import type { Json } from '../text/json.ts';
import type { Quality } from '../tag/quality.ts';
import type { ResultType, WriteFailure } from '../tag/tag.ts';

export const RUN_STATUSES = ['ok', 'error', 'timeout', 'memory', 'crashed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The variables of every script. `tagValue` is absent (undefined in the script) except for a write. */
export interface RunContext {
  tagName: string;
  tagScopeDiagram: string | null;
  tagScopeLocation: string | null;
  tagValue?: Json;
}

/** The limits of one run; each is a setting. */
export interface RunLimits {
  /** Script time in ms; waiting for host calls does not count. */
  scriptMs: number;
  /** Total time, in ms. */
  totalMs: number;
  memoryMb: number;
  consoleEntries: number;
  resultBytes: number;
  bodyBytes: number;
}

export const CONSOLE_LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

export interface ConsoleEntry {
  level: ConsoleLevel;
  text: string;
  /** ms since the run started. */
  at: number;
  /** The line of the call in the body, from 1; absent if unknown. */
  line?: number;
  /** The logged values, one for each argument; absent if none is an object. */
  values?: ConsoleValue[];
}

/** A logged value: text, or an object that unfolds. The text of an entry shows the same values in one line. */
export type ConsoleValue =
  | string
  | {
      /** The class, with the number of items. */
      title: string;
      members: [name: string, value: ConsoleValue][];
      /** Members that were not recorded. */
      more: number;
    };

/** A position in the body as the author sees it; lines and columns count from 1. */
export interface StackFrame {
  function: string | null;
  line: number;
  column: number;
}

export interface RunError {
  name: string;
  message: string;
  /** The line in the author's body, from 1; null without a known position (a thrown text has none). */
  line: number | null;
  column: number | null;
  stack: StackFrame[];
  /** The items that a `TagValueManager.Set` rejected, if that was the error. */
  failures?: WriteFailure[];
}

interface TraceEntry {
  /** Order within the run, shared by reads, writes and API calls, from 1. */
  seq: number;
  /** The number of the host call, from 1: the tags of one Get share it. */
  call: number;
  /** ms since the run started. */
  at: number;
  /** The line of the call in the body, from 1; null if unknown. */
  line: number | null;
}

export interface ReadEntry extends TraceEntry {
  path: string;
  value: Json;
  quality: Quality;
  type: ResultType;
  diagram: string;
  location: string;
  /** The reason of the quality, if known. */
  reason?: string;
}

export interface WriteEntry extends TraceEntry {
  path: string;
  /** The value before the write; null if it was not read. */
  before: Json;
  /** The tag itself stores no value, so it was not read before the write: DB and script tags. */
  notRead?: true;
  value: Json;
  type: ResultType;
  diagram: string;
  location: string;
}

/**
 * An item of a rejected Get or Set, or an API call that was rejected before it was sent: it returned nothing and changed
 * nothing, even if the script caught the exception.
 */
export interface RejectedEntry extends TraceEntry {
  access: 'read' | 'write' | 'call';
  /** The tag, or the method of the API call. */
  path: string;
  /** The value that was not written. */
  value?: Json;
  reason: string;
  diagram: string;
  location: string;
}

/** An API call, masked; `body` is also null if the report has no more space for it. */
export interface ApiCallEntry extends TraceEntry, ApiExchange {
  /** Its number in the call log of the instance; absent if it is not logged. */
  logged?: number;
}

export interface RunTiming {
  /** RFC 3339 in UTC. */
  startedAt: string;
  /** Waiting for a script host, ms. */
  queuedMs: number;
  /** Script time, ms. */
  scriptMs: number;
  /** Time the script waited for host calls, ms. */
  hostCallMs: number;
  /** Total time, ms. */
  totalMs: number;
}

/** The reads, writes and calls of a run, ordered by `seq`. */
export interface RunActs {
  reads: ReadEntry[];
  writes: WriteEntry[];
  apiCalls: ApiCallEntry[];
  /** Rejected calls: one entry for each rejected item, otherwise for the first; absent if there were none. */
  rejected?: RejectedEntry[];
  /** The nested runs of these reads and writes; absent if there were none. */
  nested?: NestedRun[];
}

/** The number of entries that were dropped because a list was full. */
export interface DroppedEntries {
  console: number;
  reads: number;
  writes: number;
  apiCalls?: number;
  rejected?: number;
  nested?: number;
}

/** The report of a run, however it ended. */
export interface RunReport extends RunActs {
  status: RunStatus;
  result: Json;
  error: RunError | null;
  console: ConsoleEntry[];
  timing: RunTiming;
  dryRun: boolean;
  dropped: DroppedEntries;
  /** Its number in the journal, if it may have an entry there. */
  entry?: number;
}

/** The nested run of a tag's script, inside the run that read or wrote the tag. Times count from its own start. */
export interface NestedRun extends RunActs {
  /** The read or write of the outer run (`seq`) that caused it; null if that was rejected and has no entry. */
  parent: number | null;
  /** The call of the outer run that caused it, and its line. */
  call: number;
  line: number | null;
  /** ms from the start of the outer run to the start of this one. */
  at: number;
  /** The tag of the script. */
  tag: string;
  /** The tags between the outer run and that one, outermost first: calculations that refer to it. */
  through: string[];
  access: 'read' | 'write';
  status: RunStatus;
  error: RunError | null;
  console: ConsoleEntry[];
  timing: RunTiming;
  dropped: DroppedEntries;
}

/**
 * The maximum number of trace entries of each kind in a report; the rest are counted in `dropped`. The nested runs of a
 * report have the same limit in total.
 */
export const MAX_TRACE_ENTRIES = 10_000;
/**
 * The maximum number of characters of values in a report, and the same again for its nested runs; longer ones are
 * described.
 */
export const MAX_TRACE_TEXT = 16 * 1_048_576;
/** The maximum number of rejected items in a report. */
export const MAX_REJECTED = 1_000;
/** The maximum number of API calls in a report, and of the characters of their bodies in total. */
export const MAX_API_CALLS = 1_000;
export const MAX_API_TEXT = 2 * 1_048_576;
/** The maximum number of nested runs in a report, on all levels together. */
export const MAX_NESTED_RUNS = 1_000;

import type { ApiExchange } from '../mock/api-call.ts';
import type { Json } from '../text/json.ts';
import type { Quality } from '../tag/quality.ts';
import type { ResultType, WriteFailure } from '../tag/tag.ts';

export const RUN_STATUSES = ['ok', 'error', 'timeout', 'memory', 'crashed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The variables passed into every script. `tagValue` is absent (undefined in the script) when it is not a write. */
export interface RunContext {
  tagName: string;
  tagScopeDiagram: string | null;
  tagScopeLocation: string | null;
  tagValue?: Json;
}

/** The limits of one run; each is a setting. */
export interface RunLimits {
  /** Script time in ms; time that the script waits for host calls does not count. */
  scriptMs: number;
  /** Time in all, in ms. */
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
}

/** A place in the body as its author sees it; lines and columns count from 1. */
export interface StackFrame {
  function: string | null;
  line: number;
  column: number;
}

export interface RunError {
  name: string;
  message: string;
  /** Where in the author's body, from 1; null where no place is known (a thrown text has none). */
  line: number | null;
  column: number | null;
  stack: StackFrame[];
  /** The items that a `TagValueManager.Set` refused, when that is what was thrown. */
  failures?: WriteFailure[];
}

interface TraceEntry {
  /** Order within the run, shared by reads, writes and API calls, from 1. */
  seq: number;
  /** Which host call this belongs to, from 1: the tags of one Get share it. */
  call: number;
  /** ms since the run started. */
  at: number;
  /** The line of the body that made the call, from 1; null where it is not known. */
  line: number | null;
}

export interface ReadEntry extends TraceEntry {
  path: string;
  value: Json;
  quality: Quality;
  type: ResultType;
  diagram: string;
  location: string;
  /** Why the quality is what it is, where that is known. */
  reason?: string;
}

export interface WriteEntry extends TraceEntry {
  path: string;
  before: Json;
  value: Json;
  type: ResultType;
  diagram: string;
  location: string;
}

/** An API call, masked; `body` is null as well where the report has no more room for it. */
export interface ApiCallEntry extends TraceEntry, ApiExchange {}

export interface RunTiming {
  /** RFC 3339 in UTC. */
  startedAt: string;
  /** Waiting for a script host, ms. */
  queuedMs: number;
  /** Script time, ms. */
  scriptMs: number;
  /** Time the script waited for host calls, ms. */
  hostCallMs: number;
  /** All of it, ms. */
  totalMs: number;
}

/** What a run did, in order of `seq`. */
export interface RunActs {
  reads: ReadEntry[];
  writes: WriteEntry[];
  apiCalls: ApiCallEntry[];
  /** The scripts of tags that ran because of these reads and writes; absent where there was none. */
  nested?: NestedRun[];
}

/** How many entries were left out because a list was full. */
export interface DroppedEntries {
  console: number;
  reads: number;
  writes: number;
  apiCalls?: number;
  nested?: number;
}

/** What a caller gets however a script ended. */
export interface RunReport extends RunActs {
  status: RunStatus;
  result: Json;
  error: RunError | null;
  console: ConsoleEntry[];
  timing: RunTiming;
  dryRun: boolean;
  dropped: DroppedEntries;
}

/** The run of the script of a tag, inside the run that read or wrote the tag. Times count from its own start. */
export interface NestedRun extends RunActs {
  /** The read or write of the outer run that it belongs to (`seq`); null where that was refused and left no entry. */
  parent: number | null;
  /** The call of the outer run that caused it, and its line. */
  call: number;
  line: number | null;
  /** ms from the start of the outer run to the start of this one. */
  at: number;
  /** The tag whose script it is. */
  tag: string;
  /** The tags between the outer run and that one, outermost first: calculations that name it. */
  through: string[];
  access: 'read' | 'write';
  status: RunStatus;
  error: RunError | null;
  console: ConsoleEntry[];
  timing: RunTiming;
  dropped: DroppedEntries;
}

/**
 * The most trace entries a report carries of each sort; the rest are counted in `dropped`. The nested runs of a report
 * have as many again in all.
 */
export const MAX_TRACE_ENTRIES = 10_000;
/** The most characters of values that a report carries, and the same again for its nested runs; longer ones are described. */
export const MAX_TRACE_TEXT = 16 * 1_048_576;
/** The most API calls a report carries, and the most characters of their bodies together. */
export const MAX_API_CALLS = 1_000;
export const MAX_API_TEXT = 2 * 1_048_576;
/** The most nested runs a report carries, on all levels together. */
export const MAX_NESTED_RUNS = 1_000;

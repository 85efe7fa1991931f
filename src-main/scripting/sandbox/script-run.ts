import type { ClockStep } from '#domain/run/clock-readings';
import type { RecordedStart } from './protocol/messages.ts';
import type { PassedArgument } from '../../platform/long-texts/text-in-parts.ts';
import type { ApiResponse, ApiOperation } from '#domain/mock/api-call';
import type { Json } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { ConsoleEntry, RunContext, RunError, RunLimits, RunStatus } from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import type { ResultType, TagWrite } from '#domain/tag/tag';
import type { RunStart } from './protocol/messages.ts';
import type { MaybePromise } from '../../platform/maybe-promise.ts';

/**
 * Columns of a read, one element per requested tag in the order of the request; the guest creates the result objects
 * from them.
 */
export interface TagColumns {
  values: Json[];
  qualities: Quality[];
  types: ResultType[];
  /** The reasons of bad and uncertain qualities, each with the elements that have it; absent if there are none. */
  reasons?: { text: string; at: number[] }[];
}

/** The line of a host call in the author's body, from 1; null if unknown, and after 500 calls of a run. */
export type CallLine = number | null;

/** A Get that the script has not made yet. */
export interface AheadRead {
  columns: TagColumns;
  /** The script has made it; `at` is when, in ms of `performance.now()`. */
  used(line: CallLine, at: number): void;
}

/** A call of a replay that the script has not made yet. */
export interface AheadCall {
  /** Its arguments as the guest writes them. */
  key: string;
  /** What it returns. */
  value: unknown;
  /** The place of the reading of the clock that comes after it. */
  reading: number;
  /** The number of its tags. */
  tags: number;
  /** The script has made it; `at` is when, in ms of `performance.now()`. */
  used(line: CallLine, at: number): void;
}

/** A rejected item of a Get or Set, or the whole call: its tag or argument, and the reason. */
export interface RejectedCall {
  access: 'read' | 'write';
  path: string;
  reason: string;
}

/**
 * The requests that a running script can make to main. The supervisor has checked the form of every argument.
 * Exceptions reach the script as an Error; a TagwrightError WRITE_REFUSED carries its `data.failures`.
 */
export interface HostCalls {
  get(tags: string[], scope: Scope, line: CallLine): MaybePromise<TagColumns>;
  set(items: TagWrite[], scope: Scope, line: CallLine): MaybePromise<TagColumns>;
  /**
   * The result that a Get would have now, if it needs to wait for nothing and has no effects; null otherwise. Absent if
   * no Get may be answered before the script makes it.
   */
  ahead?(tags: readonly string[], scope: Scope): AheadRead | null;
  /**
   * In a replay, in place of `ahead`: up to `most` calls that the script probably makes next, in whatever order it does.
   */
  upcoming?(most: number): AheadCall[];
  /** What was rejected before it became a get or a set, such as an invalid argument; absent if it is not needed. */
  rejected?(items: RejectedCall[], line: CallLine): void;
  /** A message of the debugger in a debugged run; resolves to what the run does next. */
  debug?(message: unknown): MaybePromise<unknown>;
  /** The response to another call of a debugged run, or a PendingQuestion that comes first. */
  pending?(response: Promise<unknown>): Promise<unknown>;
  /**
   * A method of `ApiValueManager`; absent if the run cannot call any. While it is pending, another run can have the
   * place of this one.
   */
  api?(operation: ApiOperation, args: PassedArgument[], line: CallLine): MaybePromise<ApiResponse>;
}

/** A run whose clock and random numbers are recorded, or repeat those of a recorded run. */
export interface RecordedRun {
  readonly start: RecordedStart;
  /** Called if it is debugged instead; absent if it must not be. */
  readonly skipped?: () => void;
  /** The locale and the time zone of its host, reported once, before its body. */
  place(place: { locale: string; timeZone: string }): void;
  /** It has read the clock: ms since 1970. Only of a run that is recorded. */
  clock(steps: readonly ClockStep[]): void;
  /** The reading of the clock that comes after the response to the current call; null if it is the next one anyway. */
  nextReading(): number | null;
}

export interface ScriptRun {
  body: string;
  context: RunContext;
  limits: RunLimits;
  /** The maximum processor time of its host, ms: unlike `limits.scriptMs`, a busy machine does not matter. */
  processorMs?: number;
  calls: HostCalls;
  /** Aborting ends the run with status `cancelled`, at once. */
  signal?: AbortSignal;
  /** How many runs wait for this one, each for the next: 0 unless a host call of another run started it. */
  depth?: number;
  /** The run that waits for this one. */
  parent?: ScriptRun;
  /**
   * A host that breaks during this run, or is ended with it, is not worth reporting: it is replaced without being
   * counted in `restarts`.
   */
  expendable?: boolean;
  recorded?: RecordedRun;
  /** The body reports its statements: the name of the function that it calls, and how many statements it has. */
  coverage?: { counter: string; statements: number };
  /** The body has the probes of a debugger. */
  debug?: RunStart['debug'];
  /** Called when a host takes the run, which starts its clock. Called again if that host died before it began. */
  onStart?(): void;
  /** Called with each console entry when it arrives. */
  onConsole?(entry: ConsoleEntry): void;
}

export interface ScriptOutcome {
  status: RunStatus;
  result: Json;
  error: RunError | null;
  console: ConsoleEntry[];
  /** Console entries dropped because of the limit. */
  consoleDropped: number;
  /** A `1` for each statement that ran, if they were counted and the host could report them. */
  covered?: string;
  timing: { startedAt: string; queuedMs: number; scriptMs: number; hostCallMs: number; totalMs: number };
}

export interface HostsStatus {
  idle: number;
  busy: number;
  /** Not ready yet: the process is starting, or creating the realm of its next run. */
  starting: number;
  /** Busy hosts whose scripts wait for the network; absent if there are none. */
  waiting?: number;
  /** How many can wait without delaying others, by their memory now; absent if none waits. */
  waitingMost?: number;
  /** Runs that wait for a host; absent if there are none. */
  queued?: number;
  /** Queued runs that are held back because others of their script wait; absent if there are none. */
  held?: number;
  /** Hosts replaced since the start because a run broke them or exceeded a limit. */
  restarts: number;
  /** Hosts ended since the start because of an invalid frame; absent if there were none. */
  protocolViolations?: number;
  /** Why no host can be started; absent otherwise. */
  problem?: string;
}

/** Runs runs, each in a fresh realm, in processes whose failure does not affect the application. */
export interface ScriptRunner {
  /** Settles however the script ends; rejects only with UNAVAILABLE, if no host is available. */
  run(run: ScriptRun): Promise<ScriptOutcome>;
  status(): HostsStatus;
  onStatus(listener: (status: HostsStatus) => void): () => void;
  close(): Promise<void>;
}

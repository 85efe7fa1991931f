import type { ApiAnswer, ApiArgument, ApiOperation } from '#domain/mock/api-call';
import type { Json } from '#domain/text/json';
import type { Quality } from '#domain/tag/quality';
import type { ConsoleEntry, RunContext, RunError, RunLimits, RunStatus } from '#domain/run/run';
import type { Scope } from '#domain/tag/scope';
import type { ResultType, TagWrite } from '#domain/tag/tag';
import type { MaybePromise } from '../../platform/maybe-promise.ts';

/** Columns of a read, one element per requested tag in the order asked; the guest makes the result objects of them. */
export interface TagColumns {
  values: Json[];
  qualities: Quality[];
  types: ResultType[];
}

/** Where a host call was made in the author's body, from 1; null where it is not known, and after 500 calls of a run. */
export type CallLine = number | null;

/**
 * What a running script may ask of main. The supervisor has checked the shape of every argument before. What these
 * throw reaches the script as an Error; a TagwrightError WRITE_REFUSED carries its `data.failures` along.
 */
export interface HostCalls {
  get(tags: string[], scope: Scope, line: CallLine): MaybePromise<TagColumns>;
  set(items: TagWrite[], scope: Scope, line: CallLine): MaybePromise<TagColumns>;
  /**
   * A method of `ApiValueManager`; absent where the run may call none. While it is waited for, the host of the run is
   * not counted.
   */
  api?(operation: ApiOperation, args: ApiArgument[], line: CallLine): MaybePromise<ApiAnswer>;
}

export interface ScriptJob {
  body: string;
  context: RunContext;
  limits: RunLimits;
  calls: HostCalls;
  /** Aborting ends the run with status `cancelled`, at once. */
  signal?: AbortSignal;
  /** How many runs wait for this one, each for the next: 0 unless a host call of another run started it. */
  depth?: number;
  /** A host that this run breaks or outlives is no event: it is replaced without being counted in `restarts`. */
  expendable?: boolean;
  /** Called when a host takes the run: from then on its time counts. Again where that host died before it began. */
  onStart?(): void;
}

export interface ScriptOutcome {
  status: RunStatus;
  result: Json;
  error: RunError | null;
  console: ConsoleEntry[];
  /** Console entries left out because of the limit. */
  consoleDropped: number;
  timing: { startedAt: string; queuedMs: number; scriptMs: number; hostCallMs: number; totalMs: number };
}

export interface HostsStatus {
  idle: number;
  busy: number;
  /** Not ready yet: the process starts, or makes the realm of its next run. */
  starting: number;
  /** Of the busy ones, those whose scripts wait for the network; absent where there is none. */
  waiting?: number;
  /** Runs that wait for a host; absent where there is none. */
  queued?: number;
  /** Hosts replaced since the start because a run broke or outlived them. */
  restarts: number;
  /** Hosts ended since the start because they sent what no host of ours sends; absent where there was none. */
  protocolViolations?: number;
  /** Why no host can be started; absent while they can. */
  problem?: string;
}

/** Runs jobs, each in a fresh realm, in processes that no script can bring down the application with. */
export interface ScriptRunner {
  /** Settles however the script ends; rejects only with UNAVAILABLE, when no host can be had. */
  run(job: ScriptJob): Promise<ScriptOutcome>;
  status(): HostsStatus;
  onStatus(listener: (status: HostsStatus) => void): () => void;
  close(): Promise<void>;
}

import { TagwrightError } from '../../../platform/errors.ts';
import type { ScriptRun, ScriptOutcome } from '../script-run.ts';
import { bodyTooLong, cancelled } from './run-errors.ts';
import { RunSession, type WaitsFor } from './run-session.ts';
import type { ScriptHost } from './script-host.ts';
import type { ScriptLoad } from './waiting-room.ts';

/** A run from its request until its end. */
export interface PooledRun {
  readonly run: ScriptRun;
  /** How many runs wait for it. */
  readonly depth: number;
  /** When it was requested, ms of a monotonic clock. */
  readonly since: number;
  /** How many hosts died before they read it. */
  attempts: number;
  /** With the other runs of its script. */
  readonly load: ScriptLoad;
  /** The run that waits for it. */
  readonly parent: PooledRun | null;
  /** How many of the runs that it caused, directly or not, do not wait: they are queued or compute. */
  working: number;
  /** The host call that its script is in, if that takes long. */
  call: WaitsFor;
  /** What it waits for: its call, unless runs that it caused are working on that. */
  waitsFor: WaitsFor;
  /** Whether it waits or has waited. */
  hasWaited: boolean;
  /** Decides later whether it waits. */
  later: NodeJS.Timeout | null;
  /** It waits, and has given up its place to another run. */
  aside: boolean;
  /** Since it was given one. */
  host: ScriptHost | null;
  resolve(outcome: ScriptOutcome): void;
  reject(reason: TagwrightError): void;
  /** Removes the listener from the run's signal. */
  release(): void;
}

/** A pooled run that calls `cancel` when the signal of its run aborts, until it is released. */
export function pooledRun(
  run: ScriptRun,
  load: ScriptLoad,
  parent: PooledRun | null,
  settle: Pick<PooledRun, 'resolve' | 'reject'>,
  cancel: (pooled: PooledRun) => void,
): PooledRun {
  const { signal, depth = 0 } = run;
  const pooled: PooledRun = {
    run,
    depth,
    since: performance.now(),
    attempts: 0,
    load,
    parent,
    working: 0,
    call: null,
    waitsFor: null,
    hasWaited: false,
    later: null,
    aside: false,
    host: null,
    ...settle,
    release: () => undefined,
  };
  if (signal !== undefined) {
    const aborted = () => cancel(pooled);
    signal.addEventListener('abort', aborted, { once: true });
    pooled.release = () => signal.removeEventListener('abort', aborted);
  }
  return pooled;
}

/** The end of a run that needs no host; null for all others. */
export function outcomeWithoutHost(run: ScriptRun): ScriptOutcome | null {
  if (run.signal?.aborted === true) return new RunSession(run, 0).outcome('cancelled', cancelled());
  const bytes = Buffer.byteLength(run.body);
  return bytes > run.limits.bodyBytes ? new RunSession(run, 0).outcome('error', bodyTooLong(bytes, run.limits)) : null;
}

export function unavailable(message: string): TagwrightError {
  return new TagwrightError('UNAVAILABLE', message);
}

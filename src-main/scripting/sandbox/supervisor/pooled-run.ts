import { TagwrightError } from '../../../platform/errors.ts';
import type { ScriptRun, ScriptOutcome } from '../script-run.ts';
import { bodyTooLong, cancelled } from './run-errors.ts';
import { RunSession } from './run-session.ts';

/** A run from its request until its end. */
export interface PooledRun {
  readonly run: ScriptRun;
  /** How many runs wait for it. */
  readonly depth: number;
  /** When it was requested, ms of a monotonic clock. */
  readonly since: number;
  /** How many hosts died before they read it. */
  attempts: number;
  /** Its script waits for the network, and it has given up its place to another run. */
  aside: boolean;
  resolve(outcome: ScriptOutcome): void;
  reject(reason: TagwrightError): void;
  /** Removes the listener from the run's signal. */
  release(): void;
}

/** A pooled run that calls `cancel` when the signal of its run aborts, until it is released. */
export function pooledRun(
  run: ScriptRun,
  settle: Pick<PooledRun, 'resolve' | 'reject'>,
  cancel: (pooled: PooledRun) => void,
): PooledRun {
  const { signal, depth = 0 } = run;
  const pooled: PooledRun = {
    run,
    depth,
    since: performance.now(),
    attempts: 0,
    aside: false,
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

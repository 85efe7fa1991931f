import { TagwrightError } from '../../../platform/errors.ts';
import type { ScriptJob, ScriptOutcome } from '../script-job.ts';
import { bodyTooLong, cancelled } from './run-errors.ts';
import { RunSession } from './run-session.ts';

/** A run from its request until its end. */
export interface Ticket {
  readonly job: ScriptJob;
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
  /** Removes the listener from the job's signal. */
  release(): void;
}

/** A ticket that calls `cancel` when the signal of its job aborts, until it is released. */
export function ticketOf(
  job: ScriptJob,
  settle: Pick<Ticket, 'resolve' | 'reject'>,
  cancel: (ticket: Ticket) => void,
): Ticket {
  const { signal, depth = 0 } = job;
  const ticket: Ticket = {
    job,
    depth,
    since: performance.now(),
    attempts: 0,
    aside: false,
    ...settle,
    release: () => undefined,
  };
  if (signal !== undefined) {
    const aborted = () => cancel(ticket);
    signal.addEventListener('abort', aborted, { once: true });
    ticket.release = () => signal.removeEventListener('abort', aborted);
  }
  return ticket;
}

/** The end of a job that needs no host; null for all others. */
export function outcomeWithoutHost(job: ScriptJob): ScriptOutcome | null {
  if (job.signal?.aborted === true) return new RunSession(job, 0).outcome('cancelled', cancelled());
  const bytes = Buffer.byteLength(job.body);
  return bytes > job.limits.bodyBytes ? new RunSession(job, 0).outcome('error', bodyTooLong(bytes, job.limits)) : null;
}

export function unavailable(message: string): TagwrightError {
  return new TagwrightError('UNAVAILABLE', message);
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The example of Standard Webhooks 1.0: ms from each failed attempt to the next one, ten attempts in 76 hours. */
export const RETRY_DELAYS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** A receiver can ask for this delay at most. */
export const MOST_RETRY_AFTER = 24 * HOUR;
/** The statuses whose `Retry-After` counts. */
const THROTTLING = new Set([429, 503]);
/** Retries are spread by up to a tenth, so that those of a failure do not come at once. */
const JITTER = 0.1;

export interface FailedAttempt {
  /** The number of attempts so far, including this one. */
  attempts: number;
  /** ms since 1970 in UTC. */
  now: number;
  /** null without a response. */
  status: number | null;
  retryAfter: string | null;
}

/** ms that the receiver asks to wait, from 0 to 24 hours; 0 if it does not ask. */
export function retryAfterOf({ status, retryAfter, now }: Omit<FailedAttempt, 'attempts'>): number {
  if (status === null || !THROTTLING.has(status) || retryAfter === null) return 0;
  const text = retryAfter.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), MOST_RETRY_AFTER);
}

/**
 * When a failed delivery is attempted again, ms since 1970 in UTC; null after the last attempt.
 * @param random from 0 to 1
 */
export function nextAttempt(
  attempt: FailedAttempt,
  random: number,
  delays: readonly number[] = RETRY_DELAYS,
): number | null {
  const delay = delays[attempt.attempts - 1];
  if (delay === undefined) return null;
  return Math.round(attempt.now + Math.max(delay * (1 + JITTER * random), retryAfterOf(attempt)));
}

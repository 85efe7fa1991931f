import type { ConformanceFinding } from '#domain/event/conformance';
import { grouped } from '#domain/text/grouped';
import { MOST_POLLS_A_SECOND } from './situations.ts';
import type { Observed } from './observed.ts';

/** After a second failure in a row, the next attempt comes at the earliest after this time. */
const LEAST_PAUSE_MS = 200;
/** Requests that were on their way when a response was sent. */
const IN_FLIGHT_MS = 50;
/** A request after a response begins at the earliest after this time. */
const LEAST_LATER_MS = 5;
/** Responses with Retry-After that are compared with all requests. */
const MOST_ASKING = 200;
/** Timers of clients are not exact. */
const TOLERANCE = 0.9;
/** Further requests before the end of Retry-After that a program with parallel requests may have begun. */
const MOST_EARLY = 5;
/** Failing requests in one second that are tolerated. */
const MOST_FAILURES_A_SECOND = 10;
/** Attempts to acknowledge an event that does not exist. */
const MOST_MISSING = 3;

/** The events that a consumer acknowledged again though the response to the first time was sent completely. */
export function acknowledgedTwice(observed: readonly Observed[]): ConformanceFinding[] {
  const done = new Set<string>();
  const again = new Map<number, number>();
  for (const { method, acknowledges: id, status, isComplete, isFault } of observed) {
    if (id === null || !isComplete || (isFault && status >= 400)) continue;
    const key = `${method} ${id}`;
    const isGone = status === 404 && method === 'DELETE';
    if (done.has(key) && (status < 300 || isGone)) again.set(id, (again.get(id) ?? 0) + 1);
    if (status < 300) done.add(key);
  }
  if (again.size === 0) return [];
  return [
    { kind: 'twice', count: again.size, message: `Acknowledged again without need: ${eventsText([...again.keys()])}` },
  ];
}

/** Where a consumer did not wait before it tried again. */
export function hammered(observed: readonly Observed[]): ConformanceFinding[] {
  return [againstRetryAfter(observed), withoutBackOff(observed), inOneSecond(observed), missing(observed)].flat();
}

/** Whether a consumer polls too fast while nothing happens. */
export function polledTooFast(observed: readonly Observed[], ms: number): ConformanceFinding[] {
  const polls = observed.filter(({ isList, isStream }) => isList || isStream).length;
  const most = Math.ceil((MOST_POLLS_A_SECOND * ms) / 1_000);
  if (polls <= most) return [];
  const message = `${polls} polls in ${secondsText(ms)} without news; at most ${most} are acceptable`;
  return [{ kind: 'hammered', count: polls, message }];
}

function againstRetryAfter(observed: readonly Observed[]): ConformanceFinding[] {
  const all = new Set<Observed>();
  let worst = { asked: 0, waited: Number.POSITIVE_INFINITY };
  const asking = observed.filter(({ retryAfterMs, isComplete }) => retryAfterMs !== null && isComplete);
  for (const one of asking.slice(0, MOST_ASKING)) {
    const { endedAt, retryAfterMs } = one;
    if (retryAfterMs === null) continue;
    // An injected response is sent at once; its end may be noticed later than the client receives it.
    const until = (one.isFault ? one.at : endedAt) + TOLERANCE * retryAfterMs;
    const early = observed.filter(({ at }) => at > endedAt + LEAST_LATER_MS && at < until);
    const same = early.filter((other) => targetOf(other) === targetOf(one));
    if (same.length === 0 && early.length <= MOST_EARLY) continue;
    for (const other of early) all.add(other);
    const waited = Math.min(...early.map(({ at }) => at)) - endedAt;
    if (waited < worst.waited) worst = { asked: retryAfterMs, waited };
  }
  if (all.size === 0) return [];
  const message = `${counted(all.size, 'request')} before the time of Retry-After (${secondsText(worst.asked)}) had passed, the first after ${secondsText(worst.waited)}`;
  return [{ kind: 'hammered', count: all.size, message }];
}

function withoutBackOff(observed: readonly Observed[]): ConformanceFinding[] {
  const failures = new Map<string, { inRow: number; endedAt: number }>();
  let [count, shortest] = [0, Number.POSITIVE_INFINITY];
  for (const one of observed.toSorted((a, b) => a.at - b.at)) {
    const target = targetOf(one);
    const before = failures.get(target);
    const gap = one.at - (before?.endedAt ?? 0);
    if (before && before.inRow >= 2 && gap < LEAST_PAUSE_MS) {
      count += 1;
      shortest = Math.min(shortest, Math.max(0, gap));
    }
    // Parallel requests fail together: they are one failure.
    const isParallel = before !== undefined && gap < 0;
    if (!one.isFailure) failures.delete(target);
    else if (!isParallel) failures.set(target, { inRow: (before?.inRow ?? 0) + 1, endedAt: one.endedAt });
  }
  if (count === 0) return [];
  const message = `${counted(count, 'request')} repeated without a pause after several failures, one after ${secondsText(shortest)}; wait at least ${secondsText(LEAST_PAUSE_MS)}, and longer each time`;
  return [{ kind: 'hammered', count, message }];
}

function inOneSecond(observed: readonly Observed[]): ConformanceFinding[] {
  const failures = observed.filter(({ isFailure }) => isFailure).toSorted((a, b) => a.at - b.at);
  let most = 0;
  let last = 0;
  for (const [index, { endedAt }] of failures.entries()) {
    last = Math.max(last, index);
    while (last < failures.length && (failures[last]?.at ?? 0) < endedAt + 1_000) last += 1;
    const began = failures.slice(index + 1, last).filter(({ at }) => at > endedAt + IN_FLIGHT_MS).length;
    most = Math.max(most, began);
    if (index > MOST_FAILURES_A_SECOND * 100) break;
  }
  if (most <= MOST_FAILURES_A_SECOND) return [];
  const message = `${most} failing requests in the second after a failure; pause before the next request`;
  return [{ kind: 'hammered', count: most, message }];
}

function missing(observed: readonly Observed[]): ConformanceFinding[] {
  const attempts = new Map<number, number>();
  for (const { acknowledges: id, status } of observed) {
    if (id !== null && status === 404) attempts.set(id, (attempts.get(id) ?? 0) + 1);
  }
  const stubborn = [...attempts].filter(([, count]) => count > MOST_MISSING).map(([id]) => id);
  if (stubborn.length === 0) return [];
  const message = `More than ${MOST_MISSING} attempts to acknowledge events that do not exist: ${eventsText(stubborn)}`;
  return [{ kind: 'hammered', count: stubborn.length, message }];
}

const targetOf = ({ method, path }: Observed): string => `${method} ${path}`;

/** `1 request`, `2 requests` */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

const secondsText = (ms: number): string => `${Number((Math.round(ms) / 1_000).toPrecision(2))} s`;

const MOST_NAMED = 8;

/** `5 events: 1, 2, 3, 4, 5` */
export function eventsText(ids: readonly number[]): string {
  const named = ids.slice(0, MOST_NAMED).join(', ');
  return `${counted(ids.length, 'event')}: ${named}${ids.length > MOST_NAMED ? ', …' : ''}`;
}

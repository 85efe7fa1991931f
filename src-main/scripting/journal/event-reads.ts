import type { ApiRequest } from '#domain/mock/api-request';
import type { Why, WhyLine } from '#domain/run/why';
import { roundedDuration } from '#domain/text/duration';

/** Who got an event from the events API. */
export interface EventReads {
  /** Since the start of the instance: when each consumer was first sent a list with events of its time, ms since 1970. */
  sentTo: { consumer: string; at: number }[];
  /** Stored requests that read this event alone. */
  requests: ApiRequest[];
}

/** Reads of one event that are shown: the newest. */
const MOST_READS = 20;

/** What consumers did with an event: effects of its firing. @param until ms since 1970: the state at that time */
export function readLines(why: Why, event: number, reads: EventReads, isActive: boolean, until: number): WhyLine[] {
  const firing = why.causes.find(({ kind }) => kind === 'firing');
  if (!firing) return [];
  const firedAt = Date.parse(firing.at);
  const changes = why.causes
    .filter(({ kind }) => kind === 'event')
    .map((line) => ({ ...line, time: Date.parse(line.at) }));
  /** A list has no event that is disabled or deleted at that time. The latest change is first. */
  const isListed = (at: number) => changes.find(({ time }) => time < at)?.action.startsWith('reactivated') ?? true;
  const line = (at: number, action: string, actor: string): WhyLine => ({
    depth: 0,
    at: new Date(at).toISOString(),
    kind: 'request',
    action,
    actor,
    entry: 0,
    event,
  });
  const seen = reads.sentTo
    .filter(({ at }) => at >= firedAt && at <= until && isListed(at))
    .map(({ consumer, at }) => {
      const open = isActive ? `, not acknowledged for ${roundedDuration(until - at)}` : '';
      return line(at, `first seen after ${roundedDuration(at - firedAt)}${open}`, consumer);
    });
  const read = reads.requests
    .filter(({ at }) => Date.parse(at) <= until)
    .slice(-MOST_READS)
    .map(({ seq, at, method, path, status, client, userAgent }) => {
      const actor = userAgent === '' ? client : `${client}, ${userAgent}`;
      return {
        ...line(Date.parse(at), `requested ${method} ${path}: status ${status}`, actor),
        thing: `request:${seq}`,
      };
    });
  return [...seen, ...read].toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

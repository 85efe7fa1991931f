import { useEffect, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import type { AggregationEvent } from '#domain/event/event';
import type { Why } from '#domain/run/why';
import { useWorkbench } from '../../frame/workbench.ts';

const LIST = /^\/api\/events(?:\?|$)/;
/** Characters of a time up to its second. */
const SECOND = 19;

/** What *Why?* knows of an event. */
type Story = Pick<Why, 'window' | 'effects'>;
const NO_STORY: Story = { window: null, effects: [] };

/**
 * The story of an event; null until it is read. Read again when the event changes, when it is requested by its id, and at
 * most once a second when events are listed.
 */
export function useStory(event: AggregationEvent, requests: readonly ApiRequest[]): Story | null {
  const { client } = useWorkbench();
  const { AggregationEventId: id, Active } = event;
  const byId = requestsOf(id, requests).length;
  const listedAt = requests.find(({ path }) => LIST.test(path))?.at.slice(0, SECOND);
  const version = `${Active} ${byId} ${listedAt}`;
  const [known, setKnown] = useState<{ id: number; story: Story } | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const load = async () => {
      try {
        const story = await client.journal.why({ thing: { kind: 'event', id } }, { signal: end.signal });
        if (!end.signal.aborted) setKnown({ id, story });
      } catch {
        // *Why?* shows the problem. What was read before stays.
        if (!end.signal.aborted) setKnown((before) => (before?.id === id ? before : { id, story: NO_STORY }));
      }
    };
    void load();
    return () => end.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another version is read again
  }, [client, id, version]);
  return known?.id === id ? known.story : null;
}

/** A request for an event, or a list that a client got it with. */
export interface EventAccess {
  /** Several requests can have the same time, client and status. */
  key: string;
  at: string;
  what: string;
  client: string;
}

/** The requests for an event by its id, and the first list in which each client got it, newest first. */
export function accessesOf(id: number, requests: readonly ApiRequest[], story: Story | null): EventAccess[] {
  const byId = requestsOf(id, requests).map(({ seq, at, method, status, userAgent, client }) => ({
    key: `request ${seq}`,
    at,
    what: `${method} ${status}`,
    client: userAgent === '' ? client : userAgent,
  }));
  const lists = (story?.effects ?? []).filter(({ kind, thing }) => kind === 'request' && thing === undefined);
  const seen = lists.map(({ at, action, actor }) => ({ key: `seen by ${actor}`, at, what: action, client: actor }));
  return [...byId, ...seen].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

export const requestsOf = (id: number, requests: readonly ApiRequest[]): ApiRequest[] =>
  requests.filter(({ path }) => path.split('?')[0] === `/api/events/${id}`);

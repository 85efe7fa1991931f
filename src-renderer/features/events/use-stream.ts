import { useEffect, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Rule } from '#domain/rule/rule';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';

const MOST_REQUESTS = 1_000;

/** The requests of external tools, newest first, while the view is visible. */
export function useRequests(client: Pick<Client, 'eventsApi'>, active: boolean): readonly ApiRequest[] {
  const [requests, setRequests] = useState<readonly ApiRequest[]>([]);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void follow(
      (signal) => client.eventsApi.watchRequests(undefined, { signal }),
      (batch) =>
        setRequests((before) => {
          const known = before[0]?.seq ?? 0;
          const added = batch.filter(({ seq }) => seq > known).toReversed();
          return [...added, ...before].slice(0, MOST_REQUESTS);
        }),
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  return requests;
}

/** All rules, reloaded when one is saved or deleted. */
export function useRules(client: Pick<Client, 'rules'>, active: boolean): readonly Rule[] {
  const [rules, setRules] = useState<readonly Rule[]>([]);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const load = async () => {
      const all = await client.rules.list(undefined, { signal: end.signal }).catch(() => null);
      if (all && !end.signal.aborted) setRules(all);
    };
    void load();
    void follow(
      (signal) => client.rules.changes(undefined, { signal }),
      () => void load(),
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  return rules;
}

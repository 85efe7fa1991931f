import { useEffect, useMemo, useState } from 'react';
import type { ApiRequest } from '#domain/mock/api-request';
import type { Rule } from '#domain/rule/rule';
import type { Client } from '../../client/client.ts';
import { follow } from '../../client/follow.ts';
import { useAnswer } from '../../client/use-answer.ts';

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

const NO_RULES: readonly Rule[] = [];

/** All rules, kept current. */
export function useRules(client: Pick<Client, 'rules'>, active: boolean): readonly Rule[] {
  const question = useMemo(
    () => ({
      ask: (signal: AbortSignal) => client.rules.list(undefined, { signal }),
      changes: [(signal: AbortSignal) => client.rules.changes(undefined, { signal })],
    }),
    [client],
  );
  return useAnswer(question, active).answer ?? NO_RULES;
}

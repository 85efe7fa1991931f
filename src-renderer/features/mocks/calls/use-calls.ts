import { useCallback, useEffect, useState } from 'react';
import type { LoggedCall } from '#domain/mock/api-call';
import type { Client } from '../../../client/client.ts';
import { follow } from '../../../client/follow.ts';

const MOST_CALLS = 1_000;

/** The API calls of scripts, newest first, while visible; and the function that clears the log. */
export function useCalls(client: Pick<Client, 'calls'>, active: boolean) {
  const [calls, setCalls] = useState<readonly LoggedCall[]>([]);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let first = true;
    void follow(
      (signal) => {
        first = true;
        return client.calls.watch(undefined, { signal });
      },
      (batch) => {
        // The first batch is the complete log: another window may have cleared it, or it is another instance.
        const begins = first;
        first = false;
        setLoaded(true);
        setCalls((before) => {
          const known = begins ? [] : before;
          const last = known[0]?.seq ?? 0;
          const added = batch.filter(({ seq }) => begins || seq > last).toReversed();
          return added.length === 0 && !begins ? before : [...added, ...known].slice(0, MOST_CALLS);
        });
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  const clear = useCallback(async () => {
    await client.calls.clear();
    setCalls([]);
  }, [client]);
  return { calls, loaded, clear };
}

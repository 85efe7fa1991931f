import { useEffect, useState } from 'react';
import type { SecretInfo } from '#domain/api-secret';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';

interface Secrets {
  /** null until they were read. */
  secrets: readonly SecretInfo[] | null;
  problem: string | null;
}

/** The names of the secrets, listed again when one was set or deleted. */
export function useSecrets(client: Pick<Client, 'secrets'>, active: boolean): Secrets {
  const [state, setState] = useState<Secrets>({ secrets: null, problem: null });
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const { signal } = end;
    const load = async () => {
      try {
        const { secrets } = await client.secrets.list(undefined, { signal });
        setState({ secrets, problem: null });
      } catch (error) {
        if (!isAbort(error) && !signal.aborted)
          setState(({ secrets }) => ({ secrets, problem: problemOf(error).message }));
      }
    };
    void load();
    void follow(
      (ended) => client.secrets.changes(undefined, { signal: ended }),
      () => void load(),
      signal,
    );
    return () => end.abort();
  }, [client, active]);
  return state;
}

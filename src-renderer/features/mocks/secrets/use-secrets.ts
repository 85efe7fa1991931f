import { useEffect, useState } from 'react';
import type { SecretInfo } from '#domain/mock/api-secret';
import type { Client } from '../../../client/client.ts';
import { keepAsking } from '../../../client/keep-asking.ts';

interface Secrets {
  /** null until they are loaded. */
  secrets: readonly SecretInfo[] | null;
  problem: string | null;
}

/** The names of the secrets, reloaded when one is set or deleted. */
export function useSecrets(client: Pick<Client, 'secrets'>, active: boolean): Secrets {
  const [state, setState] = useState<Secrets>({ secrets: null, problem: null });
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    keepAsking(
      {
        ask: (signal) => client.secrets.list(undefined, { signal }),
        changes: [(signal) => client.secrets.changes(undefined, { signal })],
        answered: ({ secrets }) => setState({ secrets, problem: null }),
        failed: ({ message }) => setState(({ secrets }) => ({ secrets, problem: message })),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);
  return state;
}

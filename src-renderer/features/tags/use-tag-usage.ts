import { useEffect, useState } from 'react';
import type { TagUsage } from '#domain/tag/usage';
import type { Client } from '../../client/client.ts';
import { keepAsking } from '../../client/keep-asking.ts';

/** The known references to a tag; `problem` says why they could not be checked. */
export interface KnownUsage {
  usage: TagUsage | null;
  problem: string | null;
}

const NOT_YET: KnownUsage = { usage: null, problem: null };

/** The references to a tag, updated whenever scripts or tags change. */
export function useTagUsage(client: Pick<Client, 'tags' | 'scripts'>, path: string): KnownUsage {
  const [known, setKnown] = useState(NOT_YET);

  useEffect(() => {
    const end = new AbortController();
    keepAsking(
      {
        ask: (signal) => client.tags.usage({ path }, { signal }),
        changes: [
          (signal) => client.scripts.changes(undefined, { signal }),
          (signal) => client.tags.changes(undefined, { signal }),
        ],
        answered: (usage) => setKnown({ usage, problem: null }),
        failed: ({ message }) => setKnown({ usage: null, problem: message }),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, path]);

  return known;
}

import { useMemo } from 'react';
import type { TagUsage } from '#domain/tag/usage';
import type { Client } from '../../client/client.ts';
import { useQuery } from '../../client/use-query.ts';

/** The references to a tag, or null while they are unknown; `problem` is why they cannot be loaded. */
export interface KnownUsage {
  usage: TagUsage | null;
  problem: string | null;
}

/** Where a tag is used, kept current. */
export function useTagUsage(client: Client, path: string): KnownUsage {
  const query = useMemo(
    () => ({
      read: (signal: AbortSignal) => client.tags.usage({ path }, { signal }),
      changes: [
        (signal: AbortSignal) => client.scripts.changes(undefined, { signal }),
        (signal: AbortSignal) => client.tags.changes(undefined, { signal }),
        (signal: AbortSignal) => client.rules.changes(undefined, { signal }),
        (signal: AbortSignal) => client.diagrams.changes(undefined, { signal }),
        (signal: AbortSignal) => client.scriptTests.changes(undefined, { signal }),
        (signal: AbortSignal) => client.mocks.changes(undefined, { signal }),
      ],
    }),
    [client, path],
  );
  const { data, problem } = useQuery(query, true);
  return { usage: problem ? null : data, problem: problem?.message ?? null };
}

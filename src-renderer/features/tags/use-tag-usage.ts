import { useMemo } from 'react';
import type { TagUsage } from '#domain/tag/usage';
import type { Client } from '../../client/client.ts';
import { useAnswer } from '../../client/use-answer.ts';

/** Where a tag is used, as far as it is known; `problem` is why it cannot be found out. */
export interface KnownUsage {
  usage: TagUsage | null;
  problem: string | null;
}

/** Where a tag is used, kept current. */
export function useTagUsage(client: Pick<Client, 'tags' | 'scripts'>, path: string): KnownUsage {
  const question = useMemo(
    () => ({
      ask: (signal: AbortSignal) => client.tags.usage({ path }, { signal }),
      changes: [
        (signal: AbortSignal) => client.scripts.changes(undefined, { signal }),
        (signal: AbortSignal) => client.tags.changes(undefined, { signal }),
      ],
    }),
    [client, path],
  );
  const { answer, problem } = useAnswer(question, true);
  return { usage: problem ? null : answer, problem: problem?.message ?? null };
}

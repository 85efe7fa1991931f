import { useMemo } from 'react';
import type { Diagram } from '#domain/tag/diagram';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { useAnswer } from '../../../client/use-answer.ts';

/** All Diagrams with their parts, kept current; null until they are read. */
export function useDiagrams(
  client: Pick<Client, 'diagrams'>,
  active: boolean,
): { diagrams: readonly Diagram[] | null; problem: string | null } {
  const question = useMemo(
    () => ({
      ask: async (signal: AbortSignal): Promise<Diagram[]> => {
        const list = await client.diagrams.list(undefined, { signal });
        const all = await Promise.all(
          list.map(({ id }) => client.diagrams.get({ id }, { signal }).catch(unlessDeleted)),
        );
        return all.filter((diagram) => diagram !== null);
      },
      changes: [(signal: AbortSignal) => client.diagrams.changes(undefined, { signal })],
    }),
    [client],
  );
  const { answer, problem } = useAnswer(question, active);
  return { diagrams: answer, problem: problem?.message ?? null };
}

/** null for a Diagram that was deleted after the list was read. */
function unlessDeleted(error: unknown): null {
  if (problemOf(error).code === 'NOT_FOUND') return null;
  throw error;
}

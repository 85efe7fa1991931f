import { useEffect, useState } from 'react';
import type { Diagram } from '#domain/tag/diagram';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { follow } from '../../../client/follow.ts';

/** All Diagrams with their parts, reloaded when one is saved; null until they are loaded. */
export function useDiagrams(
  client: Pick<Client, 'diagrams'>,
  active: boolean,
): { diagrams: readonly Diagram[] | null; problem: string | null } {
  const [diagrams, setDiagrams] = useState<Diagram[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const { signal } = end;
    const load = async () => {
      try {
        const list = await client.diagrams.list(undefined, { signal });
        const all = await Promise.all(list.map(({ id }) => client.diagrams.get({ id }, { signal })));
        if (signal.aborted) return;
        setDiagrams(all);
        setProblem(null);
      } catch (error) {
        // The next change reports a deleted one.
        if (!signal.aborted && problemOf(error).code !== 'NOT_FOUND') setProblem(problemOf(error).message);
      }
    };
    void load();
    void follow(
      (over) => client.diagrams.changes(undefined, { signal: over }),
      () => void load(),
      signal,
    );
    return () => end.abort();
  }, [client, active]);
  return { diagrams, problem };
}

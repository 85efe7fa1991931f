import { useCallback, useEffect, useState } from 'react';
import type { Settings } from '#domain/workspace/settings';
import type { Client } from '../../client/client.ts';
import { stayCurrent } from '../../client/stay-current.ts';

/** The current settings, also after changes made elsewhere; null until they have been read. */
export function useSettings(client: Client, active: boolean) {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const take = useCallback((now: Settings) => {
    setSettings(now);
    setProblem(null);
  }, []);
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void stayCurrent(
      {
        changes: [(signal) => client.settings.changes(undefined, { signal })],
        read: async (signal) => take(await client.settings.get(undefined, { signal })),
        failed: ({ message }) => setProblem(message),
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active, take]);
  return { settings, problem, take };
}

import { useCallback, useEffect, useState } from 'react';
import type { Settings } from '#domain/workspace/settings';
import type { Client } from '../../client/client.ts';
import { problemOf } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';

/** The current settings, including changes by others; null until they are loaded. */
export function useSettings(client: Client, active: boolean) {
  const [settings, setSettings] = useState<Settings | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = useCallback(
    () =>
      client.settings.get().then(
        (now) => {
          setSettings(now);
          setProblem(null);
        },
        (error: unknown) => setProblem(problemOf(error).message),
      ),
    [client],
  );
  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void read();
    void follow(
      (signal) => client.settings.changes(undefined, { signal }),
      () => void read(),
      end.signal,
    );
    return () => end.abort();
  }, [client, active, read]);
  return { settings, problem, take: setSettings };
}

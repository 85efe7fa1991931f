import { useEffect, useState } from 'react';
import type { ScriptRevision, ScriptVersion } from '#domain/run/script';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { useStore } from '../../../support/store.ts';
import { useScripts } from '../scripts-context.ts';

/** The state of a request: pending, loaded, or rejected with a reason. */
export type Loadable<T> = { state: 'loading' } | { state: 'there'; value: T } | { state: 'failed'; reason: string };

const LOADING = { state: 'loading' } as const;

/** The saves of a script, newest first; reloaded when the library changes. */
export function useRevisions(client: Pick<Client, 'scripts'>, id: number): Loadable<ScriptRevision[]> {
  const { model } = useScripts();
  const scripts = useStore(model.store, (state) => state.scripts);
  const [loaded, setLoaded] = useState<Loadable<ScriptRevision[]>>(LOADING);
  useEffect(
    () => loadInto((signal) => client.scripts.history({ id }, { signal }), setLoaded),
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another list of scripts may mean another save
    [client, id, scripts],
  );
  return loaded;
}

/** A version with its body; the previous one stays until it is loaded. */
export function useVersion(
  client: Pick<Client, 'scripts'>,
  id: number,
  version: number | null,
): Loadable<ScriptVersion> {
  const [loaded, setLoaded] = useState<Loadable<ScriptVersion>>(LOADING);
  useEffect(() => {
    if (version === null) return undefined;
    return loadInto((signal) => client.scripts.version({ id, version }, { signal }), setLoaded);
  }, [client, id, version]);
  return loaded;
}

/** Sends the request and passes on the result, unless the returned function was called before. */
function loadInto<T>(load: (signal: AbortSignal) => Promise<T>, set: (state: Loadable<T>) => void): () => void {
  const end = new AbortController();
  const unlessEnded = (state: Loadable<T>) => {
    if (!end.signal.aborted) set(state);
  };
  load(end.signal).then(
    (value) => unlessEnded({ state: 'there', value }),
    (error: unknown) => unlessEnded({ state: 'failed', reason: problemOf(error).message }),
  );
  return () => end.abort();
}

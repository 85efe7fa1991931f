import { useEffect, useState } from 'react';
import type { ScriptRevision, ScriptVersion } from '#domain/run/script';
import type { Client } from '../../../client/client.ts';
import { problemOf } from '../../../client/errors.ts';
import { useStore } from '../../../support/store.ts';
import { useScripts } from '../scripts-context.ts';

/** The state of a request: pending, loaded, or rejected with a reason. */
export type Loadable<T> = { state: 'asking' } | { state: 'there'; value: T } | { state: 'failed'; reason: string };

const ASKING = { state: 'asking' } as const;

/** The saves of a script, newest first; reloaded when the library changes. */
export function useRevisions(client: Pick<Client, 'scripts'>, id: number): Loadable<ScriptRevision[]> {
  const { model } = useScripts();
  const scripts = useStore(model.store, (state) => state.scripts);
  const [asked, setAsked] = useState<Loadable<ScriptRevision[]>>(ASKING);
  useEffect(
    () => answered((signal) => client.scripts.history({ id }, { signal }), setAsked),
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another list of scripts may mean another save
    [client, id, scripts],
  );
  return asked;
}

/** A version with its body; the previous one stays until it is loaded. */
export function useVersion(
  client: Pick<Client, 'scripts'>,
  id: number,
  version: number | null,
): Loadable<ScriptVersion> {
  const [asked, setAsked] = useState<Loadable<ScriptVersion>>(ASKING);
  useEffect(() => {
    if (version === null) return undefined;
    return answered((signal) => client.scripts.version({ id, version }, { signal }), setAsked);
  }, [client, id, version]);
  return asked;
}

/** Sends the request and passes on the result, unless the returned function was called before. */
function answered<T>(ask: (signal: AbortSignal) => Promise<T>, tell: (asked: Loadable<T>) => void): () => void {
  const end = new AbortController();
  const unlessEnded = (asked: Loadable<T>) => {
    if (!end.signal.aborted) tell(asked);
  };
  ask(end.signal).then(
    (value) => unlessEnded({ state: 'there', value }),
    (error: unknown) => unlessEnded({ state: 'failed', reason: problemOf(error).message }),
  );
  return () => end.abort();
}

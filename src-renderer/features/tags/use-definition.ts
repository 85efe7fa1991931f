import { useEffect, useState } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';

/** The current definition of a tag. `gone` is true once the tag is known to be deleted; the last definition stays. */
export interface KnownDefinition {
  path: string;
  definition: TagDefinition | null;
  gone: boolean;
}

/** The definition of a tag, reloaded whenever definitions change; null without a path. */
export function useDefinition(
  client: Pick<Client, 'tags'>,
  path: string | null,
  active: boolean,
): KnownDefinition | null {
  const [known, setKnown] = useState<KnownDefinition | null>(null);

  useEffect(() => {
    if (path === null || !active) return undefined;
    const end = new AbortController();
    let asked = 0;
    const ask = async () => {
      const question = ++asked;
      try {
        const definition = await client.tags.definition({ path }, { signal: end.signal });
        if (question === asked) setKnown({ path, definition, gone: false });
      } catch (error) {
        if (isAbort(error) || end.signal.aborted || question !== asked) return;
        if (problemOf(error).code !== 'NOT_FOUND') return;
        setKnown((last) => ({ path, definition: last?.path === path ? last.definition : null, gone: true }));
      }
    };
    void follow(
      (signal) => client.tags.changes(undefined, { signal }),
      () => void ask(),
      end.signal,
    );
    void ask();
    return () => end.abort();
  }, [client, path, active]);

  return known?.path === path ? known : null;
}

import { useEffect, useState } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../../client/client.ts';
import { problemOf } from '../../client/errors.ts';
import { stayCurrent } from '../../client/stay-current.ts';

/** The current definition of a tag. `gone` is true once the tag is known to be deleted; the last definition stays. */
export interface KnownDefinition {
  path: string;
  definition: TagDefinition | null;
  gone: boolean;
}

/** The definition of a tag, kept current; null for no path. Until it is known, that of the former path stays. */
export function useDefinition(
  client: Pick<Client, 'tags'>,
  path: string | null,
  active: boolean,
): KnownDefinition | null {
  const [known, setKnown] = useState<KnownDefinition | null>(null);
  const [paths, setPaths] = useState<{ now: string | null; before: string | null }>({ now: path, before: null });
  if (path !== paths.now) setPaths({ now: path, before: paths.now });

  useEffect(() => {
    if (path === null || !active) return undefined;
    const end = new AbortController();
    const read = async (signal: AbortSignal) => {
      try {
        const definition = await client.tags.definition({ path }, { signal });
        setKnown({ path, definition, gone: false });
      } catch (error) {
        if (problemOf(error).code !== 'NOT_FOUND') throw error;
        setKnown((last) => ({ path, definition: last?.path === path ? last.definition : null, gone: true }));
      }
    };
    void stayCurrent({ changes: [(signal) => client.tags.changes(undefined, { signal })], read }, end.signal);
    return () => end.abort();
  }, [client, path, active]);

  return known && path !== null && (known.path === path || known.path === paths.before) ? known : null;
}

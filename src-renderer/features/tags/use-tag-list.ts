import { useEffect, useState } from 'react';
import type { TagDefinition } from '#domain/tag';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';
import type { Problem } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';

const FIRST_PAGE = 200;
const PAGE = 5_000;
const TYPING_MS = 120;

export interface TagList {
  tags: readonly TagDefinition[];
  /** How many fit the filter; `tags` may still be coming. */
  total: number;
  loaded: boolean;
  problem: Problem | null;
}

const NOTHING: TagList = { tags: [], total: 0, loaded: false, problem: null };

/**
 * All tags that fit the filter, in order of path: the first page at once, the others behind it, and all again when
 * definitions change. The last list stays until the first page of the next one is there.
 */
export function useTagList(client: Pick<Client, 'tags'>, filter: string, active: boolean): TagList {
  const [list, setList] = useState(NOTHING);
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    void follow(
      (signal) => client.tags.changes(undefined, { signal }),
      () => setChanges((count) => count + 1),
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);

  useEffect(() => {
    const end = new AbortController();
    const load = async () => {
      let tags: TagDefinition[] = [];
      let after: string | undefined;
      do {
        const page = await client.tags.list(
          {
            limit: after === undefined ? FIRST_PAGE : PAGE,
            ...(filter === '' ? {} : { filter }),
            ...(after === undefined ? {} : { after }),
          },
          { signal: end.signal },
        );
        tags = tags.concat(page.tags);
        after = page.next ?? undefined;
        setList({ tags, total: page.total, loaded: page.next === null, problem: null });
      } while (after !== undefined && !end.signal.aborted);
    };
    const timer = setTimeout(
      () => {
        load().catch((error: unknown) => {
          if (!isAbort(error) && !end.signal.aborted) setList({ ...NOTHING, loaded: true, problem: problemOf(error) });
        });
      },
      filter === '' ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      end.abort();
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of definitions loads anew
  }, [client, filter, changes]);

  return list;
}

import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { inNaturalOrder } from '#domain/tag/tag-order';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../../client/client.ts';
import type { Problem } from '../../client/errors.ts';
import { stayCurrent } from '../../client/stay-current.ts';
import { isIn } from './tree/path-tree.ts';

const FIRST_PAGE = 200;
const PAGE = 5_000;

export interface TagList {
  tags: readonly TagDefinition[];
  /** The total number; `tags` may still be loading. */
  total: number;
  loaded: boolean;
  problem: Problem | null;
}

const NOTHING: TagList = { tags: [], total: 0, loaded: false, problem: null };

/**
 * All tags in natural order: the first page immediately, the others later. They are reloaded when definitions change,
 * and when it is active again; the last list stays until the next one is complete.
 */
export function useTagList(client: Pick<Client, 'tags'>, active: boolean): TagList {
  const [list, setList] = useState(NOTHING);
  /** The number of tags in `list`. */
  const shown = useRef(0);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const read = async (signal: AbortSignal) => {
      let tags: TagDefinition[] = [];
      let after: string | undefined;
      do {
        const limit = after === undefined ? FIRST_PAGE : PAGE;
        const page = await client.tags.list({ limit, ...(after === undefined ? {} : { after }) }, { signal });
        tags = tags.concat(page.tags);
        after = page.next ?? undefined;
        const loaded = after === undefined;
        // Sorting takes long: only shown lists are sorted.
        if (!loaded && shown.current > 0) continue;
        shown.current = tags.length;
        const sorted = inNaturalOrder(tags, ({ path }) => path);
        setList({ tags: sorted, total: page.total, loaded, problem: null });
      } while (after !== undefined && !signal.aborted);
    };
    void stayCurrent(
      {
        changes: [(signal) => client.tags.changes(undefined, { signal })],
        read,
        failed: (problem) => {
          shown.current = 0;
          setList({ ...NOTHING, loaded: true, problem });
        },
      },
      end.signal,
    );
    return () => end.abort();
  }, [client, active]);

  return list;
}

/** The tags of a group whose path contains every word of the filter, ignoring case. Does not block typing. */
export function useShownTags(tags: readonly TagDefinition[], filter: string, group: string): readonly TagDefinition[] {
  const text = useDeferredValue(filter);
  const lower = useMemo(() => tags.map(({ path }) => path.toLowerCase()), [tags]);
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && group === '') return tags;
    return tags.filter(
      ({ path }, index) => isIn(path, group) && words.every((word) => lower[index]?.includes(word) ?? false),
    );
  }, [tags, lower, text, group]);
}

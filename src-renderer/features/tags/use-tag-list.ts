import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { NaturalOrder } from '#domain/tag/tag-order';
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
      const order = new NaturalOrder<TagDefinition>(({ path }) => path);
      let count = 0;
      let after: string | undefined;
      do {
        const limit = after === undefined ? FIRST_PAGE : PAGE;
        const page = await client.tags.list({ limit, ...(after === undefined ? {} : { after }) }, { signal });
        // Each page at once: sorting all of them after the last one would take a long frame.
        order.add(page.tags);
        count += page.tags.length;
        after = page.next ?? undefined;
        const loaded = after === undefined;
        if (!loaded && shown.current > 0) continue;
        shown.current = count;
        setList({ tags: order.items(), total: page.total, loaded, problem: null });
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
  const lowerPaths = useMemo(() => lowerPathsOf(tags), [tags]);
  return useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0 && group === '') return tags;
    const lower = lowerPaths();
    return tags.filter(
      ({ path }, index) => isIn(path, group) && words.every((word) => lower[index]?.includes(word) ?? false),
    );
  }, [tags, lowerPaths, text, group]);
}

/** Computed once for a list, and only if there is a filter. */
function lowerPathsOf(tags: readonly TagDefinition[]): () => readonly string[] {
  let paths: readonly string[] | null = null;
  return () => (paths ??= tags.map(({ path }) => path.toLowerCase()));
}

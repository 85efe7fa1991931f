import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../../client/client.ts';
import { isAbort, problemOf } from '../../client/errors.ts';
import type { Problem } from '../../client/errors.ts';
import { follow } from '../../client/follow.ts';
import { isIn } from './tree/path-tree.ts';

const FIRST_PAGE = 200;
const PAGE = 5_000;
const SETTLE_MS = 150;

export interface TagList {
  tags: readonly TagDefinition[];
  /** The total number; `tags` may still be loading. */
  total: number;
  loaded: boolean;
  problem: Problem | null;
}

const NOTHING: TagList = { tags: [], total: 0, loaded: false, problem: null };

/**
 * All tags ordered by path: the first page immediately, the others later. They are reloaded when definitions change;
 * the last list stays until the next one is complete.
 */
export function useTagList(client: Pick<Client, 'tags'>, active: boolean): TagList {
  const [list, setList] = useState(NOTHING);
  const [changes, setChanges] = useState(0);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    // Several saves in a row cause one reload.
    const changed = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        setChanges((count) => count + 1);
      }, SETTLE_MS);
    };
    void follow((signal) => client.tags.changes(undefined, { signal }), changed, end.signal);
    return () => {
      clearTimeout(timer);
      end.abort();
    };
  }, [client, active]);

  useEffect(() => {
    if (!active) return undefined;
    const end = new AbortController();
    const load = async () => {
      let tags: TagDefinition[] = [];
      let after: string | undefined;
      do {
        const limit = after === undefined ? FIRST_PAGE : PAGE;
        const page = await client.tags.list(
          { limit, ...(after === undefined ? {} : { after }) },
          { signal: end.signal },
        );
        tags = tags.concat(page.tags);
        after = page.next ?? undefined;
        const whole: TagList = { tags, total: page.total, loaded: page.next === null, problem: null };
        setList((last) => (whole.loaded || last.tags.length === 0 ? whole : last));
      } while (after !== undefined && !end.signal.aborted);
    };
    load().catch((error: unknown) => {
      if (!isAbort(error) && !end.signal.aborted) setList({ ...NOTHING, loaded: true, problem: problemOf(error) });
    });
    return () => end.abort();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- reloads after changes of definitions, also those while the view was hidden
  }, [client, active, changes]);

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

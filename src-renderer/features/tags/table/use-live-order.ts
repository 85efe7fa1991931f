import { useEffect, useMemo, useState } from 'react';
import { MOST_ORDERED } from '#domain/tag/tag-order';
import type { TagDefinition } from '#domain/tag/tag';
import type { Client } from '../../../client/client.ts';
import { isAbort, problemOf } from '../../../client/errors.ts';
import type { ViewScope } from '../../../client/live-values.ts';
import { clock } from '../../../support/moment.ts';
import { type TagSort, liveOrderOf } from './columns.ts';

/** The order of the table by values, qualities or times, which is that of a moment: rows stay while values change. */
export interface LiveOrder {
  tags: readonly TagDefinition[];
  /** What the order is, for people; '' for an order by another column. */
  text: string;
  /** The time of its reading, such as `10:31:02`; null without one. */
  at: string | null;
  /** Reads again. */
  again: () => void;
}

interface SortedValues {
  /** What was read, and the number of the reading. */
  wanted: string;
  /** By path. */
  ranks: ReadonlyMap<string, number>;
  at: string;
  unread: number;
}

interface ReadFailure {
  wanted: string;
  tags: readonly TagDefinition[];
  problem: string;
}

interface WantedOrder {
  sort: TagSort;
  scope: ViewScope;
  /** Whether the tags are complete and visible. */
  ready: boolean;
}

/**
 * The tags, which are in natural order, in the order of a column of values. It is read when the column, the direction or
 * the scope changes, on request, and when there are tags that were not read yet; until then, the former order stays.
 */
export function useLiveOrder(
  client: Pick<Client, 'tags'>,
  tags: readonly TagDefinition[],
  { sort, scope, ready }: WantedOrder,
): LiveOrder {
  const by = liveOrderOf(sort.name);
  const { descending } = sort;
  const [turn, setTurn] = useState(0);
  const [snapshot, setSnapshot] = useState<SortedValues | null>(null);
  const [failure, setFailure] = useState<ReadFailure | null>(null);
  const wanted = JSON.stringify([by, descending, scope, turn]);
  const isCurrent = useMemo(
    () => snapshot?.wanted === wanted && tags.every(({ path }) => snapshot.ranks.has(path)),
    [snapshot, wanted, tags],
  );
  const problem = failure?.wanted === wanted && failure.tags === tags ? failure.problem : null;
  const tooMany = tags.length > MOST_ORDERED;
  const reads = by !== null && ready && !tooMany && !isCurrent && problem === null;

  useEffect(() => {
    if (!reads || by === null) return undefined;
    const end = new AbortController();
    const paths = tags.map(({ path }) => path);
    const [, , given]: [string, boolean, ViewScope] = JSON.parse(wanted);
    const read = async () => {
      try {
        const { order, unread } = await client.tags.order({ paths, by, descending, ...given }, { signal: end.signal });
        if (end.signal.aborted) return;
        const ranks = new Map(order.map((place, rank) => [paths[place] ?? '', rank]));
        setSnapshot({ wanted, ranks, at: clock(new Date()), unread });
      } catch (error) {
        if (!isAbort(error) && !end.signal.aborted) setFailure({ wanted, tags, problem: problemOf(error).message });
      }
    };
    void read();
    return () => end.abort();
  }, [client, reads, by, descending, wanted, tags]);

  const isOrdered = by !== null && snapshot !== null && !tooMany;
  const sorted = useMemo(() => {
    if (!isOrdered) return tags;
    const rankOf = ({ path }: TagDefinition) => snapshot.ranks.get(path) ?? Infinity;
    // Two unknown ones: infinity minus infinity is no number.
    return tags.toSorted((a, b) => rankOf(a) - rankOf(b) || 0);
  }, [isOrdered, snapshot, tags]);
  return {
    tags: sorted,
    text: by === null ? '' : orderText({ count: tags.length, column: sort.name, problem }, isCurrent ? snapshot : null),
    at: isOrdered && isCurrent ? snapshot.at : null,
    again: () => setTurn((count) => count + 1),
  };
}

/** What a list sorted by a column of values says about its order, after the number of its tags. */
export function orderText(
  { count, column, problem }: { count: number; column: string; problem: string | null },
  read: { at: string; unread: number } | null,
): string {
  if (count > MOST_ORDERED) {
    const most = MOST_ORDERED.toLocaleString('en');
    return `not sorted: too many tags to sort by ${column.toLowerCase()}. Filter to ${most} or fewer`;
  }
  if (problem !== null) return `not sorted, because they could not be read: ${problem}`;
  if (!read) return 'reading all of them to sort…';
  const { at, unread } = read;
  return `sorted at ${at}${unread === 0 ? '' : `; ${unread.toLocaleString('en')} were not read in time and come last`}`;
}

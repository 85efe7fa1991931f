import { setImmediate as turn } from 'node:timers/promises';
import type { TagProblem } from '#domain/tag/problem';
import type { Quality } from '#domain/tag/quality';
import { isUsable } from '#domain/tag/quality';
import type { TagValue } from '#domain/tag/tag';
import { abbreviate } from '#domain/text/abbreviate';
import type { MaybePromise } from '../../../platform/maybe-promise.ts';
import type { Tag } from '../definitions/tag.ts';

export interface BadTags {
  problems: TagProblem[];
  /** Number of all bad tags; `problems` may be cut. */
  total: number;
  /** The number of tags. */
  read: number;
}

/** Tags that are read at once. */
const PART = 500;
/** Maximum number of listed problems, and of characters of a reason. */
const MOST = 10_000;
const LONGEST_REASON = 1_000;
/** Not readable by design, and deleted in the meantime. */
const UNLISTED: ReadonlySet<Quality> = new Set(['BadNotReadable', 'BadNodeIdUnknown']);

/**
 * The tags with a bad quality. All tags are read, in parts, so that no other read waits long for them; it ends when the
 * signal aborts. Tags that are only written are never readable, so they are omitted.
 */
export async function badTags(
  ordered: readonly Tag[],
  read: (paths: readonly string[]) => MaybePromise<TagValue[]>,
  signal?: AbortSignal,
): Promise<BadTags> {
  const tags = [...ordered];
  const problems: TagProblem[] = [];
  let total = 0;
  for (let from = 0; from < tags.length; from += PART) {
    signal?.throwIfAborted();
    const part = tags.slice(from, from + PART);
    // oxlint-disable-next-line no-await-in-loop -- the parts follow each other, to leave room for other reads
    const values = await read(part.map(({ path }) => path));
    for (const [index, { path, quality, reason, forced }] of values.entries()) {
      const kind = part[index]?.definition.kind;
      if (isUsable(quality) || kind === undefined || UNLISTED.has(quality)) continue;
      total += 1;
      if (total > MOST) continue;
      const why = reason === undefined ? {} : { reason: abbreviate(reason, LONGEST_REASON) };
      problems.push({ path, kind, quality, ...why, ...(forced && { forced }) });
    }
    // oxlint-disable-next-line no-await-in-loop -- values in memory are read without waiting
    await turn();
  }
  return { problems, total, read: tags.length };
}

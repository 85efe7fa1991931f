/**
 * A thread that runs the regular expression of a search, because a hostile one takes years in a short text and nothing
 * else in its process runs in the meantime. Main ends the thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { shownGroupsOf } from '#domain/search/found';
import type { Counted, Occurrence } from '#domain/search/query';
import { compileQuery, countedIn } from '#domain/search/query';
import { replacedIn } from '#domain/search/replacement';
import type { PatternBatch, PatternReplacement, PatternThreadData } from './pattern-search.ts';

/** Characters of the groups in one message. */
const MOST_LENGTH = 4 * 1_048_576;

const { query, progress }: PatternThreadData = workerData;
const compiled = compileQuery(query);

parentPort?.on('message', (asked: PatternBatch | PatternReplacement) => {
  if (!compiled.ok) throw new Error(compiled.problem);
  if ('replacement' in asked) {
    Atomics.add(progress, 0, 1);
    const { text, starts } = asked;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
    parentPort?.postMessage(replacedIn(text, compiled.matcher(text), starts, { query, ...asked }));
    return;
  }
  const { texts, list, most } = asked;
  const asListed = shortening();
  let [listed, count] = [0, 0];
  const found = texts.map((text): Counted => {
    Atomics.add(progress, 0, 1);
    const inText = countedIn(text, compiled.matcher, list - listed, most - count, asListed);
    listed += inText.listed.length;
    count += inText.count;
    return inText;
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has no origin
  parentPort?.postMessage(found);
});

/** Shortens groups to their shown part: here they are slices of one text, but a message has a copy of each. */
function shortening(): (found: Occurrence) => Occurrence {
  let length = 0;
  return ({ start, end, groups }) => {
    if (!groups || groups.numbered.length === 0) return { start, end };
    const shown = shownGroupsOf(groups);
    for (const text of [...shown.numbered, ...Object.values(shown.named ?? {})]) length += text?.length ?? 0;
    return { start, end, groups: length > MOST_LENGTH ? { numbered: [], cut: true } : shown };
  };
}

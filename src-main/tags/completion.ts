import { MAX_PATH_LENGTH } from '#domain/tag-path';
import type { TagCatalog } from './catalog.ts';
import { wordsOf } from './catalog.ts';
import type { Tag } from './tag.ts';

/** How well a path completes what was typed, best first. */
const RANKS = 5;

export interface Completions {
  tags: Tag[];
  /** Whether more tags fit than were returned. */
  incomplete: boolean;
}

/**
 * Tags whose path completes the text, best first: the path begins with it as typed; begins with it in another case; one
 * of its segments begins with it; a segment begins with each word; it holds each word anywhere. Within a rank in order
 * of path. Reads every path once: about 3 ms for 50,000.
 */
export function completionsOf(catalog: TagCatalog, text: string, limit: number): Completions {
  const typed = text.trim();
  if (typed.length > MAX_PATH_LENGTH) return { tags: [], incomplete: false };
  if (typed === '') return { tags: catalog.ordered.slice(0, limit), incomplete: catalog.size > limit };
  const lower = typed.toLowerCase();
  const words = wordsOf(typed);
  const ranks: Tag[][] = Array.from({ length: RANKS }, () => []);
  let found = 0;
  for (const tag of catalog.ordered) {
    const rank = rankOf(tag, typed, lower, words);
    if (rank < 0) continue;
    found++;
    const ofRank = ranks[rank] as Tag[];
    if (ofRank.length < limit) ofRank.push(tag);
  }
  return { tags: ranks.flat().slice(0, limit), incomplete: found > limit };
}

function rankOf(tag: Tag, typed: string, lower: string, words: readonly string[]): number {
  const path = tag.searchText;
  let inSegments = true;
  for (const word of words) {
    const index = path.indexOf(word);
    if (index < 0) return -1;
    if (index > 0 && path[index - 1] !== '.' && !path.includes(`.${word}`)) inSegments = false;
  }
  if (words.length > 1 && !path.includes(lower)) return inSegments ? 3 : 4;
  if (path.startsWith(lower)) return tag.path.startsWith(typed) ? 0 : 1;
  if (path.includes(`.${lower}`)) return 2;
  return inSegments ? 3 : 4;
}

import { inNaturalOrder } from '#domain/tag/tag-order';
import { MAX_PATH_LENGTH } from '#domain/tag/tag-path';
import type { TagCatalog } from './catalog.ts';
import { firstIndex } from './catalog.ts';
import { holdsAll, wordsOf } from './search-index.ts';
import type { Tag } from './tag.ts';
import { searchTextOf } from './tag.ts';

export interface Completions {
  tags: Tag[];
  /** Whether more tags match than were returned. */
  incomplete: boolean;
}

/**
 * Tags whose path completes the text, best first: the path begins with it as typed; begins with it in another case; one
 * of its segments begins with it; a segment begins with each word; it contains each word anywhere. Each group is
 * in natural order. It searches no further than necessary: about 1 to 5 ms among 50,000 tags.
 */
export function completionsOf(catalog: TagCatalog, text: string, limit: number): Completions {
  const typed = text.trim().replace(/\s/g, ' ');
  if (typed.length > MAX_PATH_LENGTH) return { tags: [], incomplete: false };
  const found = new Set<Tag>();
  for (const group of groups(catalog, typed)) {
    const fresh: Tag[] = [];
    for (const tag of group) {
      if (found.size > limit) break;
      if (found.has(tag)) continue;
      found.add(tag);
      fresh.push(tag);
    }
    // A set keeps the order in which its items were added.
    for (const tag of fresh) found.delete(tag);
    for (const tag of inNaturalOrder(fresh, ({ path }) => path)) found.add(tag);
    if (found.size > limit) break;
  }
  return { tags: [...found].slice(0, limit), incomplete: found.size > limit };
}

/** The same tag may occur more than once; the first time counts. Each group must be read before the next one. */
function* groups(catalog: TagCatalog, typed: string): Generator<Iterable<Tag>, void, undefined> {
  yield beginningWith(catalog, typed);
  if (typed === '') return;
  const phrase = searchTextOf(typed);
  yield catalog.holding([`\n${phrase}`]);
  yield catalog.holding([phrase]);
  const others: Tag[] = [];
  yield byWords(catalog, wordsOf(typed), others);
  yield others;
}

/** In one pass: those in which a segment begins with each word; those of the others are added to `others`. */
function* byWords(catalog: TagCatalog, words: readonly string[], others: Tag[]): Generator<Tag, void, undefined> {
  const beginnings = words.map(searchTextOf);
  for (const tag of catalog.holding(words)) {
    // A single word that begins a segment was found before.
    if (words.length === 1 || holdsAll(tag, beginnings)) yield tag;
    else others.push(tag);
  }
}

function* beginningWith({ ordered }: TagCatalog, typed: string): Generator<Tag, void, undefined> {
  for (let index = firstIndex(ordered, ({ path }) => path >= typed); ; index++) {
    const tag = ordered[index];
    if (!tag?.path.startsWith(typed)) return;
    yield tag;
  }
}

import { holdsAll, SearchIndex } from './search-index.ts';
import type { Tag } from './tag.ts';

/** From so many changes at once on, the order is made anew instead of being kept up one by one. */
const MANY = 64;

/** All tags in memory: by path, and in order of path for pages and searches. */
export class TagCatalog {
  readonly #byPath = new Map<string, Tag>();
  #ordered: Tag[] = [];
  /** Made when it is first needed after a change. */
  #index: SearchIndex | null = null;

  get size(): number {
    return this.#ordered.length;
  }

  /** All tags in order of path (of its UTF-16 units). Not to be changed. */
  get ordered(): readonly Tag[] {
    return this.#ordered;
  }

  get(path: string): Tag | undefined {
    return this.#byPath.get(path);
  }

  /** The tags whose search text holds every fragment, in order of path; all where there is none. */
  *holding(fragments: readonly string[]): Generator<Tag, void, undefined> {
    const [longest, ...others] = fragments.toSorted((a, b) => b.length - a.length);
    if (longest === undefined) {
      yield* this.#ordered;
      return;
    }
    this.#index ??= new SearchIndex(this.#ordered);
    for (const tag of this.#index.holding(longest)) if (holdsAll(tag, others)) yield tag;
  }

  /** Adds tags; one whose path is there already takes its place. */
  add(tags: readonly Tag[]): void {
    this.#index = null;
    if (tags.length > MANY) {
      for (const tag of tags) this.#byPath.set(tag.path, tag);
      this.#ordered = [...this.#byPath.values()].toSorted((a, b) => compare(a.path, b.path));
      return;
    }
    for (const tag of tags) {
      const index = firstIndex(this.#ordered, ({ path }) => path >= tag.path);
      const replaced = this.#byPath.has(tag.path) ? 1 : 0;
      this.#byPath.set(tag.path, tag);
      this.#ordered.splice(index, replaced, tag);
    }
  }

  remove(paths: readonly string[]): void {
    this.#index = null;
    for (const path of paths) this.#byPath.delete(path);
    this.#ordered = this.#ordered.filter((tag) => this.#byPath.get(tag.path) === tag);
  }
}

/** Where the first tag stands for which the test holds, found by halving: it holds for all after the first, or none. */
export function firstIndex(tags: readonly Tag[], test: (tag: Tag) => boolean): number {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const tag = tags[middle];
    if (tag && test(tag)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

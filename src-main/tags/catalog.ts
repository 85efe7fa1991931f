import { Tag } from './tag.ts';

/** From so many changes at once on, the order is made anew instead of being kept up one by one. */
const MANY = 64;

/** All tags in memory: by path, and in order of path for pages and searches. */
export class TagCatalog {
  readonly #byPath = new Map<string, Tag>();
  #ordered: Tag[] = [];

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

  /** Adds tags; one whose path is there already takes its place. */
  add(tags: readonly Tag[]): void {
    if (tags.length > MANY) {
      for (const tag of tags) this.#byPath.set(tag.path, tag);
      this.#ordered = [...this.#byPath.values()].sort((a, b) => compare(a.path, b.path));
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
    if (test(tags[middle] as Tag)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The words of a search, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether the path holds every word, without regard to case. */
export function holdsAll(tag: Tag, words: readonly string[]): boolean {
  for (const word of words) if (!tag.searchText.includes(word)) return false;
  return true;
}

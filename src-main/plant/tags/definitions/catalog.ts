import { holdsAll, SearchIndex } from './search-index.ts';
import type { Tag } from './tag.ts';

/** With at least this many changes at once, the order is rebuilt instead of being updated one by one. */
const MANY = 64;

/** All tags in memory: by path, and ordered by path for pages and searches. */
export class TagCatalog {
  readonly #byPath = new Map<string, Tag>();
  /** The tags by path that are loaded so far: none, or all. */
  readonly loaded: ReadonlyMap<string, Tag> = this.#byPath;
  #ordered: Tag[] = [];
  /** Adds the stored tags; null once they are added. */
  #load: (() => void) | null = null;
  /** Created when it is first needed after a change. */
  #index: SearchIndex | null = null;

  /** @param load adds the stored tags with `add`; called when one is first asked for, or with `load` */
  loadWith(load: () => void): void {
    this.#load = load;
  }

  load(): void {
    const load = this.#load;
    if (!load) return;
    this.#load = null;
    try {
      load();
    } catch (thrown) {
      // Otherwise tags would seem not to exist, or have no values.
      this.#byPath.clear();
      this.#ordered = [];
      this.#load = load;
      throw thrown;
    }
  }

  get byPath(): ReadonlyMap<string, Tag> {
    this.load();
    return this.#byPath;
  }

  get size(): number {
    this.load();
    return this.#ordered.length;
  }

  /** All tags ordered by path (by UTF-16 units). Must not be changed. */
  get ordered(): readonly Tag[] {
    this.load();
    return this.#ordered;
  }

  /** The tags whose search text contains every fragment, ordered by path; all if there is no fragment. */
  *holding(fragments: readonly string[]): Generator<Tag, void, undefined> {
    const [longest, ...others] = fragments.toSorted((a, b) => b.length - a.length);
    if (longest === undefined) {
      yield* this.ordered;
      return;
    }
    this.#index ??= new SearchIndex(this.ordered);
    for (const tag of this.#index.holding(longest)) if (holdsAll(tag, others)) yield tag;
  }

  /** Adds tags; a tag replaces one with the same path. */
  add(tags: readonly Tag[]): void {
    this.load();
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
    this.load();
    this.#index = null;
    for (const path of paths) this.#byPath.delete(path);
    this.#ordered = this.#ordered.filter((tag) => this.#byPath.get(tag.path) === tag);
  }
}

/** The index of the first tag that passes the test, by binary search: all tags after the first one must pass it too. */
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

import type { Tag } from './tag.ts';

/**
 * The search texts of many tags in one text, one per line: one search in it costs a fraction of a search in each (about
 * 1 ms instead of 8 ms for 50,000 paths).
 */
export class SearchIndex {
  readonly #tags: readonly Tag[];
  readonly #text: string;
  /** The start of the line of a tag, at its line break. */
  readonly #starts: Uint32Array;

  constructor(tags: readonly Tag[]) {
    this.#tags = tags;
    this.#text = tags.map((tag) => `\n${tag.searchText}`).join('');
    this.#starts = new Uint32Array(tags.length);
    let start = 0;
    for (const [index, tag] of tags.entries()) {
      this.#starts[index] = start;
      start += tag.searchText.length + 1;
    }
  }

  /**
   * The tags whose search text contains the fragment, in order; with a leading line break, the tags that begin with it.
   */
  *holding(fragment: string): Generator<Tag, void, undefined> {
    let index = 0;
    let at = this.#text.indexOf(fragment);
    while (at >= 0) {
      while ((this.#starts[index + 1] ?? Infinity) <= at) index++;
      const tag = this.#tags[index];
      if (tag) yield tag;
      index++;
      if (index >= this.#tags.length) return;
      at = this.#text.indexOf(fragment, this.#starts[index]);
    }
  }
}

/** The words of a search, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Whether the path contains every word, regardless of case. */
export function holdsAll(tag: Tag, words: readonly string[]): boolean {
  for (const word of words) if (!tag.searchText.includes(word)) return false;
  return true;
}

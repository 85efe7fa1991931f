interface KeptEntry<Entry> {
  entry: Entry;
  length: number;
}

/** The last entries of an endless list: limited in number and in total length, the older ones are counted. */
export class LastEntries<Entry> {
  /** How many were dropped. */
  dropped = 0;
  readonly #most: number;
  readonly #mostLength: number;
  #kept: KeptEntry<Entry>[] = [];
  /** Entries before it are dropped, but not yet removed: removing each would move all others. */
  #first = 0;
  #length = 0;

  constructor(most: number, mostLength: number) {
    this.#most = most;
    this.#mostLength = mostLength;
  }

  add(entry: Entry, length: number): void {
    this.#kept.push({ entry, length });
    this.#length += length;
    while (this.#kept.length - this.#first > this.#most || this.#length > this.#mostLength) {
      this.#length -= this.#kept[this.#first]?.length ?? 0;
      this.#first += 1;
      this.dropped += 1;
    }
    if (this.#first > this.#most) {
      this.#kept = this.#kept.slice(this.#first);
      this.#first = 0;
    }
  }

  /** All that are kept, oldest first. */
  list(): Entry[] {
    return this.#kept.slice(this.#first).map(({ entry }) => entry);
  }

  /** The same, and forgets them. */
  take(): Entry[] {
    const all = this.list();
    this.#kept = [];
    this.#first = 0;
    this.#length = 0;
    return all;
  }
}

/**
 * A tag in the chain of reads and writes that led to a read or write, outermost first. It remembers a cycle
 * that was found below it: a script on the way can ignore the bad element or the exception that reported it.
 */
export class ChainLink {
  readonly entry: string;
  readonly #outer: ChainLink | null;
  #cycle: string | null = null;

  constructor(entry: string, outer: ChainLink | null) {
    this.entry = entry;
    this.#outer = outer;
  }

  get chain(): string[] {
    return [...(this.#outer?.chain ?? []), this.entry];
  }

  /** The cycle that this tag is part of, if one of its reads or writes closed it. */
  get cycle(): string | null {
    return this.#cycle;
  }

  /** If the entry is in the chain: `A → B → A`, noted for each tag of the cycle. Otherwise null. */
  closesCycle(entry: string): string | null {
    const { chain } = this;
    const first = chain.indexOf(entry);
    if (first === -1) return null;
    const cycle = cycleText(chain.slice(first));
    this.#note(cycle, chain.length - first);
    return cycle;
  }

  /** @param tags the number of tags of the cycle, from this one outwards */
  #note(cycle: string, tags: number): void {
    this.#cycle ??= cycle;
    if (tags > 1 && this.#outer) this.#outer.#note(cycle, tags - 1);
  }
}

/** Maximum number of tags of a cycle in a message. */
const SHOWN = 12;

/** `A → B → A` for the tags of a cycle, each once; long cycles are shortened. */
export function cycleText(tags: readonly string[]): string {
  const shown = tags.slice(0, SHOWN);
  const more = tags.length > shown.length ? [`${tags.length - shown.length} more`] : [];
  return [...shown, ...more, tags[0] ?? ''].join(' → ');
}

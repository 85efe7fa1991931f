import type { JournalEntry } from '#domain/run/journal';
import { inheritanceOf, type Scope } from '#domain/tag/scope';
import { parseJson } from '#domain/text/json';

/** A scope that has a stored value, and when that was written, ms since 1970. */
export interface StoredScope extends Scope {
  writtenAt: number;
}

/**
 * Selects the entries that made the value which a scope sees: the write of the stored value that a read uses, and cleared
 * values that had hidden it. Give it the entries of a tag, newest first.
 */
export class ScopedChanges {
  readonly #chain: readonly Scope[];
  /** By the place in the chain: whether a value is stored there. */
  readonly #stored: (boolean | null)[];
  readonly #found: (JournalEntry | undefined)[];

  /**
   * @param stored the scopes of the tag that have a value now
   * @param at the time in question, ms since 1970; now unless given
   */
  constructor(scope: Scope, stored: readonly StoredScope[], at?: number) {
    this.#chain = inheritanceOf(scope);
    this.#found = this.#chain.map(() => undefined);
    this.#stored = this.#chain.map((one) => {
      const value = stored.find((other) => isSame(one, other));
      if (at === undefined) return value !== undefined;
      // Another value, or none, may have been stored then.
      return value && value.writtenAt <= at ? true : null;
    });
  }

  /** Whether the entry is the last one that is needed. */
  take(entry: JournalEntry): boolean {
    const scope = scopeOfChange(entry);
    if (!scope) return false;
    const place = this.#chain.findIndex((one) => isSame(one, scope));
    if (place < 0 || this.#found[place]) return false;
    this.#found[place] = entry;
    this.#stored[place] ??= entry.kind === 'write';
    const used = this.#stored.findIndex((one) => one !== false);
    return used < 0 || (this.#stored[used] === true && this.#found[used] !== undefined);
  }

  /** The scope whose value is used; null for the initial value of the tag. */
  get used(): Scope | null {
    return this.#chain[this.#stored.indexOf(true)] ?? null;
  }

  /** What was found of the value, the latest first: without the write if the journal does not have it. */
  get entries(): JournalEntry[] {
    const place = this.#stored.indexOf(true);
    const written = this.#found[place];
    const cleared = this.#found
      .slice(0, place < 0 ? undefined : place)
      .filter((one) => one?.kind === 'clear' && one.id > (written?.id ?? 0));
    return [...cleared, written].filter((one) => one !== undefined).toSorted((a, b) => b.id - a.id);
  }
}

/** The scope of a written or cleared value; null for other entries. */
function scopeOfChange(entry: JournalEntry): Scope | null {
  if (entry.kind === 'write') return entry;
  return entry.kind === 'clear' ? clearedScope(entry.what) : null;
}

/** The scope of a cleared value, from what its entry says; null if that is damaged. */
export function clearedScope(what: string): Scope | null {
  try {
    const scope = parseJson(what);
    const [diagram, location] = Array.isArray(scope) ? scope : [];
    return typeof diagram === 'string' && typeof location === 'string' ? { diagram, location } : null;
  } catch {
    return null;
  }
}

const isSame = (a: Scope, b: Scope): boolean => a.diagram === b.diagram && a.location === b.location;

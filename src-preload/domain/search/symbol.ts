/** What a name in a script stands for. */
export const SYMBOL_KINDS = ['function', 'class', 'method', 'constant'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** A named part of a body. */
export interface BodySymbol {
  name: string;
  kind: SymbolKind;
  /** The function, class or object around it; null at the top. */
  container: string | null;
  /** Offsets of the name in the body (UTF-16 units); line and column count from 1. */
  start: number;
  end: number;
  line: number;
  column: number;
}

/** A symbol of a script, or of the draft of a window. */
export interface ScriptSymbol extends BodySymbol {
  /** The id of the script, or the key of a script that was never saved. */
  script: string;
  /** `Group/Name` */
  scriptName: string;
}

export const SYMBOL_LIMITS = { listed: 100, name: 200 } as const;

/**
 * Collects the symbols whose names, with those of their scripts, have every word of a text, and at least one in their own
 * name. Best first: equal names, names that begin like the text, names that contain it, others; functions before
 * constants.
 */
export class BestSymbols {
  readonly #wanted: string;
  readonly #words: readonly string[];
  readonly #limit: number;
  /** Up to `limit` symbols of each rank, in the order in which they were added. */
  readonly #byRank: ScriptSymbol[][] = [];

  constructor(text: string, limit: number) {
    this.#wanted = text.trim().toLowerCase();
    this.#words = this.#wanted.split(/\s+/).filter((word) => word !== '');
    this.#limit = limit;
  }

  add(symbol: ScriptSymbol): void {
    const rank = this.#rankOf(symbol);
    if (rank === null) return;
    const known = (this.#byRank[rank] ??= []);
    if (known.length < this.#limit) known.push(symbol);
  }

  list(): ScriptSymbol[] {
    return this.#byRank.flat().slice(0, this.#limit);
  }

  #rankOf({ name: written, container, scriptName, kind }: ScriptSymbol): number | null {
    const words = this.#words;
    const name = written.toLowerCase();
    const own = container === null ? name : `${name} ${container.toLowerCase()}`;
    if (words.length > 0 && !words.some((word) => own.includes(word))) return null;
    const script = words.length > 1 ? scriptName.toLowerCase() : '';
    if (!words.every((word) => own.includes(word) || script.includes(word))) return null;
    const isPart = words.every((word) => name.includes(word));
    const match = name === this.#wanted ? 0 : name.startsWith(this.#wanted) ? 1 : isPart ? 2 : 3;
    return match * SYMBOL_KINDS.length + SYMBOL_KINDS.indexOf(kind);
  }
}

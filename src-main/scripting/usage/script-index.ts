import type { ScriptSummary } from '#domain/run/script';
import type { TextPlace } from '#domain/tag/usage';
import type { Literal } from './path-literals.ts';
import { Turns } from '../../platform/turns.ts';
import { pathLiterals, quotedInText } from './path-literals.ts';
import { secretPlaces } from './secret-uses.ts';

/** The source of the scripts. */
export interface IndexedScripts {
  /** Scripts that are not deleted, ordered by group and name. */
  summaries(): ScriptSummary[];
  byId(id: number): { body: string } | undefined;
}

/** The occurrences of tags in a text. */
export interface NamedIn {
  literals: Literal[];
  exact: boolean;
}

interface IndexedEntry {
  version: number;
  /** Null if the body does not parse: then the body is kept, and searched as text. */
  literals: Map<string, Literal[]> | null;
  body: string;
  secrets: Map<string, TextPlace[]>;
}

/**
 * Which script refers to which tags and secrets. A script is parsed once per version: a second search in 1,000 scripts
 * parses nothing.
 */
export class ScriptIndex {
  readonly #scripts: IndexedScripts;
  readonly #entries = new Map<number, IndexedEntry>();

  constructor(scripts: IndexedScripts) {
    this.#scripts = scripts;
  }

  /** Parses new versions, a few ms at a time. */
  async refresh(): Promise<void> {
    const turns = new Turns();
    for (const stale of this.#stale()) {
      this.#parse(stale);
      const pause = turns.due();
      if (pause) await pause;
    }
  }

  /** The scripts that refer to one of the paths now, ordered by group and name. */
  naming(paths: ReadonlySet<string>): { script: ScriptSummary; named: NamedIn }[] {
    return this.#present().flatMap(({ script, entry }) => {
      const named = namedIn(entry, paths);
      return named.literals.length > 0 ? [{ script, named }] : [];
    });
  }

  /** The scripts with the placeholder of a secret now, ordered by group and name. */
  wanting(secret: string): { script: ScriptSummary; places: TextPlace[] }[] {
    return this.#present().flatMap(({ script, entry }) => {
      const places = entry.secrets.get(secret);
      return places ? [{ script, places }] : [];
    });
  }

  #present(): { script: ScriptSummary; entry: IndexedEntry }[] {
    for (const stale of this.#stale()) this.#parse(stale);
    return this.#scripts.summaries().flatMap((script) => {
      const entry = this.#entries.get(script.id);
      return entry ? [{ script, entry }] : [];
    });
  }

  /** The scripts whose current version is not parsed yet; removes deleted ones from the index. */
  #stale(): ScriptSummary[] {
    const summaries = this.#scripts.summaries();
    const present = new Set(summaries.map(({ id }) => id));
    for (const id of this.#entries.keys()) if (!present.has(id)) this.#entries.delete(id);
    return summaries.filter(({ id, version }) => this.#entries.get(id)?.version !== version);
  }

  #parse({ id, version }: ScriptSummary): void {
    const body = this.#scripts.byId(id)?.body ?? '';
    const literals = pathLiterals(body);
    this.#entries.set(id, { version, literals, body: literals ? '' : body, secrets: secretPlaces(body) });
  }
}

/** The occurrences of paths in a text, without an index. */
export function namesIn(body: string, paths: ReadonlySet<string>): NamedIn {
  return namedIn({ literals: pathLiterals(body), body }, paths);
}

function namedIn({ literals, body }: Pick<IndexedEntry, 'literals' | 'body'>, paths: ReadonlySet<string>): NamedIn {
  if (!literals) return { literals: [...paths].flatMap((path) => quotedInText(body, path)), exact: false };
  const known = [...literals.keys()].filter((path) => paths.has(path));
  return { literals: known.flatMap((path) => literals.get(path) ?? []), exact: true };
}

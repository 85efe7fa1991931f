import type { FoundItem, Match, SearchEnd, SearchKind } from '#domain/search/found';
import { MatchPlaces, SEARCH_LIMITS } from '#domain/search/found';
import { compileQuery } from '#domain/search/query';
import type { BodySymbol, ScriptSymbol } from '#domain/search/symbol';
import { BestSymbols } from '#domain/search/symbol';
import { partsOfDraftKey } from '#domain/run/script';
import { Turns } from '../../platform/turns.ts';
import type { SearchedKinds } from './searched-kinds.ts';
import { hashOf } from './searched-kinds.ts';
import { rolesIn, symbolsIn } from './symbols.ts';

/** A body, and the facts known about it. */
interface SearchedBody {
  kind: SearchKind;
  key: string;
  name: string;
  scriptId: number | null;
  readOnly: string | null;
  /** The same as long as the body is the same. */
  version: string;
  read: () => string;
}

type KnownSymbols = Map<string, { version: string; symbols: BodySymbol[] }>;

/** The symbols of all scripts, and references to them. A body is parsed once per version. */
export class SymbolSearch {
  readonly #kinds: Pick<SearchedKinds, 'scripts' | 'drafts'>;
  readonly #known: KnownSymbols = new Map();

  constructor(kinds: Pick<SearchedKinds, 'scripts' | 'drafts'>) {
    this.#kinds = kinds;
  }

  /** The best symbols for a text in scripts and in the drafts of a window. Parses new versions, a few ms at a time. */
  async symbols(
    wanted: { text: string; limit: number; window: string | null },
    signal?: AbortSignal,
  ): Promise<{ symbols: ScriptSymbol[] }> {
    const turns = new Turns();
    const seen = new Set<string>();
    const best = new BestSymbols(wanted.text, wanted.limit);
    for (const { kind, key, name, scriptId, readOnly, version, read } of this.#bodies(wanted.window)) {
      // A draft of another window cannot be opened here.
      if (readOnly !== null) continue;
      const id = `${kind}:${key}`;
      const before = this.#known.get(id);
      const parsed = before?.version === version ? before : { version, symbols: symbolsIn(read()) };
      this.#known.set(id, parsed);
      seen.add(id);
      const script = scriptId === null ? partsOfDraftKey(key).script : String(scriptId);
      for (const symbol of parsed.symbols) best.add({ ...symbol, script, scriptName: name });
      const pause = turns.due();
      if (pause) await pause;
      signal?.throwIfAborted();
    }
    // Drafts of other windows are parsed again when those ask.
    for (const id of this.#known.keys()) if (!seen.has(id)) this.#known.delete(id);
    return { symbols: best.list() };
  }

  /**
   * The definitions, calls and uses of a name in all scripts: scripts share no code, so the same name in another one is a
   * copy or something else. In a body that is too long or does not parse, every occurrence of the name is a match without a role.
   */
  async references(wanted: { name: string; window: string | null }): Promise<{ items: FoundItem[]; end: SearchEnd }> {
    const query = { text: wanted.name, regex: false, matchCase: true, wholeWord: true };
    const compiled = compileQuery(query);
    const turns = new Turns();
    const items: FoundItem[] = [];
    const end: SearchEnd = { items: 0, matches: 0, more: 0, capped: false };
    for (const { kind, key, name, scriptId, readOnly, read } of this.#bodies(wanted.window)) {
      const body = read();
      if (!compiled.ok || !body.includes(wanted.name)) continue;
      const roles = rolesIn(body, wanted.name);
      const places = new MatchPlaces(body);
      const matches = [...compiled.matcher(body)].flatMap((found): Match[] => {
        const role = roles?.get(found.start);
        if (roles && !role) return [];
        return [{ ...places.matchOf(found), ...(role && { role }) }];
      });
      const pause = turns.due();
      if (pause) await pause;
      if (matches.length === 0) continue;
      end.items += 1;
      end.matches += matches.length;
      const listed = matches.slice(0, SEARCH_LIMITS.listed - (end.matches - end.more - matches.length));
      end.more += matches.length - listed.length;
      if (listed.length === 0) continue;
      items.push({
        kind,
        key,
        name,
        scriptId,
        readOnly,
        texts: [{ field: 'body', hash: hashOf(body), matches: listed }],
      });
    }
    return { items, end };
  }

  *#bodies(window: string | null): Generator<SearchedBody> {
    const { scripts, drafts } = this.#kinds;
    for (const script of scripts.items(window)) {
      const read = () => scripts.visit(script, (text) => text).body ?? '';
      yield { kind: 'scripts', ...scripts.about(script, window), version: String(script.version), read };
    }
    for (const draft of drafts.items(window)) {
      yield { kind: 'drafts', ...drafts.about(draft, window), version: draft.changedAt, read: () => draft.body };
    }
  }
}

import type { FoundItem, FoundText, SearchEnd, SearchKind, SearchRequest, SearchStep } from '#domain/search/found';
import { MatchPlaces, SEARCH_KINDS, SEARCH_LIMITS } from '#domain/search/found';
import { nameFilter } from '#domain/search/name-filter';
import type { Counted } from '#domain/search/query';
import type { ReplaceOutcome, ReplaceRequest, UndoOutcome } from '#domain/search/replaced';
import { Turns } from '../../platform/turns.ts';
import type { ScriptSymbol } from '#domain/search/symbol';
import { SymbolSearch } from './symbol-search.ts';
import { finderOf, named } from './finders.ts';
import type { ReplacerParts } from './replacer.ts';
import { Replacer } from './replacer.ts';
import type { SearchedItem, SearchedKinds, SearchSources } from './searched-kinds.ts';
import { hashOf, searchedKinds, textsOf } from './searched-kinds.ts';

const STEP_MS = 100;
/** Matches of one message. */
const STEP_MATCHES = 2_000;
/** Texts of one batch for the thread: sending single ones would take longer than searching them. */
const BATCH_LENGTH = 1_048_576;

/** An item with its texts. */
interface Searched extends SearchedItem {
  kind: SearchKind;
  texts: { text: string; field: string }[];
}

/** Searches the texts of the workspace. Methods are named after the procedures of the contract. */
export class SearchService {
  readonly #kinds: SearchedKinds;
  readonly #replacer: Replacer;
  readonly #symbols: SymbolSearch;

  constructor(sources: SearchSources & ReplacerParts) {
    this.#kinds = searchedKinds(sources);
    this.#replacer = new Replacer(this.#kinds, sources);
    this.#symbols = new SymbolSearch(this.#kinds);
  }

  /** See the symbol search. */
  symbols(
    wanted: { text: string; limit: number; window: string | null },
    signal?: AbortSignal,
  ): Promise<{ symbols: ScriptSymbol[] }> {
    return this.#symbols.symbols(wanted, signal);
  }

  /** See the symbol search. */
  references(wanted: { name: string; window: string | null }): Promise<{ items: FoundItem[]; end: SearchEnd }> {
    return this.#symbols.references(wanted);
  }

  /** See the replacer. */
  replace(request: ReplaceRequest, signal?: AbortSignal): Promise<ReplaceOutcome> {
    return this.#replacer.replace(request, signal ?? new AbortController().signal);
  }

  /** See the replacer. */
  undo({ id }: { id: string }): Promise<UndoOutcome> {
    return this.#replacer.undo(id);
  }

  /**
   * Searches a few ms at a time. Regular expressions run in a thread: a hostile one would block main, and a thread can
   * be ended while it runs. Throws BAD_REQUEST for an invalid expression, or one that takes too long in one text.
   */
  async *find(request: SearchRequest, signal: AbortSignal): AsyncGenerator<SearchStep, void, undefined> {
    const { query, limit } = request;
    const all = SEARCH_KINDS.filter((kind) => request.kinds.includes(kind)).flatMap((kind) =>
      readersOf(this.#kinds, kind, request),
    );
    await using finder = finderOf(query, signal);
    const found = new Results(limit);
    const turns = new Turns();
    let [searched, sentAt] = [0, performance.now()];
    for (const batch of batches(all, finder.batchItems)) {
      const texts = batch.flatMap((item) => item.texts.map(({ text }) => text));
      const inTexts = await finder.find(texts, found.toList, found.toCount).catch((thrown: unknown) => {
        throw named(
          thrown,
          batch.flatMap(({ name, texts: own }) => own.map(() => name)),
        );
      });
      found.add(batch, inTexts);
      searched += batch.length;
      if (found.waiting >= STEP_MATCHES || performance.now() - sentAt >= STEP_MS) {
        yield { searched, total: all.length, items: found.take(), end: null };
        sentAt = performance.now();
      }
      const pause = turns.due();
      if (pause) await pause;
      if (signal.aborted) return;
      if (found.toCount <= 0) break;
    }
    yield { searched, total: all.length, items: found.take(), end: found.end() };
  }
}

/** The items of a kind whose names pass; their texts are read when they are searched. */
function readersOf<K extends SearchKind>(
  kinds: Pick<SearchedKinds, K>,
  kind: K,
  { include, exclude, window }: SearchRequest,
): (() => Searched)[] {
  const passes = nameFilter(include, exclude);
  const searched = kinds[kind];
  return searched.items(window).flatMap((item) => {
    const about = searched.about(item, window);
    return passes(about.name) ? [() => ({ kind, ...about, texts: textsOf(searched, item) })] : [];
  });
}

/** Reads the items, and groups them for one step of a finder. */
function* batches(all: readonly (() => Searched)[], mostItems: number): Generator<Searched[]> {
  let batch: Searched[] = [];
  let length = 0;
  for (const read of all) {
    const item = read();
    batch.push(item);
    for (const { text } of item.texts) length += text.length;
    if (batch.length < mostItems && length < BATCH_LENGTH) continue;
    yield batch;
    batch = [];
    length = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The matches so far. */
class Results {
  readonly #limit: number;
  #items: FoundItem[] = [];
  #count = { items: 0, matches: 0, listed: 0 };
  /** Matches that were not taken yet. */
  waiting = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get toList(): number {
    return this.#limit - this.#count.listed;
  }

  get toCount(): number {
    return SEARCH_LIMITS.counted - this.#count.matches;
  }

  /** `inTexts` are those of all texts of the items, in order. */
  add(items: readonly Searched[], inTexts: readonly Counted[]): void {
    let next = 0;
    for (const { texts, ...about } of items) {
      const found: FoundText[] = [];
      let count = 0;
      for (const { text, field } of texts) {
        const { listed, count: inText } = inTexts[next++] ?? { listed: [], count: 0 };
        count += inText;
        if (listed.length === 0) continue;
        const places = new MatchPlaces(text);
        found.push({ field, hash: hashOf(text), matches: listed.map((one) => places.matchOf(one)) });
        this.waiting += listed.length;
        this.#count.listed += listed.length;
      }
      this.#count.matches += count;
      if (count > 0) this.#count.items += 1;
      if (found.length > 0) this.#items.push({ ...about, texts: found });
    }
  }

  take(): FoundItem[] {
    const taken = this.#items;
    this.#items = [];
    this.waiting = 0;
    return taken;
  }

  end(): SearchEnd {
    const { items, matches, listed } = this.#count;
    return { items, matches, more: matches - listed, capped: this.toCount <= 0 };
  }
}

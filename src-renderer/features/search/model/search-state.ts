import type { FoundItem, Match, SearchEnd, SearchKind } from '#domain/search/found';
import { SEARCH_KINDS } from '#domain/search/found';
import type { SearchQuery } from '#domain/search/query';
import type { ReplacedItem } from '#domain/search/replaced';
import { shownReplacement } from '#domain/search/replacement';

/** What the form of the search says. */
export interface SearchForm extends SearchQuery {
  include: string;
  exclude: string;
  kinds: readonly SearchKind[];
  /** Whether the filters are shown. */
  filters: boolean;
  /** Whether matches are to be replaced. */
  replacing: boolean;
  replacement: string;
  preserveCase: boolean;
}

export const EMPTY_FORM: SearchForm = {
  text: '',
  regex: false,
  matchCase: false,
  wholeWord: false,
  include: '',
  exclude: '',
  kinds: SEARCH_KINDS,
  filters: false,
  replacing: false,
  replacement: '',
  preserveCase: false,
};

export interface SearchState {
  form: SearchForm;
  /** Searches that had results, newest first. */
  history: readonly string[];
  /** The name whose references are listed instead of a search. */
  references: string | null;
  phase: 'empty' | 'searching' | 'done' | 'failed';
  progress: { searched: number; total: number } | null;
  items: readonly FoundItem[];
  end: SearchEnd | null;
  problem: string | null;
  /** The ids of excluded items and matches. */
  excluded: ReadonlySet<string>;
  /** The ids of items whose matches are hidden. */
  closed: ReadonlySet<string>;
  /** Why items cannot be replaced like this, by their ids. */
  refused: ReadonlyMap<string, string>;
  /** Whether a replacement is being saved. */
  saving: boolean;
  /** The id of the result that was opened last. */
  current: string | null;
}

/** A match of an item. */
export interface FoundMatch {
  id: string;
  item: FoundItem;
  field: string;
  match: Match;
}

export const idOfItem = ({ kind, key }: Pick<FoundItem, 'kind' | 'key'>): string => `${kind}:${key}`;

/** All matches of an item, in order. */
export function matchesOf(item: FoundItem): FoundMatch[] {
  const id = idOfItem(item);
  return item.texts.flatMap(({ field, matches }) =>
    matches.map((match) => ({ id: `${id}:${field}:${match.start}`, item, field, match })),
  );
}

/** The items and matches that are not excluded. */
export function shownResults({ items, excluded }: Pick<SearchState, 'items' | 'excluded'>) {
  return items.flatMap((item) => {
    if (excluded.has(idOfItem(item))) return [];
    const matches = matchesOf(item).filter(({ id }) => !excluded.has(id));
    return matches.length === 0 ? [] : [{ id: idOfItem(item), item, matches }];
  });
}

/** The text that would replace a match. */
export function replacedBy({ match }: FoundMatch, form: SearchForm): string {
  return shownReplacement(match, form, { text: form.replacement, preserveCase: form.preserveCase });
}

/** The request to replace matches. */
export function requestFor(matches: readonly FoundMatch[]): ReplacedItem[] {
  return [...Map.groupBy(matches, ({ item }) => item)].map(([{ kind, key, texts }, ofItem]) => ({
    kind,
    key,
    texts: texts.flatMap(({ field, hash }) => {
      const starts = ofItem.filter((one) => one.field === field).map(({ match }) => match.start);
      return starts.length === 0 ? [] : [{ field, hash, starts }];
    }),
  }));
}

/** The id that a match has after others of its text were replaced. */
export function idAfter(id: string, replaced: readonly FoundMatch[], form: SearchForm): string {
  const at = id.lastIndexOf(':');
  const [text, start] = [id.slice(0, at), Number(id.slice(at + 1))];
  const before = replaced.filter((one) => one.id.slice(0, one.id.lastIndexOf(':')) === text && one.match.start < start);
  if (before.length === 0) return id;
  const moved = before.reduce((sum, one) => sum + replacedBy(one, form).length - (one.match.end - one.match.start), 0);
  return `${text}:${start + moved}`;
}

export type ShownItem = ReturnType<typeof shownResults>[number];

/** The match after the current one, or before it, around the end of the list; null if there is none. */
export function adjacentMatch(shown: readonly ShownItem[], current: string | null, by: 1 | -1): FoundMatch | null {
  const all = shown.flatMap(({ matches }) => matches);
  const at = all.findIndex(({ id }) => id === current);
  const next = at < 0 ? (by === 1 ? 0 : all.length - 1) : (at + by + all.length) % all.length;
  return all[next] ?? null;
}

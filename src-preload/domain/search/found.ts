import type { TagKind } from '../tag/tag.ts';
import type { Groups, Occurrence, SearchQuery } from './query.ts';
import { grouped } from '../text/grouped.ts';

/**
 * The one list of what a search looks through. Each kind needs a name (below) and a description of its texts
 * (`src-main/scripting/search/searched-kinds.ts`); the compiler reports a missing one.
 */
const KIND_NAMES = {
  scripts: ['script', 'scripts'],
  drafts: ['draft', 'drafts'],
  tests: ['test', 'tests'],
  tags: ['tag', 'tags'],
  rules: ['rule', 'rules'],
  mocks: ['mock', 'mocks'],
} as const satisfies Record<string, readonly [string, string]>;

export type SearchKind = keyof typeof KIND_NAMES;

/** All kinds, in the order of results. */
export const SEARCH_KINDS = Object.keys(KIND_NAMES).filter((name): name is SearchKind => name in KIND_NAMES);

/** `script`, `scripts` */
export const searchKindName = (kind: SearchKind, count = 1): string => KIND_NAMES[kind][count === 1 ? 0 : 1];

/** A search through the workspace. */
export interface SearchRequest {
  query: SearchQuery;
  kinds: SearchKind[];
  /** Patterns of names, separated by commas; see `nameFilter`. */
  include: string;
  exclude: string;
  /** The window whose drafts are searched in place of their saved scripts; null if there is none. */
  window: string | null;
  /** Maximum number of listed matches. */
  limit: number;
}

/** A match, with its line as far as it is shown. */
export interface Match {
  /** Offsets in the text (UTF-16 units). */
  start: number;
  end: number;
  /** Line of its start, from 1. */
  line: number;
  column: number;
  /** The text of its first line before it and of its last line after it, and itself; each may be shortened. */
  before: string;
  text: string;
  after: string;
  groups?: Groups;
  /** The role of a reference to a name. */
  role?: MatchRole;
}

/** How a script refers to a name. */
export const MATCH_ROLES = ['definition', 'call', 'use'] as const;
export type MatchRole = (typeof MATCH_ROLES)[number];

/** A text of an item with matches. */
export interface FoundText {
  /** Its place in the item: `body`, `settings.expression`, `answer.body`. */
  field: string;
  /** Identifies the searched text: replacing requires the same text. */
  hash: string;
  matches: Match[];
}

/** An item with matches. */
export interface FoundItem {
  kind: SearchKind;
  /** Its id, path, or the key of the draft; unique among its kind. */
  key: string;
  /** `Group/Name`, a path, or a name. */
  name: string;
  /** Only of a tag. */
  tagKind?: TagKind;
  /** The script of a draft or test. */
  scriptId: number | null;
  /** Why its matches can't be replaced; null if they can. */
  readOnly: string | null;
  texts: FoundText[];
}

/** The end of a search. */
export interface SearchEnd {
  /** The number of items and of all matches, listed or not. */
  items: number;
  matches: number;
  /** Matches that are not listed. */
  more: number;
  /** Counting ended at `MOST_COUNTED`. */
  capped: boolean;
}

export interface SearchStep {
  /** The number of searched texts so far, and of all. */
  searched: number;
  total: number;
  /** The items found since the last step. */
  items: FoundItem[];
  /** In the last step. */
  end: SearchEnd | null;
}

export const SEARCH_LIMITS = {
  /** Characters of the text to search for, of its replacement, and of patterns of names. */
  text: 10_000,
  /** Listed matches. */
  listed: 10_000,
  mostListed: 200_000,
  counted: 1_000_000,
  shownBefore: 80,
  shownMatch: 300,
  shownAfter: 200,
  shownGroups: 20,
} as const;

/** Turns occurrences, in order, into matches with their lines. */
export class MatchPlaces {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  matchOf({ start, end, groups }: Occurrence): Match {
    const text = this.#text;
    for (let next = this.#nextLine(); next >= 0 && next < start; next = this.#nextLine()) {
      this.#line += 1;
      this.#lineStart = next + 1;
    }
    const { shownBefore, shownMatch, shownAfter } = SEARCH_LIMITS;
    const before = text.slice(Math.max(this.#lineStart, start - shownBefore), start);
    const rest = text.slice(end, end + shownAfter);
    const lineEnd = rest.search(/[\r\n]/);
    return {
      start,
      end,
      line: this.#line,
      column: start - this.#lineStart + 1,
      before: start - shownBefore > this.#lineStart ? `…${before}` : before.trimStart(),
      text: shortened(text.slice(start, Math.min(end, start + shownMatch + 1)), shownMatch),
      after: lineEnd < 0 ? rest : rest.slice(0, lineEnd),
      ...(groups && (groups.numbered.length > 0 || groups.cut) && { groups: shownGroupsOf(groups) }),
    };
  }

  #nextLine(): number {
    return this.#text.indexOf('\n', this.#lineStart);
  }
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The first groups, shortened: a group may be as long as the whole text. */
export function shownGroupsOf({ numbered, named, cut }: Groups): Groups {
  const { shownGroups, shownMatch } = SEARCH_LIMITS;
  const isCut = cut || numbered.length > shownGroups || numbered.some((text) => text && text.length > shownMatch);
  const shown = (text: string | null): string | null => text && shortened(text, shownMatch);
  return {
    numbered: numbered.slice(0, shownGroups).map(shown),
    ...(named && {
      named: Object.fromEntries(
        Object.entries(named)
          .slice(0, shownGroups)
          .map(([name, text]) => [name, shown(text)]),
      ),
    }),
    ...(isCut && { cut: true }),
  };
}

/** `3 matches in 2 items` */
export function foundText({ matches, items, more, capped }: SearchEnd): string {
  if (matches === 0) return 'No matches';
  const count = `${capped ? 'More than ' : ''}${counted(matches, 'match', 'matches')} in ${counted(items, 'item', 'items')}`;
  return more > 0 ? `${count}; the first ${grouped(matches - more)} are listed` : count;
}

const counted = (count: number, one: string, several: string): string =>
  `${grouped(count)} ${count === 1 ? one : several}`;

import type { SearchKind } from './found.ts';
import type { SearchQuery } from './query.ts';
import type { Replacement } from './replacement.ts';
import { grouped } from '../text/grouped.ts';

/** The matches to replace in one item. */
export interface ReplacedItem {
  kind: SearchKind;
  key: string;
  texts: {
    field: string;
    /** Hash of the text that was searched. */
    hash: string;
    /** The offsets of the matches; null for all of them. */
    starts: number[] | null;
  }[];
}

export interface ReplaceRequest {
  query: SearchQuery;
  replacement: Replacement;
  items: ReplacedItem[];
  /** The window whose drafts are searched; null if there is none. */
  window: string | null;
  /** Only checks: nothing is saved. */
  dryRun: boolean;
}

/** An item in which nothing was replaced. */
export interface RefusedItem {
  kind: SearchKind;
  key: string;
  name: string;
  /** `conflict`: its text has changed since the search. `invalid`: it could not be saved with the new text. */
  why: 'conflict' | 'invalid';
  reason: string;
}

/** A draft in which its window replaces the text. */
export interface ReplacedDraft {
  key: string;
  before: string;
  after: string;
}

export interface ReplaceOutcome {
  /** The number of changed items and replaced matches, with drafts. */
  items: number;
  matches: number;
  refused: RefusedItem[];
  drafts: ReplacedDraft[];
  /** For `undo`; null if nothing was saved. */
  undo: string | null;
}

export interface UndoOutcome {
  items: number;
  refused: RefusedItem[];
}

/** `3 matches in 2 items` */
export function replacedText({ matches, items }: Pick<ReplaceOutcome, 'matches' | 'items'>): string {
  const counted = (count: number, one: string, several: string): string =>
    `${grouped(count)} ${count === 1 ? one : several}`;
  return `${counted(matches, 'match', 'matches')} in ${counted(items, 'item', 'items')}`;
}

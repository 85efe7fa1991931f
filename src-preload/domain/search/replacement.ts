import type { Match } from './found.ts';
import { SEARCH_LIMITS } from './found.ts';
import type { Groups, Occurrence, SearchQuery } from './query.ts';

/** What matches are replaced with. */
export interface Replacement {
  text: string;
  /** Writes `text` in upper case, or with a capital letter, where the match is written like that. */
  preserveCase: boolean;
}

/**
 * The text in place of a match. For a regular expression, the replacement may contain `$1`, `$<name>`, `$&` (or `$0`)
 * and `$$`, and `\n`, `\r`, `\t` and `\\`; groups that do not exist stay as they are written. Stops beyond `most` characters.
 */
export function replacementOf(
  matched: string,
  groups: Groups | undefined,
  query: Pick<SearchQuery, 'regex'>,
  { text, preserveCase }: Replacement,
  most = Infinity,
): string {
  const expanded = query.regex ? expand(text, matched, groups, most) : text;
  return preserveCase ? inCaseOf(expanded, matched) : expanded;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' };

/** What stands for a replacement that depends on more of its match than is shown. */
const TOO_LONG = '… (too long to show)';

/** What a match is replaced with, as it is saved; or, if its match or groups are shortened for it, that it is too long. */
export function shownReplacement(
  { start, end, text, groups }: Pick<Match, 'start' | 'end' | 'text' | 'groups'>,
  query: Pick<SearchQuery, 'regex'>,
  replacement: Replacement,
): string {
  const dependsOnMatch = replacement.preserveCase || (query.regex && replacement.text.includes('$'));
  const isCut = end - start > SEARCH_LIMITS.shownMatch || groups?.cut;
  return dependsOnMatch && isCut ? TOO_LONG : replacementOf(text, groups, query, replacement);
}

/** A text with replacements. */
export interface ReplacedText {
  text: string;
  matches: number;
}

/**
 * The text with those occurrences replaced that begin at `starts`; null for all of them. Null if it would have more than
 * `most` characters: a short replacement such as `$&$&` can make it grow without limit.
 */
export function replacedIn(
  text: string,
  occurrences: Iterable<Occurrence>,
  starts: ReadonlySet<number> | null,
  { query, replacement, most }: { query: Pick<SearchQuery, 'regex'>; replacement: Replacement; most: number },
): ReplacedText | null {
  let [result, done, matches] = ['', 0, 0];
  for (const { start, end, groups } of occurrences) {
    if (starts !== null && !starts.has(start)) continue;
    result += text.slice(done, start);
    result += replacementOf(text.slice(start, end), groups, query, replacement, most - result.length);
    if (result.length > most) return null;
    done = end;
    matches += 1;
  }
  return result.length + text.length - done > most ? null : { text: result + text.slice(done), matches };
}

function expand(template: string, matched: string, groups: Groups = { numbered: [] }, most: number): string {
  const { numbered, named = {} } = groups;
  let length = 0;
  return template.replace(
    /\\([nrt\\])|\$(?:(\$)|(&|0(?!\d))|<([^>]*)>|(\d\d?))/g,
    (written: string, escape?: string, dollar?: string, whole?: string, name?: string, digits?: string) => {
      if (length > most) return '';
      const text = inPlaceOf();
      length += text.length;
      return text;

      function inPlaceOf(): string {
        if (escape !== undefined) return ESCAPES[escape] ?? written;
        if (dollar !== undefined) return '$';
        if (whole !== undefined) return matched;
        if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? '') : written;
        return numberedGroup(digits ?? '', numbered) ?? written;
      }
    },
  );
}

/** `$12` is the group 12, else the group 1 and the digit 2. */
function numberedGroup(digits: string, numbered: readonly (string | null)[]): string | null {
  for (const length of [digits.length, 1]) {
    const group = Number(digits.slice(0, length));
    if (group >= 1 && group <= numbered.length) return (numbered[group - 1] ?? '') + digits.slice(length);
  }
  return null;
}

function inCaseOf(text: string, matched: string): string {
  const [upper, lower] = [matched.toUpperCase(), matched.toLowerCase()];
  if (upper === lower) return text;
  // One letter is a capital, not a word in upper case.
  if (matched === upper && Array.from(matched).length > 1) return text.toUpperCase();
  const [first = ''] = matched;
  if (first === first.toLowerCase()) return text;
  const [initial = ''] = text;
  return initial.toUpperCase() + text.slice(initial.length);
}

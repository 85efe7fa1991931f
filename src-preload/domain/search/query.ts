import { longTextMatches } from './long-text.ts';

/** What a search looks for. */
export interface SearchQuery {
  text: string;
  /** `text` is a regular expression (of JavaScript, with the flags `g`, `m` and, if it is valid with it, `u`). */
  regex: boolean;
  matchCase: boolean;
  /** Only matches that begin and end at the edge of a word. */
  wholeWord: boolean;
}

/** An occurrence, as offsets (UTF-16 units) in its text. `groups` are those of a regular expression, for `$1`. */
export interface Occurrence {
  start: number;
  end: number;
  groups?: Groups;
}

export interface Groups {
  numbered: (string | null)[];
  named?: Record<string, string | null>;
  /** Some are shortened or omitted: a replacement with them is not the one that is saved. */
  cut?: true;
}

/** Finds the occurrences of a query in a text, in order and without overlaps. */
export type Matcher = (text: string) => Iterable<Occurrence>;

/** The occurrences in a text: the first ones, and the number of all of them, as far as they were counted. */
export interface Counted {
  listed: Occurrence[];
  count: number;
}

/** Lists up to `list` occurrences, as `asListed` keeps them, and counts up to `most`. */
export function countedIn(
  text: string,
  matcher: Matcher,
  list: number,
  most: number,
  asListed = (found: Occurrence): Occurrence => found,
): Counted {
  const listed: Occurrence[] = [];
  let count = 0;
  for (const found of matcher(text)) {
    if (count >= most) break;
    count += 1;
    if (listed.length < list) listed.push(asListed(found));
  }
  return { listed, count };
}

export type CompiledQuery = { ok: true; matcher: Matcher } | { ok: false; problem: string };

/** A letter (with its marks), a digit or `_`, as in a name; `$` separates words, as in most editors. */
const WORD = String.raw`[\p{L}\p{M}\p{N}_]`;
const IN_WORD = new RegExp(`^${WORD}`, 'u');

/**
 * Compiles a query. A regular expression may be hostile: run its matcher only where it can be stopped. All other
 * matchers take time in proportion to the text.
 */
export function compileQuery(query: SearchQuery): CompiledQuery {
  const { text, regex, matchCase, wholeWord } = query;
  if (text === '') return { ok: false, problem: 'Enter a text to search for.' };
  if (!regex) return { ok: true, matcher: literalMatcher(text, matchCase, wholeWord) };
  const flags = matchCase ? 'gm' : 'gim';
  try {
    // Alone first: "a)(?:b" is valid only inside of the group around it.
    const alone = unicodeOrNot(text, flags);
    const pattern = wholeWord ? wordsOf(text, alone) : alone;
    return { ok: true, matcher: (searched) => patternMatches(searched, pattern) };
  } catch (thrown) {
    return { ok: false, problem: `The regular expression is invalid: ${reasonOf(thrown, text)}.` };
  }
}

/** With `u`, characters beyond 16 bits count as one and `\p{…}` works; without it, needless escapes are allowed. */
function unicodeOrNot(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, `${flags}u`);
  } catch {
    return new RegExp(source, flags);
  }
}

/** The pattern between edges of words, with its own flags: an expression may be valid only without `u`. */
function wordsOf(text: string, { unicode, flags }: RegExp): RegExp {
  const word = unicode ? WORD : (wordInUnits ??= inUnits());
  return new RegExp(`(?<!${word})(?:${text})(?!${word})`, flags);
}

let wordInUnits: string | undefined;

/** `WORD` without the flag `u`, which has no `\p{…}`: ranges of units, and of the second units of pairs. */
function inUnits(): string {
  const pairs: string[] = [];
  for (let high = 0xd800; high <= 0xdbff; high += 1) {
    const from = 0x10000 + (high - 0xd800) * 0x400;
    const ranges = wordRanges(from, from + 0x3ff, (code) => 0xdc00 + code - from);
    if (ranges !== '') pairs.push(`${escaped(high)}[${ranges}]`);
  }
  return `(?:${[`[${wordRanges(0, 0xffff, (code) => code)}]`, ...pairs].join('|')})`;
}

/** The ranges of characters of words among some, as units for a class. */
function wordRanges(from: number, to: number, unitOf: (code: number) => number): string {
  let ranges = '';
  for (let code = from; code <= to; code += 1) {
    if (!IN_WORD.test(String.fromCodePoint(code))) continue;
    const first = code;
    while (code < to && IN_WORD.test(String.fromCodePoint(code + 1))) code += 1;
    ranges += `${escaped(unitOf(first))}-${escaped(unitOf(code))}`;
  }
  return ranges;
}

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`;

/** The reason of a syntax error, without the expression that engines repeat before it. */
function reasonOf(thrown: unknown, text: string): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const reason = message.slice(message.lastIndexOf(': ') + 2);
  const known = Object.entries(REASONS).find(([reasonOfEngine]) => reason.startsWith(reasonOfEngine))?.[1];
  return known === undefined ? lowerFirst(reason) : known(text);
}

const REASONS: Readonly<Record<string, (text: string) => string>> = {
  'Unterminated group': () => 'a "(" has no ")"; write "\\(" for the character',
  "Unmatched ')'": () => 'a ")" has no "("; write "\\)" for the character',
  'Unterminated character class': () => 'a "[" has no "]"; write "\\[" for the character',
  'Nothing to repeat': () => 'there is nothing before "*", "+", "?" or "{" to repeat; write "\\*" for the character',
  'Lone quantifier brackets': () => 'a "{" or "}" is alone; write "\\{" for the character',
  '\\ at end of pattern': () => 'it ends with "\\"; write "\\\\" for the character',
  'numbers out of order': () => 'the numbers in "{ }" are out of order',
  'Range out of order': () => 'a range in "[ ]" is out of order, such as "z-a"',
};

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Units of texts for which the searches of the engine are fast, whatever they search. */
const SHORT = 64;

function literalMatcher(text: string, matchCase: boolean, wholeWord: boolean): Matcher {
  const short = matchCase ? literalMatches : caselessMatches;
  const occurrences = text.length > SHORT ? longTextMatches(text, matchCase) : short(text);
  if (!wholeWord) return occurrences;
  // An edge that is no part of a word is always the edge of one: "[3]" is found in "a[3]b".
  const [first, last] = [isWordAfter(text, 0), isWordBefore(text, text.length)];
  return function* wholeWords(searched) {
    for (const found of occurrences(searched)) {
      if (first && isWordBefore(searched, found.start)) continue;
      if (last && isWordAfter(searched, found.end)) continue;
      yield found;
    }
  };
}

const isWordAfter = (text: string, at: number): boolean => IN_WORD.test(text.slice(at, at + 2));

/** The character before a place may have two units. */
function isWordBefore(text: string, at: number): boolean {
  const pair = text.slice(Math.max(0, at - 2), at);
  return IN_WORD.test(Array.from(pair).at(-1) ?? '');
}

function literalMatches(text: string): Matcher {
  return function* occurrences(searched) {
    for (let at = searched.indexOf(text); at >= 0; at = searched.indexOf(text, at + text.length)) {
      yield { start: at, end: at + text.length };
    }
  };
}

/** By a pattern without repetition: lower case would move the offsets of some characters, such as "İ". */
function caselessMatches(text: string): Matcher {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), 'giu');
  return function* occurrences(searched) {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(searched); found; found = pattern.exec(searched)) {
      const next = pattern.lastIndex;
      yield { start: found.index, end: next };
      // Another search may have used the pattern in the meantime.
      pattern.lastIndex = next;
    }
  };
}

function* patternMatches(searched: string, pattern: RegExp): Generator<Occurrence> {
  for (const found of searched.matchAll(pattern)) {
    const numbered = found.slice(1).map((group: string | undefined) => group ?? null);
    const named = Object.entries<string | undefined>(found.groups ?? {});
    yield {
      start: found.index,
      end: found.index + found[0].length,
      groups: {
        numbered,
        ...(named.length > 0 && { named: Object.fromEntries(named.map(([name, group]) => [name, group ?? null])) }),
      },
    };
  }
}

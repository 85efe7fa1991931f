import type { Counted, Matcher, SearchQuery } from '#domain/search/query';
import { compileQuery, countedIn } from '#domain/search/query';
import type { ReplacedText, Replacement } from '#domain/search/replacement';
import { replacedIn } from '#domain/search/replacement';
import { TagwrightError } from '../../platform/errors.ts';
import { PatternSearch } from './pattern-search.ts';

/** Items of one batch for the thread: sending single ones would take longer than searching them. */
const BATCH_ITEMS = 1_000;

/** Finds occurrences in texts, at most `batchItems` items at a time. */
export interface Finder extends AsyncDisposable {
  readonly batchItems: number;
  /**
   * Lists up to `list` occurrences in all texts, and counts up to `most`. Throws BAD_REQUEST if a regular expression
   * takes too long, with the index of the text in `data.text`.
   */
  find(texts: readonly string[], list: number, most: number): Promise<Counted[]>;
  /**
   * Replaces the occurrences at `starts`, or all of them, however many there are. Null if the text would have more than
   * `most` characters. Throws as `find` does.
   */
  replace(
    text: string,
    starts: ReadonlySet<number> | null,
    replacement: Replacement,
    most: number,
  ): Promise<ReplacedText | null>;
}

/**
 * Finds the occurrences of a query. Regular expressions run in a thread: a hostile one would block main, and a thread
 * can be ended while it runs. Throws BAD_REQUEST for an invalid expression.
 */
export function finderOf(query: SearchQuery, signal: AbortSignal): Finder {
  const compiled = compileQuery(query);
  if (!compiled.ok) throw new TagwrightError('BAD_REQUEST', compiled.problem);
  return query.regex ? inThread(new PatternSearch(query), signal) : inMain(compiled.matcher, query);
}

function inMain(matcher: Matcher, query: SearchQuery): Finder {
  return {
    batchItems: 1,
    async find(texts, list, most) {
      let [listed, count] = [0, 0];
      return texts.map((text) => {
        const found = countedIn(text, matcher, list - listed, most - count);
        listed += found.listed.length;
        count += found.count;
        return found;
      });
    },
    replace: async (text, starts, replacement, most) =>
      replacedIn(text, matcher(text), starts, { query, replacement, most }),
    async [Symbol.asyncDispose]() {},
  };
}

function inThread(search: PatternSearch, signal: AbortSignal): Finder {
  return {
    batchItems: BATCH_ITEMS,
    find: (texts, list, most) => search.find({ texts, list, most }, signal),
    replace: (text, starts, replacement, most) => search.replace({ text, starts, replacement, most }, signal),
    [Symbol.asyncDispose]: () => search.close(),
  };
}

/** The error of a finder with the name of the item whose text took too long; `names` are those of its texts. */
export function named(thrown: unknown, names: readonly string[]): unknown {
  if (!(thrown instanceof TagwrightError) || thrown.code !== 'BAD_REQUEST') return thrown;
  const name = names[Number(Object(thrown.data)['text'])];
  return name === undefined ? thrown : new TagwrightError('BAD_REQUEST', `${thrown.message} The text is in ${name}.`);
}

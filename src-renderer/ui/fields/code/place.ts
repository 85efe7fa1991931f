/** A place in a text, in characters from 0; `to` is after its end. */
export interface Place {
  from: number;
  to: number;
}

const LINE = /\bline (\d{1,7})(?:,? column (\d{1,7}))?/;
/** In problems of an expression. */
const END = /\bat its end\b/;
const POSITION = /\bat position (\d{1,9})\b/;
/** SQLite names the text instead of its place. */
const SQLITE = /\b(?:near|no such (?:column|table|function):|unrecognized token:) "?([^"\s]+)"?/;

/** The place in a text that a problem names, with the word that begins there; null if it names none. */
export function placeOf(problem: string, text: string): Place | null {
  const [, line, column = '1'] = LINE.exec(problem) ?? [];
  if (line !== undefined) return wordAt(text, positionOf(text, Number(line), Number(column)));
  const [, position] = POSITION.exec(problem) ?? [];
  if (position !== undefined) return wordAt(text, Number(position));
  if (END.test(problem)) return wordAt(text, text.length);
  const [, named] = SQLITE.exec(problem) ?? [];
  if (named === undefined) return null;
  const from = wordIn(text, named);
  return from === -1 ? null : { from, to: from + named.length };
}

function positionOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let skipped = 1; skipped < line; skipped += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return start + column - 1;
}

/** A problem at the end marks the last character, because nothing else is there to see. */
function wordAt(text: string, position: number): Place | null {
  const end = text.trimEnd().length;
  if (end === 0) return null;
  const from = Math.min(Math.max(position, 0), end - 1);
  const [word = ''] = /^[\p{L}\p{N}_$]+/u.exec(text.slice(from, from + 200)) ?? [];
  return { from, to: from + Math.max(word.length, 1) };
}

/** Where a text is in another one as a whole word, in any case; -1 if nowhere. */
function wordIn(text: string, word: string): number {
  const part = /[\p{L}\p{N}_]/u;
  const where = text.toLowerCase();
  const wanted = word.toLowerCase();
  for (let at = where.indexOf(wanted); at !== -1; at = where.indexOf(wanted, at + 1)) {
    const before = where[at - 1] ?? '';
    const after = where[at + wanted.length] ?? '';
    if (!(part.test(before) && part.test(wanted[0] ?? '')) && !(part.test(after) && part.test(wanted.at(-1) ?? ''))) {
      return at;
    }
  }
  return -1;
}

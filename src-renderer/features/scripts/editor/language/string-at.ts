/** A token of a line. */
export interface LineToken {
  offset: number;
  type: string;
}

export interface StringSpan {
  /** The contents of the string. */
  text: string;
  /** Columns from 1: of the first character inside the quotes, and after the last. */
  startColumn: number;
  endColumn: number;
}

/** The text in quotes around a column (from 1) of a line, or null. The quotes themselves are outside. */
export function stringAt(line: string, tokens: readonly LineToken[], column: number): StringSpan | null {
  const offset = column - 1;
  const isString = (token: LineToken | undefined) => token?.type.startsWith('string') === true;
  const at = tokens.findIndex((token, index) => {
    const end = tokens[index + 1]?.offset ?? line.length;
    return isString(token) && token.offset < offset && offset <= end;
  });
  if (at === -1) return null;
  // Escapes and unclosed strings split a string into several tokens.
  let first = at;
  while (isString(tokens[first - 1])) first -= 1;
  let last = at;
  while (isString(tokens[last + 1])) last += 1;
  const start = tokens[first]?.offset ?? 0;
  const end = tokens[last + 1]?.offset ?? line.length;
  const quote = line[start];
  if (quote !== '"' && quote !== "'" && quote !== '`') return null;
  const closed = end - start > 1 && line[end - 1] === quote;
  if (closed && offset >= end) return null;
  const inner = { from: start + 1, to: closed ? end - 1 : end };
  return { text: line.slice(inner.from, inner.to), startColumn: inner.from + 1, endColumn: inner.to + 1 };
}

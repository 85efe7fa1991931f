import type { Token } from 'acorn';
import { parseExpressionAt, tokTypes } from 'acorn';
import { problemOfTagPath } from '#domain/tag/tag-path';

/** A literal of a script: its quotes are at `start` and before `end`. */
export interface Literal {
  start: number;
  end: number;
  line: number;
  column: number;
}

/** A body is that of an async function, which may contain more than a script, such as `using`. */
const HEAD = 'async function () {\n';
const TAIL = '\n}';

/**
 * The literals in the body of a script that could be paths of tags, by value: strings, and templates without
 * expressions. Null if the body does not parse.
 */
export function pathLiterals(body: string): Map<string, Literal[]> | null {
  const tokens: Token[] = [];
  try {
    const { type, end } = parseExpressionAt(HEAD + body + TAIL, 0, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      locations: true,
      onToken: tokens,
    });
    // A brace of the body has closed the function, and more follows.
    if (type !== 'FunctionExpression' || end !== HEAD.length + body.length + TAIL.length) return null;
  } catch {
    return null;
  }
  const found = new Map<string, Literal[]>();
  const note = (token: Token, from: Token, to: Token): void => {
    const value: unknown = 'value' in token ? token.value : null;
    if (typeof value !== 'string' || problemOfTagPath(value) !== null) return;
    const { line = 1, column = from.start } = from.loc?.start ?? {};
    const [start, end] = [from.start - HEAD.length, to.end - HEAD.length];
    const literal = { start, end, line: line - 1, column: column + 1 };
    const literals = found.get(value);
    if (literals) literals.push(literal);
    else found.set(value, [literal]);
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === tokTypes.string) note(token, token, token);
    if (token.type !== tokTypes.template) continue;
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (before?.type === tokTypes.backQuote && after?.type === tokTypes.backQuote) note(token, before, after);
  }
  return found;
}

/** The quoted occurrences of the path in a text that does not parse. */
export function quotedInText(text: string, path: string): Literal[] {
  const found: Literal[] = [];
  if (path === '') return found;
  let line = 1;
  let lineStart = 0;
  let looked = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    const quote = text[at - 1];
    const end = at + path.length;
    if (quote === undefined || !`'"\``.includes(quote) || text[end] !== quote) continue;
    for (let next = text.indexOf('\n', looked); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
      line++;
      lineStart = next + 1;
    }
    looked = Math.max(looked, lineStart);
    found.push({ start: at - 1, end: end + 1, line, column: at - lineStart });
  }
  return found;
}

/** The text with the literals replaced by another path, each in its own quotes. They are in order. */
export function replaceLiterals(text: string, literals: readonly Literal[], path: string): string {
  let replaced = '';
  let done = 0;
  for (const { start, end } of literals) {
    const quote = text[start] ?? "'";
    replaced += text.slice(done, start) + quoted(path, quote);
    done = end;
  }
  return replaced + text.slice(done);
}

function quoted(path: string, quote: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`);
  return quote + (quote === '`' ? escaped.replaceAll('${', '\\${') : escaped) + quote;
}

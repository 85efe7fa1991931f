import type { Node, Token } from 'acorn';
import { parseExpressionAt, tokTypes } from 'acorn';
import { problemOfTagPath } from '#domain/tag/tag-path';

/** A literal of a script: its quotes are at `start` and before `end`. */
export interface Literal {
  start: number;
  end: number;
  line: number;
  column: number;
  /** A template with a tag, such as String.raw: nothing in it can be escaped. */
  isTagged?: true;
  /** The key of an object or class, or the label of a case: the same one twice hides one of them. */
  isKey?: true;
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
  let root: Node;
  try {
    root = parseExpressionAt(HEAD + body + TAIL, 0, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      locations: true,
      onToken: tokens,
    });
    // A brace of the body has closed the function, and more follows.
    if (root.type !== 'FunctionExpression' || root.end !== HEAD.length + body.length + TAIL.length) return null;
  } catch {
    return null;
  }
  const found = new Map<string, Literal[]>();
  let keys: ReadonlySet<number> | null = null;
  const note = (place: number, count: 1 | 3): void => {
    const [first, ...others] = tokens.slice(place, place + count);
    const [from, token, to] = [first, others[0] ?? first, others.at(-1) ?? first];
    if (!from || !token || !to) return;
    const isTagged = count === 3 && isTag(tokens[place - 1]);
    const cooked: unknown = 'value' in token ? token.value : null;
    const value = isTagged ? body.slice(token.start - HEAD.length, token.end - HEAD.length) : cooked;
    if (typeof value !== 'string' || problemOfTagPath(value) !== null) return;
    const { line = 1, column = from.start } = from.loc?.start ?? {};
    const [start, end] = [from.start - HEAD.length, to.end - HEAD.length];
    const literal: Literal = { start, end, line: line - 1, column: column + 1 };
    if (isTagged) literal.isTagged = true;
    keys ??= keyPlaces(root);
    if (keys.has(from.start)) literal.isKey = true;
    const literals = found.get(value);
    if (literals) literals.push(literal);
    else found.set(value, [literal]);
  };
  for (const [index, token] of tokens.entries()) {
    if (token.type === tokTypes.string) note(index, 1);
    if (token.type !== tokTypes.template) continue;
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    if (before?.type === tokTypes.backQuote && after?.type === tokTypes.backQuote) note(index - 1, 3);
  }
  return found;
}

const NO_TAGS = new Set(['await', 'yield', 'of']);

/** Whether a template after this token is tagged. After a condition in parentheses it is not, which does no harm. */
function isTag(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.type === tokTypes.name) return !('value' in token && NO_TAGS.has(String(token.value)));
  return [tokTypes.parenR, tokTypes.bracketR].includes(token.type);
}

const MEMBERS: ReadonlySet<string> = new Set(['Property', 'MethodDefinition', 'PropertyDefinition']);

/** Where the keys of objects and classes, also computed ones, and the labels of cases begin that are literals. */
function keyPlaces(root: Node): Set<number> {
  const places = new Set<number>();
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const keyRole = MEMBERS.has(node.type) ? 'key' : node.type === 'SwitchCase' ? 'test' : null;
    for (const [role, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue;
        waiting.push(child);
        if (role !== keyRole) continue;
        const text = child.type === 'TaggedTemplateExpression' && 'quasi' in child ? child.quasi : child;
        if (isNode(text)) places.add(text.start);
      }
    }
  }
  return places;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
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

/**
 * The literals that can become another path without a loss: not keys next to one with that path (JavaScript would
 * use only one of them), nor tagged templates that cannot contain it.
 * @param taken the literals that already have the path
 */
export function renameable(literals: readonly Literal[], path: string, taken: readonly Literal[]): Literal[] {
  const isKeyTaken = taken.some((literal) => literal.isKey);
  const needsEscape = /[`\\]|\$\{/.test(path);
  return literals.filter((literal) => !(literal.isKey && isKeyTaken) && !(literal.isTagged && needsEscape));
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

import { type AnyNode, parse } from 'acorn';
import type { ApiParameter } from '#domain/mock/api-call';
import { API_PARAMETERS, EXPECTED_VERBS, httpVerbOf } from '#domain/mock/api-call';

/** A string that a script passes to TagValueManager as the path of a tag. */
export interface TagLiteral {
  path: string;
  /** The offsets of the text inside the quotes. */
  start: number;
  end: number;
}

/** A string that a method of ApiValueManager rejects in its position. */
export interface InvalidLiteral {
  start: number;
  end: number;
  problem: string;
}

/** The maximum number of names from a call to a literal; names can refer to each other in a cycle. */
const MOST_STEPS = 5;

/**
 * The literals that are paths in calls of TagValueManager, in order: in the call itself, or in a `const` that is passed
 * to it; and literals that a method of ApiValueManager rejects. Texts built at run time are not included. Null if the body
 * does not parse.
 */
export function literalsOf(body: string): { paths: TagLiteral[]; invalid: InvalidLiteral[] } | null {
  const nodes = nodesOf(body);
  if (!nodes) return null;
  const constants = new Map<string, AnyNode>();
  for (const node of nodes) {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
    for (const { id, init } of node.declarations) if (id.type === 'Identifier' && init) constants.set(id.name, init);
  }
  const found = new Map<number, TagLiteral>();
  const follow = (node: AnyNode | null | undefined, each: (node: AnyNode) => void, steps = 0): void => {
    if (!node || steps > MOST_STEPS) return;
    if (node.type === 'Identifier') return follow(constants.get(node.name), each, steps + 1);
    if (node.type === 'ConditionalExpression') {
      follow(node.consequent, each, steps + 1);
      follow(node.alternate, each, steps + 1);
      return;
    }
    each(node);
  };
  const path = (node: AnyNode): void => {
    const value = textOf(node);
    if (value !== null) found.set(node.start, { path: value, start: node.start + 1, end: node.end - 1 });
  };
  const elements = (node: AnyNode, each: (node: AnyNode) => void): void => {
    if (node.type !== 'ArrayExpression') return;
    for (const element of node.elements) {
      if (element?.type === 'SpreadElement') follow(element.argument, (list) => elements(list, each), 1);
      else follow(element, each);
    }
  };
  const item = (node: AnyNode): void => {
    if (node.type !== 'ObjectExpression') return;
    for (const property of node.properties) {
      if (property.type !== 'Property' || property.computed) continue;
      const name = property.key.type === 'Identifier' ? property.key.name : textOf(property.key);
      if (name === 'tag' || name === 'Tag') follow(property.value, path);
    }
  };
  const invalid = new Map<number, InvalidLiteral>();
  const argument = (parameter: ApiParameter | undefined) => (node: AnyNode) => {
    const value = textOf(node);
    const problem = value === null ? null : problemOf(parameter, value);
    if (problem !== null) invalid.set(node.start, { start: node.start + 1, end: node.end - 1, problem });
  };
  for (const node of nodes) {
    if (node.type !== 'CallExpression') continue;
    const [object, method] = calleeOf(node);
    if (object === 'TagValueManager' && (method === 'Get' || method === 'Set')) {
      follow(node.arguments[0], (list) => elements(list, method === 'Get' ? path : item));
    } else if (object === 'ApiValueManager') {
      const parameters = Object.entries(API_PARAMETERS).find(([name]) => name === method)?.[1] ?? [];
      for (const [index, given] of node.arguments.entries()) {
        if (given.type === 'SpreadElement') break;
        follow(given, argument(parameters[index]));
      }
    }
  }
  const inOrder = <T extends { start: number }>(literals: Map<number, T>) =>
    [...literals.values()].toSorted((a, b) => a.start - b.start);
  return { paths: inOrder(found), invalid: inOrder(invalid) };
}

/** The object and the method of a call of a member. */
function calleeOf(node: AnyNode): [object: string, method: string] | [] {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return [];
  const { object, property } = node.callee;
  return object.type === 'Identifier' && property.type === 'Identifier' ? [object.name, property.name] : [];
}

const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

function problemOf(parameter: ApiParameter | undefined, value: string): string | null {
  if (parameter === 'httpMethod' && httpVerbOf(value) === null) {
    return `httpMethod is "${value}"; pass ${EXPECTED_VERBS}.`;
  }
  if (parameter === 'mediaType' && value.trim() !== '' && !value.includes('{{') && !MEDIA_TYPE.test(value)) {
    return `mediaType is "${value}"; pass one such as "application/json".`;
  }
  return null;
}

/** The text of a string, or of a single-line template without expressions. */
function textOf(node: AnyNode): string | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral' || node.expressions.length > 0) return null;
  const text = node.quasis[0]?.value.cooked ?? null;
  return text?.includes('\n') ? null : text;
}

/** Every node of a body; not recursive, because a body can be nested deeply. */
function nodesOf(body: string): AnyNode[] | null {
  const nodes: AnyNode[] = [];
  try {
    const open: unknown[] = [
      parse(body, {
        ecmaVersion: 'latest',
        allowReturnOutsideFunction: true,
        allowAwaitOutsideFunction: true,
      }),
    ];
    for (let value = open.pop(); value !== undefined; value = open.pop()) {
      if (isNode(value)) nodes.push(value);
      if (typeof value !== 'object' || value === null || value instanceof RegExp) continue;
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) open.push(member);
    }
  } catch {
    return null;
  }
  return nodes;
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** A token of a line. */
interface LineToken {
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

import { type Node, parseExpressionAt, type Token, tokTypes } from 'acorn';
import { SCRIPT_LIMITS } from '#domain/run/script';
import { type Inserted, lineAt, lineStartsOf } from './columns.ts';
import { MAX_COVERED } from '../sandbox/protocol/limits.ts';

/** A body that reports which of its statements run. Its lines are those of the original, its columns are not. */
export interface Instrumented {
  body: string;
  /** The name of the function that the body calls with the number of a statement. */
  counter: string;
  /** The original line of each statement, from 1. */
  lines: number[];
  /** The calls, in the order of their places. */
  inserted: Inserted[];
}

/**
 * Longer bodies are not counted: the test waits for the parser. This length takes 0.1 s, and 0.6 s if it consists of
 * declarations, whose time grows with the square of their number.
 */
const MAX_LENGTH = 100_000;
const HEAD = 'async function () {';
const TAIL = '\n}';

interface Insertion {
  at: number;
  text: string;
  /** Ends what a former insertion began. */
  closes?: boolean;
}

/**
 * Inserts a call before every statement, without new lines: `count(7);a = b`. Single statements without braces get some,
 * and the expression of an arrow function gets a comma. What the body computes does not change; only its own text
 * (`Function.prototype.toString`) does. Null for a body that does not parse, or is too long for this: it runs without.
 */
export function instrumented(body: string): Instrumented | null {
  if (body.length > MAX_LENGTH) return null;
  const names = new Set<string>();
  const root = parsed(body, names);
  if (!root) return null;
  const counter = unusedName(body, names);
  const starts: number[] = [];
  const insertions: Insertion[] = [];
  const count = (at: number): string => `${counter}(${starts.push(at) - 1})`;
  for (const { node, parent, role } of nodesOf(root)) insertions.push(...around(node, parent, role, count));
  if (starts.length > MAX_COVERED) return null;
  // Nodes, and so their beginnings, come from the outside in. Ends at the same place come first, from the inside out.
  const order = new Map(insertions.map((one, place) => [one, one.closes ? -place : place + 1]));
  insertions.sort((a, b) => a.at - b.at || (order.get(a) ?? 0) - (order.get(b) ?? 0));
  const added = insertions.reduce((sum, one) => sum + one.text.length, 0);
  if (Buffer.byteLength(body) + added > SCRIPT_LIMITS.bodyBytes) return null;
  const parts: string[] = [];
  let from = 0;
  for (const { at, text } of insertions) {
    parts.push(body.slice(from, at - HEAD.length), text);
    from = at - HEAD.length;
  }
  const text = parts.join('') + body.slice(from);
  const lineStarts = lineStartsOf(body);
  return {
    body: text,
    counter,
    lines: starts.map((at) => lineAt(lineStarts, at - HEAD.length)),
    inserted: insertions.map((one) => ({ at: one.at - HEAD.length, length: one.text.length })),
  };
}

/** `$c`, or that with the first number that makes it a name which the body uses nowhere, not even in a text for `eval`. */
function unusedName(body: string, names: ReadonlySet<string>): string {
  const used = new Set(names);
  for (const [name] of body.matchAll(/\$c\d{0,6}/g)) used.add(name);
  let [name, number] = ['$c', 0];
  while (used.has(name)) name = `$c${(number += 1)}`;
  return name;
}

/**
 * The function around the body; null if the body is not one function body. Adds the names that the body uses, also
 * names that are written with escapes (`\u0024c`).
 */
function parsed(body: string, names: Set<string>): Node | null {
  const text = HEAD + body + TAIL;
  const onToken = (token: Token): void => {
    if (token.type === tokTypes.name && 'value' in token) names.add(String(token.value));
  };
  try {
    const root = parseExpressionAt(text, 0, { ecmaVersion: 'latest', sourceType: 'script', onToken });
    return root.type === 'FunctionExpression' && root.end === text.length ? root : null;
  } catch {
    return null;
  }
}

interface Placed {
  node: Node;
  parent: Node;
  /** The member of the parent that it is. */
  role: string;
}

/** All nodes below a node, outer ones before inner ones. */
function* nodesOf(root: Node): Generator<Placed> {
  const waiting: Placed[] = [{ node: root, parent: root, role: '' }];
  for (let placed = waiting.pop(); placed; placed = waiting.pop()) {
    const { node } = placed;
    if (placed.role !== '') yield placed;
    // An object of the script would receive the name of the counter.
    if (node.type === 'WithStatement') continue;
    const below = Object.entries(node).flatMap(([role, value]) =>
      [value].flat().flatMap((child) => (isNode(child) ? [{ node: child, parent: node, role }] : [])),
    );
    for (const child of below.toReversed()) waiting.push(child);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

const LISTS = new Set(['BlockStatement', 'StaticBlock', 'SwitchCase']);
/** They do nothing where they are, or consist of other statements. */
const NOT_COUNTED = new Set(['BlockStatement', 'EmptyStatement', 'FunctionDeclaration']);

function around(node: Node, parent: Node, role: string, count: (at: number) => string): Insertion[] {
  const { type, start, end } = node;
  const isDirective = 'directive' in node && typeof node.directive === 'string';
  if (parent.type === 'ArrowFunctionExpression' && role === 'body' && type !== 'BlockStatement') {
    return [
      { at: start, text: `(${count(start)},` },
      { at: end, text: ')', closes: true },
    ];
  }
  if (NOT_COUNTED.has(type) || isDirective) return [];
  if (LISTS.has(parent.type) && (role === 'body' || role === 'consequent')) {
    return [{ at: start, text: `${count(start)};` }];
  }
  // `else if` stays as flat as it is.
  if (type === 'IfStatement' && role === 'alternate' && 'test' in node && isNode(node.test)) {
    const { test } = node;
    return [
      { at: test.start, text: `${count(start)},(` },
      { at: test.end, text: ')', closes: true },
    ];
  }
  const isSingle =
    (parent.type === 'IfStatement' && (role === 'consequent' || role === 'alternate')) ||
    (role === 'body' && /^(?:For|ForIn|ForOf|While|DoWhile)Statement$/.test(parent.type));
  if (!isSingle) return [];
  return [
    { at: start, text: `{${count(start)};` },
    { at: end, text: '}', closes: true },
  ];
}

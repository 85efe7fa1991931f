import { type Node, parseExpressionAt } from 'acorn';

/** A node of the syntax tree with any members. */
export type Tree = Node & Record<string, unknown>;

export function isNode(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

export function childrenOf(node: Tree, role: string): Tree[] {
  const value = node[role];
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
}

export const isFunction = ({ type }: Tree): boolean =>
  type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** The name of an identifier or of a key; null for anything else. */
export function nameOf(node: Tree): string | null {
  if (node.type === 'Identifier') return String(node['name']);
  if (node.type === 'PrivateIdentifier') return `#${String(node['name'])}`;
  return node.type === 'Literal' ? String(node['value']) : null;
}

/** The names that a pattern declares. */
export function addPattern(node: Tree, names: Set<string>): void {
  switch (node.type) {
    case 'Identifier':
      names.add(String(node['name']));
      return;
    case 'AssignmentPattern':
      for (const child of childrenOf(node, 'left')) addPattern(child, names);
      return;
    case 'RestElement':
      for (const child of childrenOf(node, 'argument')) addPattern(child, names);
      return;
    case 'ObjectPattern':
      for (const child of childrenOf(node, 'properties')) addPattern(child, names);
      return;
    case 'Property':
      for (const child of childrenOf(node, 'value')) addPattern(child, names);
      return;
    default:
      for (const child of childrenOf(node, 'elements')) addPattern(child, names);
  }
}

/** The identifiers that a pattern gives a value. */
export function namesOf(node: unknown): Tree[] {
  if (!isNode(node)) return [];
  switch (node.type) {
    case 'Identifier':
      return [node];
    case 'AssignmentPattern':
      return namesOf(node['left']);
    case 'RestElement':
      return namesOf(node['argument']);
    case 'ObjectPattern':
      return childrenOf(node, 'properties').flatMap(namesOf);
    case 'Property':
      return namesOf(node['value']);
    case 'ArrayPattern':
      return childrenOf(node, 'elements').flatMap(namesOf);
    default:
      return [];
  }
}

export const isParenthesized = ({ type }: Tree): boolean => type === 'ParenthesizedExpression';

export function withoutParentheses(node: unknown): Tree | null {
  if (!isNode(node)) return null;
  return isParenthesized(node) ? withoutParentheses(node['expression']) : node;
}

export const isPattern = (node: unknown): boolean =>
  isNode(node) && (node.type === 'ObjectPattern' || node.type === 'ArrayPattern');

/** What a statement declares in its block. */
export function addLexical(node: Tree, names: Set<string>): void {
  if (node.type === 'VariableDeclaration' && node['kind'] !== 'var') {
    for (const one of childrenOf(node, 'declarations')) for (const id of childrenOf(one, 'id')) addPattern(id, names);
  } else if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') {
    for (const id of childrenOf(node, 'id')) addPattern(id, names);
  } else if (node.type === 'LabeledStatement') {
    for (const body of childrenOf(node, 'body')) addLexical(body, names);
  }
}

/** The variables of `var` in a function, however deep in its blocks. */
export function addVars(root: Tree, names: Set<string>): void {
  const waiting = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isFunction(node) || node.type === 'FunctionDeclaration' || node.type.startsWith('Class')) continue;
    if (node.type === 'VariableDeclaration' && node['kind'] === 'var') {
      for (const one of childrenOf(node, 'declarations')) for (const id of childrenOf(one, 'id')) addPattern(id, names);
    }
    // A list of 250,000 statements has no room on the stack.
    for (const role of Object.keys(node)) for (const child of childrenOf(node, role)) waiting.push(child);
  }
}

/** The function of a text that is one function expression in parentheses; null for any other. */
export function functionOf(text: string): Tree | null {
  try {
    const root = parseExpressionAt(text, 0, { ecmaVersion: 'latest', sourceType: 'script', preserveParens: true });
    if (root.type !== 'ParenthesizedExpression' || root.end !== text.length) return null;
    const expression: unknown = Reflect.get(root, 'expression');
    return isNode(expression) && expression.type === 'FunctionExpression' ? expression : null;
  } catch {
    return null;
  }
}

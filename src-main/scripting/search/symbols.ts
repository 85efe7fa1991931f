import type { AnyNode, Identifier, PrivateIdentifier } from 'acorn';
import { parseExpressionAt } from 'acorn';
import type { MatchRole } from '#domain/search/found';
import type { BodySymbol, SymbolKind } from '#domain/search/symbol';

/** A body is that of an async function. */
const HEAD = 'async function () {\n';
const TAIL = '\n}';

/** Characters. Parsing more would block main for longer than other requests may wait. */
const MOST_PARSED = 50_000;

/** The syntax tree of a body; null if it is longer, or does not parse. */
function treeOf(body: string): AnyNode | null {
  if (body.length > MOST_PARSED) return null;
  try {
    const tree = parseExpressionAt(HEAD + body + TAIL, 0, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      locations: true,
    });
    return tree.type === 'FunctionExpression' && tree.end === HEAD.length + body.length + TAIL.length ? tree : null;
  } catch {
    return null;
  }
}

/**
 * The functions, classes and methods of a body, and the constants at its top. A body that is too long or does not parse is searched for
 * lines that begin with a declaration.
 */
export function symbolsIn(body: string): BodySymbol[] {
  const tree = treeOf(body);
  if (tree?.type !== 'FunctionExpression') return declaredLines(body);
  const symbols: BodySymbol[] = [];
  const note = (id: Identifier | PrivateIdentifier, kind: SymbolKind, container: string | null): void => {
    const { line = 1, column = 0 } = id.loc?.start ?? {};
    const [start, end] = [id.start - HEAD.length, id.end - HEAD.length];
    symbols.push({ name: body.slice(start, end), kind, container, start, end, line: line - 1, column: column + 1 });
  };
  /** Members of an object or a class that are functions. */
  const noteMember = (key: AnyNode, value: AnyNode | null | undefined, container: string | null): void => {
    const isNamed = key.type === 'Identifier' || key.type === 'PrivateIdentifier';
    if (isNamed && value && isFunction(value)) note(key, 'method', container);
  };
  const visit = (node: AnyNode, container: string | null): void => {
    let inside = container;
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        if (node.id) note(node.id, node.type === 'ClassDeclaration' ? 'class' : 'function', container);
        inside = node.id?.name ?? container;
        break;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) {
          const kind = init && isFunction(init) ? 'function' : init?.type === 'ClassExpression' ? 'class' : 'constant';
          if (kind === 'constant' && (node.kind !== 'const' || container !== null)) continue;
          for (const name of namesIn(id)) note(name, kind, container);
        }
        break;
      case 'VariableDeclarator':
        inside = node.id.type === 'Identifier' && node.init && names(node.init) ? node.id.name : container;
        break;
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'Property':
        if (!node.computed) noteMember(node.key, node.value, container);
        break;
      default:
    }
    for (const child of childrenOf(node)) visit(child, inside);
  };
  try {
    visit(tree.body, null);
  } catch {
    // A tree that is nested too deeply: what was found so far.
  }
  return symbols.toSorted((a, b) => a.start - b.start);
}

/** Whether it is the scope of the names in it. */
const names = (init: AnyNode): boolean =>
  isFunction(init) || init.type === 'ClassExpression' || init.type === 'ObjectExpression';

const isFunction = ({ type }: AnyNode): boolean => type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** The variables of a pattern. */
function* namesIn(pattern: AnyNode): Generator<Identifier> {
  if (pattern.type === 'Identifier') yield pattern;
  else if (pattern.type === 'Property') yield* namesIn(pattern.value);
  else if (pattern.type === 'AssignmentPattern') yield* namesIn(pattern.left);
  else if (pattern.type === 'ObjectPattern' || pattern.type === 'ArrayPattern' || pattern.type === 'RestElement') {
    for (const child of childrenOf(pattern)) yield* namesIn(child);
  }
}

function* childrenOf(node: AnyNode): Generator<AnyNode> {
  for (const value of Object.values<unknown>({ ...node })) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child;
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const DECLARED = /^[ \t]*(?:async\s+)?(function\s*\*?|class|const)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu;

function declaredLines(body: string): BodySymbol[] {
  let [line, from] = [1, 0];
  return [...body.matchAll(DECLARED)].map((match) => {
    const [whole, keyword = '', name = ''] = match;
    const start = match.index + whole.length - name.length;
    for (let next = body.indexOf('\n', from); next >= 0 && next < start; next = body.indexOf('\n', from)) {
      line += 1;
      from = next + 1;
    }
    const kind = keyword === 'class' ? 'class' : keyword === 'const' ? 'constant' : 'function';
    return { name, kind, container: null, start, end: start + name.length, line, column: start - from + 1 };
  });
}

/** The role of each reference to a name in a body, by its offset; null if the body does not parse. */
export function rolesIn(body: string, name: string): Map<number, MatchRole> | null {
  const tree = treeOf(body);
  if (!tree) return null;
  const roles = new Map<number, MatchRole>();
  const members: number[] = [];
  let hasMethod = false;
  const declared = new Set<AnyNode>();
  const visit = (node: AnyNode, parent: AnyNode | null): void => {
    const isNamed = (node.type === 'Identifier' || node.type === 'PrivateIdentifier') && node.name === name;
    if (isNamed && parent) {
      const role = declared.has(node) ? 'definition' : roleOf(node, parent);
      // `.name` and `name:` are another name, unless the script has a method like that.
      if (role === 'member') members.push(node.start);
      else roles.set(node.start - HEAD.length, role);
      hasMethod ||= role === 'definition' && 'key' in parent && parent.key === node;
    }
    if (node.type === 'VariableDeclarator') for (const id of namesIn(node.id)) declared.add(id);
    for (const child of childrenOf(node)) visit(child, node);
  };
  try {
    visit(tree, null);
  } catch {
    return null;
  }
  if (hasMethod) for (const start of members) roles.set(start - HEAD.length, 'use');
  return roles;
}

function roleOf(node: AnyNode, parent: AnyNode): MatchRole | 'member' {
  switch (parent.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return parent.id === node ? 'definition' : 'use';
    case 'MethodDefinition':
    case 'PropertyDefinition':
    case 'Property':
      if (parent.key !== node || parent.computed) return 'use';
      if (parent.type === 'Property' && parent.shorthand) return 'use';
      return parent.value && isFunction(parent.value) ? 'definition' : 'member';
    case 'MemberExpression':
      return parent.property === node && !parent.computed ? 'member' : 'use';
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node ? 'call' : 'use';
    case 'TaggedTemplateExpression':
      return parent.tag === node ? 'call' : 'use';
    default:
      return 'use';
  }
}

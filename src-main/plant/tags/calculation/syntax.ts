import type { Node } from 'acorn';

/** The nodes directly below a node, in the order of the text. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) children.push(child);
  }
  return children;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Whether a node is a name of a variable, not of a member or a label. */
export function isOwnName(node: Node, parent: Node | null): node is Node & { name: string } {
  if (node.type !== 'Identifier') return false;
  if (parent === null) return true;
  const computed = 'computed' in parent && parent.computed === true;
  switch (parent.type) {
    case 'MemberExpression':
      return computed || !('property' in parent) || parent.property !== node;
    case 'Property':
      // `{ a }` has one node for both the key and the value.
      return (
        computed || !('key' in parent) || parent.key !== node || ('shorthand' in parent && parent.shorthand === true)
      );
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return computed || !('key' in parent) || parent.key !== node;
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
      return false;
    default:
      return true;
  }
}

const FUNCTIONS = new Set(['FunctionExpression', 'FunctionDeclaration', 'ArrowFunctionExpression']);

/** Every name that the expression declares anywhere: parameters, variables, functions, classes. */
export function boundNames(root: Node): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (FUNCTIONS.has(node.type) && 'params' in node && Array.isArray(node.params)) {
      for (const parameter of node.params) addPattern(parameter, names);
    }
    if (node.type === 'VariableDeclarator' || FUNCTIONS.has(node.type) || node.type.startsWith('Class')) {
      if ('id' in node) addPattern(node.id, names);
    }
    if (node.type === 'CatchClause' && 'param' in node) addPattern(node.param, names);
    waiting.push(...childrenOf(node));
  }
  return names;
}

/** The names of a pattern such as `{ a, b: [c = 1] }`; names in default values are included, which is harmless. */
function addPattern(pattern: unknown, names: Set<string>): void {
  if (!isNode(pattern)) return;
  const waiting = [pattern];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === 'Identifier' && 'name' in node && typeof node.name === 'string') names.add(node.name);
    else if (node.type === 'AssignmentPattern' && 'left' in node && isNode(node.left)) waiting.push(node.left);
    else if (node.type === 'Property' && 'value' in node && isNode(node.value)) waiting.push(node.value);
    else if (/^(Object|Array)Pattern$|^RestElement$/.test(node.type)) waiting.push(...childrenOf(node));
  }
}

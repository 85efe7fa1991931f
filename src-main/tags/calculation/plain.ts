import type { Node } from 'acorn';
import { childrenOf } from './syntax.ts';

/** What an expression may use without introducing it. */
export const KNOWN_GLOBALS: ReadonlySet<string> = new Set(
  (
    'Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object RangeError RegExp Set String ' +
    'TypeError Uint8Array decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt undefined'
  ).split(' '),
);

const PLAIN_NODES = new Set(
  (
    'Identifier Literal TemplateLiteral TemplateElement UnaryExpression BinaryExpression LogicalExpression ' +
    'ConditionalExpression SequenceExpression ParenthesizedExpression MemberExpression ChainExpression CallExpression ArrayExpression'
  ).split(' '),
);
const PLAIN_FUNCTIONS = new Set('Boolean Number String isFinite isNaN parseFloat parseInt'.split(' '));
/** Objects of the language whose functions take and give plain values. */
const PLAIN_OBJECTS = new Set(['Math', 'Number', 'Date']);
/** Methods of numbers, texts and arrays that change nothing, call nobody back and take a bounded time. */
const PLAIN_METHODS = new Set(
  (
    'at charAt charCodeAt concat endsWith includes indexOf join lastIndexOf slice startsWith substring toFixed ' +
    'toLowerCase toPrecision toString toUpperCase trim trimEnd trimStart'
  ).split(' '),
);

export interface PlainCheck {
  /** Looks at one node of the expression. */
  look(node: Node): void;
  /** Whether every node was plain. */
  readonly passed: boolean;
}

/**
 * Finds out whether an expression is plain: made of operators, literals, members and calls of harmless functions alone.
 * Such an expression has no loop and no function of its own, so it ends, and nothing it does is seen by others. Most
 * expressions are; the others run in a realm that was frozen before, which takes a little longer.
 */
export function plainCheck(bound: ReadonlySet<string>): PlainCheck {
  let passed = bound.size === 0;
  return {
    look(node) {
      if (passed) passed = isPlain(node);
    },
    get passed() {
      return passed;
    },
  };
}

function isPlain(node: Node): boolean {
  if (!PLAIN_NODES.has(node.type)) return false;
  if (node.type === 'UnaryExpression') return !('operator' in node && node.operator === 'delete');
  if (node.type === 'Literal') return !('regex' in node || 'bigint' in node);
  return node.type !== 'CallExpression' || isPlainCall(node);
}

function isPlainCall(call: Node): boolean {
  const [callee] = childrenOf(call);
  if (!callee) return false;
  if (callee.type === 'Identifier') return PLAIN_FUNCTIONS.has(nameOf(callee));
  if (callee.type !== 'MemberExpression' || ('computed' in callee && callee.computed === true)) return false;
  const [object, property] = childrenOf(callee);
  if (!object || !property) return false;
  return (object.type === 'Identifier' && PLAIN_OBJECTS.has(nameOf(object))) || PLAIN_METHODS.has(nameOf(property));
}

function nameOf(node: Node): string {
  return 'name' in node && typeof node.name === 'string' ? node.name : '';
}

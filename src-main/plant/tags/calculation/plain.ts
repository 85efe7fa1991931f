import { compileFunction } from 'node:vm';
import type { Node } from 'acorn';
import { childrenOf, isOwnName } from './syntax.ts';

/** Names that an expression may use without declaring them. */
export const KNOWN_GLOBALS: ReadonlySet<string> = new Set(
  (
    'Array BigInt Boolean Date Error Infinity JSON Map Math NaN Number Object RangeError RegExp Set String ' +
    'TypeError Uint8Array decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt undefined'
  ).split(' '),
);

/**
 * The realm that an expression needs. `shared`: by its form alone, it changes nothing and terminates. `frozen`: it
 * changes nothing either, but has functions or objects of its own, so the realm is also frozen. `own`: it may change
 * what it finds, so it runs alone.
 */
export type NeededRealm = 'shared' | 'frozen' | 'own';

export interface Plainness {
  realm: NeededRealm;
  /** Names of members that are not on the list: they are plain if nothing in the realm has a member with that name. */
  members: ReadonlySet<string>;
  /** The places of member keys that are known only at run time. */
  keys: readonly { start: number; end: number }[];
}

export interface PlainCheck {
  /** Checks one node of the expression. */
  look(node: Node, parent: Node | null): void;
  result(): Plainness;
}

const SHARED_NODES = new Set(
  (
    'Identifier Literal TemplateLiteral TemplateElement UnaryExpression BinaryExpression LogicalExpression ' +
    'ConditionalExpression SequenceExpression ParenthesizedExpression MemberExpression ChainExpression CallExpression ArrayExpression'
  ).split(' '),
);
const FROZEN_NODES = new Set(
  (
    'ArrowFunctionExpression FunctionExpression FunctionDeclaration ObjectExpression Property SpreadElement NewExpression ObjectPattern ArrayPattern ' +
    'AssignmentPattern RestElement BlockStatement EmptyStatement ExpressionStatement ReturnStatement IfStatement ' +
    'VariableDeclaration VariableDeclarator ForStatement ForOfStatement WhileStatement DoWhileStatement ' +
    'BreakStatement ContinueStatement SwitchStatement SwitchCase AssignmentExpression UpdateExpression ' +
    'ThrowStatement TryStatement CatchClause'
  ).split(' '),
);
/** The known globals that an expression cannot change with its allowed operations. */
const PLAIN_GLOBALS = new Set(
  (
    'Array Boolean Date Infinity JSON Map Math NaN Number Object Set String ' +
    'decodeURIComponent encodeURIComponent isFinite isNaN parseFloat parseInt undefined'
  ).split(' '),
);
/** Functions that only read their arguments and change nothing; the others need a frozen realm. */
const SHARED_FUNCTIONS = new Set('Boolean Number String isFinite isNaN parseFloat parseInt'.split(' '));
const CONSTRUCTORS = new Set('Array Date Map Set'.split(' '));

/**
 * Members that may be read and called on anything: no function of the language with one of these names changes anything
 * except what the expression itself created, gives access to a constructor, or turns text into code.
 */
export const PLAIN_MEMBERS: ReadonlySet<string> = new Set(
  `length message name size source flags global sticky unicode
  at concat entries every filter find findIndex findLast findLastIndex flat flatMap forEach from includes indexOf isArray
  join keys lastIndexOf map of reduce reduceRight slice some toReversed toSorted toSpliced toString toLocaleString values
  valueOf with next take drop toArray
  charAt charCodeAt codePointAt endsWith fromCharCode fromCodePoint isWellFormed localeCompare match matchAll normalize
  padEnd padStart raw repeat replace replaceAll search split startsWith substr substring toLocaleLowerCase
  toLocaleUpperCase toLowerCase toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart test exec
  anchor big blink bold fixed fontcolor fontsize italics link small strike sub sup
  EPSILON MAX_SAFE_INTEGER MAX_VALUE MIN_SAFE_INTEGER MIN_VALUE NEGATIVE_INFINITY NaN POSITIVE_INFINITY isFinite
  isInteger isNaN isSafeInteger parseFloat parseInt toExponential toFixed toPrecision
  E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2 abs acos acosh asin asinh atan atan2 atanh cbrt ceil clz32 cos cosh exp expm1
  f16round floor fround hypot imul log log10 log1p log2 max min pow random round sign sin sinh sqrt sumPrecise tan tanh
  trunc
  UTC now parse stringify getDate getDay getFullYear getHours getMilliseconds getMinutes getMonth getSeconds getTime
  getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth
  getUTCSeconds getYear setDate setFullYear setHours setMilliseconds setMinutes setMonth setSeconds setTime setUTCDate
  setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth setUTCSeconds toDateString toGMTString
  toISOString toJSON toLocaleDateString toLocaleTimeString toTimeString toUTCString
  fromEntries groupBy hasOwn hasOwnProperty is
  get has union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom`.split(/\s+/),
);
/** These change the array that they are called on, which is private to the expression if it is created right there. */
const MEMBERS_OF_OWN_ARRAY = new Set(['sort', 'reverse']);

/**
 * A function that returns whether anything that a plain expression can reach has a member with this name. It is a text
 * because it runs both here and in the realm of the expressions, which may have another version of the engine.
 */
export const IS_TAKEN = `(() => {
  const texts = 'a'.matchAll(/a/g), lists = [].values();
  const samples = [Array, Boolean, Date, JSON, Map, Math, Number, Object, Set, String, () => 0, [], {}, Object(''), Object(0),
    Object(true), new Date(0), /a/, new Map(), new Set(), lists, lists.map((one) => one), texts,
    new Error(), new Map().keys(), new Set().keys()];
  return (name) => samples.some((sample) => name in sample);
})()`;
const taken = compileFunction(`return (${IS_TAKEN})(name);`, ['name']);
const isTaken = (name: string): boolean => taken(name) === true;

/**
 * Determines the realm that an expression needs. A plain expression can only reach data, its own functions, and the
 * functions of the language that are on the list. Because it only writes to its own variables, and none of these
 * functions does more, its effects are invisible to others. Anything that is not on the lists below makes the
 * expression run alone.
 * @param bound every name that the expression declares
 */
export function plainCheck(bound: ReadonlySet<string>): PlainCheck {
  let realm: NeededRealm = bound.size === 0 ? 'shared' : 'frozen';
  const members = new Set<string>();
  const keys: { start: number; end: number }[] = [];
  let catches = false;

  function need(of: NeededRealm): void {
    if (of === 'own' || realm === 'shared') realm = of;
  }

  function named(name: string): void {
    if (PLAIN_MEMBERS.has(name)) return;
    if (isTaken(name)) need('own');
    else members.add(name);
  }

  function member(node: Node, parent: Node | null): void {
    const [object, key] = childrenOf(node);
    if (!object || !key) return need('own');
    const name = nameOf(key, isComputed(node));
    if (name === null) {
      keys.push({ start: key.start, end: key.end });
    } else if (MEMBERS_OF_OWN_ARRAY.has(name) && object.type === 'ArrayExpression' && isCallee(node, parent)) {
      need('frozen');
    } else named(name);
  }

  function look(node: Node, parent: Node | null): void {
    if (realm === 'own') return;
    if (!SHARED_NODES.has(node.type)) need(FROZEN_NODES.has(node.type) ? 'frozen' : 'own');
    switch (node.type) {
      case 'Identifier':
        if (isOwnName(node, parent) && !bound.has(node.name) && !PLAIN_GLOBALS.has(node.name)) need('own');
        return;
      case 'UnaryExpression':
        if ('operator' in node && node.operator === 'delete') need('own');
        return;
      case 'Literal':
        if ('bigint' in node) need('own');
        else if ('regex' in node) need('frozen');
        return;
      case 'MemberExpression':
        return member(node, parent);
      case 'Property':
        return property(node);
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        if ('generator' in node && node.generator === true) need('own');
        return;
      case 'TryStatement':
        catches = true;
        return;
      case 'CallExpression':
        return called(node);
      case 'NewExpression':
        return constructed(node);
      case 'AssignmentExpression':
      case 'UpdateExpression':
      case 'ForOfStatement':
        return assigned(node);
    }
  }

  /** A property of an object, or of a pattern. */
  function property(node: Node): void {
    const [key] = childrenOf(node);
    const name = key ? nameOf(key, isComputed(node)) : null;
    if (name === null || ('kind' in node && node.kind !== 'init')) need('own');
    else named(name);
  }

  function called(node: Node): void {
    const [callee] = childrenOf(node);
    if (callee?.type === 'MemberExpression') return;
    if (callee?.type !== 'Identifier' || !SHARED_FUNCTIONS.has(nameOf(callee, false) ?? '')) need('frozen');
  }

  function constructed(node: Node): void {
    const [callee] = childrenOf(node);
    const name = callee?.type === 'Identifier' ? nameOf(callee, false) : null;
    if (name === null || bound.has(name) || !CONSTRUCTORS.has(name)) need('own');
  }

  /** Only variables of its own: outside the scope of one, strict mode rejects its name. */
  function assigned(node: Node): void {
    const [target] = childrenOf(node);
    if (target?.type === 'VariableDeclaration') return;
    const name = target?.type === 'Identifier' ? nameOf(target, false) : null;
    if (name === null || KNOWN_GLOBALS.has(name) || !bound.has(name)) need('own');
  }

  return {
    look,
    // A key that turns out to need another realm throws, and the expression must not catch that.
    result: () => ({ realm: catches && keys.length > 0 ? 'own' : realm, members, keys }),
  };
}

function isComputed(node: Node): boolean {
  return 'computed' in node && node.computed === true;
}

/** The name of a key if it is known; null if it is known only at run time. */
function nameOf(key: Node, computed: boolean): string | null {
  if (key.type === 'Identifier' && !computed) return 'name' in key && typeof key.name === 'string' ? key.name : null;
  return key.type === 'Literal' && 'value' in key && /^(string|number)$/.test(typeof key.value)
    ? String(key.value)
    : null;
}

function isCallee(node: Node, parent: Node | null): boolean {
  return parent?.type === 'CallExpression' && 'callee' in parent && parent.callee === node;
}

import type { CodeRange } from '#domain/run/shown-values';
import { MarkedText } from './marked-text.ts';
import { type NotedVariable, type NotingBody, NOTING_PARAMETERS } from './noting-body.ts';
import {
  addLexical,
  childrenOf,
  functionOf,
  isFunction,
  isNode,
  isParenthesized,
  isPattern,
  nameOf,
  namesOf,
  type Tree,
  withoutParentheses,
} from './syntax.ts';

const HEAD = '(async function () {';
const TAIL = '\n})';
/** Longer names of members, such as `a.b.c.d`, are not noted. */
const MAX_MEMBER = 60;

/**
 * Adds calls to a body, without new lines: before every statement and branch, and after a variable got a value. What the
 * body computes does not change. Null for a body that does not parse; throws TooLong.
 *
 * @param token letters and digits that cannot be guessed, a `$` first
 */
export function instrumentForValues(body: string, token: string): NotingBody | null {
  const root = functionOf(HEAD + body + TAIL);
  if (root === null || body.includes(token)) return null;
  const instrument = new ValueInstrumenter(body, token);
  instrument.visitBody(root);
  return {
    body: instrument.text.toString(),
    token,
    points: instrument.points,
    variables: instrument.variables,
    heads: instrument.heads,
    inserted: instrument.text.inserted,
  };
}

/**
 * An expression is `quoted` if an error of the engine may quote its text, as in `a.b is not a function`: nothing is added
 * to it.
 */
class ValueInstrumenter {
  readonly text: MarkedText;
  readonly points: CodeRange[] = [];
  readonly variables: NotedVariable[] = [];
  readonly heads = new Set<number>();
  readonly #numbers = new Map<string, number>();
  #heads = 0;
  readonly #token: string;

  constructor(body: string, token: string) {
    this.text = new MarkedText(body, `/*${token}*/`, HEAD.length);
    this.#token = token;
  }

  visitBody(root: Tree): void {
    this.#function(root);
  }

  #function(node: Tree): void {
    const { body } = node;
    if (!isNode(body)) return;
    const params = childrenOf(node, 'params');
    const names = params.flatMap(namesOf);
    const notes = this.#notesOf(names);
    if (body.type === 'BlockStatement') this.#atStart(body, names, notes);
    else {
      this.text.open(body.start, `(${[this.#point(body), ...notes].join()},(`);
      this.text.close(body.end, '))');
    }
    for (const param of params) this.#visit(param, false);
    if (body.type === 'BlockStatement') this.#statements(childrenOf(body, 'body'));
    else this.#visit(body, false);
  }

  /** Notes variables at the start of a block, after its directives. */
  #atStart(block: Tree, names: readonly Tree[], calls = this.#notesOf(names)): void {
    if (calls.length === 0) return;
    for (const name of names) this.heads.add(this.#variable(name));
    const added = `${calls.join(';')};`;
    const statements = childrenOf(block, 'body');
    const first = statements.findIndex((statement) => typeof statement['directive'] !== 'string');
    // The last directive may end without a semicolon.
    this.text.open(statements[first]?.start ?? block.end - 1, first === 0 ? added : `;${added}`);
  }

  #statements(statements: readonly Tree[]): void {
    for (const statement of statements) {
      if (typeof statement['directive'] !== 'string') this.#statement(statement, true);
    }
  }

  /** @param isListed whether it is in a list of statements, so that a call can precede it */
  #statement(node: Tree, isListed: boolean): void {
    switch (node.type) {
      case 'BlockStatement':
        this.#statements(childrenOf(node, 'body'));
        return;
      case 'FunctionDeclaration':
        this.#function(node);
        return;
      case 'EmptyStatement':
        if (isListed) return;
        break;
      default:
    }
    const point = `${this.#point(node)};`;
    this.text.open(node.start, isListed ? point : `{${point}`);
    // A statement may end without a semicolon.
    const after = this.#after(node).map((call) => `;${call}`);
    if (after.length > 0) after.push(';');
    if (!isListed) after.push('}');
    if (after.length > 0) this.text.close(node.end, after.join(''));
    // An object of the script would receive the names that are added inside of it.
    if (node.type === 'WithStatement') {
      const { object } = node;
      if (isNode(object)) this.#visit(object, false);
    } else this.#inside(node);
  }

  /** What notes the variables of a statement after it. */
  #after(node: Tree): string[] {
    if (node.type === 'VariableDeclaration') {
      const declared = childrenOf(node, 'declarations').filter((one) => isNode(one['init']));
      return this.#notesOf(declared.flatMap((one) => namesOf(one['id'])));
    }
    const assigned = node.type === 'ExpressionStatement' ? withoutParentheses(node['expression']) : null;
    if (assigned?.type !== 'AssignmentExpression' || !isPattern(assigned['left'])) return [];
    return this.#notesOf(namesOf(assigned['left']));
  }

  #inside(node: Tree): void {
    switch (node.type) {
      case 'LabeledStatement':
        this.#labeled(node['body']);
        return;
      case 'IfStatement':
        this.#if(node);
        return;
      case 'ForStatement':
        this.#for(node);
        return;
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#forEach(node);
        return;
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.#expression(node['test']);
        this.#single(node['body']);
        return;
      case 'SwitchStatement':
        this.#expression(node['discriminant']);
        for (const one of childrenOf(node, 'cases')) {
          this.#expression(one['test']);
          this.#statements(childrenOf(one, 'consequent'));
        }
        return;
      case 'TryStatement':
        this.#try(node);
        return;
      case 'ReturnStatement':
        this.#return(node);
        return;
      default:
        this.#children(node, false);
    }
  }

  #return({ start, argument }: Tree): void {
    if (!isNode(argument)) return;
    this.#noted(argument, this.#number('return', start));
    this.#visit(argument, false);
  }

  /** The statement after labels keeps its place: `continue` needs a loop directly after its label. */
  #labeled(body: unknown): void {
    if (!isNode(body) || body.type === 'WithStatement' || body.type === 'EmptyStatement') return;
    if (body.type === 'BlockStatement' || body.type === 'FunctionDeclaration') this.#statement(body, true);
    else this.#inside(body);
  }

  /** A statement that may have no braces. Sloppy code may have a function there, whose name braces would hide. */
  #single(node: unknown): void {
    if (isNode(node)) this.#statement(node, false);
  }

  #if(node: Tree): void {
    this.#expression(node['test']);
    this.#single(node['consequent']);
    const { alternate } = node;
    if (!isNode(alternate)) return;
    if (alternate.type !== 'IfStatement') {
      this.#single(alternate);
      return;
    }
    // `else if` stays as flat as it is.
    const { test } = alternate;
    if (isNode(test)) {
      this.text.open(test.start, `${this.#point(alternate)},(`);
      this.text.close(test.end, ')');
    }
    this.#if(alternate);
  }

  #for(node: Tree): void {
    const { init } = node;
    if (isNode(init) && init.type === 'VariableDeclaration') {
      for (const one of childrenOf(init, 'declarations')) this.#initialized(one);
    } else this.#firstExpression(init);
    this.#expression(node['test']);
    this.#expression(node['update']);
    this.#single(node['body']);
  }

  /**
   * A variable in the head of a loop, which no statement can follow. A function gets its name from the variable directly.
   * Variables of a pattern are noted where another variable is initialized.
   */
  #initialized(declarator: Tree): void {
    const { id, init } = declarator;
    if (!isNode(id) || !isNode(init)) return;
    const notes = isPattern(id) ? this.#notesOf(namesOf(id)) : [];
    if (notes.length > 0) this.text.close(init.end, `,${this.#name(`h${this.#heads++}`)}=(${notes.join()})`);
    if (id.type === 'Identifier' && !isFunction(init) && !init.type.startsWith('Class') && !isParenthesized(init)) {
      this.#noted(init, this.#variable(id));
    }
    this.#visit(id, false);
    this.#visit(init, id.type !== 'Identifier');
  }

  #firstExpression(init: unknown): void {
    const assigned = withoutParentheses(init);
    if (isNode(init) && assigned?.type === 'AssignmentExpression' && isPattern(assigned['left'])) {
      const notes = this.#notesOf(namesOf(assigned['left']));
      if (notes.length > 0) {
        this.text.open(init.start, '(');
        this.text.close(init.end, `),${notes.join()}`);
      }
    }
    this.#expression(init);
  }

  /** The variables of `for (… of …)` are noted where its body begins. */
  #forEach(node: Tree): void {
    const { left, right, body } = node;
    const names = namesOf(isNode(left) && left.type === 'VariableDeclaration' ? firstId(left) : left);
    if (isNode(left)) this.#visit(left, false);
    if (isNode(right)) this.#visit(right, true);
    if (!isNode(body) || !isNode(left)) return;
    if (body.type === 'BlockStatement') {
      // A name that the body declares again cannot be read before.
      const own = new Set<string>();
      for (const statement of childrenOf(body, 'body')) addLexical(statement, own);
      const read = names.filter((name) => !own.has(nameOf(name) ?? ''));
      this.#atStart(body, read);
      this.#statement(body, true);
      return;
    }
    for (const name of names) this.heads.add(this.#variable(name));
    this.text.open(body.start, `{${this.#notesOf(names).join(';')};`);
    this.text.close(body.end, '}');
    this.#statement(body, false);
  }

  #try({ block, handler, finalizer }: Tree): void {
    if (isNode(block)) this.#statement(block, true);
    if (isNode(handler)) {
      const { param, body } = handler;
      if (isNode(param) && isNode(body)) {
        this.#atStart(body, namesOf(param));
        this.#visit(param, false);
      }
      if (isNode(body)) this.#statement(body, true);
    }
    if (isNode(finalizer)) this.#statement(finalizer, true);
  }

  #expression(node: unknown): void {
    if (isNode(node)) this.#visit(node, false);
  }

  #visit(node: Tree, quoted: boolean): void {
    switch (node.type) {
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node);
        return;
      case 'ClassExpression':
      case 'ClassDeclaration':
        this.#class(node);
        return;
      case 'AssignmentExpression':
        if (!quoted) this.#assigned(node, node['left']);
        if (isNode(node['left'])) this.#visit(node['left'], quoted);
        if (isNode(node['right'])) this.#visit(node['right'], quoted || isPattern(node['left']));
        return;
      case 'UpdateExpression':
        if (!quoted) this.#assigned(node, node['argument']);
        this.#children(node, quoted);
        return;
      case 'ConditionalExpression':
        this.#conditional(node, quoted);
        return;
      case 'LogicalExpression':
        if (isNode(node['left'])) this.#visit(node['left'], quoted);
        this.#branch(node['right'], quoted);
        return;
      case 'CallExpression':
      case 'NewExpression':
        if (isNode(node['callee'])) this.#visit(node['callee'], true);
        for (const argument of childrenOf(node, 'arguments')) this.#visit(argument, false);
        return;
      case 'TaggedTemplateExpression':
        if (isNode(node['tag'])) this.#visit(node['tag'], true);
        if (isNode(node['quasi'])) this.#visit(node['quasi'], false);
        return;
      case 'VariableDeclarator':
        if (isNode(node['id'])) this.#visit(node['id'], false);
        if (isNode(node['init'])) this.#visit(node['init'], isPattern(node['id']));
        return;
      case 'SpreadElement':
      case 'AssignmentPattern':
        this.#children(node, true);
        return;
      case 'YieldExpression':
        this.#children(node, quoted || node['delegate'] === true);
        return;
      case 'TemplateElement':
        return;
      default:
        this.#children(node, quoted);
    }
  }

  #children(node: Tree, quoted: boolean): void {
    if (node.type === 'ClassDeclaration') {
      this.#class(node);
      return;
    }
    for (const role of Object.keys(node)) for (const child of childrenOf(node, role)) this.#visit(child, quoted);
  }

  /** An assignment is noted with its value. `x++` has the value before. */
  #assigned(node: Tree, target: unknown): void {
    const noted = isNode(target) ? this.#target(target) : null;
    if (noted === null) return;
    const change =
      node.type !== 'UpdateExpression' || node['prefix'] === true ? '' : node['operator'] === '++' ? ',1' : ',-1';
    this.#noted(node, noted, change);
  }

  /** Notes the value of an expression, and passes it on. */
  #noted({ start, end }: Tree, variable: number, change = ''): void {
    this.text.open(start, `${this.#name(NOTING_PARAMETERS.note)}(${variable},(`);
    this.text.close(end, `)${change})`);
  }

  /** The number of an assigned variable, or of a member with a short name; null for anything else. */
  #target(node: Tree): number | null {
    if (node.type === 'Identifier') return this.#variable(node);
    if (!isPlainMember(node) || node.end - node.start > MAX_MEMBER) return null;
    const name = this.text.slice(node.start, node.end);
    return /[\s/]/.test(name) ? null : this.#number(name, node.start);
  }

  #conditional(node: Tree, quoted: boolean): void {
    if (isNode(node['test'])) this.#visit(node['test'], quoted);
    this.#branch(node['consequent'], quoted);
    this.#branch(node['alternate'], quoted);
  }

  /** A part of an expression that may not run. */
  #branch(node: unknown, quoted: boolean): void {
    if (!isNode(node)) return;
    if (!quoted) {
      this.text.open(node.start, `(${this.#point(node)},(`);
      this.text.close(node.end, '))');
    }
    this.#visit(node, quoted);
  }

  #class(node: Tree): void {
    if (isNode(node['superClass'])) this.#visit(node['superClass'], true);
    if (!isNode(node['body'])) return;
    for (const member of childrenOf(node['body'], 'body')) {
      if (member.type === 'StaticBlock') {
        this.#statements(childrenOf(member, 'body'));
        continue;
      }
      if (isNode(member['key']) && member['computed'] === true) this.#visit(member['key'], true);
      if (isNode(member['value'])) this.#visit(member['value'], false);
    }
  }

  /** Calls that note variables. */
  #notesOf(names: readonly Tree[]): string[] {
    const note = this.#name(NOTING_PARAMETERS.note);
    return names.map((name) => `${note}(${this.#variable(name)},${String(name['name'])})`);
  }

  #variable(identifier: Tree): number {
    return this.#number(String(identifier['name']), identifier.start);
  }

  /** A variable has one number for each line that assigns it. */
  #number(name: string, at: number): number {
    const { line } = this.text.placeOf(at);
    const key = `${line} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.variables.push({ line, name }) - 1;
    this.#numbers.set(key, number);
    return number;
  }

  /** A call that counts a statement or branch. */
  #point({ start, end }: Tree): string {
    const [from, to] = [this.text.placeOf(start), this.text.placeOf(end)];
    const number =
      this.points.push({ line: from.line, column: from.column, endLine: to.line, endColumn: to.column }) - 1;
    return `${this.#name(NOTING_PARAMETERS.point)}(${number})`;
  }

  #name(suffix: string): string {
    return this.#token + suffix;
  }
}

const firstId = (declaration: Tree): unknown => childrenOf(declaration, 'declarations')[0]?.['id'];

/** `a.b.c` or `this.a`: its text says enough. */
function isPlainMember(node: Tree): boolean {
  if (node.type !== 'MemberExpression' || node['computed'] === true || !isNode(node['object'])) return false;
  const { object } = node;
  return object.type === 'Identifier' || object.type === 'ThisExpression' || isPlainMember(object);
}

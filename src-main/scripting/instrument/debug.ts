import { type DebugBody, type DebugFunction, type DebugScope, PARAMETERS, type ProbePoint } from './debug-body.ts';
import { MarkedText } from './marked-text.ts';
import {
  addLexical,
  addPattern,
  addVars,
  childrenOf,
  functionOf,
  isFunction,
  isNode,
  nameOf,
  type Tree,
} from './syntax.ts';

const HEAD = '(async function () {';
const TAIL = '\n})';

/** What applies to a node that is visited. */
interface Context {
  fn: number;
  scope: number;
  /** The expression that gives the function which evaluates text here: a variable, or a function for this place. */
  view: string;
  isCaught: boolean;
  isFinally: boolean;
  /** The point of the current statement; null before the first. */
  point: ProbePoint | null;
}

/**
 * Adds probes to a body, without new lines: before every statement, at the start of every function and `catch`, around
 * thrown values. What the body computes does not change. Added text is between two comments that contain the token, so
 * that the guest can remove it from `Function.prototype.toString`. Null for a body that does not parse; throws TooLong.
 *
 * @param token letters and digits that cannot be guessed, a `$` first
 */
export function instrumentForDebug(body: string, token: string): DebugBody | null {
  const root = functionOf(HEAD + body + TAIL);
  if (root === null || body.includes(token)) return null;
  const instrument = new Instrumenter(body, token);
  instrument.visitBody(root);
  return {
    body: instrument.text.toString(),
    token,
    points: instrument.points,
    functions: instrument.functions,
    scopes: instrument.scopes,
    inserted: instrument.text.inserted,
  };
}

class Instrumenter {
  readonly text: MarkedText;
  readonly points: ProbePoint[] = [];
  readonly functions: DebugFunction[] = [];
  readonly scopes: DebugScope[] = [];
  readonly #token: string;

  constructor(body: string, token: string) {
    this.text = new MarkedText(body, `/*${token}*/`, HEAD.length);
    this.#token = token;
  }

  visitBody(root: Tree): void {
    this.#function(root, null);
  }

  /** A function with its parameters and body. Parameters belong to a scope of the function, but have no points. */
  #function(node: Tree, outer: Context | null, givenName: string | null = null): void {
    const { body } = node;
    if (!isNode(body)) return;
    const id = isNode(node['id']) ? nameOf(node['id']) : null;
    const fn = this.functions.length;
    this.functions.push({
      name: id ?? givenName,
      line: this.text.placeOf(node.start).line,
      lastLine: this.text.placeOf(node.end).line,
    });
    const params = childrenOf(node, 'params');
    const names = new Set<string>();
    // The name of a declaration belongs to the scope around it.
    if (id !== null && node.type === 'FunctionExpression') names.add(id);
    for (const param of params) addPattern(param, names);
    const isBlock = body.type === 'BlockStatement';
    if (isBlock) {
      addVars(body, names);
      for (const statement of childrenOf(body, 'body')) addLexical(statement, names);
    }
    const scope = this.#scope('function', names, outer?.scope ?? null, fn);
    const inner: Context = {
      fn,
      scope,
      view: this.#viewIn(scope, this.#name('v')),
      isCaught: false,
      isFinally: false,
      point: null,
    };
    // Functions in default values have an own activation; the rest has none, because no statement runs there.
    for (const param of params) this.#visit(param, { ...inner, view: 'void 0', point: outer?.point ?? null });
    const entry = `const ${this.#name('a')}=${this.#name(PARAMETERS.enter)}(${fn})${this.#viewDeclaration(inner.view, ',')};`;
    if (!isBlock) {
      const point = this.#addPoint(body.start, inner);
      this.text.open(body.start, `{${entry}${this.#probe(point, inner)};return `);
      this.text.close(body.end, '}');
      this.#visit(body, { ...inner, point: this.points[point] ?? null });
      return;
    }
    const statements = childrenOf(body, 'body');
    const first = statements.findIndex((statement) => typeof statement['directive'] !== 'string');
    const place = statements[first]?.start ?? body.end - 1;
    this.text.open(place, first === 0 ? entry : `;${entry}`);
    this.#statements(statements, inner);
  }

  #scope(kind: DebugScope['kind'], names: Iterable<string>, parent: number | null, fn: number): number {
    return this.scopes.push({ kind, names: [...names], parent, fn }) - 1;
  }

  /** Evaluating text needs the engine's `eval`, which a scope may hide. */
  #viewIn(scope: number | null, view: string): string {
    for (let at = scope; at !== null; at = this.scopes[at]?.parent ?? null) {
      if (this.scopes[at]?.names.includes('eval')) return 'void 0';
    }
    return view;
  }

  #viewDeclaration(view: string, before: string): string {
    return view === 'void 0' ? '' : `${before}${this.#name('v')}=${this.#evaluator()}`;
  }

  #evaluator(): string {
    const text = this.#name('x');
    return `(${text})=>eval(${text})`;
  }

  /** The statements of a block, of a function or of a case. */
  #statements(statements: readonly Tree[], context: Context): void {
    for (const statement of statements) {
      if (typeof statement['directive'] === 'string') continue;
      this.#statement(statement, context, true);
    }
  }

  /** @param isListed whether it is in a list of statements, so that a probe can precede it */
  #statement(node: Tree, context: Context, isListed: boolean): void {
    switch (node.type) {
      case 'BlockStatement':
        this.#block(node, context);
        return;
      case 'FunctionDeclaration':
        this.#function(node, context);
        return;
      case 'WithStatement': {
        // An object of the script would receive the names that are added inside of it.
        const point = this.#before(node, context, isListed);
        const { object } = node;
        if (isNode(object)) this.#visit(object, point);
        return;
      }
      case 'EmptyStatement':
        if (!isListed) this.#before(node, context, false);
        return;
      default:
        this.#inside(node, this.#before(node, context, isListed));
    }
  }

  /** Adds a point and its probe before a statement; braces around one that is alone. */
  #before(node: Tree, context: Context, isListed: boolean): Context {
    const point = this.#addPoint(node.start, context);
    const probe = `${this.#probe(point, context)};`;
    this.text.open(node.start, isListed ? probe : `{${probe}`);
    if (!isListed) this.text.close(node.end, '}');
    return { ...context, point: this.points[point] ?? null };
  }

  #inside(node: Tree, context: Context): void {
    switch (node.type) {
      case 'LabeledStatement':
        this.#labeled(node, context);
        return;
      case 'IfStatement':
        this.#if(node, context);
        return;
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
        this.#for(node, context);
        return;
      case 'WhileStatement':
      case 'DoWhileStatement':
        this.#test(node['test'], context);
        this.#single(node['body'], context);
        return;
      case 'SwitchStatement':
        this.#switch(node, context);
        return;
      case 'TryStatement':
        this.#try(node, context);
        return;
      case 'ThrowStatement':
        this.#throw(node, context);
        return;
      default:
        this.#children(node, context);
    }
  }

  /** The statement after labels keeps its place: `continue` needs a loop directly after its label. */
  #labeled(node: Tree, context: Context): void {
    const { body } = node;
    if (!isNode(body)) return;
    if (body.type === 'BlockStatement') this.#block(body, context);
    else if (body.type === 'FunctionDeclaration') this.#function(body, context);
    else if (body.type !== 'WithStatement' && body.type !== 'EmptyStatement') this.#inside(body, context);
  }

  /** A statement that may have no braces. */
  #single(node: unknown, context: Context): void {
    if (isNode(node)) this.#statement(node, context, false);
  }

  #if(node: Tree, context: Context): void {
    const { test, consequent, alternate } = node;
    if (isNode(test)) this.#visit(test, context);
    this.#branch(consequent, context);
    this.#else(alternate, context);
  }

  /** `else if` stays as flat as it is. */
  #else(node: unknown, context: Context): void {
    if (isNode(node) && node.type === 'IfStatement') {
      const own = this.#test(node['test'], context, false);
      this.#branch(node['consequent'], own);
      this.#else(node['alternate'], own);
    } else {
      this.#branch(node, context);
    }
  }

  /** Sloppy code may have a function there, whose name braces would hide. */
  #branch(node: unknown, context: Context): void {
    if (isNode(node) && node.type !== 'EmptyStatement') this.#single(node, context);
  }

  /** Adds a probe to the test of a loop or of an `else if`; in a loop, its variables are visible. */
  #test(test: unknown, context: Context, isLoop = true): Context {
    if (!isNode(test)) return context;
    const point = this.#addPoint(test.start, context);
    const own = { ...context, point: this.points[point] ?? null };
    this.text.open(test.start, `${this.#probe(point, context)},(`);
    this.text.close(test.end, ')');
    this.#visit(test, own);
    return isLoop ? context : own;
  }

  #for(node: Tree, context: Context): void {
    const head = isNode(node['init']) ? node['init'] : isNode(node['left']) ? node['left'] : null;
    const names = new Set<string>();
    if (head !== null) addLexical(head, names);
    const scope = names.size > 0 ? this.#scope('loop', names, context.scope, context.fn) : context.scope;
    const own: Context = {
      ...context,
      scope,
      ...(names.size > 0 && { view: this.#viewIn(scope, this.#evaluator()) }),
    };
    const isAwaited = node['await'] === true;
    if (isAwaited && own.point !== null) own.point.suspends = true;
    if (head !== null) this.#visit(head, own);
    if (isNode(node['right'])) this.#visit(node['right'], own);
    this.#test(node['test'], own);
    if (isNode(node['update'])) this.#visit(node['update'], own);
    this.#single(node['body'], own);
  }

  #switch(node: Tree, context: Context): void {
    if (isNode(node['discriminant'])) this.#visit(node['discriminant'], context);
    const cases = childrenOf(node, 'cases');
    const names = new Set<string>();
    for (const one of cases) for (const statement of childrenOf(one, 'consequent')) addLexical(statement, names);
    const scope = names.size > 0 ? this.#scope('switch', names, context.scope, context.fn) : context.scope;
    // No place in a switch runs before all of its statements, so that each probe has a function of its own.
    const own: Context = { ...context, scope, ...(names.size > 0 && { view: this.#viewIn(scope, this.#evaluator()) }) };
    for (const one of cases) {
      if (isNode(one['test'])) this.#visit(one['test'], context);
      this.#statements(childrenOf(one, 'consequent'), own);
    }
  }

  #try(node: Tree, context: Context): void {
    const { block, handler, finalizer } = node;
    if (isNode(block)) this.#block(block, { ...context, isCaught: context.isCaught || isNode(handler) });
    if (isNode(handler)) this.#catch(handler, context);
    if (isNode(finalizer)) {
      const note = `${this.#name(PARAMETERS.finally)}(${this.#name('a')});`;
      this.#block(finalizer, { ...context, isFinally: true }, note);
    }
  }

  #catch(handler: Tree, context: Context): void {
    const { param, body } = handler;
    if (!isNode(body)) return;
    const names = new Set<string>();
    if (isNode(param)) addPattern(param, names);
    const scope = names.size > 0 ? this.#scope('catch', names, context.scope, context.fn) : context.scope;
    if (isNode(param)) this.#visit(param, context);
    let thrown = isNode(param) && param.type === 'Identifier' ? `,${this.text.slice(param.start, param.end)}` : '';
    if (!isNode(param)) {
      const name = this.#name('r');
      this.text.open(body.start, `(${name})`);
      thrown = `,${name}`;
    }
    const note = `${this.#name(PARAMETERS.caught)}(${this.#name('a')}${thrown});`;
    this.#block(body, { ...context, scope }, note, names.size > 0);
  }

  #throw(node: Tree, context: Context): void {
    const { argument } = node;
    if (!isNode(argument)) return;
    this.text.open(argument.start, `${this.#name(PARAMETERS.thrown)}((`);
    this.text.close(argument.end, `),${this.#name('a')})`);
    this.#visit(argument, context);
  }

  /**
   * A block. One that declares names gets a function that evaluates text in it.
   * @param first text for its start
   * @param hasView whether it needs such a function in any case
   */
  #block(node: Tree, context: Context, first = '', hasView = context.view === this.#evaluator()): void {
    const statements = childrenOf(node, 'body');
    const names = new Set<string>();
    for (const statement of statements) addLexical(statement, names);
    let inner = context;
    let declaration = '';
    if (names.size > 0 || hasView) {
      const scope = names.size > 0 ? this.#scope('block', names, context.scope, context.fn) : context.scope;
      inner = { ...context, scope, view: this.#viewIn(scope, this.#name('v')) };
      declaration = this.#viewDeclaration(inner.view, 'const ');
      if (declaration !== '') declaration += ';';
    }
    if (first + declaration !== '') this.text.open(statements[0]?.start ?? node.end - 1, first + declaration);
    this.#statements(statements, inner);
  }

  /** Expressions: functions and classes in them have points of their own. */
  #visit(node: Tree, context: Context): void {
    switch (node.type) {
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.#function(node, context);
        return;
      case 'ClassExpression':
      case 'ClassDeclaration':
        this.#class(node, context);
        return;
      case 'AwaitExpression':
      case 'YieldExpression':
        if (context.point !== null) context.point.suspends = true;
        this.#children(node, context);
        return;
      case 'VariableDeclarator':
      case 'AssignmentExpression':
      case 'AssignmentPattern':
      case 'Property':
        this.#named(node, context);
        return;
      default:
        this.#children(node, context);
    }
  }

  #children(node: Tree, context: Context): void {
    if (node.type === 'ClassDeclaration') {
      this.#class(node, context);
      return;
    }
    for (const role of Object.keys(node)) for (const child of childrenOf(node, role)) this.#visit(child, context);
  }

  /** A function gets its name from the variable or member that it is assigned to. */
  #named(node: Tree, context: Context): void {
    const target = node['id'] ?? node['left'] ?? node['key'];
    const valueRole = node.type === 'VariableDeclarator' ? 'init' : node.type === 'Property' ? 'value' : 'right';
    const name = isNode(target) && node['computed'] !== true ? nameOf(target) : null;
    for (const role of Object.keys(node)) {
      for (const child of childrenOf(node, role)) {
        if (role === valueRole && isFunction(child)) this.#function(child, context, name);
        else this.#visit(child, context);
      }
    }
  }

  #class(node: Tree, context: Context): void {
    const name = isNode(node['id']) ? nameOf(node['id']) : null;
    if (isNode(node['superClass'])) this.#visit(node['superClass'], context);
    const scope = name === null ? context.scope : this.#scope('class', [name], context.scope, context.fn);
    const own: Context = { ...context, scope };
    if (!isNode(node['body'])) return;
    for (const member of childrenOf(node['body'], 'body')) {
      if (member.type === 'StaticBlock') {
        this.#staticBlock(member, own);
        continue;
      }
      if (isNode(member['key']) && member['computed'] === true) this.#visit(member['key'], own);
      const { value } = member;
      if (!isNode(value)) continue;
      const key = isNode(member['key']) && member['computed'] !== true ? nameOf(member['key']) : null;
      const shown = key === 'constructor' ? (name ?? key) : name === null || key === null ? key : `${name}.${key}`;
      // The value of a field is evaluated outside of every function of the author.
      if (isFunction(value)) this.#function(value, own, shown);
      else this.#visit(value, { ...own, point: null });
    }
  }

  #staticBlock(node: Tree, outer: Context): void {
    const fn = this.functions.length;
    this.functions.push({
      name: 'static',
      line: this.text.placeOf(node.start).line,
      lastLine: this.text.placeOf(node.end).line,
    });
    const statements = childrenOf(node, 'body');
    const names = new Set<string>();
    for (const statement of statements) {
      addVars(statement, names);
      addLexical(statement, names);
    }
    const scope = this.#scope('function', names, outer.scope, fn);
    const view = this.#viewIn(scope, this.#name('v'));
    const own: Context = { fn, scope, view, isCaught: false, isFinally: false, point: null };
    const entry = `const ${this.#name('a')}=${this.#name(PARAMETERS.enter)}(${fn})${this.#viewDeclaration(view, ',')};`;
    this.text.open(statements[0]?.start ?? node.end - 1, entry);
    this.#statements(statements, own);
  }

  #addPoint(at: number, { fn, scope, isCaught, isFinally }: Context): number {
    const { line, column } = this.text.placeOf(at);
    return this.points.push({ line, column, fn, scope, isCaught, isFinally, suspends: false }) - 1;
  }

  #probe(point: number, { view }: Context): string {
    return `${this.#name(PARAMETERS.point)}(${point},${this.#name('a')},${view})`;
  }

  #name(suffix: string): string {
    return this.#token + suffix;
  }
}

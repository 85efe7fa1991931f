import type { RunError } from '#domain/run/run';
import { SCRIPT_NAME, START_GLOBAL } from '../guest/bridge.ts';
import type { IsolatedVm } from './addon.ts';

const HEAD = `${START_GLOBAL}(async function () {`;
const TAIL = '\n});';
const NAMING_COMMENT = /[#@]\s+sourceURL=/;
// The last naming comment wins. It is added only if the body has one, because it shifts the columns of line 1.
const NAMING_TAIL = `${TAIL}\n//# sourceURL=${SCRIPT_NAME}`;
/**
 * Beginnings after whose function only `:` may follow, or only `,` and `)`: after at least one of them, code that
 * follows an extra brace is an error at its own place. Arrow functions have the same bodies, and nothing can be applied
 * to one.
 */
const PLACING_HEADS = ['async function f() { 0 ? async () => {', 'async function f() { for (;; async () => {'];
const PARSES = -1;
const TOO_DEEP = -2;
const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/**
 * The realm that parses bodies alone; it never runs one. Without `before` it returns whether the body parses; with it,
 * the place of the extra brace. It tries the last braces before that place, then the first ones, then all for up to 200 ms.
 */
const CHECKER = `(() => {
  'use strict';
  const AsyncFunction = (async () => {}).constructor;
  const parse = (text) => {
    try { AsyncFunction(text); return ${PARSES}; } catch (error) { return error instanceof RangeError ? ${TOO_DEEP} : 0; }
  };
  const parses = (text) => parse(text) === ${PARSES};
  const isExtra = (body, at) => parses(body.slice(0, at)) && !parses(body.slice(0, at + 1));
  return (body, before) => {
    if (before === undefined) return parse(body);
    const deadline = Date.now() + 200;
    let at = before;
    for (let tried = 0; tried < 8 && at > 0; tried += 1) {
      at = body.lastIndexOf('}', at - 1);
      if (at !== -1 && isExtra(body, at)) return at;
    }
    at = body.indexOf('}');
    for (let tried = 0; at !== -1 && (tried < 8 || Date.now() < deadline); tried += 1) {
      if (isExtra(body, at)) return at;
      at = body.indexOf('}', at + 1);
    }
    return -1;
  };
})()`;

type Checker = (body: string, before?: number) => number;

interface BodyPlace {
  message: string;
  line: number;
  column: number;
}

/** A body that does not parse. */
export class BodyError extends Error {
  readonly runError: RunError;

  constructor(message: string, line: number | null, column: number | null) {
    super(message);
    // No stack: no function was called. Live runs use this to detect that nothing ran.
    this.runError = { name: 'SyntaxError', message, line, column, stack: [] };
  }

  isBeforeOrAt(line: number, column: number): boolean {
    const { line: ownLine, column: ownColumn } = this.runError;
    if (ownLine === null || ownColumn === null) return false;
    return ownLine < line || (ownLine === line && ownColumn <= column);
  }
}

/** Compiles bodies for one isolate and ensures that each is one function body and nothing more. */
export class BodyCompiler {
  readonly #isolate: IsolatedVm.Isolate;
  #check: IsolatedVm.Reference<Checker> | null = null;

  constructor(isolate: IsolatedVm.Isolate) {
    this.#isolate = isolate;
  }

  /**
   * A script that passes the body to the guest as an async function. Lines and columns are those the author sees.
   * Throws BodyError. `known` skips the check of text that was compiled before. The body may call the function `counter`.
   */
  compile(body: string, known: boolean, counter: string | null = null): IsolatedVm.Script {
    let script: IsolatedVm.Script;
    const head = counter === null ? HEAD : `${START_GLOBAL}((${counter}) => async function () {`;
    try {
      script = this.#compile(head, body, NAMING_COMMENT.test(body) ? NAMING_TAIL : TAIL);
    } catch (thrown) {
      throw this.#explain(body, thrown);
    }
    // A body that closes the wrapper and opens another function compiles above, but is not a function body when parsed
    // alone.
    const alone = known ? PARSES : this.#checker().applySync(undefined, [body]);
    if (alone === PARSES) return script;
    if (alone === TOO_DEEP) throw tooDeep();
    throw this.#extraBrace(body) ?? new BodyError('the script is not the body of one function', null, null);
  }

  #compile(head: string, body: string, tail: string): IsolatedVm.Script {
    return this.#isolate.compileScriptSync(head + body + tail, { filename: SCRIPT_NAME, columnOffset: -head.length });
  }

  #explain(body: string, thrown: unknown): BodyError {
    if (thrown instanceof RangeError) return tooDeep();
    const place = placeOf(thrown);
    if (place === null) return new BodyError(thrown instanceof Error ? thrown.message : String(thrown), null, null);
    const { message, line, column } = place;
    const lines = body.split(LINE_END);
    const extra = this.#extraBrace(body);
    // If the engine points at the wrapper itself, something was appended to its function.
    if (extra !== null && (column < 1 || extra.isBeforeOrAt(line, column))) return extra;
    if (line <= lines.length) return new BodyError(message, line, Math.max(1, column));
    const last = lines.at(-1) ?? '';
    return new BodyError(atTheEnd(message), lines.length, last.length + 1);
  }

  #extraBrace(body: string): BodyError | null {
    const at = this.#checker().applySync(undefined, [body, this.#firstError(body)]);
    if (at < 0) return null;
    const before = body.slice(0, at).split(LINE_END);
    return new BodyError('unexpected }: no matching {', before.length, (before.at(-1) ?? '').length + 1);
  }

  /** How many characters of the body precede its first error, or the code that follows an extra brace. */
  #firstError(body: string): number {
    let first = body.length;
    for (const head of PLACING_HEADS) {
      try {
        this.#compile(head, body, '');
      } catch (thrown) {
        const place = placeOf(thrown);
        if (place !== null) first = Math.min(first, offsetOf(body, place));
      }
    }
    return first;
  }

  #checker(): IsolatedVm.Reference<Checker> {
    this.#check ??= this.#isolate
      .createContextSync()
      .evalSync(CHECKER, { reference: true }) as IsolatedVm.Reference<Checker>;
    return this.#check;
  }
}

/** The place of the error according to the engine; a naming comment of the body may have renamed the source. */
function placeOf(thrown: unknown): BodyPlace | null {
  const found = thrown instanceof Error ? /^(.*) \[\S*:(\d+):(-?\d+)\]$/s.exec(thrown.message) : null;
  return found === null ? null : { message: found[1] ?? '', line: Number(found[2]), column: Number(found[3]) };
}

function offsetOf(body: string, { line, column }: BodyPlace): number {
  const lineEnd = new RegExp(LINE_END, 'g');
  for (let passed = 1; passed < line; passed += 1) if (lineEnd.exec(body) === null) return body.length;
  return Math.min(body.length, Math.max(0, lineEnd.lastIndex + column - 1));
}

function tooDeep(): BodyError {
  return new BodyError('the script is nested too deeply', null, null);
}

function atTheEnd(message: string): string {
  if (message.includes("'}'")) return 'the script ends too early: missing ) or ], or an incomplete expression';
  if (message.includes("')'")) return 'the script ends too early: missing }';
  return `the script ends too early: ${message}`;
}

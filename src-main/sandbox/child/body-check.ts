import type { RunError } from '#domain/run';
import { SCRIPT_NAME, START_GLOBAL } from '../guest/bridge.ts';
import type { IsolatedVm } from './addon.ts';

const HEAD = `${START_GLOBAL}(async function () {`;
const TAIL = '\n});';
const NAMING_COMMENT = /[#@]\s+sourceURL=/;
// The last naming comment wins. It is added only where the body has one, since columns of line 1 are off with it.
const NAMING_TAIL = `${TAIL}\n//# sourceURL=${SCRIPT_NAME}`;
const CHECK_MS = 2_000;
const MAX_BRACES_TRIED = 2_000;

/** The realm in which bodies are parsed alone; no body ever runs in it. */
const CHECKER = `(() => {
  const AsyncFunction = (async () => {}).constructor;
  const parses = (text) => { try { AsyncFunction(text); return true; } catch { return false; } };
  return (body, braces) => {
    if (braces === 0) return parses(body) ? -1 : 0;
    for (let at = body.indexOf('}'); at !== -1 && braces > 0; at = body.indexOf('}', at + 1), braces -= 1) {
      if (parses(body.slice(0, at)) && !parses(body.slice(0, at + 1))) return at;
    }
    return -1;
  };
})()`;

/** A body that does not parse. */
export class BodyError extends Error {
  readonly runError: RunError;

  constructor(message: string, line: number | null, column: number | null) {
    super(message);
    // No stack: no function was ever called. Whoever shows live runs tells by it that nothing ran.
    this.runError = { name: 'SyntaxError', message, line, column, stack: [] };
  }

  isBeforeOrAt(line: number, column: number): boolean {
    const { line: ownLine, column: ownColumn } = this.runError;
    if (ownLine === null || ownColumn === null) return false;
    return ownLine < line || (ownLine === line && ownColumn <= column);
  }
}

/** Compiles bodies of one isolate and makes sure that each is one function body and nothing more. */
export class BodyCompiler {
  readonly #isolate: IsolatedVm.Isolate;
  #check: IsolatedVm.Reference<(body: string, braces: number) => number> | null = null;

  constructor(isolate: IsolatedVm.Isolate) {
    this.#isolate = isolate;
  }

  /**
   * A script that hands the body as an async function to the guest. Lines and columns are those the author sees.
   * Throws BodyError. `known` says that this text was compiled before, so that it need not be checked again.
   */
  compile(body: string, known: boolean): IsolatedVm.Script {
    let script: IsolatedVm.Script;
    try {
      const tail = NAMING_COMMENT.test(body) ? NAMING_TAIL : TAIL;
      script = this.#isolate.compileScriptSync(HEAD + body + tail, {
        filename: SCRIPT_NAME,
        columnOffset: -HEAD.length,
      });
    } catch (thrown) {
      throw this.#explain(body, thrown);
    }
    // What closes the wrapper and opens another function compiles above, but is no function body when parsed alone.
    if (known || this.#checker().applySync(undefined, [body, 0], { timeout: CHECK_MS }) === -1) return script;
    throw this.#extraBrace(body) ?? new BodyError('the script is not the body of one function', null, null);
  }

  #explain(body: string, thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return thrown;
    const place = /^(.*) \[script:(\d+):(\d+)\]$/s.exec(thrown.message);
    if (place === null) {
      return thrown instanceof RangeError ? new BodyError('the script is nested too deeply', null, null) : thrown;
    }
    const message = place[1] ?? thrown.message;
    const line = Number(place[2]);
    const lines = body.split(/\r\n|[\n\r\u2028\u2029]/);
    const column = Number(place[3]);
    const extra = this.#extraBrace(body);
    if (extra !== null && extra.isBeforeOrAt(line, column)) return extra;
    if (line <= lines.length) return new BodyError(message, line, column);
    const last = lines.at(-1) ?? '';
    return new BodyError(atTheEnd(message), lines.length, last.length + 1);
  }

  #extraBrace(body: string): BodyError | null {
    const at = this.#checker().applySync(undefined, [body, MAX_BRACES_TRIED], { timeout: CHECK_MS });
    if (at === -1) return null;
    const before = body.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/);
    return new BodyError('an extra }: no { before it is still open', before.length, (before.at(-1) ?? '').length + 1);
  }

  #checker(): IsolatedVm.Reference<(body: string, braces: number) => number> {
    if (this.#check === null) {
      const context = this.#isolate.createContextSync();
      this.#check = context.evalSync(CHECKER, { reference: true }) as IsolatedVm.Reference<
        (body: string, braces: number) => number
      >;
    }
    return this.#check;
  }
}

function atTheEnd(message: string): string {
  if (message.includes("'}'"))
    return 'the script ends too early: a ( or [ is not closed, or an expression is not finished';
  if (message.includes("')'")) return 'the script ends too early: a { is not closed';
  return `the script ends too early: ${message}`;
}

import { describe, expect, test } from 'vitest';
import { notesByLine, runsByLine, skippedParts, type NotedValue, type RanPart } from '#domain/run/shown-values';
import { originalError } from '../../../../src-main/scripting/instrument/columns.ts';
import { NOTING_PARAMETERS } from '../../../../src-main/scripting/instrument/noting-body.ts';
import { instrumentForValues } from '../../../../src-main/scripting/instrument/values.ts';
import { generatedBody } from '../../../support/scripting/generated-bodies.ts';
import { seededRandom } from '../../../support/run/random.ts';
import { scaled } from '../../../support/run/scale.ts';

const AsyncFunction: new (...args: string[]) => (...given: unknown[]) => Promise<unknown> = Object.getPrototypeOf(
  async () => undefined,
).constructor;
const TOKEN = '$0123456789abcdef01234567';

const ended = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    return `returned ${JSON.stringify(await work())}`;
  } catch (error) {
    return `threw ${String(error)}`;
  }
};

const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));

interface Noted {
  plain: string;
  noting: string;
  values: NotedValue[];
  parts: RanPart[];
}

/** Runs a body with and without the calls. */
async function noted(body: string): Promise<Noted> {
  const made = instrumentForValues(body, TOKEN);
  if (!made) throw new Error(`not instrumented: ${body}`);
  const counts = made.points.map(() => 0);
  const values = new Map<number, NotedValue>();
  const point = (at: number) => {
    counts[at] = (counts[at] ?? 0) + 1;
  };
  const note = (variable: number, value: unknown, change = 0) => {
    const became = change === 0 ? value : Number(value) + change;
    const text =
      typeof became === 'object' ? JSON.stringify(became) : typeof became === 'function' ? 'ƒ' : quoted(became);
    const before = values.get(variable);
    const place = made.variables[variable] ?? { line: 0, name: '' };
    values.set(variable, { ...place, first: before?.first ?? text, last: text, count: (before?.count ?? 0) + 1 });
    return value;
  };
  const plain = await ended(() => new AsyncFunction(body)());
  const names = Object.values(NOTING_PARAMETERS).map((name) => TOKEN + name);
  const noting = await ended(() => new AsyncFunction(...names, made.body)(point, note));
  return {
    plain,
    noting,
    values: [...values].toSorted(([a], [b]) => a - b).map(([, one]) => one),
    parts: made.points.map((range, at) => ({ ...range, count: counts[at] ?? 0 })),
  };
}

const linesOf = async (body: string) => Object.fromEntries(notesByLine((await noted(body)).values));

/** The texts of the parts that did not run. */
async function skipped(body: string): Promise<string[]> {
  const lines = body.split('\n');
  return skippedParts((await noted(body)).parts).map(({ line, column, endLine, endColumn }) =>
    line === endLine
      ? (lines[line - 1] ?? '').slice(column - 1, endColumn - 1)
      : `${line}:${column} to ${endLine}:${endColumn}`,
  );
}

const BODIES = {
  'semicolons that are not written':
    'let a = 1\nlet b = a\n++b\nif (b) a = b\nelse a = 0\ndo a++\nwhile (a < 9) b = a\nvar c = b\n;[a, b] = [b, a]\nreturn [a, b, c]',
  'names of functions':
    'const a = () => 1, b = class {}, c = function () {};\nlet d; d = () => 2;\nlet { e = () => 3 } = {};\nfor (let f = () => 4, n = 0; n < 1; n++) d = f;\nconst g = true ? () => 5 : null;\nreturn [a, b, c, d, e, g].map((one) => one.name)',
  'a variable that a loop declares again':
    'const all = [];\nfor (const x of [1, 2]) { const x = 5; all.push(x) }\nfor (const y in { a: 1 }) { let y = 7; all.push(y) }\nreturn all',
  'parameters and defaults':
    'function f(a, { b, c = 2 } = {}, [d] = [4], ...rest) { "use strict"; return [a, b, c, d, rest] }\nreturn [f(1, { b: 9 }, [3], 5, 6), ((x = 1, y = x) => x + y)()]'.replace(
      '"use strict"; ',
      '',
    ),
  'values of assignments':
    'let a, b, c = 0; const o = { n: 1 };\na = b = c++ + (c += 2) - --c;\nif ((a = 5) && (b ||= 3)) o.n += a; o.n++;\nreturn [a, b, c, o, c--, (a, b = 7)]',
  generators:
    'function* f(n) { for (let i = 0; i < n; i++) { const got = yield i; if (got) return got } }\nreturn [...f(3)]',
  async:
    'async function f(x) { const y = await x; return y + 1 }\nlet n = 0; for await (const v of [f(1), f(2)]) n += v\nreturn n',
  'labels and switches':
    'let n = 0\nouter: for (;;) { inner: for (;;) { switch (n) { case 0: n++; continue outer; case 1: let m = n += 5; break inner; default: break outer } } }\nlast: n = 3; a: b: { break a } return n',
  closures: 'const all = []; for (let i = 0; i < 3; i++) all.push(() => i++); return all.map((f) => f() + f())',
  classes:
    'class A { static n = 0; #p = 1; x = (A.n += 1); get p() { return this.#p++ } static { A.n = 5 } set q(v) { this.#p = v } }\nconst a = new A(); a.q = 4; return [a.p, a.p, A.n, a.x]',
  'errors that quote': 'const a = null, o = {};\ntry { (a || o).b() } catch (error) { return error.message }',
  'a conditional that quotes': 'const o = {};\ntry { (o ? o.x : 1)() } catch ({ message }) { return message }',
  'a spread that quotes':
    'const o = 5; const f = () => 1;\ntry { f(...(o || 1)) } catch ({ message }) { return message }',
  'a pattern that quotes': 'let x = null, a;\ntry { ({ a } = x) } catch ({ message }) { return message }',
  'a function in a condition':
    'return f() + g();\nfunction f() { return 1 }\nfunction g() { if (true) function h() { return 2 }\n return h() }',
  'else if':
    'const f = (x) => { if (x > 2) return 1; else if ((x > 1)) return 2; else if (x, x > 0) return 3; return 4 };\nreturn [3, 2, 1, 0].map(f)',
  with: 'const o = { a: 5 }; with (o) { a = 6; return [(() => a)(), o.a] }',
  'a caught name': 'try { throw 1 } catch (e) { var e = 2; e++; return e }',
  'big integers': 'let a = 5n; a++; --a; a **= 2n; return String(a)',
  directives:
    '"use strict"\n"other"\nfunction f() { "use strict"; return this === undefined }\ntry { unknown = 1 } catch (error) { return [error.name, f()] }',
  'line ends of all kinds': 'let a = 1;\r\na++;\u2028a++;\ra++\n\nreturn a',
  'loops with patterns':
    'const all = []; const g = () => ({ a: 0, b: [5] });\nfor (let { a, b: [c = 1] } = g(), n = 2; a < n; a++) all.push(() => [a++, c]);\nfor (var [x, ...y] = [0, 1, 2]; x < 2; x++) all.push(() => x);\nlet p, q; for ([p, { q }] = [0, { q: 2 }]; p < q; p++) all.push(() => p);\nfor (({ p } = { p: 4 });;) break;\nfor (const {} = {}, [] = []; ;) break;\nreturn all.map((f) => f())',
  'returned values':
    'const o = { get a() { return this === o }, f() { return }, *g() { return yield 1 } };\nconst f = () => { return function () {} }; class B { constructor() { return o } }\nfunction g() { try { return o.x.y } catch ({ message }) { return message } finally { if (!o) return 3 } }\nreturn [o.a, o.f(), [...o.g()], f().name, new B() === o, g(), (() => { return class {} })().name]',
  'an arrow function of an object': 'const f = (a) => ({ a }), g = async (b) => await b\nreturn [f(1), await g(2)]',
};

describe('a body that notes its values', () => {
  test.each(Object.entries(BODIES))('computes the same: %s', async (_name, body) => {
    const { plain, noting } = await noted(body);
    expect(noting).toBe(plain);
  });

  test('computes the same: generated bodies', { timeout: 600_000 }, async () => {
    const random = seededRandom();
    let count = 0;
    for (let at = 0; at < scaled(100, 2_000); at += 1) {
      const made = instrumentForValues(generatedBody(random), TOKEN);
      // The engine compiles it, and added lines would move those of the author.
      if (made === null) continue;
      expect(() => new AsyncFunction(...Object.values(NOTING_PARAMETERS), made.body)).not.toThrow();
      count += 1;
    }
    expect(count).toBeGreaterThan(scaled(80, 1_600));
  });

  test.each<[string, Record<number, string>]>([
    ['const a = 1, b = a + 1;\nlet c;\nc = 5; c += b', { 1: 'a = 1, b = 2', 3: 'c = 5 … 7 ×2' }],
    ['for (let i = 0, n = 3; i < n; i++) {\n  const x = i * 2\n}', { 1: 'i = 0 … 3 ×4, n = 3', 2: 'x = 0 … 4 ×3' }],
    ['const { a, b: [c, ...d], ...e } = { a: 1, b: [2, 3], f: 4 };', { 1: 'a = 1, c = 2, d = [3], e = {"f":4}' }],
    ['for (const [k, v] of [["a", 1], ["b", 2]]) k;', { 1: 'k = "a" … "b" ×2, v = 1 … 2 ×2' }],
    ['const f = (x) => x * 2;\nf(1); f(2);', { 1: 'f = ƒ, x = 1 … 2 ×2' }],
    ['try {\n  throw 5;\n} catch (error) {\n}', { 3: 'error = 5' }],
    ['const o = { n: 1 };\no.n = 2;\no.n++;\no["m"] = 3;', { 1: 'o = {"n":1}', 2: 'o.n = 2', 3: 'o.n = 3' }],
    ['let a = 1, b = 2;\n[a, b] = [b, a];', { 1: 'a = 1, b = 2', 2: 'a = 2, b = 1' }],
    ['let n = 0;\nwhile (n < 10_000) n++;', { 1: 'n = 0', 2: 'n = 1 … 10000 ×10,000' }],
    ['let a; const get = () => a = 7; return get()', { 1: 'get = ƒ, a = 7, return = 7' }],
    ['for (let [a, { b }] = [1, { b: 2 }], c = a; a < 2; a++) {\n}', { 1: 'a = 1 … 2 ×2, b = 2, c = 1' }],
    ['let a, b;\nfor ([a, b] = [1, 2]; ;) break;', { 2: 'a = 1, b = 2' }],
    [
      'function f(x) {\n  if (x) return x * 2;\n  return;\n}\nf(1); f(2); f(0);',
      { 1: 'x = 1 … 0 ×3', 2: 'return = 2 … 4 ×2' },
    ],
  ])('notes %j', async (body, lines) => {
    expect(await linesOf(body)).toEqual(lines);
  });

  test.each([
    ['let a = 0; if (a) a = 1; else a = 2;', ['a = 1;']],
    ['if (true) 1; else if (false) 2; else 3;', ['if (false) 2; else 3;']],
    ['const a = true ? 1 : 2;', ['2']],
    ['const a = null ?? 5, b = 1 || (2, 3);', ['(2, 3)']],
    ['const f = () => 1;\nfunction g() {\n  return 2;\n}', ['1', 'return 2;']],
    ['switch (1) {\n  case 0:\n    1;\n    break;\n  case 1: 2;\n}', ['1;', 'break;']],
    ['for (const x of []) {\n  x;\n}', ['x;']],
    ['try { 1; } catch { 2; } finally { 3; }', ['2;']],
    ['while (false) {\n  if (1) {\n    2;\n  }\n}', ['2:3 to 4:4']],
  ])('finds what did not run: %j', async (body, parts) => {
    expect(await skipped(body)).toEqual(parts);
  });

  test('counts how often each line ran', async () => {
    const { parts } = await noted('let n = 0;\nfor (let i = 0; i < 10; i++)\n  n += i;\nif (n < 0) n = 1; else n = 2;');
    expect(Object.fromEntries(runsByLine(parts))).toEqual({
      1: { state: 'all', count: 1 },
      2: { state: 'all', count: 1 },
      3: { state: 'all', count: 10 },
      4: { state: 'some', count: 1 },
    });
  });

  test('a body that does not parse, or has the token, has none', () => {
    expect(instrumentForValues('let a = ;', TOKEN)).toBeNull();
    expect(instrumentForValues('} + function () {', TOKEN)).toBeNull();
    expect(instrumentForValues(`let ${TOKEN}p = 1`, TOKEN)).toBeNull();
  });

  test('adds no lines, and gives errors the columns of the author', () => {
    const body = 'let a = 1; a++; null.x;\nfor (const b of [1]) b.c.d;';
    const made = instrumentForValues(body, TOKEN);
    expect(made?.body.split('\n')).toHaveLength(2);
    const line = made?.body.split('\n')[1] ?? '';
    const column = line.indexOf('b.c.d') + 5;
    const error = { name: 'Error', message: '', line: 2, column, stack: [{ function: null, line: 2, column }] };
    expect(made && originalError(error, { source: body, ...made })).toMatchObject({
      line: 2,
      column: 26,
      stack: [{ line: 2, column: 26 }],
    });
  });
});

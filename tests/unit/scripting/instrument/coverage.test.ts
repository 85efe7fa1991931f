import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { coverageByLine, coverageSummary, mergedCoverage, stateOfLine } from '#domain/run/coverage';
import { originalError } from '../../../../src-main/scripting/instrument/columns.ts';
import { instrumented } from '../../../../src-main/scripting/instrument/coverage.ts';
import { fc } from '../../../support/run/random.ts';

const AsyncFunction: new (...args: string[]) => (...given: unknown[]) => Promise<unknown> = Object.getPrototypeOf(
  async () => undefined,
).constructor;

const ended = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    (value) => `returned ${JSON.stringify(value)}`,
    (error: unknown) => `threw ${String(error)}`,
  );

/** Runs a body with and without the counters; returns the state of each line that has statements. */
async function covered(body: string): Promise<{ plain: string; counted: string; lines: Record<number, string> }> {
  const made = instrumented(body);
  if (!made) throw new Error('not instrumented');
  const executed = made.lines.map(() => '0');
  const count = (statement: number) => void (executed[statement] = '1');
  const plain = await ended(new AsyncFunction(body)());
  const counted = await ended(new AsyncFunction(made.counter, made.body)(count));
  const lines = coverageByLine({ lines: made.lines, executed: executed.join('') });
  return { plain, counted, lines: Object.fromEntries([...lines].map(([line, one]) => [line, stateOfLine(one)])) };
}

const BODIES = {
  'semicolons that are not written':
    'let a = 1\nlet b = a\n++b\nif (b) a = b\nelse a = 0\ndo a++\nwhile (a < 9) b = a\nreturn [a, b]',
  'single statements':
    'let n = 0; for (let i = 0; i < 3; i++) if (i % 2) n += i; else for (const k in { x: 1 }) n += k.length; return n',
  'else if':
    'const f = (x) => { if (x > 2) return 1; else if ((x > 1)) return 2; else if (x, x > 0) return 3; return 4 };\nreturn [3, 2, 1, 0].map(f)',
  'arrow functions':
    'const f = x => y => ({ x, y }), g = (a) => (a, a + 1), h = async x => await x\nif (f) [1].map(x => x)\nreturn [f(1)(2), g(3), await h(4)]',
  directives:
    '"use strict"\n"another"\nfunction f() { "use strict"; return this === undefined }\ntry { undefinedName = 1 } catch (error) { return [error.name, f()] }',
  'labels and switches':
    'let n = 0\nouter: for (;;) { inner: for (;;) { switch (n) { case 0: n++; continue outer; case 1: n += 5; break inner; default: break outer } } }\nreturn n',
  'hoisted functions':
    'return f() + g();\nfunction f() { return 1 }\nfunction g() { if (true) function h() { return 2 }\n return h() }',
  classes:
    'class A { x = 1; static s; static { A.s = 5 } #p = () => this.x; get p() { return this.#p() } }\nclass B extends A { constructor() { super(); this.x = 7 } }\nreturn [new B().p, A.s]',
  generators: 'function* f(n = (() => 3)()) { for (let i = 0; i < n; i++) yield i }\nreturn [...f()]',
  'an error': 'const a = null\nreturn a.b.c',
  'a template and a regular expression': 'const n = 2\nreturn `a${[1].map(x => `${x}}`)}` + /[}]/.test("}")',
  with: 'const o = { a: 5 }; with (o) { return (() => a)() }',
  'the name of the counter': 'const $c = 1, $c1 = 2; return $c + $c1',
  'the name of the counter with escapes': 'let \\u0024c = 1, \\u{24}c1 = 2; return \\u0024c + \\u{24}c1',
  'the name of the counter in a text': 'let n = 1; { let m = eval("var $c = 5; $c"); n += m } return n',
  'the name of the counter, hoisted': 'let n = 1; with ({}) { var \\u0024c = 2 } return n',
  'line ends of all kinds': 'let a = 1;\r\na++;\u2028a++;\ra++\n\nreturn a',
};

describe('a counted body', () => {
  test.each(Object.entries(BODIES))('computes the same: %s', async (_name, body) => {
    const { plain, counted } = await covered(body);
    expect(counted).toBe(plain);
  });

  test.each([
    ['if (false) {\n  a();\n}\nreturn 1;', { 1: 'all', 2: 'none', 4: 'all' }],
    ['const f = () =>\n  1;\nreturn 2; f();', { 1: 'all', 2: 'none', 3: 'some' }],
    ['for (const x of []) x();\n// nothing\n;\nfunction f() {\n  return 1;\n}', { 1: 'some', 5: 'none' }],
    [
      'try {\n  throw new Error("x");\n} catch {\n  return 1;\n} finally {\n  [].pop();\n}',
      { 1: 'all', 2: 'all', 4: 'all', 6: 'all' },
    ],
    ['a: while (true) {\n  break a;\n  c();\n}', { 1: 'all', 2: 'all', 3: 'none' }],
  ])('reports the lines that ran: %s', async (body, lines) => {
    expect((await covered(body)).lines).toEqual(lines);
  });

  test('all scripts of the sample can be counted, and keep their lines', () => {
    const folder = resolve(import.meta.dirname, '../../../../resources/sample/bottling/scripts');
    for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
      const body = readFileSync(join(folder, file), 'utf8');
      const made = instrumented(body);
      expect(made?.body.split('\n').length, file).toBe(body.split('\n').length);
      expect(made?.lines.length, file).toBeGreaterThan(0);
    }
  });

  test('places of errors are those of the original', () => {
    const body = 'let a; if (a) b(); else throw new Error("x"); a = () => c\n\nif (x) y.z()';
    const made = instrumented(body);
    const lines = made?.body.split('\n') ?? [];
    const originals = body.split('\n');
    for (const [line, mark] of [
      [1, 'new Error'],
      [1, 'b()'],
      [1, 'c'],
      [3, 'z()'],
      [3, 'if (x)'],
    ] as const) {
      const at = (text: string | undefined) => (text ?? '').lastIndexOf(mark) + 1;
      const frame = { function: null, line, column: at(lines[line - 1]) };
      const error = { name: 'Error', message: '', line, column: frame.column, stack: [frame] };
      const column = at(originals[line - 1]);
      expect(made && originalError(error, { source: body, ...made })).toEqual({
        ...error,
        column,
        stack: [{ ...frame, column }],
      });
    }
  });

  test('none for a text that is no body, or too long', () => {
    expect(instrumented('return (')).toBeNull();
    expect(instrumented('} + function () {')).toBeNull();
    expect(instrumented(';a'.repeat(50_000))?.lines).toHaveLength(50_000);
    expect(instrumented(';a'.repeat(50_000) + ';')).toBeNull();
    expect(instrumented(`/* ${'長'.repeat(99_000)} */ a(); b();`)).not.toBeNull();
    expect(instrumented(`return ${'['.repeat(50_000)}`)).toBeNull();
  });

  test('the name of the counter stays short', () => {
    expect(instrumented(`a(); //$${'c'.repeat(90_000)}`)?.counter).toBe('$c1');
    const many = Array.from({ length: 10_000 }, (_, number) => `$c${number || ''}`).join(' ');
    expect(instrumented(`a(); //${many}`)?.counter).toBe('$c10000');
  });

  test('random programs compute the same', async () => {
    const { statement } = fc.letrec<{ statement: string; block: string }>((tie) => ({
      statement: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.constantFrom('n++', 'n += 2;', 'log.push(n)', '{ const u = x => x + n; log.push(u(1)) }', 'var v = n', ';'),
        tie('block'),
        fc.tuple(tie('statement'), tie('statement')).map(([a, b]) => `if (n % 2) { ${a} } else if (n > 3) { ${b} }`),
        fc.constantFrom('n++;', 'log.push(n);', '{ n++ }').map((a) => `for (let i = 0; i < 2; i++) ${a}`),
        fc.constantFrom('n++;', '{ n++ }').map((a) => `if (n > 2) ${a} else n--`),
        fc.constantFrom('n++;', '{ n++ }').map((a) => `do ${a} while (n < 3) log.push(-n)`),
        tie('statement').map((a) => `try { ${a}\n throw n } catch (e) { log.push(e) }`),
        tie('statement').map((a) => `switch (n) { case 1: { ${a} } break; default: n++ }`),
      ),
      block: fc.array(tie('statement'), { maxLength: 3 }).map((all) => `{ ${all.join('\n')} }`),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { maxLength: 6 }), async (all) => {
        const { plain, counted } = await covered(`let n = 0, log = [];\n${all.join('\n')}\nreturn [n, log]`);
        expect(counted).toBe(plain);
      }),
      { numRuns: 200 },
    );
  });
});

test('runs of the same body add up, and are summarized by line', () => {
  const one = { lines: [1, 1, 2, 4], executed: '1000' };
  const merged = mergedCoverage([one, { lines: [1, 1, 2, 4], executed: '0010' }]);
  expect(merged).toEqual({ lines: [1, 1, 2, 4], executed: '1010' });
  expect(coverageSummary(one)).toEqual({ lines: 3, executed: 1, percent: 33 });
  expect(coverageSummary({ lines: [], executed: '' })).toEqual({ lines: 0, executed: 0, percent: 100 });
  expect(mergedCoverage([])).toBeNull();
});

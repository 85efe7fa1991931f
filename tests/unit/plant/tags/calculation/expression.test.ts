import { compileFunction } from 'node:vm';
import { fc } from '../../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import type { Expression } from '../../../../../src-main/plant/tags/calculation/expression.ts';
import { parseExpression, renameReferences } from '../../../../../src-main/plant/tags/calculation/expression.ts';
import { programOf } from '../../../../../src-main/plant/tags/calculation/program.ts';

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(result.reason);
  return result.expression;
}

describe('an expression', () => {
  test('has each input once, with its positions', () => {
    const { inputs, references, handled } = parsed(
      "tag('A.b.c') + tag(\"A.b.d\") +\n  tag(`A.b.c`) + (quality('A.b.e') === 'Good' ? 1 : 0)",
    );
    expect(inputs).toEqual(['A.b.c', 'A.b.d', 'A.b.e']);
    expect([...handled]).toEqual(['A.b.e']);
    expect(references.map(({ path, reads, literal: { line, column } }) => [path, reads, line, column])).toEqual([
      ['A.b.c', 'value', 1, 5],
      ['A.b.d', 'value', 1, 20],
      ['A.b.c', 'value', 2, 7],
      ['A.b.e', 'quality', 2, 27],
    ]);
  });

  test.each([
    ...[
      "tag('A.b.c') * 2 > 5 ? Math.max(1, tag('A.b.d')) : -1",
      "tag('A.b.c').toFixed(2) + `${tag('A.b.d')}`",
      "[tag('A.b.c'), 2].includes(3)",
      "tag('A.b.c').speed.limits[0]?.upper",
      "tag('A.b.c')[tag('A.b.d')]",
      "['Stopped', 'Running'][tag('A.b.c')]",
      "tag('A.b.c')['toFixed'](2)",
      "Number.parseFloat('12.5') + Number.MAX_SAFE_INTEGER",
      "Date.parse('2026-01-01T00:00:00Z')",
      "JSON.parse(tag('A.b.c')).items.length",
      "tag('A.b.c').split(',').at(-1).trim().padStart(3, '0')",
    ].map((text) => [text, 'shared'] as const),
    ...[
      "tag('A.b.c').map((n) => n * 2).filter((n) => n > 1).reduce((a, b) => a + b, 0)",
      "tag('A.b.c').map(({ n, more: [first = 1] = [], ...rest }) => ({ ...rest, n, first }))",
      "tag('A.b.c').filter(Boolean).map(Number).toSorted((a, b) => a - b)",
      "[...tag('A.b.c')].sort((a, b) => a - b)[1]",
      'new Date(0).getTime()',
      "new Set(tag('A.b.c')).size",
      "({ a: 1, b: 2 })[tag('A.b.c')]",
      '(() => { const x = 1; let n = 0; for (let i = 0; i < 3; i++) n += i; if (n > x) return n; return 0 })()',
      "tag('A.b.c').replace(/\\d+/g, (n) => n + 1)",
      'Array.from({ length: 3 }, (_, i) => i)',
      '(function f(n) { return n < 2 ? 1 : n * f(n - 1) })(5)',
      '(() => { try { null.x; throw 1 } catch ({ message }) { return message } })()',
      "((a, b) => a / (a + b))(tag('A.b.c'), 2)",
    ].map((text) => [text, 'frozen'] as const),
    ...[
      "Number.__defineGetter__('parseFloat', Number.constructor('return()=>666')), 1",
      "tag('A.b.c').push(1)",
      "tag('A.b.c').constructor('x')",
      "tag('A.b.c')['constructor']",
      "tag('A.b.c')?.constructor?.('x')",
      'Math.constructor',
      'Number.prototype',
      '[].__proto__',
      '({ __proto__: Math })',
      '({ constructor: C }) => C',
      '({ [Math.PI]: 1 })',
      '({ get a() { return 1 } })',
      '(({ [0]: a, ["constructor"]: b }) => b)(1)',
      'RegExp.$1',
      'new Date(0).toTemporalInstant()',
      '[].values().constructor',
      'Error.stackTraceLimit',
      'Object.getPrototypeOf(1)',
      'Object.assign(Math, {})',
      'Object.freeze(Math)',
      'Math.max.call(null, 1)',
      'Math.max.bind(1)',
      "JSON.rawJSON('1')",
      'delete Math.max',
      '2n ** 9n',
      'Math = 1',
      '((Math) => (Math = 1))(0)',
      'Math.max = 1',
      '[Math.max] = [1]',
      '({ a: Math.max } = {})',
      '(() => { for (Math.max of [1]); })()',
      '(() => { for (const [a] of [[1]]); for (Math of [1]); })()',
      "tag('A.b.c').sort()",
      "JSON.stringify(tag('A.b.c'), [0].reverse)",
      '`${1}`.at`x`',
      'String.raw`x`',
      '(function* () {})()',
      "(() => { try { return [][tag('A.b.c')] } catch (e) { return e } })()",
      '(() => { try { null.x } catch (e) { return e.constructor } })()',
      '(() => { try { null.x } catch (e) { return e.stack } })()',
      'class {}',
      'new (Date.bind(0))()',
      '((Date) => new Date())(0)',
      'new Uint8Array(1)',
      "new Error('x')",
      "RegExp('x')",
      'x => x, Reflect',
    ].map((text) => [text, 'own'] as const),
  ])('%s runs in a realm that is %s', (text, realm) => {
    const result = parseExpression(text);
    expect(result.ok ? result.expression.realm : 'own').toBe(realm);
  });

  test.each([
    ["tag('A.b.c')", false],
    ['Date.now()', true],
    ['Math.random()', true],
    ['Math.round(1)', false],
  ])('%s uses the clock or random numbers: %s', (text, volatile) => {
    expect(parsed(text).volatile).toBe(volatile);
  });

  test('may declare names, and have members called tag', () => {
    for (const text of [
      '((a, { b, c: [d = 1] }, ...e) => a + b + d + e.length)(1, { b: 2, c: [] })',
      '(() => { const x = 1; try { throw x } catch (y) { return y } })()',
      "({ tag: 1, quality: 2 }).tag + tag('A.b.c').quality",
    ]) {
      expect(parseExpression(text)).toMatchObject({ ok: true });
    }
    for (const text of ['(tag) => tag', '({ tag })', 'x => y']) expect(parseExpression(text).ok).toBe(false);
  });

  test('with a renamed reference has the other tag and no other change', () => {
    const segment = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => /^[^.\p{C}\p{Z}]+$/u.test(text));
    const path = fc.tuple(segment, segment, segment).map((segments) => segments.join('.'));
    fc.assert(
      fc.property(path, (to) => {
        const text = "tag('A.b.c') + tag(\"A.b.c\") - tag('A.b.d') // 'A.b.c'";
        const renamed = renameReferences(parsed(text), 'A.b.c', to);
        const again = parsed(renamed);
        expect(again.references.map((reference) => reference.path)).toEqual([to, to, 'A.b.d']);
        expect(renamed).toContain("tag('A.b.d') // 'A.b.c'");
      }),
    );
  });

  test('rejects names that a script may not use', () => {
    expect(parseExpression("await=>tag('A.b.c')")).toMatchObject({ ok: false });
  });

  test('always becomes a program that compiles, whatever its text', () => {
    const pieces = fc.constantFrom(
      "tag('A.b.c')",
      "quality('A.b.c')",
      '=',
      '==',
      '!',
      '-',
      '<',
      '>',
      '010',
      '1_0',
      '.5',
      'delete ',
      'eval',
      'undefined',
      'yield',
      'static',
      '(',
      ')',
      '{',
      '}',
      '[',
      ']',
      '+',
      '/',
      '/*',
      '*/',
      '//',
      '\n',
      '`',
      '${',
      "'",
      '=>',
      'x',
      '1',
      ',',
      ';',
      '<!--',
      '-->',
      'return',
      'await',
      'let',
      '...',
      '?.',
      '\u2028',
      '\\',
      'a',
      ':',
      '?',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const result = parseExpression(parts.join(''));
        if (!result.ok) return;
        const { body } = programOf([
          [
            { path: 'X.y.z', expression: result.expression },
            { path: 'X.y.w', expression: parsed('1') },
          ],
        ]);
        // Compiled as in the sandbox, but not run.
        expect(() => compileFunction(`(async function () {${body}\n});`)).not.toThrow();
        expect(body.match(/^try \{ \$\$r\[\d\]/gm)?.length).toBe(2);
      }),
      { numRuns: 3_000 },
    );
  });
});

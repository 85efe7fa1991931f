import { compileFunction } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from '../../../../src-main/tags/calculation/expression.ts';
import { parseExpression, renameReferences } from '../../../../src-main/tags/calculation/expression.ts';
import { programOf } from '../../../../src-main/tags/calculation/program.ts';

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (!result.ok) throw new Error(result.reason);
  return result.expression;
}

describe('an expression', () => {
  it('names its inputs once each, and says where it names them', () => {
    const { inputs, references, handled } = parsed(
      "tag('A.b.c') + tag(\"A.b.d\") +\n  tag(`A.b.c`) + (quality('A.b.e') === 'Good' ? 1 : 0)",
    );
    expect(inputs).toEqual(['A.b.c', 'A.b.d', 'A.b.e']);
    expect([...handled]).toEqual(['A.b.e']);
    expect(references.map(({ path, asks, literal: { line, column } }) => [path, asks, line, column])).toEqual([
      ['A.b.c', 'value', 1, 5],
      ['A.b.d', 'value', 1, 20],
      ['A.b.c', 'value', 2, 7],
      ['A.b.e', 'quality', 2, 27],
    ]);
  });

  it.each([
    ["tag('A.b.c') * 2 > 5 ? Math.max(1, tag('A.b.d')) : -1", true],
    ["tag('A.b.c').toFixed(2) + `${tag('A.b.d')}`", true],
    ["[tag('A.b.c'), 2].includes(3)", true],
    ["tag('A.b.c').map((n) => n)", false],
    ["tag('A.b.c').push(1)", false],
    ["tag('A.b.c').constructor('x')", false],
    ['Math.max.call(null, 1)', false],
    ['Object.assign(Math, {})', false],
    ["tag('A.b.c')['toFixed'](2)", false],
    ['delete Math.max', false],
    ['2n ** 9n', false],
    ['Math = 1', false],
    ['new Date(0)', false],
  ])('%s is plain: %s', (text, plain) => {
    expect(parsed(text).plain).toBe(plain);
  });

  it.each([
    ["tag('A.b.c')", false],
    ['Date.now()', true],
    ['Math.random()', true],
    ['Math.round(1)', false],
  ])('%s looks at the clock or at chance: %s', (text, volatile) => {
    expect(parsed(text).volatile).toBe(volatile);
  });

  it('may have names of its own, and members called tag', () => {
    for (const text of [
      '((a, { b, c: [d = 1] }, ...e) => a + b + d + e.length)(1, { b: 2, c: [] })',
      '(() => { const x = 1; try { throw x } catch (y) { return y } })()',
      "({ tag: 1, quality: 2 }).tag + tag('A.b.c').quality",
    ]) {
      expect(parseExpression(text)).toMatchObject({ ok: true });
    }
    for (const text of ['(tag) => tag', '({ tag })', 'x => y']) expect(parseExpression(text).ok).toBe(false);
  });

  it('with a reference renamed names the other tag and changes nothing else', () => {
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

  it('refuses names that a script may not use', () => {
    expect(parseExpression("await=>tag('A.b.c')")).toMatchObject({ ok: false });
  });

  it('never makes a program that does not compile, whatever its text', () => {
    const pieces = fc.constantFrom(
      "tag('A.b.c')",
      "quality('A.b.c')",
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
        // Made as the sandbox makes it, and not run.
        expect(() => compileFunction(`(async function () {${body}\n});`)).not.toThrow();
        expect(body.match(/^try \{ \$\$r\[\d\]/gm)?.length).toBe(2);
      }),
      { numRuns: 3_000 },
    );
  });
});

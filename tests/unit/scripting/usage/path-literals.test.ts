import { fc } from '../../../support/run/random.ts';
import { describe, expect, test } from 'vitest';
import { problemOfTagPath } from '#domain/tag/tag-path';
import {
  pathLiterals,
  quotedInText,
  renameable,
  replaceLiterals,
} from '../../../../src-main/scripting/usage/path-literals.ts';

const PATH = 'A.B.C';
const placesIn = (body: string, path = PATH) =>
  pathLiterals(body)
    ?.get(path)
    ?.map(({ line, column }) => `${line}:${column}`) ?? [];

/** A body in which a path was renamed as far as possible. */
function renamedIn(body: string, newPath: string): string {
  const all = pathLiterals(body);
  const literals = renameable(all?.get(PATH) ?? [], newPath, all?.get(newPath) ?? []);
  return replaceLiterals(body, literals, newPath);
}

describe('literals are renamed only if nothing is lost', () => {
  test.each([
    ['f(String.raw`A.B.C`)', 'A.B.D', 'f(String.raw`A.B.D`)'],
    ['f(String.raw`A.B.C`, `A.B.C`)', 'A.B.`D', 'f(String.raw`A.B.C`, `A.B.\\`D`)'],
    ['f(String.raw`A.B.C`)', 'A.B.D\\', 'f(String.raw`A.B.C`)'],
    ['f(tags[0]`A.B.C`, g()`A.B.C`)', 'A.B.${D}', 'f(tags[0]`A.B.C`, g()`A.B.C`)'],
    ['return `A.B.C`', 'A.B.`D', 'return `A.B.\\`D`'],
    ['await `A.B.C`', 'A.B.`D', 'await `A.B.\\`D`'],
    ["f({ 'A.B.C': 1, 'A.B.D': 'A.B.C' })", 'A.B.D', "f({ 'A.B.C': 1, 'A.B.D': 'A.B.D' })"],
    ["f({ 'A.B.C': 1 }, 'A.B.D')", 'A.B.D', "f({ 'A.B.D': 1 }, 'A.B.D')"],
    ["x = y ? 'A.B.C' : 'A.B.D'", 'A.B.D', "x = y ? 'A.B.D' : 'A.B.D'"],
    [
      "switch (x) { case 'A.B.C': f(); case 'A.B.D': g(); }",
      'A.B.D',
      "switch (x) { case 'A.B.C': f(); case 'A.B.D': g(); }",
    ],
    ...[
      "f({ ['A.B.C']: 1, 'A.B.D': 2 })",
      "f({ [('A.B.C')]: 1, ['A.B.D']: 2 })",
      'f({ [String.raw`A.B.C`]: 1, [`A.B.D`]: 2 })',
      "f({ 'A.B.C'() {}, 'A.B.D': 2 })",
      "f({ async *['A.B.C']() {}, get 'A.B.D'() { return 1 } })",
      "f({ get 'A.B.C'() { return 1 }, 'A.B.D': 2 })",
      "class A { 'A.B.C' = 1; 'A.B.D' = 2 }",
      "class A { static ['A.B.C']; static 'A.B.D'() {} }",
      "switch (x) { case ('A.B.C'): f(); case `A.B.D`: g(); }",
      "const { ['A.B.C']: a, 'A.B.D': b } = x",
    ].map((body) => [body, 'A.B.D', body]),
    ["f({ 'A.B.D': x['A.B.C'] })", 'A.B.D', "f({ 'A.B.D': x['A.B.D'] })"],
    ["x ? ['A.B.C'] : { 'A.B.D': 1 }", 'A.B.D', "x ? ['A.B.D'] : { 'A.B.D': 1 }"],
  ])('%j to %s', (body = '', newPath = '', expected = '') => {
    expect(renamedIn(body, newPath)).toBe(expected);
  });

  test('a tagged template contains its written text', () => {
    expect([...(pathLiterals('f(String.raw`A\\B.C.D`)') ?? new Map<string, unknown>()).keys()]).toEqual(['A\\B.C.D']);
  });
});

describe('literals are found', () => {
  test.each([
    [`return TagValueManager.Get(['A.B.C']);`, ['1:29']],
    [`const a = "A.B.C", b = 'A.B.C';`, ['1:11', '1:24']],
    ['const a = `A.B.C`;', ['1:11']],
    [`\r\n\r\n  f({ tag: 'A.B.C' })`, ['3:12']],
    [`f({ 'A.B.C': 1 })`, ['1:5']],
    [`f('A.\\x42.C')`, ['1:3']],
    [`await f('A.B.C'); return 1;`, ['1:9']],
    [`if (x) return\n/A'/.test(y) ? 'A.B.C' : 0`, ['2:16']],
    ['`a${ `A.B.C` }b`', ['1:6']],
    [`using file = open('A.B.C'); await using other = 'A.B.C'`, ['1:19', '1:49']],
    [`return new.target ?? arguments['A.B.C'] // 'A.B.C'`, ['1:32']],
  ])('in %j', (body, places) => {
    expect(placesIn(body)).toEqual(places);
  });

  test.each([
    [`// 'A.B.C'`],
    [`/'A.B.C'/`],
    ['`A.B.C${x}`'],
    ['`${x}A.B.C`'],
    [`'A.B' + '.C'`],
    [`'A.B.C.D'`],
    [`'xA.B.C'`],
    [`"'A.B.C'"`],
    ['A.B.C'],
  ])('and not in %j', (body) => {
    expect(placesIn(body)).toEqual([]);
  });

  test('unless the body does not parse', () => {
    expect(pathLiterals(`const = 'A.B.C'`)).toBe(null);
    expect(pathLiterals(`f(${'['.repeat(100_000)}`)).toBe(null);
    expect(pathLiterals(`return 'A.B.C' } async () => { return 'A.B.C'`)).toBe(null);
    expect(pathLiterals(`return 'A.B.C' /* `)).toBe(null);
    expect(pathLiterals(`return 'A.B.C' }, 'A.B.C', () => {`)).toBe(null);
    expect(pathLiterals('')?.size).toBe(0);
  });
});

test('a text that does not parse is searched for the path in quotes', () => {
  const text = `const = 'A.B.C'\n// "A.B.C" 'A.B.C" A.B.C\n\n  \`A.B.C\` 'A.B.C.D'`;
  const found = quotedInText(text, PATH);
  expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(['1:9', '2:4', '4:3']);
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["'A.B.C'", '"A.B.C"', '`A.B.C`']);
  expect(quotedInText(text, '')).toEqual([]);
});

test('a replaced literal is the new path in the same quotes, and nothing else changes', () => {
  const segment = fc.string({
    minLength: 1,
    maxLength: 6,
    unit: fc.constantFrom(...Array.from('ab\'"`\\${} ü\u{1f600}')),
  });
  const path = fc
    .array(segment, { minLength: 3, maxLength: 4 })
    .map((segments) => segments.join('.'))
    .filter((one) => problemOfTagPath(one) === null);
  fc.assert(
    fc.property(path, path, (from, to) => {
      const body = ["'", '"', '`']
        .map((quote) => `x = ${replaceLiterals(`${quote}${quote}`, [{ start: 0, end: 2, line: 1, column: 1 }], from)};`)
        .join('\n');
      const literals = pathLiterals(body)?.get(from) ?? [];
      expect(literals).toHaveLength(3);
      const replaced = replaceLiterals(body, literals, to);
      expect(pathLiterals(replaced)?.get(to)).toHaveLength(3);
      expect(replaceLiterals(replaced, pathLiterals(replaced)?.get(to) ?? [], from)).toBe(body);
    }),
  );
});

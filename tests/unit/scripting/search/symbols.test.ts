import { describe, expect, test } from 'vitest';
import { rolesIn, symbolsIn } from '../../../../src-main/scripting/search/symbols.ts';
import type { ScriptSymbol } from '../../../../src-preload/domain/search/symbol.ts';
import { BestSymbols } from '../../../../src-preload/domain/search/symbol.ts';

const shown = (body: string) =>
  symbolsIn(body).map(({ kind, name, container, line, column }) =>
    [kind, container === null ? name : `${container}.${name}`, `${line}:${column}`].join(' '),
  );

describe('the symbols of a body', () => {
  test('of a long text are found by lines, because parsing would block main', () => {
    const long = `${'1;\n'.repeat(20_000)}function helper() {\n  helper();\n}`;
    expect(shown(long)).toEqual([expect.stringContaining('helper')]);
    expect(rolesIn(long, 'helper')).toBe(null);
    expect(rolesIn('function helper() {}', 'helper')?.size).toBe(1);
  });

  test('are functions, classes, methods, and constants at the top', () => {
    const body = [
      'const LIMIT = 5;',
      'let count = 0;',
      'async function clamp(value) {',
      '  const inner = () => 1;',
      '  const local = 2;',
      '  return inner() + local;',
      '}',
      'const half = (value) => value / 2, Reader = class { read() {} };',
      'class Line { #state = 1; speed() {} static #of = () => 1; }',
      'const helpers = { round(value) { return value; }, twice: (value) => 2 * value, size: 3 };',
      'const { a, b: [c = 1, ...d] } = helpers;',
      'return clamp(LIMIT);',
    ].join('\n');
    expect(shown(body)).toEqual([
      'constant LIMIT 1:7',
      'function clamp 3:16',
      'function clamp.inner 4:9',
      'function half 8:7',
      'class Reader 8:36',
      'method Reader.read 8:53',
      'class Line 9:7',
      'method Line.speed 9:26',
      'method Line.#of 9:44',
      'constant helpers 10:7',
      'method helpers.round 10:19',
      'method helpers.twice 10:51',
      'constant a 11:9',
      'constant c 11:16',
      'constant d 11:26',
    ]);
  });

  test('of a body that does not parse are found by their lines', () => {
    expect(shown('const a = ;\n  function half(x) {\nclass Über {\n  x const y')).toEqual([
      'constant a 1:7',
      'function half 2:12',
      'class Über 3:7',
    ]);
    expect(shown('}; function f() {')).toEqual([]);
  });

  test('of a body that is nested too deeply do no harm', () => {
    expect(shown(`const a = ${'['.repeat(50_000)}${']'.repeat(50_000)};`)).toEqual(['constant a 1:7']);
  });
});

describe('references to a name', () => {
  const roles = (body: string, name: string) => [...(rolesIn(body, name) ?? [])].map((one) => one.join(' '));

  test('are definitions, calls and uses, but no comments, strings or members', () => {
    const body =
      'function half(x) { return x / 2; }\nhalf(1); [1].map(half); // half\n"half"; a.half; b = { half: 1 };';
    expect(roles(body, 'half')).toEqual(['9 definition', '35 call', '52 use']);
    expect(roles('new Reader(); String.raw`x`; raw`y`; ({ raw })', 'raw')).toEqual(['29 call', '40 use']);
  });

  test('are definitions in patterns, too', () => {
    expect(roles('const { a: [half = 1], ...b } = c; let { half: x } = b; half;', 'half')).toEqual([
      '12 definition',
      '56 use',
    ]);
    expect(roles('const { half } = a;', 'half')).toEqual(['8 definition']);
  });

  test('of a method are the members with its name', () => {
    expect(roles('const h = { half(x) { return 1; } }; h.half(2);', 'half')).toEqual(['12 definition', '39 use']);
  });

  test('in a body that does not parse are unknown', () => {
    expect(rolesIn('half(', 'half')).toBeNull();
  });
});

test('symbols are ranked by their names', () => {
  const symbol = (name: string, kind: ScriptSymbol['kind'] = 'function', scriptName = 'G/S'): ScriptSymbol => {
    const place = { start: 0, end: 1, line: 1, column: 1 };
    return { name, kind, container: null, script: '1', scriptName, ...place };
  };
  const all = [
    symbol('half', 'constant'),
    symbol('x', 'function', 'half/S'),
    symbol('aHalf'),
    symbol('halfOf'),
    symbol('half'),
  ];
  const names = (text: string, limit = 10) => {
    const best = new BestSymbols(text, limit);
    for (const one of all) best.add(one);
    return best.list().map(({ name, kind }) => `${kind} ${name}`);
  };
  expect(names('half')).toEqual(['function half', 'constant half', 'function halfOf', 'function aHalf']);
  expect(names('x half')).toEqual(['function x']);
  expect(names('half s', 2)).toEqual(['function aHalf', 'function halfOf']);
  expect(names('')).toHaveLength(5);
  expect(names('none')).toEqual([]);
});

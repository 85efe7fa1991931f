import { beforeAll, describe, expect, test } from 'vitest';
import type { InstanceClient } from '../../../../src-main/host/instance-client.ts';
import { notesByLine, skippedParts, VALUES_LIMITS } from '#domain/run/shown-values';
import { builtProduct } from '../../../support/product/product.ts';
import { HALF, LEVEL, plant } from '../debug/debug-plant.ts';

beforeAll(() => builtProduct());

const context = { tagName: 'Plant.Tank.Own.Value', tagScopeDiagram: null, tagScopeLocation: null };

const shownBy = (client: InstanceClient, body: string, dryRun = true) => client.debug.values({ body, context, dryRun });

/** The noted text of each line. */
async function linesOf(client: InstanceClient, body: string): Promise<Record<number, string>> {
  return Object.fromEntries(notesByLine((await shownBy(client, body)).values));
}

describe('a run that shows its values', () => {
  test('notes variables, branches and the report of a dry run with tags', async () => {
    const { client } = await plant();
    const body = `const read = TagValueManager.Get(['${LEVEL}']).Value[0];
let state = 'low';
if (read.Value > 10) state = 'high'; else state = 'empty';
TagValueManager.Set([{ tag: '${LEVEL}', value: read.Value * 2 }]);
const half = TagValueManager.Get(['${HALF}']).Value[0].Value;
console.log(state);
return [state, half];`;
    const { report, values, parts, stopped, executed } = await shownBy(client, body);
    expect(report).toMatchObject({ status: 'ok', result: ['high', 12], dryRun: true, error: null });
    expect(report.console.map(({ text }) => text)).toEqual(['high']);
    expect(report.reads.map(({ line }) => line)).toEqual([1, 5]);
    expect(Object.fromEntries(notesByLine(values))).toEqual({
      1: `read = {Path: "${LEVEL}", Value: 12, Quality: "Good"…`,
      2: 'state = "low"',
      3: 'state = "high"',
      5: 'half = 12',
      7: 'return = ["high", 12]',
    });
    expect(skippedParts(parts)).toEqual([{ line: 3, column: 43, endLine: 3, endColumn: 59, count: 0 }]);
    expect({ stopped, executed }).toEqual({ stopped: false, executed: 8 });
    // Nothing was saved.
    expect(await client.tags.get({ paths: [LEVEL], diagram: '', location: '' })).toMatchObject([{ value: 12 }]);
    // The same choice as a run has.
    expect((await shownBy(client, body, false)).report).toMatchObject({ status: 'ok', dryRun: false });
    expect(await client.tags.get({ paths: [LEVEL], diagram: '', location: '' })).toMatchObject([{ value: 24 }]);
  });

  test.each<[string, string, Record<number, string>]>([
    [
      'a loop of 10,000',
      'let sum = 0;\nfor (let i = 0; i < 10_000; i++) {\n  sum += i;\n}\nreturn sum;',
      { 1: 'sum = 0', 2: 'i = 0 … 10000 ×10,001', 3: 'sum = 0 … 49995000 ×10,000', 5: 'return = 49995000' },
    ],
    [
      'a text that would take long to copy',
      'const long = "x".repeat(20_000_000);\nconst start = long.slice(0, 3);',
      { 1: 'long = String of 20000000 characters', 2: 'start = "xxx"' },
    ],
    [
      'break and continue',
      'let n = 0;\nfor (const x of [1, 2, 3, 4]) {\n  if (x === 2) continue;\n  if (x === 4) break;\n  n += x;\n}',
      { 1: 'n = 0', 2: 'x = 1 … 4 ×4', 5: 'n = 1 … 4 ×2' },
    ],
    [
      'generators',
      'function* f(n) {\n  let i = n;\n  while (i > 0) yield i--;\n}\nconst all = [...f(3)];',
      { 1: 'n = 3', 2: 'i = 3', 3: 'i = 2 … 0 ×3', 5: 'all = [3, 2, 1]' },
    ],
    [
      'async functions',
      'const f = async (x) => {\n  const y = await x;\n  return y + 1;\n};\nconst z = await f(Promise.resolve(1));',
      { 1: 'f = ƒ f, x = Promise', 2: 'y = 1', 3: 'return = 2', 5: 'z = 2' },
    ],
    [
      'destructuring and closures',
      'const { a, ...rest } = { a: 1, b: 2 };\nconst adds = (by) => (to) => to + by;\nconst sum = adds(a)(rest.b);\nlet [x, y = 5] = [sum];\n[x, y] = [y, x];',
      {
        1: 'a = 1, rest = {b: 2}',
        2: 'adds = ƒ adds, by = 1, to = 2',
        3: 'sum = 3',
        4: 'x = 3, y = 5',
        5: 'x = 5, y = 3',
      },
    ],
    [
      'a recursion',
      'function f(n) {\n  return n < 2 ? 1 : n * f(n - 1);\n}\nconst r = f(5);',
      { 1: 'n = 5 … 1 ×5', 2: 'return = 1 … 120 ×5', 4: 'r = 120' },
    ],
    [
      'values of all kinds',
      'let a = -0;\nlet b = 2n ** 70n;\nlet c = Symbol("s");\nlet d = new Map([[1, 2]]);\nlet e = new Uint8Array(3);\nlet f = new Error("no");\nlet g = class A {};\nlet h = new g();\nlet i = null, j, k = undefined;\nlet l = [, 1];\nlet m = /x/;\nlet n = Object.create(null);\nlet o = "a\\nb";\nlet p = new Date(0) && 1;',
      {
        1: 'a = -0',
        2: 'b = 1180591620717411303424n',
        3: 'c = Symbol(s)',
        4: 'd = Map(1)',
        5: 'e = Uint8Array(3)',
        6: 'f = Error: no',
        7: 'g = ƒ A',
        8: 'h = A {}',
        9: 'i = null, k = undefined',
        10: 'l = [empty, 1]',
        11: 'm = RegExp',
        12: 'n = {}',
        13: 'o = "a\\nb"',
        14: 'p = 1',
      },
    ],
  ])('notes %s', async (_name, body, lines) => {
    const { client } = await plant();
    expect(await linesOf(client, body)).toEqual(lines);
  });

  test('runs no getter, asks no proxy, and bounds large values', async () => {
    const { client } = await plant();
    const body = `let seen = [];
const note = (what) => seen.push(what);
const getter = { get a() { note('get'); return 1; }, b: 2 };
const proxy = new Proxy({}, { get: () => note('trap'), ownKeys: () => { note('keys'); return []; }, getPrototypeOf: () => { note('prototype'); return null; } });
const below = Object.create(proxy);
const named = new (class { static get name() { note('name'); return 'x'; } })();
const made = Object.create({ constructor: new Proxy(class {}, { getOwnPropertyDescriptor: () => { note('constructor'); } }) });
const error = Object.defineProperty(new Error('x'), 'message', { get: () => { note('message'); return 'y'; } });
class Sized extends Map { get size() { note('size'); return 5; } }
const sized = new Sized();
const dated = Object.assign(new Date(0), { toString: () => { note('date'); return ''; }, toJSON: () => note('json') });
const huge = new Array(1e8);
const long = 'x'.repeat(1e6);
const tagged = { get [Symbol.toStringTag]() { note('tag'); return 'T'; } };
const callable = new Proxy(() => 1, { get: () => note('get of callable') });
Object.prototype.toJSON = () => note('toJSON of all');
const late = { a: 1 };
delete Object.prototype.toJSON;
return seen;`;
    const { report, values } = await shownBy(client, body);
    expect(report).toMatchObject({ status: 'ok', result: [] });
    const texts = Object.fromEntries(notesByLine(values));
    expect(texts).toMatchObject({
      3: 'getter = {a: (…), b: 2}',
      4: 'proxy = Proxy',
      5: 'below = {}',
      7: 'made = {}',
      8: 'error = Error',
      10: 'sized = Map(0)',
      12: expect.stringMatching(/^huge = \(100000000\) \[empty, empty, .*…$/),
      15: 'callable = Proxy',
      17: 'late = {a: 1}',
    });
    for (const { first, last } of values) {
      expect(first.length).toBeLessThanOrEqual(VALUES_LIMITS.text);
      expect(last.length).toBeLessThanOrEqual(VALUES_LIMITS.text);
    }
  });

  test('the script cannot find what notes it, and leaves nothing for the next run', async () => {
    const { client } = await plant();
    const body = `const f = (a) => { const b = a; return b; };
f(1);
Array.prototype.push = () => { throw new Error('used'); };
Object.defineProperty(Array.prototype, 0, { set() { throw new Error('used'); } });
Object.defineProperty(Object.prototype, 'variables', { get() { throw new Error('used'); } });
globalThis.Float64Array = globalThis.Uint8Array = JSON.stringify = Date.now = undefined;
globalThis.left = 1;
const c = { d: 1 };
for (let i = 0; i < 3; i++) c.d = i;
return [f.toString(), Object.getOwnPropertyNames(globalThis).filter((name) => name.includes('$')), f.name, String(function () { let x = 1; })];`;
    const { report, values } = await shownBy(client, body);
    expect(report.error).toBeNull();
    expect(report).toMatchObject({
      status: 'ok',
      result: ['(a) => { const b = a; return b; }', [], 'f', 'function () { let x = 1; }'],
    });
    expect(Object.fromEntries(notesByLine(values))).toMatchObject({
      8: 'c = {d: 1}',
      9: 'i = 0 … 3 ×4, c.d = 0 … 2 ×3',
    });
    expect((await shownBy(client, 'const left = typeof globalThis.left; return left')).values).toMatchObject([
      { name: 'left', last: '"undefined"' },
      { name: 'return', last: '"undefined"' },
    ]);
  });

  test('a hot script stops with its reason, and shows what it has', async () => {
    const { client } = await plant();
    const body = `let n = 0;
try {
  for (;;) {
    n++;
  }
} catch {
  n = -1;
} finally {
  TagValueManager.Set([{ tag: '${LEVEL}', value: 99 }]);
}`;
    const { report, values, executed, stopped, parts } = await shownBy(client, body, false);
    expect({ stopped, executed }).toEqual({ stopped: true, executed: VALUES_LIMITS.executed + 1 });
    expect(report).toMatchObject({ status: 'cancelled', error: { line: 4, name: 'TooManyStatements' } });
    expect(report.error?.message).toMatch(/^stopped after 100,000 statements/);
    expect(values).toMatchObject([
      { line: 1, name: 'n', first: '0', last: '0', count: 1 },
      { line: 4, name: 'n', first: '1', last: '99997', count: 99_997 },
    ]);
    expect(skippedParts(parts).map(({ line }) => line)).toEqual([7, 9]);
    // Neither `finally` nor anything else ran after it.
    expect(await client.tags.get({ paths: [LEVEL], diagram: '', location: '' })).toMatchObject([{ value: 12 }]);
    for (const hot of [
      'while (true);',
      'for (;;) ;',
      'do {} while (true)',
      'const f = () => f(); for (;;) try { f() } catch {}',
    ])
      expect((await shownBy(client, hot)).report.status, hot).not.toBe('ok');
  });

  test('an error shows what was noted before it, at its line and column', async () => {
    const { client } = await plant();
    const body = 'const a = 1;\nconst b = null, c = 2;\nfunction f(x) { return x.y.z; }\nf(b);\nconst d = 5;';
    const { report, values, parts } = await shownBy(client, body);
    const plain = await client.runs.execute({ body, context, dryRun: true });
    expect(report.error).toEqual(plain.error);
    expect(report).toMatchObject({ status: 'error', error: { line: 3 } });
    expect(Object.fromEntries(notesByLine(values))).toEqual({ 1: 'a = 1', 2: 'b = null, c = 2', 3: 'x = null' });
    expect(skippedParts(parts).map(({ line }) => line)).toEqual([5]);
  });

  test('what does not parse is reported like a run, without values', async () => {
    const { client } = await plant();
    for (const body of ['let a = ;', '', '  // nothing', '"use strict"', '}', 'return']) {
      const { report, values } = await shownBy(client, body);
      const plain = await client.runs.execute({ body, context, dryRun: true });
      expect(report).toMatchObject({ status: plain.status, error: plain.error, result: plain.result });
      expect(values).toEqual([]);
    }
    await expect(shownBy(client, ' '.repeat(1_048_577))).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a run that never ends, loses its host or is cancelled shows what it has', async () => {
    const { client } = await plant();
    await client.settings.update({ 'limits.scriptMs': 2_000, 'limits.totalMs': 20_000 });
    const early = 'const a = 1;\nlet n = 0;\nfor (const x of [1, 2, 3]) n += x;\n';
    const noted = { 1: 'a = 1', 2: 'n = 0', 3: 'x = 1 … 3 ×3, n = 1 … 6 ×3' };
    const ends = {
      'await new Promise(() => {});': 'error',
      '/(a+)+b/.test("a".repeat(50));': 'timeout',
      '"x".repeat(2 ** 29 - 24).split("");': 'crashed',
    };
    for (const [end, status] of Object.entries(ends)) {
      const { report, values } = await shownBy(client, early + end);
      expect([report.status, Object.fromEntries(notesByLine(values))], end).toEqual([
        // On a busy machine, the time ends before the memory does.
        expect.stringMatching(status === 'crashed' ? /crashed|memory|timeout/ : status),
        noted,
      ]);
    }
    const running = client.debug.values({
      body: `${early}await new Promise(() => {});`,
      context,
      dryRun: true,
      key: 'k',
    });
    await running;
    expect(await client.runs.cancel({ key: 'k' })).toEqual({ cancelled: false });
  });

  test('a loop that hangs shows what it noted a moment before', async () => {
    const { client } = await plant();
    await client.settings.update({ 'limits.scriptMs': 1_500 });
    // The statement of any number may be the first of its kind when the time is due to be read.
    const body = `let n = 0;
${'n++;\n'.repeat(140)}const texts = ['b', 'a'.repeat(50)];
for (let i = 0; i < 60; i++) {
  const until = Date.now() + 3;
  for (let j = 0; j < 64; j++) n++;
  while (Date.now() < until) 'x'.repeat(1e5).split('');
  /(a+)+b/.test(texts[Number(i > 58)]);
}`;
    const { report, values } = await shownBy(client, body);
    expect(report.status).toBe('timeout');
    expect(Number(values.find(({ name }) => name === 'i')?.last)).toBeGreaterThan(5);
  });

  test('masks secrets in values', async () => {
    const { client } = await plant();
    await client.secrets.set({ name: 'KEY', value: 'very-secret-value' });
    const { values } = await shownBy(client, 'const key = "Bearer very-secret-value";\nconst list = [key];');
    expect(values.map(({ last }) => last)).toEqual(['"Bearer ***"', '["Bearer ***"]']);
  });

  test('many runs at once each have their own values', async () => {
    const { client } = await plant();
    const all = await Promise.all(
      Array.from({ length: 6 }, (_, at) => shownBy(client, `let n = ${at};\nfor (let i = 0; i < 50; i++) n++;`)),
    );
    expect(all.map(({ values }) => values.find(({ line }) => line === 1)?.last)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });
});

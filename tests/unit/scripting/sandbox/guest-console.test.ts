import { describe, expect, test } from 'vitest';
import { run, valuesOf } from './guest-run.ts';

describe('the console', () => {
  test('formats its arguments and has five levels', async () => {
    const { console } = await run(
      'console.log("a", 1, { b: [null, "c"] }, undefined); console.debug(); console.error(new Map([[1, 2]]))',
    );
    expect(console).toEqual(["0a 1 { b: [ null, 'c' ] } undefined", '4', '3Map (1) {1 => 2}']);
  });

  test.each([
    ['[1, [], {}, [undefined, null], -0, 5n, NaN]', '[ 1, [], {}, [ undefined, null ], -0, 5n, NaN ]'],
    ["['it\\'s', 'a\\\\b', 'a\\n\\u0001']", String.raw`[ 'it\'s', 'a\\b', 'a\n\u0001' ]`],
    ['[1, , 3]', '[ 1, , 3 ]'],
    ['/(b)/.exec("abc")', "[ 'b', 'b', index: 1, input: 'abc', groups: undefined ]"],
    ['{ "a-b": 1, [Symbol("s")]: 2 }', "{ 'a-b': 1, [Symbol(s)]: 2 }"],
    ['new (class Point { x = 1 })()', 'Point { x: 1 }'],
    ['Object.create(null)', '[Object: null prototype] {}'],
    [
      '[() => 1, class A {}, Object.assign(function f() {}, { a: 1 })]',
      '[ [Function (anonymous)], [Function: A], [Function: f] { a: 1 } ]',
    ],
    ['{ a: { b: { c: { d: { e: 1 } }, f: [[1]] } } }', '{ a: { b: { c: { d: [Object] }, f: [ [Array] ] } } }'],
    ['(() => { const a = { b: 1 }; a.self = a; return a })()', '{ b: 1, self: [Circular] }'],
    ['[new Error("x"), Object.assign(new TypeError("y"), { code: 1 })]', '[ [Error: x], { [TypeError: y] code: 1 } ]'],
    ['new Error("x", { cause: new Error("y") })', '{ [Error: x] [cause]: [Error: y] }'],
    ['[new Map([[1, { a: 2 }]]), new Set(["a", 2])]', "[ Map (1) {1 => { a: 2 }}, Set (2) {'a', 2} ]"],
    [
      '[new WeakMap(), Symbol("s"), Object(1), Object("s"), Promise.resolve()]',
      "[ WeakMap { ? }, Symbol(s), Object(1), Object('s'), Promise {} ]",
    ],
    [
      '[new Uint8Array([1, 2]), new ArrayBuffer(3), /x/g, new Date(NaN)]',
      '[ Uint8Array (2) [ 1, 2 ], ArrayBuffer (3 bytes) {}, /x/g, Invalid Date ]',
    ],
    ['{ get a() { throw 1 }, b: 2 }', '{ a: [a value that cannot be shown], b: 2 }'],
  ])('shows %s', async (value, text) => {
    expect((await run(`console.log(${value})`)).console).toEqual([`0${text}`]);
  });

  test.each([
    [
      'an object of 40,000 keys',
      'Object.fromEntries(Array.from({ length: 40000 }, (_, i) => ["k" + i, i]))',
      /^0\{ k0: 0, k1: 1, .*, … 3\d{4} more members \}$/,
    ],
    ['an array of 100,000', 'Array.from({ length: 100000 }, (_, i) => i)', /^0\[ 0, 1, 2, .*, … 9\d{4} more items \]$/],
    [
      'a Map of 100,000',
      'new Map(Array.from({ length: 100000 }, (_, i) => [i, i]))',
      /^0Map \(100000\) \{0 => 0, .*, … 9\d{4} more entries\}$/,
    ],
    ['a sparse array', 'Object.assign([1], { 4294967294: 2 }).fill(0, 0, 2)', /^0\[ 0, 0, , , .*… \d+ more items \]$/],
    [
      'a typed array of 100,000',
      'new Int8Array(100000)',
      /^0Int8Array \(100000\) \[ 0, 0, .*, … 9\d{4} more items \]$/,
    ],
    [
      'a long text inside',
      '[{ a: "x".repeat(1e6) }, 2]',
      /^0\[ \{ a: 'x+'\.\.\. 99\d{4} more characters \}, … 1 more items \]$/,
    ],
    [
      'wide and deep',
      '(() => { const wide = (n) => n === 0 ? 1 : Array(300).fill(wide(n - 1)); return wide(4) })()',
      /^0\[ \[ \[ \[ 1, .*, … \d+ more items \]$/,
    ],
  ])('of %s shows as much as an entry can contain, and how much is omitted', async (_, value, text) => {
    const { console } = await run(`console.log(${value})`);
    expect(console[0]).toMatch(text);
    expect(console[0]?.length).toBeLessThanOrEqual(10_001);
  });

  test('sends everything: its host keeps the last entries', async () => {
    const { console } = await run('for (let i = 0; i < 11; i++) console.log(i)');
    expect(console).toHaveLength(11);
  });

  test('sends the line, and the logged objects as far as people unfold them', async () => {
    const { frames } = await run(`
      class Point { x = 1; get y() { throw 1 } }
      const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } }; deep.self = deep;
      console.warn('point', new Point(), { get late() { throw 1 } }, [1, , { k: null }], deep);
      console.info(new Map([[{ k: 1 }, 'v']]), new Set([2]), new RangeError('far'), new Uint8Array([7]), new Date(0));
      console.log('text', 1, null);`);
    const [head, point, getter, list, nested] = valuesOf(frames[0]);
    expect(frames.map((frame) => /^\d(\d*)/.exec(frame)?.[1])).toEqual(['4', '5', '6']);
    expect([head, point]).toEqual(['point', { title: 'Point', members: [['x', '1']], more: 0 }]);
    expect(getter).toEqual({ title: 'Object', members: [['late', '(getter)']], more: 0 });
    const inner = { title: 'Object', members: [['k', 'null']], more: 0 };
    expect(list).toEqual({
      title: 'Array (3)',
      members: [
        ['0', '1'],
        ['2', inner],
      ],
      more: 0,
    });
    expect(JSON.stringify(nested)).toContain('"members":[],"more":1');
    expect(JSON.stringify(nested)).toContain('["self","[Circular]"]');
    expect(valuesOf(frames[1])).toEqual([
      { title: 'Map (1)', members: [['{ k: 1 }', "'v'"]], more: 0 },
      { title: 'Set (1)', members: [['0', '2']], more: 0 },
      { title: '[RangeError: far]', members: [], more: 0 },
      { title: 'Uint8Array (1)', members: [['0', '7']], more: 0 },
      expect.stringContaining('1970'),
    ]);
    expect(frames[2]).toBe('56|0|text 1 null');
  });

  test('sends no impossible line, whatever functions are called', async () => {
    const { frames, calls } = await run(`
      const calling = (name) => ({ [name](...args) { console.log(...args); TagValueManager.Get(['a']); } })[name](1);
      calling('script:0:'); calling('script:99999999999:');`);
    for (const frame of frames) expect(frame).toMatch(/^(?:0|5[1-9]\d{0,7}\|)/);
    for (const [, line] of calls) expect(line === null || Number(line) >= 1).toBe(true);
  });

  test('sends a bounded part of large and hostile objects', async () => {
    const { frames } = await run(`
      console.log(Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => ['key' + i, i])));
      console.log(Array.from({ length: 1_000 }, () => ({ text: 'x'.repeat(10_000) })), new Array(4e9));
      console.log(new Proxy({}, { ownKeys() { throw 1 } }), new Proxy([], { get() { throw 1 } }));`);
    expect(valuesOf(frames[0])[0]).toMatchObject({ title: 'Object', more: 39_900 });
    for (const frame of frames) expect(JSON.stringify(valuesOf(frame)).length).toBeLessThan(40_000);
    expect(valuesOf(frames[2])).toEqual(Array(2).fill('[a value that cannot be shown]'));
  });

  test('cuts long texts and survives values that cannot be shown', async () => {
    const { console } = await run(
      'console.log("x".repeat(20000)); console.log({ get a() { throw 1 } }, new Proxy({}, { ownKeys() { throw 1 } }))',
    );
    expect(console[0]).toHaveLength(1 + 10_000 + '… (10000 more characters)'.length);
    expect(console[1]).toContain('cannot be shown');
  });
});

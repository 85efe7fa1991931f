import { describe, expect, test } from 'vitest';
import { run, resultOf, messageOf } from './guest-run.ts';

describe('a result', () => {
  test.each([
    ['undefined', 'null'],
    ['[undefined, , null]', '[null,null,null]'],
    ['{ a: undefined, b: new Date(1) }', '{"a":null,"b":"1970-01-01T00:00:00.001Z"}'],
    ['new Uint16Array([1])', '"AQA="'],
    ['[5n, -(2n ** 53n), 2n ** 53n, -0]', '[5,-9007199254740992,9007199254740992,0]'],
    [
      'Object.assign(new RangeError("x"), { code: 7, failures: [{ tag: "a" }] })',
      '{"name":"RangeError","message":"x","code":7,"failures":[{"tag":"a"}]}',
    ],
    [
      'new Error("x", { cause: new Error("y") })',
      '{"name":"Error","message":"x","cause":{"name":"Error","message":"y"}}',
    ],
    [
      'new AggregateError([1, new Error("y")], "x")',
      '{"name":"AggregateError","message":"x","errors":[1,{"name":"Error","message":"y"}]}',
    ],
    ['new (class Full extends Error { name = "Full"; level = 3 })("x")', '{"name":"Full","message":"x","level":3}'],
    [
      'Object.assign(Object.create(Error.prototype), { message: "m", code: 1 })',
      '{"name":"Error","message":"m","code":1}',
    ],
    [
      '[new Uint8Array([1]), new Float64Array(1), new DataView(new ArrayBuffer(2)), new ArrayBuffer(1)]',
      '["AQ==","AAAAAAAAAAA=","AAA=","AA=="]',
    ],
    ['(function () { return arguments })(1, 2)', '{"0":1,"1":2}'],
    ['Object.defineProperty({ a: 1 }, "hidden", { value: 2 })', '{"a":1}'],
    ['{ get a() { return 1 } }', '{"a":1}'],
    ['Object.assign([1], { toJSON() { return "mine" } })', '"mine"'],
    ['new (class extends Map { toJSON() { return [...this] } })([[1, 2]])', '[[1,2]]'],
    ['Temporal.PlainDate.from("2026-01-02")', '"2026-01-02"'],
    ['new TypeError("x")', '{"name":"TypeError","message":"x"}'],
    ['{ toJSON() { return { a: 1 } } }', '{"a":1}'],
    ['Object.assign(Object.create(null), { __proto__x: 1 })', '{"__proto__x":1}'],
    ['new (class Point { x = 1; #y = 2; get z() { return 3 } })()', '{"x":1}'],
    ['Object.freeze({ a: Object.freeze([1]) })', '{"a":[1]}'],
    ['(() => { const shared = { a: 1 }; return [shared, shared] })()', '[{"a":1},{"a":1}]'],
    ['{ stack: "mine", message: "m" }', '{"stack":"mine","message":"m"}'],
  ])('%s becomes %s', async (value, json) => {
    expect(JSON.stringify(await resultOf(`return (${value})`))).toBe(json);
  });

  test.each([
    ['() => 1', 'the result is a function'],
    ['{ a: { b: [1, Symbol()] } }', 'the result.a.b[1] is a symbol'],
    ['{ "a b": class {} }', 'the result["a b"] is a function'],
    [
      '(() => { const a = { b: {} }; a.b.c = a.b; return a })()',
      'the result.b.c is a cycle: it leads back to the result.b',
    ],
    ['{ a: [new Proxy({}, {})] }', 'the result.a[0] is a proxy'],
    ['new Proxy([], {})', 'the result is a proxy'],
    ['[Promise.resolve(1)]', 'the result[0] is a Promise; await it first'],
    ['[new Map()]', 'the result[0] is a Map; use Object.fromEntries(map)'],
    ['[/x/]', 'the result[0] is a RegExp'],
    ['2n ** 64n', 'the result is a BigInt (18446744073709551616n) beyond'],
    ['{ a: [2n ** 53n + 1n] }', 'the result.a[0] is a BigInt (9007199254740993n) beyond'],
    ['-(2n ** 53n) - 1n', 'the result is a BigInt (-9007199254740993n) beyond'],
    ['10n ** 50n', 'the result is a BigInt beyond'],
    ['[new Number(1)]', 'the result[0] is a Number object; use its primitive, value.valueOf()'],
    ['new String("s")', 'the result is a String object'],
    ['{ a: new Boolean(false) }', 'the result.a is a Boolean object'],
    ['Object(1n)', 'the result is a BigInt object'],
    ['Object(Symbol())', 'the result is a Symbol object'],
    [
      'JSON.parse(\'{"a":{"__proto__":1}}\')',
      'the result.a.__proto__ is a property name that JSON readers treat as the prototype',
    ],
    ['[new Set()]', 'the result[0] is a Set; use Array.from(set)'],
    ['new WeakMap()', 'the result is a WeakMap'],
    ['new WeakSet()', 'the result is a WeakSet'],
    ['new WeakRef({})', 'the result is a WeakRef'],
    ['[1].values()', 'the result is an iterator; use Array.from(iterator)'],
    ['(function* () {})()', 'the result is an iterator'],
    ['[1].values().map((x) => x)', 'the result is an iterator'],
    ['(async function* () {})()', 'the result is an async iterator'],
    ['{ a: new Intl.NumberFormat() }', 'the result.a is a NumberFormat'],
    ['new Intl.Locale("de")', 'the result is a Locale'],
    ['new Intl.Segmenter().segment("a b")', 'the result is a built-in object'],
    ['new DisposableStack()', 'the result is a DisposableStack'],
    ['new (class Mine extends Map {})()', 'the result is a Map'],
    ['new Proxy(new Date(0), {})', 'the result is an object with the prototype of Date, but not a Date'],
    ['[new Proxy(new Map(), {})]', 'the result[0] is a Map'],
    ['new Proxy(new Uint8Array(1), {})', 'the result is a Uint8Array'],
    ['new Proxy(new ArrayBuffer(1), {})', 'the result is a buffer'],
    ['Object.create(ArrayBuffer.prototype)', 'the result is a buffer'],
    [
      '(() => { const buffer = new ArrayBuffer(1); buffer.transfer(); return buffer })()',
      'the result is a buffer whose bytes cannot be read: it was transferred',
    ],
    [
      '(() => { const bytes = new Uint8Array(1); bytes.buffer.transfer(); return { bytes } })()',
      'the result.bytes is a buffer',
    ],
    ['"x".repeat(2000)', 'setting limits.resultMb'],
    ['Array.from({ length: 500 }, (_, i) => i)', 'setting limits.resultMb'],
    ['(() => { let a = 1; for (let i = 0; i < 300; i++) a = [a]; return a })()', 'nested deeper than 200 levels'],
  ])('%s is an error that says so', async (value, message) => {
    const { error } = await run(`return (${value})`);
    expect(error?.name).toBe('ResultError');
    expect(error?.message).toContain(message);
  });

  test('warns of members with a symbol key, which Set rejects', async () => {
    const body = 'const value = { a: { [Symbol("mine")]: 1, b: 2 } };';
    const { result, console } = await run(`${body} return value`);
    expect(result).toEqual({ a: { b: 2 } });
    expect(console).toEqual([
      '2the result.a[Symbol(mine)] is a member with a symbol key: not representable in JSON, omitted',
    ]);
    const { calls } = await run(`${body} TagValueManager.Set([{ tag: 'x', value }])`);
    expect(calls[0]?.[2]).toEqual([
      { tag: 'x', value: null, unfit: { lost: 'the value.a[Symbol(mine)] is a member with a symbol key' } },
    ]);
  });

  test('with more parts than main accepts is rejected before it is serialized', async () => {
    const { calls } = await run('const a = []; a.length = 8e6; TagValueManager.Set([{ tag: "x", value: a }])');
    expect(calls[0]?.[2]).toMatchObject([
      {
        unfit: {
          problem: expect.stringContaining('the value has too many parts (arrays, objects, members and values)'),
        },
      },
    ]);
  });

  test('with NaN or Infinity warns with the path', async () => {
    const { result, console } = await run('return { a: [NaN], b: -Infinity, c: new Date(NaN) }');
    expect(result).toEqual({ a: [null], b: null, c: null });
    expect(console.map((text) => text[0])).toEqual(['2', '2', '2']);
    expect(console[0]).toContain('the result.a[0] is NaN');
    expect(console[2]).toContain('the result.c is an invalid Date');
  });
});

describe('an exception of a body', () => {
  test.each([
    ['throw "text"', { name: 'Error', message: 'text', line: null }],
    ['throw 5', { message: 'the script threw 5, which is not an Error' }],
    ['throw undefined', { message: 'the script threw undefined, which is not an Error' }],
    ['throw { a: 1 }', { message: 'the script threw { a: 1 }, which is not an Error' }],
    ['throw Object.assign(new Error("m"), { name: 7 })', { name: '7', message: 'm' }],
    ['throw Object.create(Error.prototype, { stack: { value: "s" }, message: { value: "m" } })', { message: 'm' }],
    [
      'throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })',
      { message: '(the message of the error cannot be read)' },
    ],
    ['throw Object.defineProperty(new Error("m"), "stack", { get() { throw 1 } })', { message: 'm', stack: [] }],
    ['throw Object.defineProperty(new Error("m"), "name", { value: { toString() { throw 1 } } })', { name: 'Error' }],
    ['throw new Proxy({}, { get() { throw 1 } })', { name: 'Error' }],
    ['throw Object.assign(new Error("m"), { failures: "no" })', { message: 'm' }],
  ])('%s', async (body, expected) => {
    expect((await run(body)).error).toMatchObject(expected);
  });

  test('is cut if it is very long', async () => {
    expect((await messageOf('throw new Error("x".repeat(1e6))'))?.length).toBe(10_000);
  });

  test('has no failures if their count is not a number', async () => {
    const { error } = await run(`throw Object.assign(new Error('m'), {
      failures: new Proxy([], { get: (list, key) => (key === 'length' ? 'x'.repeat(20000) : list[key]) }) })`);
    expect(error).toMatchObject({ message: 'm' });
    expect(error).not.toHaveProperty('failures');
  });

  test('keeps as many failures as fit, and counts the omitted ones', async () => {
    const { error } = await run(`throw Object.assign(new Error('m'), {
      failures: Array.from({ length: 1000 }, (_, index) => ({ tag: 'a', reason: '\\u0000'.repeat(9000), index })) })`);
    expect(error?.failures?.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(error?.message).toBe('m [995 of 1000 failures omitted]');
    expect(Buffer.byteLength(JSON.stringify(error))).toBeLessThan(1_048_576);
    const many = await run(`throw Object.assign(new Error('x'.repeat(2e4)), {
      failures: Array.from({ length: 5000 }, () => ({ tag: 'a', reason: 'b' })) })`);
    expect(many.error?.failures).toHaveLength(1_000);
    expect(many.error?.message).toHaveLength(10_000);
    expect(many.error?.message).toMatch(/x… \[4000 of 5000 failures omitted\]$/);
  });

  test('has only the frames of the author', async () => {
    const { error } = await run('function inner() {\n  null.x;\n}\n[1].forEach(inner);');
    expect(error).toMatchObject({ name: 'TypeError', line: 2, column: 8 });
    expect(error?.stack).toEqual([
      { function: 'inner', line: 2, column: 8 },
      { function: null, line: 4, column: 5 },
    ]);
  });

  test('has its position even if the script has its own stack hook', async () => {
    const { error } = await run('Error.prepareStackTrace = () => 5; \nthrow new Error("m")');
    expect(error).toMatchObject({ line: 2, column: 7 });
  });
});

// oxlint-disable-next-line typescript/triple-slash-reference -- a module that exists in the bundler alone
/// <reference path="../../../../src-main/scripting/sandbox/build/virtual-modules.d.ts" />
import { createContext, Script } from 'node:vm';
import guestSource from 'virtual:guest-source';
import { describe, expect, test } from 'vitest';
import { GUEST_REQUEST, HOST_GLOBAL, START_GLOBAL } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import type { RunError } from '#domain/run/run';

const guest = new Script(guestSource);

interface GuestRun {
  result?: unknown;
  error?: RunError;
  console: string[];
  /** The same as they were sent. */
  frames: string[];
  dropped: number;
  calls: unknown[][];
}

/** An entry as level and text, without its line and values. */
function plainEntry(frame: string): string {
  const head = /^([5-9])\d*\|(\d+)\|/.exec(frame);
  return head === null ? frame : `${Number(head[1]) - 5}${frame.slice(head[0].length + Number(head[2]))}`;
}

/** The logged values of an entry. */
function valuesOf(frame = ''): unknown[] {
  const head = /^[5-9]\d*\|(\d+)\|/.exec(frame);
  return head === null ? [] : JSON.parse(frame.slice(head[0].length, head[0].length + Number(head[1])));
}

/** Runs a body in the real guest, in a realm of this process. Every tag is `Good`, and its value is its index. */
async function run(body: string, response: (call: unknown[]) => unknown = place): Promise<GuestRun> {
  const seen: GuestRun = { console: [], frames: [], dropped: 0, calls: [] };
  const start = {
    tagName: 'A.B.C',
    tagScopeDiagram: 'D',
    tagScopeLocation: null,
    consoleEntries: 3,
    resultBytes: 1000,
  };
  const host = (request: number, text: string): string => {
    if (request === GUEST_REQUEST.begin) return JSON.stringify(start);
    if (request === GUEST_REQUEST.console) {
      seen.console.push(plainEntry(text));
      seen.frames.push(text);
    }
    if (request === GUEST_REQUEST.consoleDropped) seen.dropped = Number(text);
    if (request === GUEST_REQUEST.returned) seen.result = JSON.parse(text);
    if (request === GUEST_REQUEST.threw) seen.error = JSON.parse(text);
    if (request !== GUEST_REQUEST.call) return '';
    const call: unknown[] = JSON.parse(text);
    seen.calls.push(call);
    return JSON.stringify(response(call));
  };
  const realm = createContext({ [HOST_GLOBAL]: host }, { microtaskMode: 'afterEvaluate' });
  guest.runInContext(realm);
  new Script(`${START_GLOBAL}(async function () {\n${body}\n})`, { filename: 'script', lineOffset: -1 }).runInContext(
    realm,
  );
  await Promise.resolve();
  return seen;
}

function place([method, , items]: unknown[]): unknown {
  const list: { value?: unknown }[] = Array.isArray(items) ? items : [];
  const values = list.map((item, index) => (method === 'set' ? item.value : index));
  return { value: { values, qualities: list.map(() => 'Good'), types: list.map(() => 'Int') } };
}

const resultOf = async (body: string) => (await run(body)).result;
const messageOf = async (body: string) => (await run(body)).error?.message;

describe('the realm', () => {
  test('has the variables of the run, which a body may redeclare', async () => {
    expect(await resultOf('return [tagName, tagScopeDiagram, tagScopeLocation, typeof tagValue]')).toEqual([
      'A.B.C',
      'D',
      null,
      'undefined',
    ]);
    expect(await resultOf('let tagName = 1; const TagValueManager = 2; return tagName + TagValueManager')).toBe(3);
  });

  test.each(['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'FinalizationRegistry', HOST_GLOBAL, START_GLOBAL])(
    'has no %s',
    async (name) => expect(await resultOf(`return typeof globalThis[${JSON.stringify(name)}]`)).toBe('undefined'),
  );
});

describe('Get', () => {
  test('returns one element per tag, in both casings', async () => {
    const body = `
      const r = TagValueManager.Get(['x.y.a', 'x.y.b', 'x.y.a'], tagScopeDiagram, tagScopeLocation);
      return [r.Success, r.success, r.Value === r.value, r.Value.length, r.value[1].Path, r.value[1].path,
        r.Value[1].value, r.Value[1].Value, r.value[1].quality, r.value[1].Quality, r.value[1].type, r.value[1].Type];`;
    const { result, calls } = await run(body);
    expect(result).toEqual([true, true, true, 3, 'x.y.b', 'x.y.b', 1, 1, 'Good', 'Good', 'Int', 'Int']);
    expect(calls).toEqual([['get', 2, ['x.y.a', 'x.y.b', 'x.y.a'], 'D', '']]);
  });

  test('shows only PascalCase members, and allows writes in both casings', async () => {
    const body = `
      const r = TagValueManager.Get(['a']);
      const seen = [];
      for (const name in r.Value[0]) seen.push(name);
      r.value[0].value = 7;
      return [Object.keys(r), seen, JSON.stringify(r)];`;
    const item = { Path: 'a', Value: 7, Quality: 'Good', Type: 'Int' };
    expect(await resultOf(body)).toEqual([
      ['Success', 'Value'],
      ['Path', 'Value', 'Quality', 'Type'],
      JSON.stringify({ Success: true, Value: [item] }),
    ]);
  });

  test.each([
    ['Good', 'UncertainInitialValue', true],
    ['Good', 'BadNodeIdUnknown', false],
    ['Bad', 'Good', false],
  ])('of %s and %s has Success %s', async (first, second, success) => {
    const { result } = await run('return TagValueManager.Get(["a", "b"]).Success', () => ({
      value: { values: [1, 2], qualities: [first, second], types: ['Int', 'Int'] },
    }));
    expect(result).toBe(success);
  });

  test('shows the reason of a bad or uncertain quality in both casings, but not in JSON', async () => {
    const body = `
      const { Value } = TagValueManager.Get(['a', 'b', 'c', 'd']);
      const shown = Value.map((e) => [e.Reason, e.reason, Object.keys(e).length, 'reason' in JSON.parse(JSON.stringify(e))]);
      Value[0].Reason = 'mine';
      Value[3].reason = 'changed';
      return [...shown, Object.keys(Value[0]).length, Value[0].reason, Value[3].Reason];`;
    const { result } = await run(body, () => ({
      value: {
        values: [1, null, null, 4],
        qualities: ['Good', 'BadNodeIdUnknown', 'BadTimeout', 'Uncertain'],
        types: ['Int', 'Unknown', 'Int', 'Int'],
        reasons: [{ text: 'too slow', at: [2, 3] }],
      },
    }));
    expect(result).toEqual([
      [null, null, 4, false],
      ['the tag does not exist', 'the tag does not exist', 4, false],
      ['too slow', 'too slow', 4, false],
      ['too slow', 'too slow', 4, false],
      4,
      'mine',
      'changed',
    ]);
  });

  test.each([
    ['nothing', '', 'but got undefined'],
    ['a text', '"A.B.C"', 'but got a text ("A.B.C")'.replaceAll('"', "'")],
    ['a number', '42', 'but got a number (42)'],
    ['an object', '({ 0: "a", length: 1 })', 'but got an object'],
    ['a function', '() => 1', 'but got a function'],
    ['an array with a number', '["a", 5]', 'tags[1] is a number (5)'],
    ['an array with a hole', '["a", , "b"]', 'tags[1] is undefined'],
    ['an array with an array', '[["a"]]', 'tags[0] is an array'],
    ['an array with a symbol', '[Symbol("s")]', 'tags[0] is a symbol'],
    ['a Diagram that is an object', '["a"], {}', 'the Diagram scope is an object'],
    ['a location that is a number', '["a"], null, 3', 'the location scope is a number (3)'],
  ])('with %s throws a TypeError that says so', async (_, args, message) => {
    const { error, calls } = await run(`TagValueManager.Get(${args})`);
    expect(error).toMatchObject({ name: 'TypeError', line: 1, column: 17 });
    expect(error?.message).toContain(message);
    const inTrace = [{ path: 'TagValueManager.Get', reason: error?.message }];
    expect(calls).toEqual([['rejected', 1, 'read', inTrace]]);
  });

  test('reads an accessor once, and accepts any text as a path', async () => {
    const body = `
      let reads = 0;
      const tags = ['__proto__', 'x'.repeat(1e6)];
      Object.defineProperty(tags, 2, { get: () => (reads += 1) === 1 ? 'a' : 5, enumerable: true });
      const result = TagValueManager.Get(tags);
      return [reads, result.Value.length, result.Value[0].Path, result.Value[2].Path];`;
    expect(await resultOf(body)).toEqual([1, 3, '__proto__', 'a']);
  });

  test('called by a built-in still has its line; called after the run it does nothing', async () => {
    const { calls } = await run('\nReflect.apply(TagValueManager.Get, null, [["a"]])');
    expect(calls[0]?.slice(0, 2)).toEqual(['get', 2]);
    const late = await run(
      'Promise.resolve().then(() => 0).then(() => 0).then(() => 0).then(() => TagValueManager.Get(["a"])).catch(() => 0)',
    );
    expect(late.calls).toEqual([]);
  });
});

describe('Set', () => {
  test('accepts both casings, converts values, and returns the written values', async () => {
    const body = `
      const r = TagValueManager.Set([
        { tag: 'a', value: new Date(0) }, { Tag: 'b', Value: undefined }, { tag: 'c', value: new Uint8Array([1, 2]) },
        { tag: 'd', value: 12n }, { tag: 'e', value: { x: [new ArrayBuffer(1)] } }, { tag: 'f', value: new DataView(new ArrayBuffer(2)) },
      ], 'Dia', 'Loc');
      return r.Value.map((item) => item.Value);`;
    const { result, calls } = await run(body);
    const values = ['1970-01-01T00:00:00.000Z', null, 'AQI=', 12, { x: ['AA=='] }, 'AAA='];
    expect(result).toEqual(values);
    expect(calls).toEqual([['set', 2, values.map((value, index) => ({ tag: 'abcdef'[index], value })), 'Dia', 'Loc']]);
  });

  test('sends what JSON cannot represent as a description, for main to decide', async () => {
    const body = `
      const cycle = {}; cycle.self = cycle;
      TagValueManager.Set([{ tag: 'a', value: () => 1 }, { tag: 'b', value: 1 }, { tag: 'c', value: { d: [NaN] } },
        { tag: 'e', value: 2n ** 60n }, { tag: 'f', value: cycle }, { tag: 'g', value: Symbol() }, { tag: 'h', value: new Map() }]);`;
    const { calls } = await run(body);
    const items: { tag: string; value: unknown; unfit?: unknown }[] = JSON.parse(JSON.stringify(calls[0]?.[2]));
    expect(items.map(({ tag, value, unfit }) => [tag, value, unfit])).toEqual([
      ['a', null, { problem: 'the value is a function; use its result instead' }],
      ['b', 1, undefined],
      ['c', null, { lost: 'the value.d[0] is NaN' }],
      ['e', null, { digits: String(2n ** 60n) }],
      ['f', null, { problem: expect.stringContaining('the value.self is a cycle') }],
      ['g', null, { problem: 'the value is a symbol' }],
      ['h', null, { problem: 'the value is a Map; use Object.fromEntries(map)' }],
    ]);
  });

  test('lists every malformed item, with a hint for elements of a Get', async () => {
    const { error, calls } = await run(`
      const [element] = TagValueManager.Get(['x.y.a']).Value;
      TagValueManager.Set([element, { tag: 'b', value: 1 }, { tag: 'c' }, null]);`);
    expect(calls.map(([method]) => method)).toEqual(['get', 'rejected']);
    expect(calls[1]).toMatchObject(['rejected', 3, 'write', [{ path: 'x.y.a' }, { path: 'c' }, { path: 'tags[3]' }]]);
    expect(error?.message).toContain(
      'the tag of tags[0] is undefined; for an element e of a Get, use tag: e.Path (and 2 more)',
    );
    expect(error).toMatchObject({
      name: 'TypeError',
      line: 3,
      failures: [
        { tag: 'x.y.a', index: 0, reason: expect.stringContaining('use tag: e.Path') },
        { tag: 'c', index: 2, reason: expect.stringContaining('tags[2] (c) has no value') },
        { tag: '', index: 3, reason: expect.stringContaining('tags[3] is null') },
      ],
    });
    const others = await run(`
      const [element] = TagValueManager.Get(['x.y.a']).Value;
      TagValueManager.Set([{ tag: element, value: 1 }, { path: 'x.y.b', value: 2 }, { tag: { path: 'x' } }]);`);
    expect(others.error).toMatchObject({
      name: 'TypeError',
      failures: [
        {
          tag: 'x.y.a',
          index: 0,
          reason: expect.stringMatching(/is an object .*; for an element e .* use tag: e\.Path$/),
        },
        { tag: 'x.y.b', index: 1, reason: expect.stringMatching(/is undefined; name the member tag instead of path$/) },
        { tag: '', index: 2, reason: expect.stringMatching(/is an object \(.*\)$/) },
      ],
    });
    const endless = await run('TagValueManager.Set(new Array(2 ** 32 - 1))');
    expect(endless.error?.failures).toHaveLength(1_000);
  });

  test.each([
    ['nothing', '', 'but got undefined'],
    ['an item alone', '{ tag: "a", value: 1 }', 'but got an object'],
    ['a text', '["a"]', "tags[0] is a text ('a')"],
    ['a hole', '[,]', 'tags[0] is undefined'],
    ['an item without tag', '[{ value: 1 }]', 'the tag of tags[0] is undefined'],
    ['an item without value', '[{ tag: "a" }]', 'tags[0] (a) has no value'],
  ])('with %s throws a TypeError that says so', async (_, args, message) => {
    const { error } = await run(`TagValueManager.Set(${args})`);
    expect(error).toMatchObject({ name: 'TypeError', line: 1 });
    expect(error?.message).toContain(message);
  });

  test('throws a rejection of main as an Error with its failures', async () => {
    const body = `
      try { TagValueManager.Set([{ tag: 'a', value: 1 }]) } catch (error) {
        return [error instanceof Error, error.message, error.failures[0]];
      }`;
    const failure = { tag: 'a', reason: 'because', index: 0 };
    const refused = { error: { message: 'refused', failures: [failure] } };
    expect((await run(body, () => refused)).result).toEqual([true, 'refused', failure]);
  });
});

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

describe('a script that poisons its realm', () => {
  const poison = `
    for (const proto of [Array.prototype, String.prototype, Object.prototype, RegExp.prototype, Function.prototype, Map.prototype])
      for (const name of Object.getOwnPropertyNames(proto))
        if (!['constructor', 'length', 'name', '__proto__', 'lastIndex'].includes(name)) try { proto[name] = () => 'poison' } catch {}
    JSON.stringify = JSON.parse = Object.keys = Array.isArray = Reflect.apply = () => 'poison';
    globalThis.Error = globalThis.TypeError = globalThis.JSON = globalThis.Object = undefined;
    delete globalThis.Array;`;

  test('still reads, writes, prints and returns', async () => {
    const { result, console, calls } = await run(`${poison}
      console.log('text');
      const r = TagValueManager.Get(['a']);
      TagValueManager.Set([{ tag: 'b', value: { c: [1, new Date(0)] } }]);
      return { value: r.Value[0].Value, list: [1, 'two'] };`);
    expect(console).toEqual(['0text']);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toMatchObject([
      'set',
      expect.anything(),
      [{ tag: 'b', value: { c: [1, '1970-01-01T00:00:00.000Z'] } }],
      '',
      '',
    ]);
    expect(result).toEqual({ value: 0, list: [1, 'two'] });
  });

  test('still fails with its message', async () => {
    expect(await messageOf(`const E = Error; ${poison}\nthrow new E('mine')`)).toBe('mine');
  });
});

import { describe, expect, test } from 'vitest';
import { HOST_GLOBAL, START_GLOBAL } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import { run, resultOf, messageOf } from './guest-run.ts';

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
    ['a Diagram that is an object', '["a"], {}', 'the Diagram scope must be a text or null, not an object'],
    ['a location that is a number', '["a"], null, 3', 'the location scope must be a text or null, not a number (3)'],
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

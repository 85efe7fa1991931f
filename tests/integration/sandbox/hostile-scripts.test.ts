import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunStatus } from '#domain/run';
import type { ScriptHostPool } from '../../../src-main/sandbox/supervisor/script-host-pool.ts';
import { columns, realPool, runScript, type JobChanges } from '../../support/script-runs.ts';

interface Attack {
  name: string;
  body: string;
  /** How it may end; where two are named, it depends on which guard is the first. */
  ends: RunStatus[];
  says?: RegExp;
  changes?: JobChanges;
}

const quick = { limits: { scriptMs: 300 } };

const LOOPS: Attack[] = [
  {
    name: 'while',
    body: 'while (true);',
    ends: ['timeout'],
    says: /script time over 300 ms \(setting limits\.scriptMs\)/,
  },
  {
    name: 'recursion in async functions',
    body: 'const f = async () => { await 0; return f() }; await f()',
    ends: ['timeout'],
  },
  { name: 'promises without end', body: 'const p = () => Promise.resolve().then(p); await p()', ends: ['timeout'] },
  {
    name: 'promises without end after the return',
    body: 'const p = () => Promise.resolve().then(p); p(); return 1',
    ends: ['timeout'],
  },
  { name: 'a regular expression', body: 'return /^(a+)+$/.test("a".repeat(60) + "b")', ends: ['timeout'] },
  { name: 'a sort', body: '[1, 2, 3].sort(() => { while (true); })', ends: ['timeout'] },
  { name: 'a getter of the result', body: 'return { get a() { while (true); } }', ends: ['timeout'] },
  { name: 'toJSON of the result', body: 'return { toJSON() { while (true); } }', ends: ['timeout'] },
  {
    name: 'a getter of the thrown error',
    body: 'throw Object.defineProperty(new Error(), "message", { get() { while (true); } })',
    ends: ['timeout'],
  },
  {
    name: 'a getter of the stack',
    body: 'throw Object.defineProperty(new Error(), "stack", { get() { while (true); } })',
    ends: ['timeout'],
  },
  { name: 'a getter that is printed', body: 'console.log({ get a() { while (true); } })', ends: ['timeout'] },
  {
    name: 'an unhandled rejection with a getter',
    body: 'Promise.reject({ get message() { while (true); } })',
    ends: ['timeout', 'ok'],
  },
  {
    name: 'a proxy with endless keys',
    body: 'return new Proxy({}, { ownKeys() { while (true); } })',
    ends: ['timeout'],
  },
  { name: 'a generator', body: 'for (const x of (function* () { while (true) yield 1; })());', ends: ['timeout'] },
  { name: 'eval', body: 'eval("while (true);")', ends: ['timeout'] },
  {
    name: 'catch around the end',
    body: 'while (true) { try { while (true); } catch {} finally { continue; } }',
    ends: ['timeout'],
  },
  {
    name: 'BigInt squaring',
    body: 'let x = 3n; while (true) x = x * x;',
    ends: ['timeout', 'memory', 'error', 'crashed'],
  },
  { name: 'one native call', body: 'JSON.stringify(new Array(1e8).fill(0))', ends: ['timeout', 'memory', 'crashed'] },
  {
    name: 'one native call of another sort',
    body: 'const a = []; a.length = 4294967295; a.indexOf(1)',
    ends: ['timeout', 'memory'],
  },
  { name: 'host calls', body: 'while (true) TagValueManager.Get(["a"])', ends: ['timeout'] },
  { name: 'refused host calls', body: 'while (true) try { TagValueManager.Get(5) } catch {}', ends: ['timeout'] },
  { name: 'console', body: 'while (true) console.log("x")', ends: ['timeout'] },
];

const MEMORY: Attack[] = [
  { name: 'the heap', body: 'const a = []; while (true) a.push(new Array(1000).fill(1.5))' },
  { name: 'objects', body: 'let a = null; while (true) a = { a }' },
  {
    name: 'strings',
    body: 'let s = "x"; const keep = []; while (true) { s += s.slice(0, 1e6) + "y"; keep.push(s.replace("x", "z")) }',
  },
  { name: 'one string', body: 'return "x".repeat(2 ** 29 - 24).split("")' },
  { name: 'ArrayBuffers', body: 'const a = []; while (true) a.push(new Uint8Array(1e6).fill(1))' },
  {
    name: 'a resizable buffer',
    body: 'const b = new ArrayBuffer(0, { maxByteLength: 2 ** 31 }); for (let n = 1e6; ; n += 1e6) { b.resize(n); new Uint8Array(b).fill(1) }',
  },
  { name: 'a Map', body: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, {})' },
  {
    name: 'Intl objects',
    body: 'const a = []; while (true) a.push(new Intl.DateTimeFormat("de", { timeStyle: "full" }))',
  },
  { name: 'closures of promises', body: 'const a = []; while (true) a.push(Promise.resolve().then(() => a))' },
  { name: 'a join', body: 'return new Array(2 ** 27).fill("abcdefgh").join("-").length' },
].map(({ name, body }) => ({
  name,
  body,
  ends: ['memory', 'timeout', 'crashed', 'error'],
  changes: { limits: { scriptMs: 4_000 } },
}));

const ESCAPES: Attack[] = [
  { name: 'closes the wrapper', body: '} evil(); {', ends: ['error'], says: /an extra \}/ },
  {
    name: 'closes the wrapper and opens a function',
    body: 'return 1\n}, function () {',
    ends: ['error'],
    says: /an extra \}/,
  },
  {
    name: 'closes the wrapper and the call',
    body: '}); globalThis.x = 1; (async function () {',
    ends: ['error'],
    says: /an extra \}/,
  },
  { name: 'ends in a comment', body: 'return 1 //', ends: ['ok'] },
  { name: 'does not end a comment', body: 'return 1 /*', ends: ['error'] },
  { name: 'does not end a template', body: 'return `', ends: ['error'] },
  {
    name: 'imports',
    body: 'return await import("node:fs")',
    ends: ['error'],
    says: /^import\(\) is not supported: a script has no modules.* TagValueManager, ApiValueManager/,
  },
  {
    name: 'imports as a module does',
    body: 'import fs from "fs"',
    ends: ['error'],
    says: /outside a module: a script has no modules.* TagValueManager/,
  },
  { name: 'requires', body: 'require("fs")', ends: ['error'], says: /^require is not defined: .*TagValueManager/ },
  { name: 'fetches', body: 'await fetch("http://x")', ends: ['error'], says: /ApiValueManager \(for HTTP\)/ },
  {
    name: 'asks for memory of WebAssembly',
    body: 'const keep = []; for (;;) keep.push(new WebAssembly.Memory({ initial: 1000 }))',
    ends: ['error'],
    says: /WebAssembly is not defined/,
  },
  {
    name: 'asks for shared memory',
    body: 'new SharedArrayBuffer(1e9)',
    ends: ['error'],
    says: /SharedArrayBuffer is not defined/,
  },
  { name: 'says that of its own', body: 'throw new Error("Not supported")', ends: ['error'], says: /^Not supported$/ },
  {
    name: 'looks for Node',
    body: 'return [typeof process, typeof require, typeof global, typeof Buffer, typeof setTimeout]',
    ends: ['ok'],
  },
  {
    name: 'climbs through constructors',
    body: 'return Object.getOwnPropertyNames(console.log.constructor("return this")()).includes("process")',
    ends: ['ok'],
  },
  {
    name: 'climbs through the caller',
    body: 'return (function f() { return f.caller })() === null',
    ends: ['ok', 'error'],
  },
  { name: 'waits for ever', body: 'await new Promise(() => {})', ends: ['error'], says: /never finished/ },
];

const RESULTS: Attack[] = [
  { name: 'a function', body: 'return () => 1', ends: ['error'], says: /the result is a function/ },
  { name: 'a cycle', body: 'const a = []; a.push(a); return a', ends: ['error'], says: /a cycle/ },
  { name: 'a proxy', body: 'return { a: new Proxy({}, {}) }', ends: ['error'], says: /the result\.a is a proxy/ },
  {
    name: 'proxies without end',
    body: 'const p = () => new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (_, k) => k === "toJSON" ? undefined : p() }); return p()',
    ends: ['error'],
    says: /nested deeper/,
  },
  { name: '100 MB', body: 'return "x".repeat(100e6)', ends: ['error'], says: /over 1 MB \(setting limits\.resultMb\)/ },
  {
    name: '100 MB in pieces',
    body: 'return Array.from({ length: 100 }, () => "x".repeat(1e6))',
    ends: ['error'],
    says: /limits\.resultMb/,
  },
  {
    name: 'a result whose bytes are over the limit',
    body: 'return "€".repeat(400000)',
    ends: ['error'],
    says: /limits\.resultMb/,
  },
  { name: 'a symbol thrown', body: 'throw Symbol("s")', ends: ['error'], says: /not an Error/ },
  {
    name: 'a revoked proxy thrown',
    body: 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy',
    ends: ['error'],
  },
  {
    name: 'an error with hostile members',
    body: 'throw { get name() { throw 1 }, get message() { throw 1 }, get stack() { throw 1 } }',
    ends: ['error'],
  },
  { name: 'a message of 50 MB', body: 'throw new Error("x".repeat(50e6))', ends: ['error'] },
  { name: 'deep recursion', body: 'const f = () => f(); f()', ends: ['error'], says: /call stack/ },
];

describe('after a hostile script the next run is clean, and the report says what happened:', () => {
  let pool: ScriptHostPool;

  beforeAll(() => {
    pool = realPool();
    pool.start();
  });
  afterAll(() => pool.close());

  async function attack({ body, ends, says, changes }: Attack): Promise<void> {
    const outcome = await runScript(pool, body, changes ?? quick);
    const message = outcome.error?.message ?? '';
    const seen = {
      ...outcome,
      expected: ends.includes(outcome.status),
      explained: outcome.status === 'ok' || (message !== '' && outcome.result === null),
      said: says === undefined || says.test(message),
    };
    expect(seen).toMatchObject({ expected: true, explained: true, said: true });
    const next = await runScript(pool, 'return [1 + 1, typeof evil, typeof x, Object.keys({}).length]');
    expect(next).toMatchObject({ status: 'ok', result: [2, 'undefined', 'undefined', 0], console: [] });
  }

  describe('endless', () => {
    it.each(LOOPS)('$name', attack);
  });
  describe('memory bombs with', () => {
    it.each(MEMORY)('$name', attack);
  });
  describe('a body that', () => {
    it.each(ESCAPES)('$name', attack);
  });
  describe('a result or error that is', () => {
    it.each(RESULTS)('$name', attack);
  });

  it('finds nothing of Node', async () => {
    const { result } = await runScript(
      pool,
      'return [typeof process, typeof require, typeof Buffer, typeof setTimeout, typeof fetch]',
    );
    expect(result).toEqual(Array(5).fill('undefined'));
  });

  it('finds nothing of what another run did to its globals and prototypes', async () => {
    await runScript(
      pool,
      'Object.prototype.evil = 1; Array.prototype.push = null; globalThis.x = 1; JSON.parse = null; return 1',
    );
    const { result } = await runScript(pool, 'return [({}).evil, typeof [].push, typeof x, JSON.parse("[1]")]');
    expect(result).toEqual([null, 'function', 'undefined', [1]]);
  });

  it('is refused an ArrayBuffer: that is memory where the run ends by it, and its own affair where it goes on', async () => {
    const bomb = 'const a = [];\nwhile (true) a.push(new Uint8Array(1e6).fill(1))';
    const limits = { scriptMs: 4_000 };
    const ended = await runScript(pool, bomb, { limits });
    expect(ended).toMatchObject({ status: 'memory', error: { name: 'MemoryError', line: 2 }, result: null });
    expect(ended.error?.message).toContain('more than 64 MB (setting limits.memoryMb)');
    const caught = `const a = []; try { for (;;) a.push(new Uint8Array(1e6)) } catch (error) { return error.message }`;
    expect(await runScript(pool, caught, { limits })).toMatchObject({
      status: 'ok',
      result: 'Array buffer allocation failed',
    });
  });

  it('floods the console: what is over the limit is counted, also when the run is ended', async () => {
    const done = await runScript(pool, 'for (let i = 0; i < 5000; i++) console.log("x".repeat(i)); return 1', {
      limits: { consoleEntries: 10 },
    });
    expect(done).toMatchObject({ status: 'ok', consoleDropped: 4990 });
    expect(done.console).toHaveLength(10);
    const ended = await runScript(pool, 'console.warn("first"); while (true) console.log("x")', {
      limits: { scriptMs: 300, consoleEntries: 2 },
    });
    expect(ended).toMatchObject({
      status: 'timeout',
      console: [
        { level: 'warn', text: 'first' },
        { level: 'log', text: 'x' },
      ],
    });
    expect(ended.consoleDropped).toBeGreaterThan(100);
  });

  it('is killed inside a native call: what it had printed and written before is known', async () => {
    const written: string[] = [];
    const outcome = await runScript(
      pool,
      'console.log("before"); TagValueManager.Set([{ tag: "a", value: 1 }]); const a = []; a.length = 4294967295; a.indexOf(1); return 1',
      {
        limits: { scriptMs: 300 },
        calls: { get: () => columns([]), set: (items) => (written.push(...items.map(({ tag }) => tag)), columns([1])) },
      },
    );
    expect(outcome).toMatchObject({ status: 'timeout', console: [{ text: 'before' }] });
    expect(written).toEqual(['a']);
  });

  it('sets off work for after its end: it does not act in the next run', async () => {
    const seen: string[][] = [];
    const calls = { get: (tags: string[]) => (seen.push(tags), columns(tags.map(() => 1))), set: () => columns([]) };
    await runScript(
      pool,
      'const late = async () => { for (let i = 0; i < 50; i++) await 0; TagValueManager.Get(["late"]); console.log("late") }; late(); return 1',
      { calls },
    );
    const next = await runScript(
      pool,
      'for (let i = 0; i < 200; i++) await 0; TagValueManager.Get(["mine"]); return 1',
      { calls },
    );
    expect(next).toMatchObject({ status: 'ok', console: [] });
    expect(seen).toEqual([['mine']]);
  });

  it('calls Get with names of 1 MB, and with 100,000 names', async () => {
    const long = await runScript(
      pool,
      'return TagValueManager.Get(["x".repeat(1e6), "__proto__"]).Value.map((v) => v.Path.length)',
    );
    expect(long.result).toEqual([1_000_000, 9]);
    const many = await runScript(
      pool,
      'const t = Array.from({ length: 100000 }, (_, i) => "Plant.Line." + i); const r = TagValueManager.Get(t); return [r.Success, r.Value.length, r.Value[99999].Path, r.Value[99999].Value]',
      { limits: { scriptMs: 5_000 } },
    );
    expect(many.result).toEqual([true, 100_000, 'Plant.Line.99999', 99_999]);
  });

  it('asks for more in one call than a call may carry', async () => {
    const outcome = await runScript(
      pool,
      'const t = "x".repeat(1e6); TagValueManager.Get(Array.from({ length: 70 }, () => t))',
      { limits: { memoryMb: 256, scriptMs: 5_000 } },
    );
    expect(outcome.error?.message).toContain('one call carries at most 64 MB');
  });

  it('leaves the application responsive while it runs', async () => {
    const run = runScript(pool, 'while (true);', { limits: { scriptMs: 500 } });
    let longest = 0;
    for (let turn = 0; turn < 40; turn += 1) {
      const before = performance.now();
      await wait(5);
      longest = Math.max(longest, performance.now() - before);
    }
    expect(longest).toBeLessThan(250);
    expect((await run).status).toBe('timeout');
  });
});

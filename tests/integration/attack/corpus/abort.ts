import type { Attack } from './attack.ts';

/** Try to end the process that runs them. */
export const ABORT: Attack[] = [
  { name: 'endless recursion', body: 'const f = () => f(); f()', ends: ['error'], says: /call stack/ },
  {
    name: 'recursion through toString',
    body: 'const o = { toString() { return "" + o; } }; return "" + o',
    ends: ['error'],
  },
  { name: 'recursion through a getter', body: 'const o = { get a() { return this.a; } }; return o.a', ends: ['error'] },
  {
    name: 'recursion through a proxy',
    body: 'const p = new Proxy({}, { get: () => p.a }); return p.a',
    ends: ['error'],
  },
  {
    name: 'recursion through JSON',
    body: 'const o = { toJSON: () => JSON.stringify(o) }; return JSON.stringify(o)',
    ends: ['error'],
  },
  { name: 'recursion through apply', body: 'const f = () => Reflect.apply(f, null, []); f()', ends: ['error'] },
  { name: 'recursion through sort', body: 'const f = () => [2, 1].sort(f); f()', ends: ['error', 'timeout'] },
  { name: 'recursion through replace', body: 'const f = () => "a".replace("a", f); f()', ends: ['error', 'timeout'] },
  { name: 'recursion in a constructor', body: 'class A { b = new A(); } new A()', ends: ['error'] },
  {
    name: 'JSON nested 1,000,000 deep',
    body: 'return JSON.parse("[".repeat(1e6) + "]".repeat(1e6))',
    ends: ['error', 'timeout', 'memory'],
  },
  {
    name: 'an array nested 1,000,000 deep',
    body: 'let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return String(a)',
    ends: ['error', 'timeout', 'memory'],
  },
  {
    name: 'parentheses nested 200,000 deep',
    body: 'return new Function("return " + "(".repeat(2e5) + "1" + ")".repeat(2e5))()',
    ends: ['error', 'timeout'],
  },
  {
    name: 'a pattern nested 100,000 deep',
    body: 'return new RegExp("(".repeat(1e5) + ")".repeat(1e5)).test("a")',
    ends: ['error'],
  },
  {
    name: 'a pattern that backtracks over the stack',
    body: 'return /(?:a|b)*?c/.test("ab".repeat(5e6))',
    ends: ['ok', 'error', 'timeout', 'memory'],
  },
  { name: 'a length that no text can have', body: 'return "x".repeat(2 ** 30)', ends: ['error'] },
  { name: 'a length that no array can have', body: 'return new Array(-1)', ends: ['error'] },
  {
    name: 'more arguments than the stack holds',
    body: 'return Math.max(...new Array(1e7).fill(1))',
    ends: ['error', 'memory', 'timeout'],
  },
  {
    name: 'apply of a huge list',
    body: 'return String.fromCharCode.apply(null, { length: 2 ** 28 })',
    ends: ['error', 'memory', 'timeout', 'crashed'],
  },
  {
    name: 'an iterator that is closed while it closes',
    body: 'const it = { [Symbol.iterator]() { return { next: () => ({ value: 1 }), return() { for (const x of it) break; return {}; } }; } }; for (const x of it) break',
    ends: ['error'],
  },
  { name: 'a buffer of 8 GB', body: 'return new ArrayBuffer(2 ** 33)', ends: ['error', 'memory'] },
  {
    name: 'a buffer that is moved away while it is read',
    body: 'const b = new ArrayBuffer(64); const v = new Uint8Array(b); structuredCloneless: for (const x of [0]) { b.transfer?.(); } return v.length',
    ends: ['ok'],
    gives: 0,
  },
  {
    name: 'species that lie',
    body: 'class L extends Array { static get [Symbol.species]() { return function () { return { length: 2 ** 53 }; }; } } return new L(1, 2, 3).map((x) => x).length',
    ends: ['ok', 'error'],
  },
  { name: 'Atomics that wait', body: 'return Atomics.wait(new Int32Array(new ArrayBuffer(4)), 0, 0)', ends: ['error'] },
  {
    name: 'finalizers',
    body: 'const r = new FinalizationRegistry(() => { for (;;); }); for (let i = 0; i < 1e5; i++) r.register({}, i); return 1',
    ends: ['error'],
  },
  { name: 'a debugger statement', body: 'debugger; return 1', ends: ['ok'], gives: 1 },
  { name: 'an abort by a native syntax', body: 'return new Function("%Abort()")()', ends: ['error'] },
];

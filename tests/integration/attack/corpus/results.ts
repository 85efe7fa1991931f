import type { Attack } from './attack.ts';

/** End with a result or an error that is none. */
export const RESULTS: Attack[] = [
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
  { name: 'a symbol', body: 'return Symbol("s")', ends: ['error'], says: /a symbol/ },
  { name: 'a BigInt', body: 'return 10n', ends: ['error', 'ok'] },
  { name: 'a class', body: 'return class A {}', ends: ['error'], says: /a function/ },
  { name: 'NaN and Infinity', body: 'return [NaN, Infinity, -0]', ends: ['ok', 'error'] },
  {
    name: '__proto__ as an own member',
    body: 'return JSON.parse(\'{"__proto__": {"evil": 1}, "constructor": 2}\')',
    ends: ['ok'],
  },
  { name: 'a getter that throws', body: 'return { get a() { throw new Error("no") } }', ends: ['error'], says: /no/ },
  {
    name: 'a getter that gives another value each time',
    body: 'let n = 0; return { get a() { n += 1; return n === 1 ? "text" : () => 1; } }',
    ends: ['ok', 'error'],
  },
  {
    name: 'an array that grows while it is read',
    body: 'const a = [1]; Object.defineProperty(a, 0, { enumerable: true, get() { a.push(1); return 1; } }); return a',
    ends: ['ok', 'error'],
  },
  {
    name: 'a sparse array of 4,294,967,295',
    body: 'const a = []; a[4294967294] = 1; return a',
    ends: ['error', 'timeout', 'memory'],
  },
  {
    name: 'an array with a length that lies',
    body: 'return new Proxy([], { get: (t, k) => (k === "length" ? 1e9 : t[k]) })',
    ends: ['error', 'timeout', 'memory'],
  },
  { name: 'a Date that is none', body: 'return new Date(NaN)', ends: ['ok', 'error'] },
  {
    name: 'a Date whose toISOString lies',
    body: 'const d = new Date(0); d.toISOString = () => { throw 1; }; return d',
    ends: ['ok', 'error'],
  },
  { name: 'a Map and a Set', body: 'return { m: new Map([[1, 2]]), s: new Set([1]) }', ends: ['ok', 'error'] },
  { name: 'half of a surrogate pair', body: 'return "\\ud800"', ends: ['ok', 'error'] },
  { name: 'members with line breaks and zeros', body: 'return { "a\\u0000\\n\\u2028": "\\u0000" }', ends: ['ok'] },
  {
    name: 'nested 100,000 deep',
    body: 'let a = 1; for (let i = 0; i < 1e5; i++) a = { a }; return a',
    ends: ['error'],
    says: /nested|deep/,
  },
  {
    name: '1,000,000 small members',
    body: 'return Array.from({ length: 1e6 }, (_, i) => i)',
    ends: ['error', 'timeout', 'memory'],
  },
  {
    name: 'an error with itself as its cause',
    body: 'const e = new Error("x"); e.cause = e; throw e',
    ends: ['error'],
  },
  {
    name: 'an AggregateError of 100,000',
    body: 'throw new AggregateError(Array.from({ length: 1e5 }, () => new Error("x")))',
    ends: ['error', 'timeout'],
  },
  { name: 'null thrown', body: 'throw null', ends: ['error'] },
  { name: 'undefined thrown', body: 'throw undefined', ends: ['error'] },
  { name: 'a function thrown', body: 'throw () => 1', ends: ['error'] },
  {
    name: 'a stack of lies',
    body: 'const e = new Error("x"); e.stack = "Error\\n    at /etc/passwd:1:1"; throw e',
    ends: ['error'],
  },
];

import type { Attack } from './attack.ts';

/** Use script time endlessly. */
export const CPU: Attack[] = [
  {
    name: 'while',
    body: 'while (true);',
    ends: ['timeout'],
    says: /script time exceeded 300 ms \(setting limits\.scriptMs\)/,
  },
  {
    name: 'recursion in async functions',
    body: 'const f = async () => { await 0; return f() }; await f()',
    ends: ['timeout'],
  },
  { name: 'endless promises', body: 'const p = () => Promise.resolve().then(p); await p()', ends: ['timeout'] },
  {
    name: 'endless promises after the return',
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
    name: 'a rejection that is made while another is read, and never ends in the next run',
    body: `let n = 0;
      const b = () => ({ get message() { if (++n === 1) { globalThis.k = Promise.reject(b()); return 'x'; } for (;;); } });
      Promise.reject(b());
      return 1`,
    ends: ['ok'],
    gives: 1,
  },
  {
    name: 'endless rejections, each created while another is read',
    body: `const b = () => ({ get message() { Promise.reject(b()); return 'x'; }, get stack() { Promise.reject(b()); return 'y'; } });
      for (let i = 0; i < 100; i++) Promise.reject(b());
      return 1`,
    ends: ['ok'],
    gives: 1,
  },
  {
    name: 'a rejection whose stack never ends, after the return',
    body: 'Promise.reject({ get stack() { for (;;); } }); return 1',
    ends: ['timeout'],
  },
  {
    name: 'a rejection that takes memory endlessly while it is read',
    body: 'Promise.reject({ get message() { const keep = []; for (;;) keep.push(new Array(1e5).fill({})); } }); return 1',
    ends: ['timeout', 'memory', 'crashed'],
  },
  {
    name: 'a rejection that calls main while it is read, after the return',
    body: `Promise.reject({ get message() { for (;;) try { TagValueManager.Set([{ tag: 'A.B.C', value: 1 }]); } catch {} } }); return 1`,
    ends: ['timeout'],
  },
  {
    name: 'a rejection that says it is a timeout',
    body: "Promise.reject(new Error('Script execution timed out.')); return 1",
    ends: ['ok'],
    gives: 1,
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
  { name: 'for', body: 'for (;;);', ends: ['timeout'] },
  { name: 'do', body: 'do {} while (1)', ends: ['timeout'] },
  { name: 'a label', body: 'again: for (;;) continue again;', ends: ['timeout'] },
  {
    name: 'functions that call each other by promises',
    body: 'const a = async () => b(), b = async () => { await 0; return a(); }; await a()',
    ends: ['timeout', 'memory', 'crashed', 'error'],
  },
  {
    name: 'a nested quantifier with a back reference',
    body: String.raw`return /^(?:(a+)\1?)+$/.test('a'.repeat(40) + '!')`,
    ends: ['timeout'],
  },
  {
    name: 'a replace with a slow pattern',
    body: 'return ("a".repeat(40) + "!").replace(/(a|aa)+$/g, "")',
    ends: ['timeout'],
  },
  {
    name: 'a comparator that never ends',
    body: 'Array.from({ length: 9 }, (_, i) => i).toSorted(() => { for (;;); })',
    ends: ['timeout'],
  },
  { name: 'valueOf', body: 'return 1 + { valueOf() { for (;;); } }', ends: ['timeout'] },
  { name: 'toString of a key', body: 'return ({})[{ toString() { for (;;); } }]', ends: ['timeout'] },
  { name: 'Symbol.iterator', body: 'const [a] = { [Symbol.iterator]() { for (;;); } }', ends: ['timeout'] },
  {
    name: 'an endless iterator, spread',
    body: 'return [...{ *[Symbol.iterator]() { for (;;) yield 1; } }]',
    ends: ['timeout', 'memory', 'crashed'],
  },
  { name: 'a thenable', body: 'await { then() { for (;;); } }', ends: ['timeout'] },
  { name: 'a thenable that gives itself', body: 'const t = { then(done) { done(t); } }; await t', ends: ['timeout'] },
  { name: 'an endless finally', body: 'try { throw 1 } finally { for (;;); }', ends: ['timeout'] },
  { name: 'a trap of a proxy', body: 'return "a" in new Proxy({}, { has() { for (;;); } })', ends: ['timeout'] },
  { name: 'a static block of a class', body: 'class A { static { for (;;); } }', ends: ['timeout'] },
  { name: 'a default of a parameter', body: 'return ((a = (() => { for (;;); })()) => a)()', ends: ['timeout'] },
  { name: 'a tagged template', body: 'return (() => { for (;;); })`x`', ends: ['timeout'] },
  { name: 'new Function', body: 'return new Function("for (;;);")()', ends: ['timeout'] },
  { name: 'Date.now polled', body: 'const end = Date.now() + 1e9; while (Date.now() < end);', ends: ['timeout'] },
  {
    name: 'structured text parsed over and over',
    body: 'const t = JSON.stringify(Array.from({ length: 1e4 }, (_, i) => ({ i }))); for (;;) JSON.parse(t)',
    ends: ['timeout'],
  },
  {
    name: 'normalize of a long text, over and over',
    body: 'const t = "\\u0041\\u030a".repeat(1e5); for (;;) t.normalize("NFC")',
    ends: ['timeout'],
  },
];

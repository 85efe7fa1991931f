import type { Attack } from './attack.ts';
import { STOPPED } from './attack.ts';

const BOMBS: Pick<Attack, 'name' | 'body'>[] = [
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
  { name: 'a Set', body: 'const s = new Set(); for (let i = 0; ; i++) s.add("k" + i)' },
  { name: 'typed arrays of doubles', body: 'const a = []; for (;;) a.push(new Float64Array(1e5).fill(Math.PI))' },
  { name: 'a concat that doubles', body: 'let a = [1]; for (;;) a = a.concat(a)' },
  {
    name: 'a text that doubles and is flattened',
    body: 'let s = "ab"; for (;;) { s += s; s.charCodeAt(s.length >> 1); }',
  },
  { name: 'padStart', body: 'const a = []; for (;;) a.push("x".padStart(2 ** 24, String(a.length)).split("0"))' },
  { name: 'matches of a pattern', body: 'return [..."x".repeat(2 ** 26).matchAll(/x/g)].length' },
  {
    name: 'functions made of text',
    body: 'const a = []; for (let i = 0; ; i++) a.push(new Function("return " + i + "+" + "1+".repeat(1e4) + "1"))',
  },
  { name: 'a BigInt', body: 'return String(2n ** 100000000n).length' },
  { name: 'properties of one object', body: 'const o = {}; for (let i = 0; ; i++) o["key" + i] = i' },
  {
    name: 'weak references',
    body: 'const a = []; for (;;) a.push(new WeakRef({ a: new Array(100).fill(a.length) }), new Array(1000).fill(0.5))',
  },
];

/** Use memory endlessly. */
export const MEMORY: Attack[] = BOMBS.map((bomb) => ({ ...bomb, ends: STOPPED, scriptMs: 4_000 }));

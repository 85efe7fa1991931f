import { STOPPED, type Attack } from './attack.ts';

const POISON = `for (const kind of [Object, Array, String, Map, WeakMap, Uint8Array, ArrayBuffer, Function, RegExp, Promise])
  for (const key of Reflect.ownKeys(kind.prototype)) try { kind.prototype[key] = () => { throw new Error('evil') } } catch {}`;
const KEY =
  "await crypto.subtle.importKey('raw', new Uint8Array(9), { name: 'HMAC', hash: 'SHA-512' }, false, ['sign'])";

/** Use the standard globals against their host. */
export const GLOBALS: Attack[] = [
  { name: 'btoa of a huge text', body: 'return btoa("x".repeat(2 ** 28)).length', ends: ['ok', ...STOPPED] },
  { name: 'atob of a huge text', body: 'return atob("A".repeat(2 ** 28)).length', ends: ['ok', ...STOPPED] },
  { name: 'atob that doubles', body: 'let t = "AAAA"; for (;;) t = btoa(t) + btoa(t)', ends: STOPPED },
  {
    name: 'TextEncoder of a huge text',
    body: 'return new TextEncoder().encode("€".repeat(2 ** 27)).length',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'TextDecoder of huge bytes',
    body: 'const b = new Uint8Array(3e7).fill(200), d = new TextDecoder(); for (;;) d.decode(b)',
    ends: STOPPED,
  },
  {
    name: 'TextDecoder of a buffer that was moved away',
    body: 'const b = new Uint8Array(8); b.buffer.transfer(); return new TextDecoder().decode(b).length',
    ends: ['ok', 'error'],
    gives: 0,
  },
  {
    name: 'TextDecoder of a buffer that shrinks while it is read',
    body: `const buffer = new ArrayBuffer(64, { maxByteLength: 64 }), bytes = new Uint8Array(buffer);
      return new TextDecoder().decode(bytes, { get stream() { buffer.resize(0); return false; } }).length`,
    ends: ['ok', 'error'],
  },
  {
    name: 'encodeInto a buffer that shrinks',
    body: `const buffer = new ArrayBuffer(64, { maxByteLength: 64 });
      return new TextEncoder().encodeInto({ toString() { buffer.resize(0); return 'abc'; } }, new Uint8Array(buffer)).written`,
    ends: ['ok', 'error'],
  },
  {
    name: 'a URL of 32 MB',
    body: 'return new URL("http://a/" + "x/../".repeat(6e6)).href.length',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'URLs that make patterns backtrack',
    body: `const hard = ['%'.repeat(1e5), '\\t'.repeat(1e5), ' '.repeat(1e5) + 'x', 'a:'.repeat(5e4), '@'.repeat(1e5), '['.repeat(1e5), '.'.repeat(1e5), '0x'.repeat(5e4), '1.'.repeat(5e4)];
      return hard.map((part) => URL.canParse('http://' + part) + '|' + URL.canParse(part, 'http://a')).length`,
    ends: ['ok', ...STOPPED],
    gives: 9,
  },
  {
    name: 'a host of 1,000,000 labels beyond ASCII',
    body: 'return new URL("http://" + "ü.".repeat(1e6) + "de").href.length',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'a host with one long label beyond ASCII',
    body: 'return new URL("http://" + Array.from({ length: 2e5 }, (_, i) => String.fromCharCode(500 + i % 9000)).join("") + ".de").href.length',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'endless URLSearchParams',
    body: 'const p = new URLSearchParams(); for (let i = 0; ; i++) p.append("k" + i, "x".repeat(100))',
    ends: STOPPED,
  },
  {
    name: 'URLSearchParams of an endless list',
    body: 'return new URLSearchParams((function* () { for (;;) yield ["a", "b"]; })())',
    ends: STOPPED,
  },
  {
    name: 'URLSearchParams that grow while they are read',
    body: 'const p = new URLSearchParams("a=1"); for (const [k] of p) p.append(k, "x")',
    ends: STOPPED,
  },
  {
    name: 'a URL whose text has no end',
    body: 'const t = { toString() { return new URL(t); } }; return new URL(t)',
    ends: ['error'],
  },
  {
    name: 'a clone of cycles',
    body: 'const a = [], m = new Map([[a, a]]); a.push(a, m, new Set([m])); const b = structuredClone(a); return b[0] === b && b[1].get(b) === b',
    ends: ['ok'],
    gives: true,
  },
  {
    name: 'a clone nested 1,000,000 deep',
    body: 'let a = {}; for (let i = 0; i < 1e6; i++) a = { a }; return structuredClone(a)',
    ends: STOPPED,
    scriptMs: 2_000,
  },
  {
    name: 'a clone of a huge hole',
    body: 'return structuredClone(new Array(2 ** 32 - 1)).length',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'clones of 32 MB',
    body: 'const a = [], b = new Uint8Array(2 ** 25); for (;;) a.push(structuredClone(b))',
    ends: STOPPED,
  },
  {
    name: 'a clone that transfers twice, and what was transferred',
    body: `const b = new ArrayBuffer(8); const tries = [() => structuredClone(b, { transfer: [b, b] }), () => structuredClone(b, { transfer: [b] }), () => structuredClone(b)];
      return tries.map((use) => { try { use(); return 'cloned' } catch (error) { return error.name } })`,
    ends: ['ok'],
    gives: ['DataCloneError', 'cloned', 'DataCloneError'],
  },
  {
    name: 'a clone whose getter changes the cloned object',
    body: 'const a = { get x() { delete a.y; a.z = a; return 1; }, y: 2 }; return Object.keys(structuredClone(a)).length',
    ends: ['ok', 'error'],
  },
  {
    name: 'a clone of a proxy that lies about its keys',
    body: 'return structuredClone(new Proxy({}, { ownKeys: () => Array.from({ length: 1e6 }, (_, i) => "k" + i), getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }) }))',
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'endless digests',
    body: 'const b = new Uint8Array(1e7); for (;;) await crypto.subtle.digest("SHA-512", b)',
    ends: STOPPED,
  },
  {
    name: 'digests that nobody awaits',
    body: 'const b = new Uint8Array(1e6); for (;;) crypto.subtle.digest("SHA-1", b)',
    ends: STOPPED,
  },
  {
    name: 'a digest that waits for itself',
    body: 'const again = () => crypto.subtle.digest("SHA-1", new Uint8Array(1)).then(again); await again()',
    ends: STOPPED,
  },
  {
    name: 'a signature of a buffer that was moved away',
    body: `const key = ${KEY}; const b = new ArrayBuffer(8); b.transfer(); return (await crypto.subtle.sign('HMAC', key, b)).byteLength`,
    ends: ['ok', 'error'],
    gives: 64,
  },
  {
    name: 'a key that is an object of the script',
    body: "return await crypto.subtle.sign('HMAC', { algorithm: { hash: { name: 'SHA-1' } }, usages: ['sign'] }, new Uint8Array(1))",
    ends: ['error'],
    says: /must come from crypto.subtle/,
  },
  {
    name: 'endless random bytes',
    body: 'const b = new Uint8Array(65536); for (;;) crypto.getRandomValues(b)',
    ends: STOPPED,
  },
  { name: 'endless ids', body: 'const ids = []; for (;;) ids.push(crypto.randomUUID())', ends: STOPPED },
  {
    name: 'random bytes for an array that lies about its size',
    body: `const b = new Uint8Array(8); Object.defineProperty(b, 'byteLength', { value: 1e9 });
      try { crypto.getRandomValues(b) } catch (error) { return error.name }`,
    ends: ['ok'],
    gives: 'QuotaExceededError',
  },
  ...[
    'btoa("a")',
    'new TextEncoder().encode("é")',
    'new URL("http://ü/?a=1#b").href',
    'structuredClone([new Map()])',
  ].map((use): Attack => ({
    name: `everything poisoned before ${use}`,
    body: `${POISON}\n try { ${use} } catch {} return 1`,
    ends: ['ok', ...STOPPED],
    gives: 1,
  })),
  {
    name: 'everything poisoned before a digest',
    body: `const bytes = new Uint8Array(8); ${POISON}\n try { await crypto.subtle.digest('SHA-256', bytes) } catch {} return 1`,
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'a global that is replaced while its library is loaded',
    body: `Object.defineProperty(Object.prototype, '__core-js_shared__', { get() { globalThis.URL = () => 'mine'; return undefined; }, configurable: true });
      try { new URLSearchParams('a=1') } catch {} return typeof URL`,
    ends: ['ok', ...STOPPED],
  },
  {
    name: 'the getters of the globals, called again and again',
    body: `const holder = Object.getPrototypeOf(globalThis), names = Object.getOwnPropertyNames(holder); const seen = new Set();
      for (const name of names) for (let i = 0; i < 100; i++) seen.add(Reflect.get(holder, name, {})); return seen.size < 20`,
    ends: ['ok'],
    gives: true,
  },
];

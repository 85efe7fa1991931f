import { STOPPED, type Attack } from './attack.ts';

const BODIES: Pick<Attack, 'name' | 'body'>[] = [
  { name: 'Object.prototype', body: 'Object.prototype.evil = 1; Object.prototype.toJSON = () => "evil";' },
  {
    name: 'setters on Object.prototype',
    body: 'for (const k of ["value", "tag", "path", "id", "0"]) Object.defineProperty(Object.prototype, k, { set() { throw new Error(k); }, configurable: true });',
  },
  {
    name: 'Array.prototype',
    body: 'for (const k of Reflect.ownKeys(Array.prototype)) try { Array.prototype[k] = () => { throw new Error("evil"); }; } catch {}',
  },
  {
    name: 'indexes of Array.prototype',
    body: 'Object.defineProperty(Array.prototype, 0, { set() { throw new Error("evil"); }, get() { return "evil"; } });',
  },
  { name: 'Symbol.iterator', body: 'Array.prototype[Symbol.iterator] = function* () { yield "evil"; };' },
  {
    name: 'String.prototype',
    body: 'for (const k of Reflect.ownKeys(String.prototype)) try { String.prototype[k] = () => "evil"; } catch {}',
  },
  {
    name: 'Function.prototype',
    body: 'Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => "evil";',
  },
  {
    name: 'Promise',
    body: 'Promise.prototype.then = function (f) { f("evil"); return this; }; globalThis.Promise = class {};',
  },
  { name: 'JSON', body: 'JSON.stringify = () => "evil"; JSON.parse = () => ({ evil: 1 });' },
  {
    name: 'Error',
    body: 'Error.prepareStackTrace = () => { throw new Error("evil"); }; Error.stackTraceLimit = 0; globalThis.Error = null;',
  },
  {
    name: 'Map and WeakMap',
    body: 'Map.prototype.get = WeakMap.prototype.get = () => "evil"; Map.prototype.set = () => { throw 1; };',
  },
  {
    name: 'Reflect and Object',
    body: 'for (const o of [Reflect, Object]) for (const k of Reflect.ownKeys(o)) try { o[k] = () => { throw new Error("evil"); }; } catch {}',
  },
  { name: 'Math and Number', body: 'Math.min = Math.max = Math.floor = () => NaN; Number.isInteger = () => true;' },
  { name: 'Date', body: 'globalThis.Date = class { static now() { return -1; } }; ' },
  {
    name: 'typed arrays',
    body: 'Uint8Array.prototype.set = Uint8Array.prototype.subarray = () => { throw new Error("evil"); }; globalThis.Uint8Array = null;',
  },
  {
    name: 'all globals',
    body: 'for (const k of Reflect.ownKeys(globalThis)) try { globalThis[k] = undefined; } catch {}',
  },
  {
    name: 'all globals, deleted',
    body: 'for (const k of Reflect.ownKeys(globalThis)) try { delete globalThis[k]; } catch {}',
  },
  {
    name: 'the managers',
    body: 'try { TagValueManager.Get = () => "evil"; } catch {} try { globalThis.TagValueManager = null; } catch {} try { globalThis.ApiValueManager = { Fetch: () => "evil" }; } catch {}',
  },
  { name: 'the console', body: 'try { console.log = () => { throw 1; }; globalThis.console = null; } catch {}' },
  {
    name: 'the variables of the run',
    body: 'try { tagName = "evil"; } catch {} globalThis.tagName = "evil"; globalThis.tagValue = "evil";',
  },
  {
    name: 'everything, frozen',
    body: 'for (const k of Reflect.ownKeys(globalThis)) try { Object.freeze(globalThis[k]); Object.freeze(globalThis[k].prototype); } catch {}',
  },
  {
    name: 'the prototype of the global object',
    body: 'try { Object.setPrototypeOf(globalThis, new Proxy({}, { get: () => "evil", has: () => true })); } catch {}',
  },
];

const TAG = 'Bottling.Settings.Display.Title.Value';
/** What a script does after it has poisoned a built-in. */
const WORK = `const { Path, Quality } = TagValueManager.Get(["${TAG}"]).Value[0]; console.log({ a: [1] });
  let refused; try { TagValueManager.Set([{ tag: "${TAG}", value: 1n ** 0n }, { tag: "No.Such.Tag", value: 1 }]) } catch (error) { refused = error.failures.length }
  return [Path, refused, { deep: [1, "two", 3n] }];`;
const SURVIVED: Pick<Attack, 'name' | 'body'>[] = [
  { name: 'an inherited error', body: 'Object.prototype.error = { message: "evil" };' },
  { name: 'an inherited failures', body: 'Object.prototype.failures = [{ tag: "evil", reason: "evil" }];' },
  { name: 'an inherited toJSON', body: 'Object.prototype.toJSON = Array.prototype.toJSON = () => "evil";' },
  {
    name: 'setters on indexes',
    body: 'for (let i = 0; i < 9; i++) Object.defineProperty(Array.prototype, i, { set() { throw 1; }, get() { throw 1; } });',
  },
  {
    name: 'members of descriptors',
    body: 'for (const k of ["get", "set", "value", "writable", "enumerable"]) Object.prototype[k] = () => { throw 1; };',
  },
  {
    name: 'a stackTraceLimit that throws',
    body: 'Object.defineProperty(Error, "stackTraceLimit", { get() { throw 1; }, set() { throw 1; } });',
  },
  {
    name: 'a constructor of promises',
    body: 'Promise.prototype.constructor = class {}; Promise.prototype.then = () => {};',
  },
  {
    name: 'a console that throws',
    body: 'const { log } = console; console.warn = () => { throw 1; }; console.log = log;',
  },
  { name: 'exec of patterns', body: 'RegExp.prototype.exec = RegExp.prototype.test = () => { throw 1; };' },
];

/** Change built-ins that every script depends on, and continue. Later runs must not be affected. */
export const POISONING: Attack[] = [
  ...BODIES.map(({ name, body }): Attack => ({ name, body: `${body}\nreturn 1`, ends: ['ok', 'error'] })),
  ...SURVIVED.map(({ name, body }): Attack => ({
    name: `${name}, and work continues`,
    body: `${body}\n${WORK}`,
    ends: ['ok'],
    gives: [TAG, 1, { deep: [1, 'two', 3] }],
  })),
  {
    name: 'console values that throw, lie and change while they are logged',
    body: `const lie = new Proxy([], { get: (t, key) => (key === 'length' ? 2 ** 32 - 1 : lie), getOwnPropertyDescriptor: () => ({ value: lie, configurable: true }) });
      const keys = new Proxy({}, { ownKeys: () => Array.from({ length: 1e5 }, (_, i) => 'k' + i), getOwnPropertyDescriptor: () => ({ value: keys, enumerable: true, configurable: true }) });
      const map = new Map(); map.set(map, map); const grows = { get a() { this[Math.random()] = 1; return grows; } };
      const deep = {}; for (let o = deep, i = 0; i < 1e5; i++) o = o.a = {};
      for (const value of [lie, keys, map, grows, deep, new Array(2 ** 32 - 1), { toString: null, constructor: 5 }]) console.log(value, [value], { value });
      return 1`,
    ends: ['ok', ...STOPPED],
    gives: 1,
    scriptMs: 2_000,
  },
  {
    name: 'a flood of objects in the console',
    body: 'const o = Object.fromEntries(Array.from({ length: 1e3 }, (_, i) => ["k" + i, { i }])); for (;;) console.log(o, o, o)',
    ends: STOPPED,
  },
];

import type { Attack } from './attack.ts';

/** Try to escape from the sandbox. */
export const ESCAPE: Attack[] = [
  { name: 'closes the wrapper', body: '} evil(); {', ends: ['error'], says: /unexpected \}/ },
  {
    name: 'closes the wrapper and opens a function',
    body: 'return 1\n}, function () {',
    ends: ['error'],
    says: /unexpected \}/,
  },
  {
    name: 'closes the wrapper and the call',
    body: '}); globalThis.x = 1; (async function () {',
    ends: ['error'],
    says: /unexpected \}/,
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
  { name: 'waits forever', body: 'await new Promise(() => {})', ends: ['error'], says: /never finished/ },
  {
    name: 'names of Node and of the host',
    body: `return ['process', 'require', 'module', 'exports', 'global', 'Buffer', 'setTimeout', 'setInterval', 'setImmediate',
      'queueMicrotask', 'fetch', 'WebSocket', 'XMLHttpRequest', 'Worker', 'postMessage', 'performance', 'navigator',
      'WebAssembly', 'SharedArrayBuffer', '__dirname', 'ivm', 'isolate',
      'crypto.createHash', 'crypto.randomBytes', 'crypto.webcrypto', 'crypto.constants',
      'URL.createObjectURL']
      .filter((name) => { try { return typeof eval(name) !== 'undefined'; } catch { return false; } })`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'the constructors of everything it can reach',
    body: `const seen = new Set(), found = [], todo = [TagValueManager, ApiValueManager, console, globalThis, TagValueManager.Get, console.log,
        crypto, crypto.subtle, URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone, btoa, atob];
      while (todo.length > 0 && seen.size < 5000) {
        const one = todo.pop();
        if ((typeof one !== 'object' && typeof one !== 'function') || one === null || seen.has(one)) continue;
        seen.add(one);
        for (const key of Reflect.ownKeys(one)) {
          if (/^(process|mainModule|binding|dlopen|_load|ivm|Isolate|Reference)$/.test(String(key))) found.push(String(key));
          try { todo.push(one[key]); } catch {}
        }
        todo.push(Object.getPrototypeOf(one));
      }
      return found`,
    ends: ['ok'],
    gives: [],
    scriptMs: 2_000,
  },
  {
    name: 'the function of a host call',
    body: 'return TagValueManager.Get.constructor("return typeof process")()',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'the constructor of an async function',
    body: 'return await (async () => {}).constructor("return typeof process")()',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'the constructor of a generator',
    body: 'return (function* () {}).constructor("yield typeof process")().next().value',
    ends: ['ok'],
    gives: 'undefined',
  },
  { name: 'eval from the outside', body: 'return (0, eval)("typeof process")', ends: ['ok'], gives: 'undefined' },
  {
    name: 'the error of a host call',
    body: 'try { TagValueManager.Get(5); } catch (e) { return e.constructor.constructor("return typeof process")(); }',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'an answer of a host call',
    body: 'return TagValueManager.Get(["A.B.C"]).Value.constructor.constructor("return typeof process")()',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'call sites of a stack',
    body: `Error.prepareStackTrace = (_, sites) => sites;
      const sites = new Error('x').stack;
      if (!Array.isArray(sites)) return [];
      return sites.map((site) => { try { return String(site.getFunction?.() ?? '') + String(typeof site.getThis?.()); } catch { return ''; } }).filter((text) => !text.includes('prepareStackTrace') && /process|ivm|require/.test(text))`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'functions of a prepared stack, from a getter that is printed',
    body: `const own = String(arguments.callee), found = [];
      Error.prepareStackTrace = (_, sites) => { for (const site of sites) { const one = site.getFunction(); if (typeof one === 'function' && !own.includes(String(one))) found.push(String(one)); } return ''; };
      console.log({ get a() { return new Error().stack; } });
      return found`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'arguments of the frames of a prepared stack, down to the function of the host',
    body: `const found = [];
      Error.prepareStackTrace = (_, sites) => { for (const site of sites) { try { for (const one of site.getFunction().arguments) if (typeof one === 'function' && !String(one).includes('prepareStackTrace')) found.push(String(one)); } catch {} } return ''; };
      TagValueManager.Get([{ toString() { return new Error().stack; } }].map((one) => one + ''));
      try { TagValueManager.Set([{ tag: 'A.B.C', value: { toJSON() { return new Error().stack; } } }]); } catch {}
      return found`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'a prepared stack of the result',
    body: `let found = [];
      Error.prepareStackTrace = (_, sites) => { found = sites.map((site) => typeof site.getFunction() + typeof site.getThis()).slice(1); return ''; };
      return { toJSON() { new Error().stack; return found.filter((text) => text !== 'undefinedundefined'); } }`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'files of a prepared stack',
    body: `const found = new Set();
      Error.prepareStackTrace = (_, sites) => { for (const site of sites) found.add(site.getFileName()).add(site.getScriptNameOrSourceURL()).add(site.getEvalOrigin()); return ''; };
      for (const call of [() => TagValueManager.Get(5), () => TagValueManager.Set([{ tag: 'A.B.C', value: () => 1 }]), () => null.x]) try { call(); } catch (error) { error.stack; }
      console.log({ get a() { return new Error().stack; } });
      return [...found].filter((file) => typeof file === 'string' && !['script', 'tagwright'].includes(file))`,
    ends: ['ok'],
    gives: [],
  },
  {
    name: 'the stack of a host call at the end of the stack',
    body: `const texts = []; let left = 500;
      const down = () => { try { down(); } catch {} if (left-- > 0) try { TagValueManager.Get(['A.B.C']); } catch (error) { texts.push(error); } };
      down();
      return texts.map(({ stack }) => String(stack)).filter((text) => /boundary|node:|file:|[/\\\\]/.test(text))`,
    ends: ['ok'],
    gives: [],
    scriptMs: 5_000,
  },
  {
    name: 'the stack of a host call',
    body: 'Error.stackTraceLimit = 1e6; try { TagValueManager.Set(1); } catch (e) { return /node:|file:|\\/(?:out|src|home|work)\\//.test(e.stack); }',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'the caller of a callback',
    body: 'let seen = null; [1].map(function me() { seen = me.caller; }); return seen === null',
    ends: ['ok', 'error'],
    gives: true,
  },
  {
    name: 'arguments.callee of the host',
    body: 'return (function () { try { return String(arguments.callee.caller); } catch { return ""; } })().includes(["native", "host"].join(" "))',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'this of a plain function',
    body: 'return (function () { return Object.getOwnPropertyNames(this ?? {}).includes("process"); })()',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'with and Symbol.unscopables',
    body: 'return new Function("o", "with (o) { return typeof process; }")({ [Symbol.unscopables]: {} })',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'a getter on the way of a host call',
    body: 'return TagValueManager.Get([{ toString() { return this.constructor.constructor("return typeof process")(); } }])',
    ends: ['error', 'ok'],
  },
  {
    name: 'a proxy as the list of tags',
    body: 'return TagValueManager.Get(new Proxy(["A.B.C"], { get(t, k, r) { return Reflect.get(t, k, r); } })).Value.length',
    ends: ['ok', 'error'],
  },
  {
    name: 'the promise of the host',
    body: 'return await Promise.resolve(TagValueManager.Get(["A.B.C"])).constructor.constructor("return typeof process")()',
    ends: ['ok'],
    gives: 'undefined',
  },
  {
    name: 'a file by import of a URL',
    body: 'return await import("file:///etc/passwd")',
    ends: ['error'],
    says: /has no modules/,
  },
  {
    name: 'a module from data',
    body: 'return await import("data:text/javascript,export default 1")',
    ends: ['error'],
    says: /has no modules/,
  },
  { name: 'import.meta', body: 'return import.meta.url', ends: ['error'] },
  { name: 'the environment', body: 'return typeof globalThis.process?.env', ends: ['ok'], gives: 'undefined' },
  {
    name: 'the inspector',
    body: 'return typeof globalThis.inspector + typeof globalThis.console.profile',
    ends: ['ok'],
  },
  {
    name: 'a file by the HTTP client',
    body: 'return ApiValueManager.Fetch("file:///etc/passwd", "get", null).Success',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'its own application by the HTTP client',
    body: 'return ApiValueManager.Fetch("http://127.0.0.1:1/rpc", "get", null).Success',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'globals that a run before left',
    body: 'globalThis.left = (globalThis.left ?? 0) + 1; return globalThis.left',
    ends: ['ok'],
    gives: 1,
  },
];

import type { Attack } from './attack.ts';

const TAG = 'Bottling.Settings.Display.Title.Value';

/** Call the host with invalid arguments. */
export const HOST_CALLS: Attack[] = [
  {
    name: 'Get without arguments',
    body: 'TagValueManager.Get()',
    ends: ['error'],
    says: /takes an array of tag paths/,
  },
  { name: 'Get of numbers', body: 'TagValueManager.Get([1, {}, null])', ends: ['error'] },
  {
    name: 'Get of 200,000 names',
    body: 'return TagValueManager.Get(Array.from({ length: 2e5 }, (_, i) => "Plant.A.T" + i)).Success',
    ends: ['ok', 'error'],
  },
  {
    name: 'Get of names with zeros, quotes and SQL',
    body: `return TagValueManager.Get(["a\\u0000b", "'; DROP TABLE tags; --", "\\"", "../../etc/passwd"]).Success`,
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'Get of __proto__ and constructor',
    body: 'return TagValueManager.Get(["__proto__", "constructor", "hasOwnProperty"]).Value.map((v) => v.Quality)',
    ends: ['ok'],
    gives: ['BadNodeIdUnknown', 'BadNodeIdUnknown', 'BadNodeIdUnknown'],
  },
  {
    name: 'Get with a scope of 1 MB',
    body: `TagValueManager.Get(["${TAG}"], "x".repeat(1e6))`,
    ends: ['error'],
    says: /512|characters/,
  },
  {
    name: 'Get with a scope that is an object',
    body: `TagValueManager.Get(["${TAG}"], { toString() { throw 1; } })`,
    ends: ['error'],
  },
  {
    name: 'Get with a getter in place of a name',
    body: 'const a = []; Object.defineProperty(a, 0, { get() { throw new Error("own"); } }); TagValueManager.Get(a)',
    ends: ['error'],
  },
  { name: 'Set without arguments', body: 'TagValueManager.Set()', ends: ['error'] },
  {
    name: 'Set of a value that is a function',
    body: `TagValueManager.Set([{ tag: "${TAG}", value: () => 1 }])`,
    ends: ['error'],
  },
  {
    name: 'Set of a value with a cycle',
    body: `const a = []; a.push(a); TagValueManager.Set([{ tag: "${TAG}", value: a }])`,
    ends: ['error'],
  },
  {
    name: 'Set of 70 MB',
    body: `TagValueManager.Set([{ tag: "${TAG}", value: "x".repeat(7e7) }])`,
    ends: ['error', 'memory'],
  },
  {
    name: 'Set of a tag that is not there',
    body: 'TagValueManager.Set([{ tag: "No.Such.Tag", value: 1 }])',
    ends: ['error'],
  },
  {
    name: 'Set 10,000 times',
    body: `for (let i = 0; i < 1e4; i++) TagValueManager.Set([{ tag: "${TAG}", value: "t" + i }])`,
    ends: ['ok', 'timeout'],
    scriptMs: 1_000,
  },
  {
    name: 'Set with members that are not of it',
    body: `return TagValueManager.Set([{ tag: "${TAG}", value: "x", __proto__: { tag: "other" }, id: 1 }]) !== undefined`,
    ends: ['ok', 'error'],
  },
  {
    name: 'Fetch without arguments',
    body: 'const a = ApiValueManager.Fetch(); return a.Success',
    ends: ['ok', 'error'],
  },
  {
    name: 'Fetch with line breaks in headers',
    body: 'return ApiValueManager.Fetch("http://127.0.0.1:1/", "get", null, JSON.stringify([{ Key: "A", Value: "b\\r\\nHost: evil" }])).Success',
    ends: ['ok', 'error'],
    gives: false,
  },
  {
    name: 'Fetch with a method of its own',
    body: 'return ApiValueManager.Fetch("http://127.0.0.1:1/", "TRACE / HTTP/1.1\\r\\n", null).Success',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'Fetch of javascript:',
    body: 'return ApiValueManager.Fetch("javascript:alert(1)", "get", null).Success',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'Fetch of a URL of 1 MB',
    body: 'return ApiValueManager.Fetch("http://127.0.0.1:1/" + "x".repeat(1e6), "get", null).Success',
    ends: ['ok'],
    gives: false,
  },
  {
    name: 'Fetch 1,000 times',
    body: 'for (let i = 0; i < 1000; i++) ApiValueManager.Fetch("http://127.0.0.1:1/" + i, "get", null); return 1',
    ends: ['ok', 'timeout'],
    scriptMs: 2_000,
  },
  {
    name: 'a secret by its placeholder',
    body: 'return "{{secret:" + "ERP_KEY}}"',
    ends: ['ok'],
    gives: '{{secret:ERP_KEY}}',
  },
  {
    name: 'calls from a promise after the end',
    body: `(async () => { for (let i = 0; i < 1000; i++) { await 0; TagValueManager.Get(["${TAG}"]); } })(); return 1`,
    ends: ['ok', 'timeout'],
  },
  {
    name: 'calls from within a getter of a call',
    body: `return TagValueManager.Set([{ get tag() { TagValueManager.Get(["${TAG}"]); return "${TAG}"; }, value: "nested" }]) !== undefined`,
    ends: ['ok', 'error'],
  },
  {
    name: 'the console with 10 MB at once',
    body: 'console.log("x".repeat(1e7)); return 1',
    ends: ['ok'],
    gives: 1,
    scriptMs: 2_000,
  },
  {
    name: 'the console with a hostile object',
    body: 'console.log(new Proxy({}, { get() { throw 1; }, ownKeys() { throw 1; } })); return 1',
    ends: ['ok'],
    gives: 1,
  },
  {
    name: 'the console with control characters',
    body: 'console.log("\\u001b[2J\\u0007\\u0000"); return 1',
    ends: ['ok'],
    gives: 1,
  },
];

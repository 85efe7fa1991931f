import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '#domain/text/json';
import type { ScriptHostPool } from '../../../../src-main/scripting/sandbox/supervisor/script-host-pool.ts';
import { PLAIN_CALLS, realPool, runScript } from '../../../support/scripting/script-runs.ts';

/**
 * What a call site, a function's caller or its arguments disclose: functions that are neither the author's nor
 * reachable from the globals, and files other than `script` and `tagwright`. `seen()` collects them, wherever the guest
 * lets a script run.
 */
const COLLECT = `
const reachable = new Set([globalThis, Object.getOwnPropertyDescriptor(new Error(), 'stack')]);
for (const one of reachable) {
  for (const key of Reflect.ownKeys(one)) {
    const { value, get, set } = Reflect.getOwnPropertyDescriptor(one, key) ?? {};
    for (const next of [value, get, set]) if (Object(next) === next) reachable.add(next);
  }
  const above = Object.getPrototypeOf(one);
  if (above !== null) reachable.add(above);
}
const leaks = new Set();
let times = 0;
// The text of this body has that of each of its functions in it.
const body = String(arguments.callee);
const isOwn = (one) => reachable.has(one) || body.includes(String(one)) || String(one).startsWith('function anonymous(');
const known = (what, one) => {
  if (typeof one === 'function') {
    if (!isOwn(one)) leaks.add(what + ': ' + String(one).slice(0, 80));
  } else if (Object(one) === one && !reachable.has(one)) {
    for (const key of Reflect.ownKeys(one)) {
      const { value, get, set } = Reflect.getOwnPropertyDescriptor(one, key) ?? {};
      for (const member of [value, get, set]) if (typeof member === 'function' && !isOwn(member)) leaks.add(what + '.' + String(key) + ': ' + String(member).slice(0, 80));
    }
  }
};
const collect = (error, sites) => {
  times += 1;
  for (const site of sites) {
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(site))) {
      if (name === 'constructor') continue;
      let value;
      try { value = site[name](); } catch { continue; }
      known(name, value);
      if (typeof value === 'function') for (const member of ['caller', 'arguments']) {
        let found = null;
        try { found = value[member]; } catch {}
        if (member === 'caller') known('caller of ' + name, found);
        else for (const one of found ?? []) known('argument of ' + name, one);
      }
      if (/File|Source|Origin/.test(name) && typeof value === 'string' && !/^(script|tagwright)$|^eval at /.test(value)) leaks.add(name + ': ' + value);
    }
  }
  return '';
};
Error.stackTraceLimit = 200;
Error.prepareStackTrace = collect;
let inside = false;
function seen() {
  if (inside) return 1;
  inside = true;
  try { look(arguments); } finally { inside = false; }
  return 1;
}
function look(given) {
  new Error().stack;
  const holder = {};
  Error.captureStackTrace(holder);
  holder.stack;
  let at = seen;
  for (let step = 0; step < 20 && typeof at === 'function'; step += 1) {
    let next = null;
    try { for (const one of at.arguments ?? []) known('argument', one); next = at.caller; } catch {}
    known('caller', next);
    at = next;
  }
  try { known('callee', given.callee.caller); } catch {}
}
const caught = (work) => { try { return work(); } catch (error) { seen(); String(error?.stack); String(error?.message); } };
const getter = () => ({ get a() { return seen(); } });
const proxy = () => new Proxy([1], Object.fromEntries(Object.getOwnPropertyNames(Reflect).filter((name) => typeof Reflect[name] === 'function').map((name) => [name, (...args) => { seen(); return Reflect[name](...args); }])));
`;

const WAYS: [string, string][] = [
  ['a getter that is printed', 'console.log(getter()); console.error([getter()]);'],
  ['a proxy that is printed', 'console.log(proxy(), { a: proxy() });'],
  [
    'texts of printed values',
    `class Odd { get [Symbol.toStringTag]() { seen(); return 'Odd'; } toString() { seen(); return ''; } inspect() { seen(); return ''; } }
     console.log(new Odd(), Object.assign(() => 1, { toString() { return seen() + ''; } }));
     const error = new Error('x'); Object.defineProperty(error, 'message', { get() { return seen() + ''; } });
     console.log(error, new Map([[getter(), proxy()]]), new Set([getter()]), new Date());`,
  ],
  [
    'toJSON of a value that is written',
    `caught(() => TagValueManager.Set([{ tag: 'a', value: { toJSON() { return seen(); } } }]));`,
  ],
  ['a getter of a value that is written', `caught(() => TagValueManager.Set([{ tag: 'a', value: getter() }]));`],
  ['a proxy that is written', `caught(() => TagValueManager.Set([{ tag: 'a', value: proxy() }]));`],
  [
    'getters of an item',
    `caught(() => TagValueManager.Set([{ get tag() { seen(); return 'a'; }, get value() { return seen(); } }]));`,
  ],
  ['a proxy as the items', 'caught(() => TagValueManager.Set(proxy())); caught(() => TagValueManager.Get(proxy()));'],
  [
    'getters of the paths',
    `const paths = ['a']; Object.defineProperty(paths, 0, { get() { seen(); return 'a'; } }); caught(() => TagValueManager.Get(paths));`,
  ],
  [
    'scopes with valueOf',
    `const scope = { toString() { return seen() + ''; }, valueOf() { return seen(); }, [Symbol.toPrimitive]() { return seen(); } }; caught(() => TagValueManager.Get(['a'], scope, scope));`,
  ],
  [
    'arguments of an API call',
    `caught(() => ApiValueManager.Fetch(getter(), proxy(), { toString() { return seen() + ''; } })); seen();`,
  ],
  [
    'errors of the guest',
    `caught(() => TagValueManager.Get(5)); caught(() => TagValueManager.Set(5)); caught(() => TagValueManager.Set([{ tag: 'a', value: () => 1 }])); caught(() => ApiValueManager.Fetch());`,
  ],
  [
    'errors at the end of the stack',
    `const down = () => { try { down(); } catch (error) { error.stack; } }; down(); let left = 50; const calls = () => { try { calls(); } catch (error) { error.stack; } if (left-- > 0) caught(() => TagValueManager.Get(['a'])); }; calls();`,
  ],
  [
    'poisoned prototypes',
    `for (const name of ['a', 'toJSON', 'error', 'values', 'stack']) Object.defineProperty(Object.prototype, name, { configurable: true, get() { seen(); return undefined; }, set() { seen(); } }); caught(() => TagValueManager.Get(['a'])); caught(() => TagValueManager.Set([{ tag: 'a', value: { get b() { return seen() ?? 1; } } }])); console.log({ b: 1 });`,
  ],
  [
    'replaced built-ins',
    `const applied = Reflect.apply; for (const [owner, name] of [[Array.prototype, 'push'], [Array.prototype, 'join'], [JSON, 'stringify'], [JSON, 'parse'], [Reflect, 'apply'], [String.prototype, 'slice'], [RegExp.prototype, 'exec'], [Object, 'keys'], [Function.prototype, 'call'], [Function.prototype, 'apply'], [Array.prototype, Symbol.iterator]]) { const old = owner[name]; owner[name] = function (...args) { seen(); return applied(old, this, args); }; try { caught(() => TagValueManager.Get(['a'])); console.log(getter()); } catch {} owner[name] = old; }`,
  ],
  [
    'results of a Get',
    `const result = TagValueManager.Get(['a']); result.success; result.value[0].path; Object.defineProperty(result, 'Success', { get() { return seen(); } }); result.success;`,
  ],
  [
    'what comes after an await',
    'await { then(done) { seen(); done(1); } }; seen(); await 0; seen(); await (async () => { await 0; seen(); })();',
  ],
  [
    'code in a text',
    `new Function('seen', 'seen()')(seen); (0, eval)('(seen) => seen()')(seen); [3, 1].sort(() => seen()); [1].map(seen); JSON.stringify({ toJSON: seen }); 'a'.replace('a', seen); Reflect.apply(seen, null, []);`,
  ],
];

/** The end of a body whose code runs after the body has returned, when the guest reads the result. */
const RESULTS: [string, string][] = [
  ['a getter of the result', 'get a() { seen(); return 1; }'],
  ['toJSON of the result', 'toJSON() { seen(); return 1; }'],
  ['then of the result', 'then(done) { seen(); done({ leaks: [...leaks], times }); }'],
];

let pool: ScriptHostPool;
beforeAll(() => {
  pool = realPool();
});
afterAll(() => pool.close());

const calls = {
  ...PLAIN_CALLS,
  api: () => ({ success: true, statusCode: '200', errorMessage: null, responseObject: '{}' }),
};

async function found(body: string): Promise<{ status: string; says: string | undefined; result: Json }> {
  const limits = { scriptMs: 20_000, totalMs: 60_000, memoryMb: 128 };
  const { status, error, result } = await runScript(pool, body, { calls, limits });
  return { status, says: error?.message, result };
}

describe('a script learns nothing about the surrounding code from', () => {
  test.each(WAYS)('%s', async (_, body) => {
    const { status, says, result } = await found(`${COLLECT}\n${body}\nreturn { leaks: [...leaks], times };`);
    expect({ status, says, result }).toEqual({
      status: 'ok',
      says: undefined,
      result: { leaks: [], times: expect.any(Number) },
    });
    expect((result as { times: number }).times).toBeGreaterThan(0);
  });

  test.each(RESULTS)('%s', async (_, member) => {
    const body = `${COLLECT}\nreturn { ${member}, get leaks() { return [...leaks]; }, get times() { return times; } };`;
    const { status, result } = await found(body);
    expect(status).toBe('ok');
    if (typeof result === 'object') expect(result).toMatchObject({ leaks: [] });
  });

  test('an error that it throws, and an unhandled rejection', async () => {
    const thrown = `${COLLECT}\nconst error = new Error('x'); Object.defineProperty(error, 'name', { get() { seen(); return [...leaks].join() + '|' + times; } }); throw error;`;
    const { error } = await runScript(pool, thrown, { calls, limits: { scriptMs: 20_000, totalMs: 60_000 } });
    expect(error?.name).toMatch(/^\|/);
    const rejected = `${COLLECT}\nPromise.reject({ get message() { seen(); return [...leaks].join() + '|' + times; } }); return 1;`;
    const outcome = await runScript(pool, rejected, { calls, limits: { scriptMs: 20_000, totalMs: 60_000 } });
    expect(outcome.console[0]?.text).toMatch(/: \|[1-9]/);
  });
});

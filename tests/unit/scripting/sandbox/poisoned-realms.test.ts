// oxlint-disable-next-line typescript/triple-slash-reference -- a module that exists in the bundler alone
/// <reference path="../../../../src-main/scripting/sandbox/build/virtual-modules.d.ts" />
import ivm from 'isolated-vm';
import guestSource, { ownSource } from 'virtual:guest-source';
import { afterAll, describe, expect, test } from 'vitest';
import { GUEST_REQUEST, HOST_GLOBAL, START_GLOBAL } from '../../../../src-main/scripting/sandbox/guest/bridge.ts';
import { sampled } from '../../../support/run/scale.ts';

const START = { tagName: 'A.B.C', tagScopeDiagram: 'D', tagScopeLocation: null, consoleEntries: 9, resultBytes: 9_999 };
const ANSWERS: Record<string, unknown> = {
  get: {
    value: {
      values: [1, { deep: [2] }],
      qualities: ['Good', 'BadTimeout'],
      types: ['Int', 'Json'],
      reasons: [{ text: 'slow', at: [1] }],
    },
  },
  set: { error: { message: 'refused by main', failures: [{ tag: 'a', reason: 'because', index: 0 }] } },
  api: { value: { success: true, statusCode: '200', errorMessage: null, responseObject: 'body' } },
};

/** First poisons, then does everything that a script does. The output must be the same as without the poison. */
const WORK = `
  const got = TagValueManager.Get(['a', 'b'], 'Dia');
  let refusal, refused;
  try { TagValueManager.Set([{ tag: 'a', value: { x: [1, 'two', null, true, 5n], date, bytes } }, { Tag: 'b', Value: undefined }]) }
  catch (error) { refusal = [error.message, error.failures.length, error.failures[0].reason] }
  try { TagValueManager.Set([{ tag: 'c', value: () => 1 }, { tag: 'd', value: symbol }, { tag: 'e', value: 2n ** 64n }]) }
  catch (error) { refused = [error.message, error.failures[0].tag] }
  let wrong, malformed;
  try { TagValueManager.Set([{ tag: 'c' }, got.Value[0], 5]) }
  catch (error) { malformed = [error.message, error.failures[1].tag, error.failures[2].reason] }
  try { TagValueManager.Get([5]) } catch (error) { wrong = error.message }
  const fetched = ApiValueManager.Fetch('http://a', 'get');
  console.log('text', { a: [1, 'it\\'s\\n'], b: { c: null, 'd e': -0 } }, [undefined, , 2n]);
  console.warn(new Point(), failure, [], {});
  const result = { value: got.Value[1].Value, other: got.value[0], reason: got.Value[1].Reason, ok: got.Success, refusal, refused, wrong, malformed,
    fetched, list: [1, [2, { three: 3 }]], date, bytes, big: 7n, point: new Point(), failure };`;
const BEFORE = `
  const date = new Date(0), bytes = new Uint8Array([1, 2, 3]), symbol = Symbol('s'), Mine = TypeError;
  class Point { x = 1; y = [2] }
  const failure = new RangeError('in the result');
  failure.name = 'Own';
  failure.code = 7;`;
const RETURNS = `${WORK}\n return result`;
/** Uses the standard globals first; they may fail, because their libraries run with the poison. */
const USES = `const uses = [
    () => atob(btoa('x')), () => new TextDecoder().decode(new TextEncoder().encode('é')), () => new URL('http://a/?b#c').searchParams.get('b'),
    () => [...new URLSearchParams('a=1')], () => structuredClone({ a: [new Map()], date }), () => crypto.randomUUID(),
    () => crypto.subtle.digest('SHA-256', bytes).catch(() => {}),
  ];
  for (let index = 0; index < uses.length; index++) try { uses[index]() } catch {}
  ${RETURNS}`;
const THROWS = `throw new Mine('mine')`;

/** First saves its own tools, because it may poison these too. */
const TOOLS = `const { defineProperty, getOwnPropertyDescriptor } = Object, Err = Error;
  const evil = () => { throw new Err('evil') };
  const trap = (object, key) => {
    const own = getOwnPropertyDescriptor(object, key);
    if (own?.configurable === false) { try { object[key] = evil } catch {} }
    else defineProperty(object, key, { __proto__: null, get: evil, set: evil, configurable: true });
  };
  const replace = (object, key) => {
    const own = getOwnPropertyDescriptor(object, key);
    if (own?.configurable === false) { try { object[key] = evil } catch {} }
    else defineProperty(object, key, { __proto__: null, value: evil, writable: false, configurable: true });
  };`;
interface GuestIsolate {
  isolate: ivm.Isolate;
  guest: ivm.Script;
}

function newIsolate(memoryLimit: number): GuestIsolate {
  const isolate = new ivm.Isolate({ memoryLimit });
  return { isolate, guest: isolate.compileScriptSync(guestSource, { filename: 'tagwright' }) };
}

const shared = newIsolate(512);
afterAll(() => shared.isolate.dispose());

function newRealm(host: (request: number, text: string) => string, { isolate, guest } = shared): ivm.Context {
  const realm = isolate.createContextSync();
  realm.global.setSync(HOST_GLOBAL, new ivm.Callback(host));
  guest.runSync(realm);
  return realm;
}

/** Errors have no line once a script replaced their members. */
const withoutLine = (text: string): string => text.replace(/^([5-9])\d*(?=\|)/, '$1');

/**
 * Everything that leaves the realm when this poison and then this body run: every frame, without the lines of calls.
 */
function framesOf(poison: string, body: string, inside = shared, timeout = 60_000): string {
  const frames: string[] = [];
  const realm = newRealm((request, text) => {
    if (request === GUEST_REQUEST.begin) return JSON.stringify(START);
    if (request === GUEST_REQUEST.random) return '';
    if (request !== GUEST_REQUEST.call) frames.push(`${request} ${withoutLine(text)}`);
    if (request !== GUEST_REQUEST.call) return '';
    const [method, , ...args]: unknown[] = JSON.parse(text);
    frames.push(JSON.stringify([method, ...args]));
    return JSON.stringify(ANSWERS[String(method)]);
  }, inside);
  const script = `${START_GLOBAL}(async function () {${BEFORE}\n${TOOLS}\n${poison}\n${body}\n})`;
  inside.isolate.compileScriptSync(script, { filename: 'script' }).runSync(realm, { timeout });
  realm.release();
  return frames.join('\n');
}

/** Every object of the engine that a script can reach, as an expression, with the keys that can be changed. */
function engineObjects(): { expression: string; keys: string[] }[] {
  const realm = newRealm(() => '');
  const walk = `(() => {
    const seen = new Set([TagValueManager, ApiValueManager, console]), out = [];
    const visit = (object, expression) => {
      if ((typeof object !== 'object' && typeof object !== 'function') || object === null || seen.has(object)) return;
      seen.add(object);
      const keys = [];
      for (const key of Reflect.ownKeys(object)) {
        const { configurable, writable, value } = Reflect.getOwnPropertyDescriptor(object, key);
        const name = typeof key === 'symbol' ? key.description : JSON.stringify(key);
        if (['"TagValueManager"', '"ApiValueManager"', '"console"', '"__tagwrightStart"'].includes(name)) continue;
        const ofFunction = typeof object === 'function' && (key === 'name' || key === 'length');
        if ((configurable || writable) && !ofFunction) keys.push(name);
        if (typeof key !== 'symbol') visit(value, expression + '[' + name + ']');
      }
      out.push({ expression, keys });
      visit(Reflect.getPrototypeOf(object), 'Object.getPrototypeOf(' + expression + ')');
    };
    visit(globalThis, 'globalThis');
    visit((function* () {}).prototype, '(function* () {}).prototype');
    visit((async function* () {}).prototype, '(async function* () {}).prototype');
    visit((async () => {}), '(async () => {})');
    visit([][Symbol.iterator](), '[][Symbol.iterator]()');
    return out;
  })()`;
  const objects: { expression: string; keys: string[] }[] = realm.evalSync(walk, { copy: true });
  return objects.filter(({ keys }) => keys.length > 0);
}

const OBJECTS = engineObjects();
const POISONS = OBJECTS.flatMap(({ expression, keys }) => keys.map((key) => ({ expression, key })));
/** The names of the guest's own members, and those that the engine reads from objects. */
const WORDS = [...new Set(ownSource.match(/[A-Za-z_$][\w$]*/g))].filter((word) => word.length > 1 && word !== 'then');

const INDEXES = ['"0"', '"1"', '"2"', '"length"', '""'];

describe('a script that poisons its realm affects only itself', () => {
  const returned = framesOf('', RETURNS);
  const thrown = framesOf('', THROWS);

  /** The poisons after which the output differs. */
  function harmful(poisons: string[], body: string, expected: string): string[] {
    return poisons.filter((poison) => framesOf(poison, body) !== expected);
  }

  test('does all its work without poison', () => {
    expect(returned.split('\n')).toMatchInlineSnapshot(`
      [
        "["get",["a","b"],"Dia",""]",
        "["set",[{"tag":"a","value":{"x":[1,"two",null,true,5],"date":"1970-01-01T00:00:00.000Z","bytes":"AQID"}},{"tag":"b","value":null}],"",""]",
        "["set",[{"tag":"c","value":null,"unfit":{"problem":"the value is a function; use its result instead"}},{"tag":"d","value":null,"unfit":{"problem":"the value is a symbol"}},{"tag":"e","value":null,"unfit":{"digits":"18446744073709551616"}}],"",""]",
        "["rejected","write",[{"path":"c","reason":"TagValueManager.Set takes items { tag, value }, but tags[0] (c) has no value"},{"path":"a","reason":"TagValueManager.Set takes items { tag, value }, but the tag of tags[1] is undefined; for an element e of a Get, use tag: e.Path"},{"path":"tags[2]","reason":"TagValueManager.Set takes an array of items { tag, value }, but tags[2] is a number (5)"}]]",
        "["rejected","read",[{"path":"TagValueManager.Get","reason":"TagValueManager.Get takes an array of tag paths, but tags[0] is a number (5)"}]]",
        "["api","Fetch",["http://a","get"]]",
        "2 5|271|["text",{"title":"Object","members":[["a",{"title":"Array (2)","members":[["0","1"],["1","'it\\\\'s\\\\n'"]],"more":0}],["b",{"title":"Object","members":[["c","null"],["d e","-0"]],"more":0}]],"more":0},{"title":"Array (3)","members":[["0","undefined"],["2","2n"]],"more":0}]text { a: [ 1, 'it\\'s\\n' ], b: { c: null, 'd e': -0 } } [ undefined, , 2n ]",
        "2 7|278|[{"title":"Point","members":[["x","1"],["y",{"title":"Array (1)","members":[["0","2"]],"more":0}]],"more":0},{"title":"[Own: in the result]","members":[["name","'Own'"],["code","7"]],"more":0},{"title":"Array (0)","members":[],"more":0},{"title":"Object","members":[],"more":0}]Point { x: 1, y: [ 2 ] } { [Own: in the result] name: 'Own', code: 7 } [] {}",
        "4 {"value":{"deep":[2]},"other":{"Path":"a","Value":1,"Quality":"Good","Type":"Int"},"reason":"slow","ok":false,"refusal":["refused by main",1,"because"],"refused":["refused by main","a"],"wrong":"TagValueManager.Get takes an array of tag paths, but tags[0] is a number (5)","malformed":["TagValueManager.Set takes items { tag, value }, but tags[0] (c) has no value (and 2 more)","a","TagValueManager.Set takes an array of items { tag, value }, but tags[2] is a number (5)"],"fetched":{"Success":true,"StatusCode":"200","ErrorMessage":null,"ResponseObject":"body"},"list":[1,[2,{"three":3}]],"date":"1970-01-01T00:00:00.000Z","bytes":"AQID","big":7,"point":{"x":1,"y":[2]},"failure":{"name":"Own","message":"in the result","code":7}}",
      ]
    `);
    expect(thrown).toMatchInlineSnapshot(
      `"5 {"name":"TypeError","message":"mine","line":20,"column":7,"stack":[{"function":null,"line":20,"column":7},{"function":null,"line":1,"column":1}]}"`,
    );
    expect(OBJECTS.length).toBeGreaterThan(100);
    expect(POISONS.length).toBeGreaterThan(900);
    expect(WORDS).toEqual(expect.arrayContaining(['error', 'failures', 'hasImage', 'toJSON', 'stackTraceLimit']));
  });

  test.each(['trap', 'replace'])('every member of every object of the engine, one by one: %s', (how) => {
    const poisons = sampled(POISONS, 100).map(({ expression, key }) => `${how}(${expression}, ${key});`);
    expect(harmful(poisons, RETURNS, returned)).toEqual([]);
  });

  test.each(['trap', 'replace'])('the same before it uses the standard globals: %s', (how) => {
    const poisons = sampled(POISONS, 30).map(({ expression, key }) => `${how}(${expression}, ${key});`);
    let own = newIsolate(64);
    const renew = (): void => {
      if (!own.isolate.isDisposed) own.isolate.dispose();
      own = newIsolate(64);
    };
    const done = ['', ...poisons].map((poison, index) => {
      // Realms share an isolate, which compiles the libraries once: a third of the time.
      if (index % 100 === 99) renew();
      try {
        return [poison, framesOf(poison, USES, own, 300)];
      } catch {
        // A library that never ends ends like any other script.
        renew();
        return [poison, returned];
      }
    });
    if (!own.isolate.isDisposed) own.isolate.dispose();
    expect(framesOf('', USES)).toBe(returned);
    expect(done.filter(([, frames]) => frames !== returned)).toEqual([]);
  });

  test.each(['trap', 'replace'])('members that every object inherits, one by one: %s', (how) => {
    const words = sampled(WORDS, 50).map((word) => `${how}(Object.prototype, ${JSON.stringify(word)});`);
    const poisons = [...words, ...INDEXES.map((key) => `${how}(Array.prototype, ${key});`)];
    expect(harmful(poisons, RETURNS, returned)).toEqual([]);
    expect(harmful(poisons, THROWS, thrown)).toEqual([]);
  });

  test.each(['trap', 'replace'])('all members of one object at once: %s', (how) => {
    const poisons = sampled(OBJECTS, 20).map(
      ({ expression, keys }) =>
        `{ const object = ${expression}, keys = [${keys.join()}]; for (const key of keys) ${how}(object, key) }`,
    );
    expect(harmful(poisons, RETURNS, returned)).toEqual([]);
    // Without the built-in members of Error, a script has no lines, and without those of TypeError no name.
    const messages = poisons.map((poison) => /"message":"[^"]*"/.exec(framesOf(poison, THROWS))?.[0]);
    expect([...new Set(messages)]).toEqual(['"message":"mine"']);
  });
});
